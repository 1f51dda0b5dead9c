"""Procedures that several phases of the area game share: fire, moves, losses."""
