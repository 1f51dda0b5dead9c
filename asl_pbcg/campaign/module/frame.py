"""The frame of the campaign game: CG Dates, steps, setup order, SAN, CPP base, Victory Conditions.

It is read from the module's folder, for Pegasus Bridge from ``data/pb/campaign.yaml``. The
few numbers of chapters A and D that the campaign needs are in ``data/pb/units.yaml`` (``UNITS``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

import msgspec

from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.typed_data import data_file, unless_known

# No annotations as text here: msgspec compiles each one when a file is opened, which takes long.


CampaignWidget = Literal[
    "basket",  # options with a price, gathered until they are received
    "basket-place",  # where the last thing put into the basket goes
    "control",  # a list of Locations and who Controls each, painted on the map
    "hex",  # a hex, on the map or typed
    "placement",  # a counter is put into a hex
    "hex",  # a hex, typed or clicked on the map
    "escape",  # choices among moves, with the odds of every one of them
    "shift",  # the same, order by order
    "position",  # a position is entered on the map
    "setup",  # a side sets up on the map
    "hidden",  # a side adds to a position what it alone knows, on the map
]
"""How a front end draws what a campaign asks, beside the widgets of every game."""


SCENARIO: Final = "scenario"
"""Where a campaign stands while a CG scenario is played: among the steps of the RePh it is none."""


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
    short: str = ""
    """Its name where there is little room."""
    initial: bool = False
    scenario_end: bool = False
    secret: bool = False
    """Whether each side acts in it by itself: what it is asked, rolls and gets it alone sees."""
    side: Side | None = None
    """The side that alone is asked and rolls in the step, if it is one side's."""
    first: Side | None = None
    """The side that acts first in a secret step of both; None: who sets up first (9.62023)."""
    purchase: bool = False
    """Whether RG are purchased in it."""
    widget: CampaignWidget | None = None
    """How its choices are drawn."""


class SetupOrder(_Chart, frozen=True):
    """The sides that set up and move first. Rule: 9.62023."""

    first_setup: Side
    first_move: Side
    rule: str = "9.62023"


class LossPoints(_Chart, frozen=True):
    """CG Scenario Loss Points. Rule: 9.6162."""

    rule: str
    first_date: CGDate
    record_from: CGDate
    ratio: int
    difference: int


class SAN(_Chart, frozen=True):
    """The SAN, its adjustment, and the building that changes it. Rule: 9.6122, CG13."""

    least: int
    adjusted_from: int
    ii13_dates: tuple[CGDate, ...]
    ii13_change: int
    ii13_most: int
    building: str


class Portage(_Chart, frozen=True):
    """The most PP on Escape or Shift. Rule: 9.606, 9.613, CG17."""

    mmc: int
    walking_wounded_mmc: int
    smc: int
    wounded_smc: int
    walking_wounded_ipc: int


class WalkingWounded(_Chart, frozen=True):
    """A Walking Wounded MMC in play. Rule: CG17."""

    mf: int
    ipc: int
    cc_attack_drm: int
    cc_defence_drm: int


class Balance(_Chart, frozen=True):
    """A Balance provision. Rule: 9.31."""

    text: str
    entry_cost_change: int = 0


class Panzerfaust(_Chart, frozen=True):
    """How many PF the Germans get. Rule: CG12."""

    rule: str
    per_squad_halves: int


class Snipers(_Chart, frozen=True):
    """Sniper counters a side, and hexes between them. Rule: CG13."""

    rule: str
    counters: int
    apart: int


class Guns(_Chart, frozen=True):
    """Where Guns set up and which never moves. Rule: CG11."""

    rule: str
    setup_range: int
    never_moves: str
    never_moves_type: str
    towed_on: tuple[CGDate, ...]

    def is_bound(self, type: str, hex: str) -> bool:
        """Whether a Gun of a type in a hex is the one that never moves. Rule: CG11."""
        return (type, hex) == (self.never_moves_type, self.never_moves)


class GameEnd(_Chart, frozen=True):
    """When a CG scenario may end. Rule: CG19."""

    rule: str
    first_turn: int
    most_turns: int


class Night(_Chart, frozen=True):
    """The Night CG scenarios. Rule: CG4."""

    rule: str
    base_nvr: int
    german_fire_range: int
    move_seen_range: int
    north_from: str


class LVHindrance(_Chart, frozen=True):
    """On which CG Dates there is LV Hindrance. Rule: CG18."""

    rule: str
    value: int
    always: tuple[CGDate, ...]
    after_wc: tuple[CGDate, ...]


class Schuerzen(_Chart, frozen=True):
    """Which vehicles have Schuerzen. Rule: CG7."""

    rule: str
    types: tuple[str, ...]


