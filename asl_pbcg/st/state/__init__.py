"""The state of an area game, opened for a phase, and decisions on it."""
