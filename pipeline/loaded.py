"""Importing this declares every stage: the module that `dramatiq` is given."""

from pipeline.stage import load_stages

STAGES = load_stages()
