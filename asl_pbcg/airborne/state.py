"""A drop in progress: what is stored at every finished step, and what others read from it."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final, Literal

import msgspec

from asl_pbcg.airborne.dropmap import DropMap, MapSpec, build_map
from asl_pbcg.airborne.orders import Kind, Orders
from asl_pbcg.airborne.settings import PARTS, Settings
from asl_pbcg.airborne.units import Stick, Unit
from asl_pbcg.airborne.wind import Wind

GAME: Final = "airborne"

WEATHER, REGROUP, PLANES, LANDING, SURVIVAL, END = PARTS
_AIR_PHASE: Final = (PLANES, LANDING, SURVIVAL)


class DropState(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The state of a drop. ``part`` is how many parts of the turn are done.

    ``winds`` and ``rows`` (the drift diagrams by turn and target hex) are kept for the picture;
    ``others`` counts friendly units of the base game by hex.
    """

    settings: Settings
    map: MapSpec
    side: str = ""
    salt: str = ""
    fingerprint: str = ""
    orders: Orders | None = None
    turn: int = 1
    part: int = 0
    wind: Wind | None = None
    winds: dict[int, Wind] = {}
    given_weather: dict[int, Wind] = {}
    sticks: tuple[Stick, ...] = ()
    units: tuple[Unit, ...] = ()
    others: dict[str, int] = {}
    finished: bool = False

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of a turn in order. Rule: I.A, II.A."""
        found: list[str] = [WEATHER, REGROUP]
        for phase in self.settings.phase_order:
            found += _AIR_PHASE if phase == "air_phase" else (phase,)
        return (*found, END)

    @property
    def now(self) -> str:
        """The part of the turn that comes next."""
        return self.parts[self.part]

    @property
    def sealed(self) -> Orders:
        """The sealed orders."""
        assert self.orders
        return self.orders

    def with_(self, **changes: Any) -> DropState:
        """The state with some fields changed."""
        return msgspec.structs.replace(self, **changes)

    def next_part(self) -> DropState:
        """The state when this part of the turn is done."""
        return self.with_(part=self.part + 1)


def make_map(state: DropState) -> DropMap:
    """The map a drop is on."""
    return build_map(state.map, state.settings)


class Landed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One counter that came down: a stick, a platoon formed of sticks, or a glider's load.

    ``at`` is its hex now and "" if it stands on no hex; ``status`` as for sticks and units;
    ``turn`` when it landed or was formed.
    """

    what: Literal["stick", "platoon", "glider load"]
    id: str
    type: str
    kind: Kind
    at: str
    status: str
    turn: int
    sticks: tuple[str, ...] = ()


def landed_units(state: DropState, *, with_lost: bool = False) -> tuple[Landed, ...]:
    """Everything that stands on the map, in the order it was ordered; whole platoons first.

    Sticks that a platoon has replaced are left out. ``with_lost`` adds what is eliminated, lost
    off the map or shot down. It reads a drop and changes nothing.
    """
    found = []
    for unit in state.units:
        if unit.on_map or with_lost:
            found.append(
                Landed(
                    what="glider load" if unit.glider else "platoon",
                    id=unit.id,
                    type=unit.type,
                    kind=unit.kind,
                    at=unit.at,
                    status=unit.status,
                    turn=unit.turn,
                    sticks=unit.sticks,
                )
            )
    for stick in state.sticks:
        if stick.on_map or (with_lost and stick.status != "in a platoon"):
            found.append(
                Landed(
                    what="stick",
                    id=stick.id,
                    type=stick.type,
                    kind=stick.kind,
                    at=stick.at,
                    status=stick.status,
                    turn=stick.turn,
                )
            )
    return tuple(found)


class Tally(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a drop stands in numbers: sticks by state, platoons formed by turn, glider loads."""

    ordered: int
    aloft: int
    undispersed: int
    dispersed: int
    eliminated: int
    lost: int
    shot_down: int
    in_platoons: int
    platoons: dict[int, int]
    glider_loads: dict[str, int]


def tally(state: DropState) -> Tally:
    """Count the sticks, the platoons formed by turn, and the glider loads by state."""
    status = Counter(stick.status for stick in state.sticks)
    ordered = sum(drop.sticks for drop in state.orders.drops) if state.orders else 0
    formed = Counter(unit.turn for unit in state.units if not unit.glider)
    loads = Counter(unit.status for unit in state.units if unit.glider)
    return Tally(
        ordered=ordered,
        aloft=ordered - len(state.sticks),
        undispersed=status["undispersed"],
        dispersed=status["dispersed"],
        eliminated=status["eliminated"],
        lost=status["lost"],
        shot_down=status["shot down"],
        in_platoons=status["in a platoon"],
        platoons=dict(sorted(formed.items())),
        glider_loads={str(word): number for word, number in loads.items()},
    )
