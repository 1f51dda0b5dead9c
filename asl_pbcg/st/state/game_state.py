"""The state of a game between two phases: units, weapons, markers, what has happened.

Everything is frozen; the accounts of losses and uses (``Ledger``) are kept beside the units, so
that the one can be checked against the other (``tests/support/st_accounts.py``).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from asl_pbcg.st.area_terms import (
    BUNKER,
    COMBAT_KINDS,
    VEHICLES,
    Difficulty,
    Kind,
    SideName,
    WeaponKind,
)
from asl_pbcg.st.settings import Settings

UnitStatus = Literal["pool", "waiting", "aboard", "map", "wreck", "dead", "left", "absent", "pow"]
"""pool: not in play (yet); waiting: off the map, due to enter; aboard: in a glider or the Mercedes;
wreck: a wrecked vehicle on the map; left: went off the map; absent: in a lost glider or left
behind; pow: captured."""
WeaponStatus = Literal["pool", "map", "destroyed", "spent", "left"]
BridgeState = Literal["intact", "damaged", "destroyed"]
DemoMarker = Literal["none", "blank", "wired", "hidden"]
"""hidden: a marker lies in the box, as the British see it."""
DemoState = Literal["open", "over", "malfunction", "blown"]
"""open: the marker lies hidden; over: no attempt can come any more; malfunction: the charge failed
and is still there; blown: it went off."""


class Unit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One combat unit, leader, tank or the Mercedes. ``sp`` is its full strength."""

    id: str
    name: str
    side: SideName
    kind: Kind
    sp: int = 0
    lost: int = 0
    """SP lost; what is left is :attr:`strength`. Rule: ST-FIR-22."""
    grenades: int = 0
    under: str = ""
    """The officer of the same name. Rule: ST-SUP-09."""
    roster: int = 0
    status: UnitStatus = "pool"
    area: str = ""
    inside: bool = False
    """In the bunker of the area. Rule: ST-MOV-18."""
    glider: int = 0
    suppressed: bool = False
    wounded: bool = False
    engaged: int = 0
    """The last turn in which it may not leave its area. Rule: ST-H2H-15."""
    fired: int = 0
    """The last turn in which it fired. Rule: ST-TAT-12."""
    fired_at: tuple[tuple[str, int], ...] = ()
    """Tanks and guns it fired at, each with the last turn. Rule: ST-TAT-11."""
    bank: str = ""
    """On a destroyed bridge: the bank it came from. Rule: ST-DEM-09."""
    came: int = 0
    """The turn it entered Pegasus Bridge, while it stays there. Rule: ST-SAP-04."""
    # Germans only
    face_down: bool = False
    """A garrison or dummy that is not activated. Rule: ST-GAR-01."""
    dummy: bool = False
    no_opportunity_fire: int = 0
    """The turn in which it gives no Opportunity Fire. Rule: ST-GAR-04."""
    force: bool = False
    """Under the rules for reinforcements. Rule: ST-GRN-06."""
    released: bool = False
    loose: bool = False
    """A tank that came in where the march ends: it goes for the British. AMB-125."""
    order: int = 0
    """Its place in the column; the head has the lowest number."""
    stack: int = 0
    """The stack it enters with while it waits. Rule: ST-TNK-03."""
    enters: str = ""
    enters_turn: int = 0
    immobile: bool = False
    retreat: Literal["", "road", "second", "off_road"] = ""
    """A tank in panic heads for an exit by road; the second tank of the column may leave the
    road. Rule: ST-TNK-13, ST-TNK-14."""

    @property
    def strength(self) -> int:
        """SP left."""
        return self.sp - self.lost

    @property
    def combat(self) -> bool:
        """Whether it is a combat unit: infantry, sapper or HQ. Rule: ST-GEN-04."""
        return self.kind in COMBAT_KINDS

    @property
    def place(self) -> str:
        """Its area, or the bunker in it."""
        return self.area + BUNKER if self.inside else self.area


