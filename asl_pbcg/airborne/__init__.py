"""Parachute and glider drops, after an airborne variant of Panzer Leader."""
