"""Open a game for a viewer, ask, answer, undo, tell: what front ends need and no rule does."""
