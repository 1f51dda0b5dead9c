"""Setting up: where a piece may stand, the setup on record, the check of it."""