class AreaWeapon(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One MG, the AT gun, a PIAT or a gammon bomb."""

    id: str
    name: str
    kind: WeaponKind
    status: WeaponStatus = "pool"
    charges: int = 0
    """Shots or uses left of a PIAT or gammon. Rule: ST-PIA-05, ST-GAM-02."""
    area: str = ""
    inside: bool = False
    carrier: str = ""
    """The British unit that takes it along."""
    held: SideName | Literal[""] = ""
    """The side that has it beside enemies, in a place that they were the last to hold. AMB-124."""
    glider: int = 0

    @property
    def place(self) -> str:
        """Its area, or the bunker in it."""
        return self.area + BUNKER if self.inside else self.area


class Pow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One POW marker. Rule: ST-POW-01."""

    id: str
    name: str
    escort: str
    """The British combat unit that guards it; it stands where that unit stands."""


class AreaGlider(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One glider; an area with one is obstructed. Rule: ST-GLI-25."""

    number: int
    line: Literal["north", "south"]
    status: Literal["ready", "landed", "crashed", "lost", "unused"] = "ready"
    area: str = ""


class PreparedPosition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A prepared position in an area, under construction while it has a builder. ST-PRE-03."""

    area: str
    builder: str = ""


class Ledger(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The losses and uses of a game, counted as it happens."""

    british_sp: int = 0
    german_sp: int = 0
    grenades_issued: int = 0
    grenades: int = 0
    charges: int = 0
    leaders: int = 0
    german_leaders: int = 0
    platoons: tuple[str, ...] = ()
    """Platoons of which nothing is left, by the id of the platoon. Rule: ST-VIC-13."""
    tanks: int = 0
    pows_taken: int = 0
    pows_escaped: int = 0
    positions_begun: int = 0
    positions_removed: int = 0
    bunkers_cleared: int = 0
    weapons_destroyed: int = 0


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """VP for one line of the chart, and how it came about."""

    item: str
    text: str
    count: int
    vp: int
    rule: str


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a game. Rule: ST-VIC-14."""

    vp: int
    level: str
    scores: tuple[Score, ...]


class State(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A game between two phases; ``phase`` counts the phases of the turn from 0."""

    settings: Settings
    difficulty: Difficulty | Literal[""] = ""
    ready: bool = False
    """Whether set-up is done."""
    turn: int = 1
    phase: int = 0
    result: Result | None = None

    units: tuple[Unit, ...] = ()
    weapons: tuple[AreaWeapon, ...] = ()
    gliders: tuple[AreaGlider, ...] = ()
    pows: tuple[Pow, ...] = ()
    positions: tuple[PreparedPosition, ...] = ()
    cleared: tuple[str, ...] = ()
    """Areas whose bunker is cleared. Rule: ST-BUN-03."""
    control: dict[str, SideName] = {}
    """The last side to occupy a place alone; an area or a bunker."""
    entered: dict[str, SideName] = {}
    """The last side to enter an area. Rule: ST-H2H-09."""

    bridge: BridgeState = "intact"
    demo_marker: DemoMarker = "none"
    demo: DemoState = "over"
    attacked: bool = False
    """Whether the British have attacked a German unit. Rule: ST-DEM-03."""

    chit: str = ""
    hickman: str = ""
    """Where Hickman began, for anybody to see. Rule: ST-SET-25."""
    german_force: str = ""
    german_turn: int = 0
    british_force: str = ""
    british_turn: int = 0
    triggered: bool = False
    """Whether a reinforcement was fired on or fought hand-to-hand. Rule: ST-TNK-07."""
    mercedes_mp: int = 0
    gun_fire_begun: bool = False
    """Whether the first AT or PIAT fire of the game has been made. Rule: ST-TNK-12."""
    schmidt_captured: bool = False
    ledger: Ledger = Ledger()

    @property
    def over(self) -> bool:
        """Whether the game is scored."""
        return self.result is not None


def state_words(unit: Unit, turn: int) -> list[str]:
    """Return the state of a unit in words, for example ``suppressed``."""
    return [
        word
        for word, holds in (
            ("in the bunker", unit.inside),
            ("suppressed", unit.suppressed),
            ("wounded", unit.wounded),
            ("engaged", unit.engaged >= turn and unit.kind not in VEHICLES),
            ("immobile", unit.immobile),
        )
        if holds
    ]
