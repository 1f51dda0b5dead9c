"""A table of the megagame: its units, turn and phase, and the morale checks that are due."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest
from asl_pbcg.kernel.typed_data import DataFile, read_keyed
from asl_pbcg.megagame.settings import Settings

QUALITIES: Final = ("green", "veteran", "elite")
SIDES: Final = ("german", "allied")

Kind = Literal["dismounts", "soft_skin", "armoured"]
State = Literal["fights", "routed", "abandoned", "knocked_out", "destroyed", "off_table"]

STATE_WORDS: Final[Mapping[str, str]] = {
    "fights": "",
    "routed": "routed off the table",
    "abandoned": "abandoned",
    "knocked_out": "knocked out",
    "destroyed": "destroyed",
    "off_table": "off the table for good",
}


REMOVED: Final = "removed"
"""The umpire's word for a unit that was named by mistake: the table forgets it."""


class Unit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One unit, whether it stands in a table's log or was only named in one line.

    ``fired`` is the turn and phase in which it fired last, ``fired_by`` how many of its figures
    fired then with weapons that each figure carries.
    ``vehicle`` is a name of the setting ``armour_class``, empty for dismounts; ``figures`` are the
    dismounts, or a soft-skin vehicle's occupants, None when nobody counts them. ``due_losses``
    and ``due_state`` wait for the end of direct fire. A unit that is not ``listed`` was only spoken
    of in a line; the table does not remember it.
    """

    name: str
    side: str = ""
    quality: str = ""
    kind: Kind = "dismounts"
    vehicle: str = ""
    figures: int | None = None
    started: int | None = None
    state: State = "fights"
    marker: bool = False
    suppressed: bool = False
    moved: int = 0
    fired: str = ""
    fired_by: int = 0
    hits: int = 0
    due_losses: int = 0
    due_state: State = "fights"
    listed: bool = True

    @property
    def standing(self) -> int | None:
        """The figures that are left once all losses are taken away."""
        return None if self.figures is None else max(0, self.figures - self.due_losses)

    @property
    def gone(self) -> bool:
        """Whether the unit is out of the game."""
        return self.state != "fights"

    @property
    def going(self) -> bool:
        """Whether the unit is out of the game, or will be once all fire is done."""
        return self.gone or self.due_state != "fights"

    @property
    def lost(self) -> int:
        """Figures lost since the unit came to the table."""
        return 0 if self.started is None else self.started - (self.standing or 0)


class Check(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A morale check: who, of what quality, and for which reasons.

    ``otherwise`` says what each quality passes on, when the unit's is not known.
    """

    unit: str
    quality: str = ""
    triggers: tuple[str, ...]
    passes_on: int | None = None
    otherwise: dict[str, int] = {}

    def __str__(self) -> str:
        if self.quality == "elite":
            return f"{self.unit}: elite, never checks"
        if self.passes_on:
            return f"{self.unit} ({self.quality} on {self.passes_on}+)"
        each = [f"{quality} on {on}+" for quality, on in self.otherwise.items()]
        return f"{self.unit} ({', '.join([*each, 'elite never'])})"


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """How a table stands. ``turn`` 0 is a line without a table: no phases, no memory."""

    title: str = ""
    turn: int = 0
    phase: str = ""
    units: tuple[Unit, ...] = ()
    due: tuple[Check, ...] = ()
    held: dict[str, str] = {}
    own: dict[str, Any] = {}
    lines: int = 0
    rolls: int = 0

    @property
    def settings(self) -> Settings:
        """The settings in force at this table."""
        return Settings(self.own)

    def find(self, name: str) -> Unit | None:
        """The unit ``name`` in any case, or None."""
        wanted = name.casefold()
        return next((unit for unit in self.units if unit.name.casefold() == wanted), None)

    def begins_with(self, start: str) -> Unit | None:
        """The one unit whose name, or a word of it, begins with ``start``; None if not just one."""
        found = self.all_beginning_with(start)
        return found[0] if len(found) == 1 else None

    def all_beginning_with(self, start: str) -> list[Unit]:
        """The units whose name, or a word of it, begins with ``start``, two letters or more."""
        wanted = start.casefold()
        if len(wanted) < 2:
            return []
        return [
            unit
            for unit in self.units
            if any(part.startswith(wanted) for part in _starts(unit.name.casefold()))
        ]

    def unit(self, name: str) -> Unit:
        """The unit ``name``; raises PBCGError with the nearest names."""
        found = self.find(name) or self.begins_with(name)
        if found is None:
            near = nearest(name, [unit.name for unit in self.units])
            raise PBCGError(f'There is no unit "{name}" at this table{near}.')
        return found

    def with_units(self, changed: Iterable[Unit]) -> Table:
        """The table with the units ``changed`` as they are now.

        New ones are added, and those that are ``listed`` no longer are not in it any more.
        """
        units = list(self.units)
        for unit in changed:
            place = next((n for n, old in enumerate(units) if old.name == unit.name), None)
            if place is None:
                units.append(unit)
            else:
                units[place] = unit
        return msgspec.structs.replace(self, units=tuple(unit for unit in units if unit.listed))


def _starts(name: str) -> list[str]:
    parts = name.split()
    return [" ".join(parts[n:]) for n in range(len(parts))]


class Phase(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A phase of the turn: its title, the side that moves, and the lines that belong to it."""

    id: str
    title: str
    lines: tuple[str, ...]
    moving: Literal["", "german", "allied"] = ""


PHASES: Final = DataFile(
    "megagame/phases.yaml", lambda raw, source: read_keyed(raw, Phase, source, "id")
)


def all_phases() -> Mapping[str, Phase]:
    """Every phase, by its id."""
    return PHASES.content


def phases_of(do: str, settings: Settings) -> tuple[Phase, ...]:
    """The phases that a line of the kind ``do`` belongs to; none means any phase."""
    if do == "assault":
        moving = settings["assault_phase"] == "movement"
        return tuple(
            phase
            for phase in all_phases().values()
            if (phase.moving if moving else phase.id == "direct_fire")
        )
    return tuple(phase for phase in all_phases().values() if do in phase.lines)


def kind_of(vehicle: str, settings: Settings) -> Kind:
    """What kind of target a vehicle of the setting ``armour_class`` is; class 0 is soft-skin."""
    if not vehicle:
        return "dismounts"
    return "armoured" if settings[f"armour_class.{vehicle}"] else "soft_skin"
