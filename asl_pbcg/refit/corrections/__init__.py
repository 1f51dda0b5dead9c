"""Corrections of a campaign: what no correction may break."""
