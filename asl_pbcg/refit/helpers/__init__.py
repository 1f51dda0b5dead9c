"""Procedures that several steps of the Refit Phase share."""
