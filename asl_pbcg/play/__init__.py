"""What a front end needs and no rule does: open a game for a viewer, ask, answer, undo, tell."""
