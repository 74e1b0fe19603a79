"""Puppets: a five-stage pipeline of entities that do exactly what their script says, for every failure test."""

from tests.puppets.model import Puppet, create_tables
from tests.puppets.stages import fifth, first, fourth, second, third

__all__ = ["Puppet", "create_tables", "fifth", "first", "fourth", "second", "third"]
