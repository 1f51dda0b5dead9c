"""A table of the megagame: its units, turn and phase, and the morale checks that are due."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest
from asl_pbcg.kernel.typed_data import DataFile, read_keyed
from asl_pbcg.megagame.mega_settings import UmpireSettings, spell_out

QUALITIES: Final = ("green", "veteran", "elite")
SIDES: Final = ("german", "allied")
REMOVED: Final = "removed"
"""The umpire's word for a unit that was named by mistake: the table forgets it."""

TargetKind = Literal["dismounts", "soft_skin", "armoured"]
UnitState = Literal["fights", "routed", "abandoned", "knocked_out", "destroyed", "off_table"]

STATE_WORDS: Final[Mapping[str, str]] = {
    "fights": "",
    "routed": "routed off the table",
    "abandoned": "abandoned",
    "knocked_out": "knocked out",
    "destroyed": "destroyed",
    "off_table": "off the table for good",
}


class TableUnit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One unit, whether it stands in a table's log or was only named in one line.

    ``vehicle`` is a name of the setting ``armour_class``, empty for dismounts; ``figures`` are the
    dismounts, or a soft-skin vehicle's occupants, None when nobody counts them. ``fired`` is the
    turn and phase in which it fired last, ``fired_by`` how many of its figures fired then with
    weapons that each figure carries. ``due_losses`` and ``due_state`` wait for the end of direct
    fire. A unit that is not ``listed`` was only named in a line; the table does not remember it.
    """

    name: str
    side: str = ""
    quality: str = ""
    kind: TargetKind = "dismounts"
    vehicle: str = ""
    figures: int | None = None
    started: int | None = None
    state: UnitState = "fights"
    marker: bool = False
    suppressed: bool = False
    moved: int = 0
    fired: str = ""
    fired_by: int = 0
    hits: int = 0
    due_losses: int = 0
    due_state: UnitState = "fights"
    listed: bool = True

    @property
    def standing(self) -> int | None:
        """Return the figures that remain once all losses are taken away."""
        return None if self.figures is None else max(0, self.figures - self.due_losses)

    @property
    def gone(self) -> bool:
        """Return whether the unit is out of the game."""
        return self.state != "fights"

    @property
    def going(self) -> bool:
        """Return whether the unit is out of the game, or will be once all fire is done."""
        return self.gone or self.due_state != "fights"

    @property
    def final_state(self) -> UnitState:
        """Return its state once all fire is done."""
        return self.state if self.gone else self.due_state

    @property
    def lost(self) -> int:
        """Return the figures lost since the unit came to the table."""
        return 0 if self.started is None else self.started - (self.standing or 0)

    def __str__(self) -> str:
        noun = "occupants" if self.kind == "soft_skin" else "figures"
        parts = [
            spell_out(self.side),
            self.quality,
            spell_out(self.vehicle),
            f"{self.figures} {noun}" if self.figures is not None else "",
            STATE_WORDS[self.state],
            "suppressed" if self.suppressed else "",
            "impact marker" if self.marker and not self.suppressed else "",
            f"{self.due_losses} to be taken away" if self.due_losses else "",
            f"{STATE_WORDS[self.due_state]} when all fire is done"
            if self.going and not self.gone
            else "",
        ]
        return f"{self.name}: {', '.join(filter(None, parts)) or 'nothing known'}"


class MoraleCheck(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
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
        qualities = [f"{quality} on {on}+" for quality, on in self.otherwise.items()]
        return f"{self.unit} ({', '.join([*qualities, 'elite never'])})"


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """How a table stands. ``turn`` 0 is a line without a table: no phases, no memory."""

    title: str = ""
    turn: int = 0
    phase: str = ""
    units: tuple[TableUnit, ...] = ()
    due: tuple[MoraleCheck, ...] = ()
    held: dict[str, str] = {}
    own: dict[str, Any] = {}
    lines: int = 0
    rolls: int = 0

    @property
    def settings(self) -> UmpireSettings:
        """Return the settings in force at this table."""
        return UmpireSettings(self.own)

    @property
    def heading(self) -> str:
        """Return the turn and phase in words."""
        return f"Turn {self.turn}, {all_phases()[self.phase].title}"

    @property
    def moving(self) -> str:
        """Return the side whose movement it is, or nothing."""
        return all_phases()[self.phase].moving if self.turn else ""

    def find(self, name: str) -> TableUnit | None:
        """Return the unit ``name`` in any case, or None."""
        wanted = name.casefold()
        return next((unit for unit in self.units if unit.name.casefold() == wanted), None)

    def all_beginning_with(self, start: str) -> list[TableUnit]:
        """Return the units that have a word beginning with ``start``, of two letters or more."""
        wanted = start.casefold()
        if len(wanted) < 2:
            return []
        return [unit for unit in self.units if f" {wanted}" in f" {unit.name.casefold()}"]

    def find_begun(self, name: str) -> TableUnit | None:
        """Return the unit ``name``, or the one that begins so; None if there is not just one."""
        begun = self.all_beginning_with(name)
        return self.find(name) or (begun[0] if len(begun) == 1 else None)

    def unit(self, name: str) -> TableUnit:
        """Return the unit ``name``; raises PBCGError with the nearest names."""
        unit = self.find_begun(name)
        if unit is None:
            close = nearest(name, [unit.name for unit in self.units])
            raise PBCGError(f'There is no unit "{name}" at this table{close}.')
        return unit

    def with_units(self, changed: Iterable[TableUnit]) -> Table:
        """Return the table with the units ``changed`` as they are now.

        New ones are added; those that are ``listed`` no longer are dropped.
        """
        units = {unit.name: unit for unit in self.units} | {unit.name: unit for unit in changed}
        listed = tuple(unit for unit in units.values() if unit.listed)
        return msgspec.structs.replace(self, units=listed)


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
    """Return every phase, by its id."""
    return PHASES.content


def phases_of(do: str, settings: UmpireSettings) -> tuple[Phase, ...]:
    """Return the phases that a line of the kind ``do`` belongs to; none means any phase."""
    phases = tuple(all_phases().values())
    if do != "assault":
        return tuple(phase for phase in phases if do in phase.lines)
    if settings["assault_phase"] == "movement":
        return tuple(phase for phase in phases if phase.moving)
    return (all_phases()["direct_fire"],)


def kind_of(vehicle: str, settings: UmpireSettings) -> TargetKind:
    """Return what kind of target a vehicle of ``armour_class`` is; class 0 is soft-skin."""
    if not vehicle:
        return "dismounts"
    return "armoured" if settings[f"armour_class.{vehicle}"] else "soft_skin"
