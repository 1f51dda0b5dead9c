"""Readings of doubtful points of a rulebook that players do not choose, as data files have them."""

from __future__ import annotations

import msgspec


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A doubtful point, how it is read, and why."""

    rule: str
    question: str
    reading: str
    reason: str
