"""The campaign game for front ends: facts, map, moves, sheets, VASL, beginnings."""
