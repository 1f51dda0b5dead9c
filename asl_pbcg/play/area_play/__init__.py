"""The area game for front ends: game, look, orders, beginnings, own map."""
