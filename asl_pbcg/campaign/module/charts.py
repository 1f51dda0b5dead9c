"""The charts of the campaign game: Reinforcement Groups, reinforcements, Fortifications, OB.

Everything here is read from the module's folder of data, ``data/pb/`` for Pegasus Bridge; code
elsewhere holds no number of the rules.
"""

# No annotations as text here: msgspec compiles each one when a file is opened, which takes long.

from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any

import msgspec

from asl_pbcg.campaign.module.fortification_ground import KINDS
from asl_pbcg.campaign.module.frame import Frame, SetupOrder, check_frame
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.typed_data import DataFile, data_file, unless_known


class _Chart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A record of a chart; a key it does not know is an error of the data file."""


class GroupChart(_Chart, frozen=True):
    """One line of the German Reinforcement Group Chart. Rule: 9.617."""

    name: str
    organisation: str
    units: tuple[tuple[int, int | None, str], ...] = ()
    """Full count, Depleted count, unit type."""
    cost: int | None = None
    date_max: int | None = None
    cg_max: int | None = None
    fpp: int = 0
    notes: tuple[str, ...] = ()


class SupportWeapon(_Chart, frozen=True):
    """An entry of the Infantry-Type SW Chart: ``n`` outright, ``p`` in parentheses."""

    n: int = 0
    p: int = 0


class LeaderChart(_Chart, frozen=True):
    """How many Leader Allotment DR a group makes, on which table. Rule: 9.6183."""

    rolls: int
    table: str
    given: tuple[str, ...] = ()


class Groups(_Chart, frozen=True):
    """``data/pb/reinforcement_groups.yaml``."""

    groups: dict[str, GroupChart]
    notes: dict[str, str]
    strength_dr_exempt: tuple[str, ...]
    support_weapons: dict[str, dict[str, SupportWeapon]]
    leaders: dict[str, LeaderChart]


class Zone(_Chart, frozen=True):
    """Where a group of an Initial Scenario sets up or enters."""

    within: int | None = None
    of: str = ""
    hexrows: tuple[str, str] | None = None
    numbers: tuple[int, int] | None = None
    hexes: tuple[str, ...] = ()
    north_of: tuple[str, ...] = ()
    buildings: bool = False
    adjacent: bool = False
    east_of_canal: bool = False
    entry: str = ""
    turn: int = 0
    mp: int = 0
    glider: int = 0


class GivenGroup(_Chart, frozen=True):
    """An RG given by an Initial Scenario; ``strength`` full, depleted or roll."""

    id: str
    strength: str


class OBGroup(_Chart, frozen=True):
    """One group of an Initial Scenario's order of battle. Rule: 9.51, 9.52."""

    id: str
    area: str
    """The Setup Area ID for the Initial Scenario, or where the group enters."""
    side: Side
    rule: str
    formation: str
    place: str
    zone: Zone
    airborne: bool = False
    ox_and_bucks: bool = False
    elr: int | None = None
    rg: tuple[GivenGroup, ...] = ()
    units: dict[str, int] = {}
    captured: dict[str, int] = {}
    fortifications: dict[str, int] = {}
    dummies: int = 0


class Fixed(_Chart, frozen=True):
    """Something an Initial Scenario puts in one hex."""

    kind: str
    at: str
    ca: str = ""


class Initial(_Chart, frozen=True):
    """The Initial Scenario of a Campaign Game. Rule: 9.5-9.52."""

    setup: SetupOrder
    san: dict[Side, int]
    groups: tuple[OBGroup, ...]
    ssr: dict[str, str]
    fixed: tuple[Fixed, ...]
    cpp: int = 0
    fpp: dict[Side, int] = {}


class Allotment(_Chart, frozen=True):
    """British reinforcements of one CG Date. Rule: 9.6152."""

    fpp: int
    notes: tuple[int, ...] = ()
    units: dict[str, int] = {}
    entry: str = ""
    dismantled: tuple[str, ...] = ()


