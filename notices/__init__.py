"""Telling others: webhooks and what they are told."""
