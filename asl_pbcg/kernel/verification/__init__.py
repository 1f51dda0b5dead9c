"""Proof and rescue of a game file: the journal verified, lines lost and found again."""