class Reinforcements(_Chart, frozen=True):
    """``data/pb/reinforcements.yaml``."""

    dates: dict[CGDate, Allotment]
    notes: dict[int, str]
    gun_hex_number_least: int
    fallback_entry: str
    """The Entry Area of notes 1 and 3 if the British cannot set up on map."""
    formations: dict[int, str]
    """Formation by note, the first that applies; 0 without any of them."""
    withdrawal: dict[str, str]


class FortificationPrice(_Chart, frozen=True):
    """One line of the Fortification Purchase Table. Rule: 9.619."""

    name: str
    cost: float
    side: Side | None = None
    size: int = 0
    per: str = ""
    sizes: tuple[int, ...] = ()
    hip: tuple[str, ...] = ()
    most: int = 0
    notes: tuple[str, ...] = ()
    ground: str = ""
    """Its column in ``fortification_ground.csv``, which says where it can be."""


class Fortifications(_Chart, frozen=True):
    """``data/pb/fortifications.yaml``."""

    kinds: dict[str, FortificationPrice]
    notes: dict[str, str]
    hip_percent: int


def _check_groups(groups: Groups) -> Iterator[tuple[str, str]]:
    for name, group in groups.groups.items():
        for note in group.notes:
            yield from unless_known(f"groups.{name}.notes", note, groups.notes, "note")
    for exempt in groups.strength_dr_exempt:
        yield from unless_known("strength_dr_exempt", exempt, groups.groups, "RG")
    for part in ("support_weapons", "leaders"):
        for name in getattr(groups, part):
            yield from unless_known(part, name, groups.groups, "RG")


def _check_reinforcements(chart: Reinforcements) -> Iterator[tuple[str, str]]:
    for date, allotment in chart.dates.items():
        for note in allotment.notes:
            yield from unless_known(f"dates.{date}.notes", note, chart.notes, "note")
    for note in chart.formations:
        if note:
            yield from unless_known("formations", note, chart.notes, "note")


def _check_fortifications(chart: Fortifications) -> Iterator[tuple[str, str]]:
    for name, kind in chart.kinds.items():
        for note in kind.notes:
            yield from unless_known(f"kinds.{name}.notes", note, chart.notes, "note")
        if kind.ground:
            yield from unless_known(f"kinds.{name}.ground", kind.ground, KINDS, "column")


@cache
def victory_locations(folder: str) -> frozenset[str]:
    """Return the Locations of a module whose Control can decide a campaign, as written.

    Players keep record of their Control even where they are not Strategic Locations.
    Rule: 9.51, SSR PB4, A26.11.
    """
    victory = Charts(folder).frame.victory
    return victory.locations if victory else frozenset()


class Charts:
    """All charts of a module, each read from its ``folder`` of data when it is first asked for."""

    def __init__(self, folder: str) -> None:
        self._frame = data_file(f"{folder}/campaign.yaml", Frame, check_frame)
        self._groups = data_file(f"{folder}/reinforcement_groups.yaml", Groups, _check_groups)
        self._reinforcements = data_file(
            f"{folder}/reinforcements.yaml", Reinforcements, _check_reinforcements
        )
        self._fortifications = data_file(
            f"{folder}/fortifications.yaml", Fortifications, _check_fortifications
        )
        self._initial = data_file(f"{folder}/initial.yaml", dict[str, Initial])

    @property
    def files(self) -> tuple[DataFile[Any], ...]:
        """The files of the charts."""
        return (
            self._frame,
            self._groups,
            self._reinforcements,
            self._fortifications,
            self._initial,
        )

    @cached_property
    def frame(self) -> Frame:
        """CG Dates, steps, setup order, CPP base, SAN, victory."""
        return self._frame.content

    @cached_property
    def groups(self) -> Groups:
        """The German RG chart with SW and leaders. Rule: 9.617-9.6183."""
        return self._groups.content

    @cached_property
    def reinforcements(self) -> Reinforcements:
        """The British reinforcements. Rule: 9.6152."""
        return self._reinforcements.content

    @cached_property
    def fortifications(self) -> Fortifications:
        """A Fortification that FPP buy. Rule: 9.619."""
        return self._fortifications.content

    @cached_property
    def initial(self) -> dict[str, Initial]:
        """The Initial Scenarios of CG1 and CG2. Rule: 9.51, 9.52."""
        return self._initial.content
