"""A Hypothesis state machine over the engine on a real database."""
