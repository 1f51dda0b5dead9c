"""Dice, roll tables and odds, prompts, script runner, journal, views. Knows no game."""
