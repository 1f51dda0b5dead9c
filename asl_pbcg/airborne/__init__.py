"""Parachute and glider drops (Panzer Leader variant)."""
