"""Bookkeeper and umpire for the Pegasus Bridge campaign games."""

__version__ = "0.3.0"
