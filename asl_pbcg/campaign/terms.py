"""The two words everything in a campaign hangs on: Side and CG Date.

The members that stand here are those the Pegasus Bridge rules name. Another module brings its own
(``Side.admit``, ``CGDate.admit``); nothing that is the same for every module names a member.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Self

SHIPPED: Final = "pb"
"""The folder of ``data/`` of the module that is shipped."""
NOBODY: Final = "nobody"
"""The answer and the word in files where neither side holds something, or no unit does it."""
DUMMIES: Final = '"?"'
"""The name of "?" counters where a side's lines count them. Rule: 9.619."""


class _Open(StrEnum):
    """Names that a module may add to; what was admitted is read from files like a member."""

    @classmethod
    def _known_members(cls) -> dict[str, Self]:
        members: dict[str, Self] = cls.__dict__.get("_known_", {})
        return members

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        return cls._known_members().get(value) if isinstance(value, str) else None

    @classmethod
    def _add_member(cls, value: str) -> Self:
        if value in cls._value2member_map_:
            return cls(value)
        member = str.__new__(cls, value)
        member._name_ = value.replace("-", "_").upper()
        member._value_ = value
        if "_known_" not in cls.__dict__:
            type.__setattr__(cls, "_known_", {})
        cls._known_members()[value] = member
        return member


class Side(_Open):
    """One of the two sides of a module."""

    BRITISH = "british"
    GERMAN = "german"

    @classmethod
    def admit(cls, first: str, second: str) -> tuple[Side, Side]:
        """Take up the two sides of another module; names that are known already stay as they are.

        The order is that of every pair of values.
        """
        pair = cls._add_member(first), cls._add_member(second)
        _OTHER.update({pair[0]: pair[1], pair[1]: pair[0]})
        _FIRST.add(pair[0])
        return pair

    @property
    def is_first(self) -> bool:
        """Whether it is the first of its module's two sides, as the British are."""
        return self in _FIRST

    @property
    def other(self) -> Side:
        """The opposing side."""
        return _OTHER[self]

    @property
    def title(self) -> str:  # type: ignore[override]
        """The side as printed on sheets."""
        return self.value.capitalize()

    @property
    def people(self) -> str:
        """The side as the subject of a sentence: British, Germans."""
        return self.title if self.value.endswith("sh") else f"{self.title}s"


_FIRST = {Side.BRITISH}
_OTHER = {Side.BRITISH: Side.GERMAN, Side.GERMAN: Side.BRITISH}


class CGDate(_Open):
    """A CG Date, in the order they are played; all on 6 June 1944. Rule: 9.2."""

    NIGHT_1 = "night-1"
    NIGHT_2 = "night-2"
    NIGHT_3 = "night-3"
    DAWN = "dawn"
    DAY_1 = "day-1"
    DAY_2 = "day-2"
    DAY_3 = "day-3"
    DUSK = "dusk"

    @classmethod
    def admit(cls, *dates: str) -> tuple[CGDate, ...]:
        """Take up the CG Dates of another module, in the order they are played."""
        order = tuple(cls._add_member(date) for date in dates)
        _ORDER.update(dict.fromkeys(order, order))
        return order

    @classmethod
    def title_of(cls, name: str) -> str:
        """Return the name of a CG Date in the log; other words stay as they are."""
        try:
            return cls(name).title
        except ValueError:
            return name

    @property
    def title(self) -> str:  # type: ignore[override]
        """The name as printed: Night I ... Dusk."""
        word, _, number = self.value.partition("-")
        return f"{word.capitalize()} {'I' * int(number)}" if number else word.capitalize()

    @property
    def is_night(self) -> bool:
        """Whether it is a Night CG Date."""
        return self.value.startswith("night")

    @property
    def number(self) -> int:
        """Place in the order of CG Dates, from 0."""
        return _ORDER[self].index(self)

    @property
    def next(self) -> CGDate | None:
        """The CG Date that follows, or None after the last."""
        dates = _ORDER[self]
        return dates[self.number + 1] if self.number + 1 < len(dates) else None


_ORDER: dict[CGDate, tuple[CGDate, ...]] = dict.fromkeys(CGDate, tuple(CGDate))
