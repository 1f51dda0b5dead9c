"""The Refit Phase, rules 9.601-9.620: one file per step."""