class SecretStatus(_Chart, frozen=True):
    """From how far a status may be asked for. Rule: CG9."""

    rule: str
    range: int


class ScenarioRule(_Chart, frozen=True):
    """A special rule of the module in force in every scenario. Rule: CG2."""

    rule: str
    text: str
    weather: bool = False
    """Whether it says the EC and the wind, for which players look on the Setup Sheet."""


class Victory(_Chart, frozen=True):
    """The CG Victory Conditions. Rule: 9.51, 9.52."""

    road: tuple[str, ...]
    road_range: int
    day_2_vp_least: int
    day_2_cvp_most: int
    day_2_types: tuple[str, ...]
    bridge: dict[str, tuple[str, ...]]
    """The Locations whose Control is that of the bridge, by the choices of house rule P-09."""
    bridge_dates: tuple[CGDate, ...]

    @property
    def locations(self) -> frozenset[str]:
        """The Locations whose Control can decide the campaign, by any reading."""
        return frozenset(place for places in self.bridge.values() for place in places)


_ROLES = ("attacker", "defender")
_ABSENT: Any = None
"""A section that a module without such a rule leaves out; none of its procedures asks for it."""


class CorrectionChart(_Chart, frozen=True):
    """Which facts a side may correct alone, by path, and which both by agreement, by first name.

    In a path ``SIDE`` is the side itself, ``PIECE`` a piece of its own, ``*`` any name.
    """

    alone: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()


class Frame(_Chart, frozen=True):
    """The contents of ``campaign.yaml``."""

    campaigns: dict[str, CampaignFrame]
    steps: tuple[StepChart, ...]
    setup_order: dict[CGDate, SetupOrder]
    scenario_roles: dict[CGDate, dict[str, Side]]
    cpp_base: dict[CGDate, int]
    cpp_side: Side
    """The side whose CPP may be kept secret. Rule: 9.616, 9.617."""
    san: SAN
    portage: Portage
    balance: dict[Side, Balance] = {}
    scenario_rules: tuple[ScenarioRule, ...] = ()
    loss_points: LossPoints = _ABSENT
    victory: Victory = _ABSENT
    corrections: CorrectionChart = CorrectionChart()
    guns: Guns = _ABSENT
    game_end: GameEnd = _ABSENT
    walking_wounded: WalkingWounded = _ABSENT
    panzerfaust: Panzerfaust = _ABSENT
    snipers: Snipers = _ABSENT
    night: Night = _ABSENT
    lv_hindrance: LVHindrance = _ABSENT
    schuerzen: Schuerzen = _ABSENT
    secret_status: SecretStatus = _ABSENT

    def step(self, id: str) -> StepChart | None:
        """The step ``id`` of the RePh, for example ``9.606``; None if it is none."""
        return next((step for step in self.steps if step.step == id), None)

    def is_secret(self, id: str) -> bool:
        """Whether each side acts by itself in the step ``id``. Rule: 9.613-9.620."""
        step = self.step(id)
        return bool(step and step.secret)


def check_frame(frame: Frame) -> Iterator[tuple[str, str]]:
    """Return the faults of a frame: key, and what would be right."""
    played = {date for campaign in frame.campaigns.values() for date in campaign.dates}
    for date in played:
        if date not in frame.setup_order:
            yield "setup_order", f"{date} is missing"
    for date, roles in frame.scenario_roles.items():
        for role in roles:
            yield from unless_known(
                f"scenario_roles.{date}", role, ("attacker", "defender"), "role"
            )
    steps = [step.step for step in frame.steps]
    for number, step in enumerate(steps):
        if step in steps[:number]:
            yield "steps", f'"{step}" stands there twice'


# No annotations as text here: msgspec compiles each one when a file is opened, which takes long.


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    rule: str


class Stacking(_Part, frozen=True):
    """The stacking limits of a Location. Rule: A5.1."""

    squads: int
    smc: int
    vehicles: int


class Crews(_Part, frozen=True):
    """An Inherent crew as a unit. Rule: D5.6."""

    vehicle: str


class VehicularWeapons(_Part, frozen=True):
    """The Repair Number of every vehicular-mounted Weapon. Rule: D3.7."""

    repair: int


class Prisoners(_Part, frozen=True):
    """How many times its Casualty VP a unit held prisoner counts. Rule: A26.222."""

    cvp_times: int


class WoundSeverity(_Part, frozen=True):
    """The Wound Severity dr of a SMC. Rule: A17.11."""

    eliminated_from: int
    wounded: int


class Units(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/pb/units.yaml``."""

    stacking: Stacking
    crews: Crews
    vehicular_weapons: VehicularWeapons
    prisoners: Prisoners
    wound_severity: WoundSeverity


UNITS: Final = data_file("pb/units.yaml", Units)
