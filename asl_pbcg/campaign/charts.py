"""The charts of the campaign game: frame, Reinforcement Groups, reinforcements, Fortifications.

Everything here is read from the module's folder of data, ``data/pb/`` for Pegasus Bridge; code
elsewhere holds no number of the rules.
"""

# No annotations as text here: msgspec compiles each one when a file is opened, which takes long.

from functools import cached_property
from typing import Any, Literal, TypeVar

import msgspec

from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.errors import PBCGError

T = TypeVar("T")


class _Chart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A record of a chart; a key it does not know is an error of the data file."""


class CampaignFrame(_Chart, frozen=True):
    """One of the two Campaign Games: its title and CG Dates. Rule: 9.51, 9.52."""

    title: str
    rule: str
    dates: tuple[CGDate, ...]


class StepChart(_Chart, frozen=True):
    """One step of the RePh. Rule: 9.6."""

    step: str
    title: str
    initial: bool = False
    scenario_end: bool = False
    secret: bool = False
    """Whether each side acts in it by itself: what it is asked, rolls and gets it alone sees."""


class SetupOrder(_Chart, frozen=True):
    """Who sets up and who moves first. Rule: 9.62023."""

    first_setup: Side
    first_move: Side
    rule: str = "9.62023"


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """``data/pb/campaign.yaml``."""

    campaigns: dict[str, CampaignFrame]
    steps: tuple[StepChart, ...]
    setup_order: dict[CGDate, SetupOrder]
    scenario_roles: dict[CGDate, dict[str, Side]]
    cpp_base: dict[CGDate, int]
    loss_points: dict[str, Any]
    san: dict[str, Any]
    portage: dict[str, int]
    balance: dict[str, dict[str, Any]]
    victory: dict[str, Any]
    guns: dict[str, Any]
    game_end: dict[str, Any]
    walking_wounded: dict[str, int]
    panzerfaust: dict[str, Any]
    snipers: dict[str, Any]
    night: dict[str, Any]
    lv_hindrance: dict[str, Any]
    schuerzen: dict[str, Any]
    secret_status: dict[str, Any]

    def step(self, id: str) -> StepChart | None:
        """The step ``id`` of the RePh, for example ``9.606``; None if it is none."""
        return next((each for each in self.steps if each.step == id), None)

    def is_secret(self, id: str) -> bool:
        """Whether each side acts by itself in the step ``id``. Rule: 9.613-9.620."""
        step = self.step(id)
        return bool(step and step.secret)


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


NotIn = Literal["building", "rubble", "bridge", "marsh"]
"""What may keep a Fortification out of a hex."""


class FortificationKind(_Chart, frozen=True):
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
    not_in: tuple[NotIn, ...] = ()
    """In what hexes it cannot be."""
    place_rule: str = ""
    """The rule that says so."""


class Fortifications(_Chart, frozen=True):
    """``data/pb/fortifications.yaml``."""

    kinds: dict[str, FortificationKind]
    notes: dict[str, str]
    hip_percent: int


class Charts:
    """All charts of a module, each read from its ``folder`` of data when it is first asked for."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def _read(self, name: str, kind: type[T]) -> T:
        try:
            return msgspec.convert(load_data(f"{self._folder}/{name}.yaml"), kind, strict=False)
        except msgspec.ValidationError as error:
            raise PBCGError(f"data/{self._folder}/{name}.yaml: {error}") from error

    @cached_property
    def frame(self) -> Frame:
        """CG Dates, steps, setup order, CPP base, SAN, victory."""
        return self._read("campaign", Frame)

    @cached_property
    def groups(self) -> Groups:
        """The German RG chart with SW and leaders. Rule: 9.617-9.6183."""
        return self._read("reinforcement_groups", Groups)

    @cached_property
    def reinforcements(self) -> Reinforcements:
        """The British reinforcements. Rule: 9.6152."""
        return self._read("reinforcements", Reinforcements)

    @cached_property
    def fortifications(self) -> Fortifications:
        """What FPP buy. Rule: 9.619."""
        return self._read("fortifications", Fortifications)

    @cached_property
    def initial(self) -> dict[str, Initial]:
        """The Initial Scenarios of CG1 and CG2. Rule: 9.51, 9.52."""
        return self._read("initial", dict[str, Initial])
