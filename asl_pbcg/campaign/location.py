"""Locations as players write them: Z15, Z15/1, Z21/pillbox, off-map A7."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

import msgspec

from asl_pbcg.kernel.errors import PBCGError

LOCATION_PATTERN = r"[A-Z]{1,2}[0-9]{1,2}(/([1-4]|pillbox))?"
"""A Location on the map."""
PLACE_PATTERN = rf"^({LOCATION_PATTERN}|off-map [A-Z]{{1,2}}[0-9]{{1,2}})$"
"""A Location on the map, or an Entry Area for what is off map."""
HEXSIDE_PATTERN = r"^([A-Z]{1,2}[0-9]{1,2}(/[A-Z]{1,2}[0-9]{1,2})?)?$"
"""A hexside or hexspine by the hexes beside it; one hex where the other lies off the map."""

GLIDER = "Glider"
"""The notation of what lands by glider."""

_SETUP_AREA = re.compile(r"[A-Z]{1,3}")
_ARROW = re.compile(r"[A-Z]{1,2}[0-9]{1,2}")
_PLACE = re.compile(r"(?:([A-Z]{1,2}[0-9]{1,2})(?:/(?:([1-4])|(pillbox)))?)|off-map ([A-Z0-9]+)")


_OFF_MAP = "off-map "


def is_off_map(at: str) -> bool:
    """Tell whether the notation ``at`` is a place off map."""
    return at.startswith(_OFF_MAP)


def place_words(at: str) -> str:
    """Return the notation ``at`` as players read it: ``Z15/1``, ``off map at A7``."""
    return at.replace(_OFF_MAP, "off map at ")


def where_words(at: str) -> str:
    """Return where a piece is, for a sentence: ``in Z15/1``, ``off map at A7``."""
    return place_words(at) if is_off_map(at) else f"in {at}"


class Location(msgspec.Struct, frozen=True, order=True):
    """One Location, or the place of what waits off map at an Entry Area.

    ``str(location)`` is the notation: ``Z15`` ground level, ``Z15/1`` first level of a building,
    ``Z21/pillbox`` inside the pillbox of the hex, ``off-map A7`` off map at Entry Area A7.
    """

    hex: str
    """The hex; empty off map."""
    level: int = 0
    """Building level: 0 is ground level."""
    pillbox: bool = False
    entry: str = ""
    """The Entry Area (its arrow hex) of what is off map; empty on map."""

    @classmethod
    def parse(cls, text: str) -> Location:
        """Read the notation; it does not ask whether the hex exists. Raises PBCGError."""
        return parse_location(text)

    @classmethod
    def off_map(cls, entry: str) -> Location:
        """The place of what waits off map at an Entry Area, by its arrow hex."""
        return cls("", entry=entry)

    @property
    def on_map(self) -> bool:
        """Whether it is on the map."""
        return not self.entry

    @property
    def ground(self) -> bool:
        """Whether it is the ground level of a hex, outside any pillbox."""
        return not (self.level or self.pillbox or self.entry)

    def __str__(self) -> str:
        if self.entry:
            return f"{_OFF_MAP}{self.entry}"
        if self.pillbox:
            return f"{self.hex}/pillbox"
        return f"{self.hex}/{self.level}" if self.level else self.hex


class Area(msgspec.Struct, frozen=True):
    """Where a piece is Retained: a Setup Area, an Entry Area, or the glider it lands by.

    Its notation is its ID: ``B`` for a Setup Area, the arrow hex (``A7``) for an Entry Area,
    ``Glider``. ``str(area)`` is how people read it.
    """

    kind: Literal["Setup Area", "Entry Area", "Glider"]
    id: str

    @classmethod
    def parse(cls, text: str) -> Area:
        """Read the notation; it does not ask whether there is such an area. Raises PBCGError."""
        if text == GLIDER:
            return cls("Glider", text)
        if _SETUP_AREA.fullmatch(text):
            return cls("Setup Area", text)
        if _ARROW.fullmatch(text):
            return cls("Entry Area", text)
        raise PBCGError(
            f'"{text}" is not an area: write B for a Setup Area, A7 for the Entry Area with its '
            "arrow there."
        )

    @property
    def is_setup_area(self) -> bool:
        """Whether it is a Setup Area."""
        return self.kind == "Setup Area"

    @property
    def is_entry_area(self) -> bool:
        """Whether it is an Entry Area."""
        return self.kind == "Entry Area"

    @property
    def order(self) -> tuple[bool, int, str]:
        """Setup Areas A, B ... AA first, then Entry Areas, as lists have them."""
        return not self.is_setup_area, len(self.id), self.id

    def __str__(self) -> str:
        return "by Glider" if self.kind == "Glider" else f"{self.kind} {self.id}"


@lru_cache(maxsize=4096)
def parse_location(text: str) -> Location:
    """Parse a Location and keep it, as steps ask for the same ones many times."""
    match = _PLACE.fullmatch(text)
    if match is None:
        raise PBCGError(
            f'"{text}" is not a Location: write Z15 for ground level, Z15/1 for first level, '
            "Z21/pillbox or off-map A7."
        )
    name, level, pillbox, entry = match.groups()
    return Location(name or "", int(level or 0), bool(pillbox), entry or "")
