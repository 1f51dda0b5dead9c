"""Commands of parachute and glider drops."""
