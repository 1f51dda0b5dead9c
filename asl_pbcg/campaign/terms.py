"""The two words everything in a campaign hangs on: Side and CG Date."""

from __future__ import annotations

from enum import StrEnum


class Side(StrEnum):
    """One of the two sides."""

    BRITISH = "british"
    GERMAN = "german"

    @property
    def other(self) -> Side:
        """The opposing side."""
        return Side.GERMAN if self is Side.BRITISH else Side.BRITISH

    @property
    def title(self) -> str:  # type: ignore[override]
        """The side as printed on sheets."""
        return self.value.capitalize()

    @property
    def people(self) -> str:
        """The side as the subject of a sentence: British, Germans."""
        return "British" if self is Side.BRITISH else "Germans"


class CGDate(StrEnum):
    """A CG Date, in the order they are played; all on 6 June 1944. Rule: 9.2."""

    NIGHT_1 = "night-1"
    NIGHT_2 = "night-2"
    NIGHT_3 = "night-3"
    DAWN = "dawn"
    DAY_1 = "day-1"
    DAY_2 = "day-2"
    DAY_3 = "day-3"
    DUSK = "dusk"

    @property
    def title(self) -> str:  # type: ignore[override]
        """The name as printed: Night I ... Dusk."""
        word, _, number = self.value.partition("-")
        return f"{word.capitalize()} {'I' * int(number)}" if number else word.capitalize()

    @property
    def is_night(self) -> bool:
        """Whether it is one of the three Night CG Dates."""
        return self.value.startswith("night")

    @property
    def number(self) -> int:
        """Place in the order of CG Dates, from 0."""
        return list(CGDate).index(self)

    @property
    def next(self) -> CGDate | None:
        """The CG Date that follows, or None after Dusk."""
        dates = list(CGDate)
        return dates[self.number + 1] if self.number + 1 < len(dates) else None
