"""Strategy & Tactics 122 Pegasus Bridge: the solitaire area game."""
