"""A drop in progress: what landed, what is stored after every step, and what others read of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, Final, Literal

import msgspec

from asl_pbcg.airborne.drop_map import DropMap, MapSpec, build_map
from asl_pbcg.airborne.drop_settings import PARTS, DropSettings
from asl_pbcg.airborne.landing_orders import LoadKind, Orders
from asl_pbcg.airborne.wind import Wind

GAME: Final = "airborne"
WEATHER, REGROUP, PLANES, LANDING, SURVIVAL, END = PARTS
ON_MAP: Final = ("undispersed", "dispersed")
"""The states of what stands on the map."""

DropStatus = Literal["undispersed", "dispersed", "eliminated", "lost", "shot down", "in a platoon"]
"""``lost``: off the map; ``in a platoon``: a stick that a platoon counter has replaced."""


class Lander(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A counter that came in by air. ``at`` is "" when it stands in no hex of the map.

    ``fell`` and ``fate`` keep the hex it came down in and its state after jump survival and the
    attacks of II.E, whatever happens later.
    """

    id: str
    type: str
    kind: LoadKind = "platoon"
    turn: int
    aimed: str = ""
    at: str = ""
    fell: str = ""
    status: DropStatus = "undispersed"
    fate: DropStatus | Literal[""] = ""

    @property
    def on_map(self) -> bool:
        """Return whether it stands on the map."""
        return self.status in ON_MAP


class Stick(Lander, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One stick, from its jump on; its id is its platoon's name, a point and its number.

    ``drift`` is how many hexes downwind of ``aimed`` it came down by drift diagram ``row``.
    """

    platoon: str
    row: str = ""
    drift: int = 0


class WholeUnit(Lander, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole unit: a platoon formed of ``sticks``, or the load of a glider.

    ``turn`` is the turn it was formed or landed.
    """

    sticks: tuple[str, ...] = ()
    glider: bool = False
    landing: Literal["", "short", "on_target", "long"] = ""


def name_counter(counter: Lander) -> str:
    """Return what a counter is: stick, platoon or glider load."""
    if isinstance(counter, WholeUnit):
        return "glider load" if counter.glider else "platoon"
    return "stick"


class Rights(msgspec.Struct, frozen=True, kw_only=True):
    """The actions open to a stick or unit in a turn. Rule: I.B.1, II.F, II.H.

    ``favourable_drm`` is the favourable -2 of close assault; ``engineer`` says that it has all
    abilities of engineers.
    """

    move: bool = True
    favourable_drm: bool = True
    direct_fire: bool = True
    engineer: bool = False


def rights_of(counter: Lander, turn: int) -> Rights:
    """Return what the variant lets a stick or unit on the map do in ``turn``.

    Every one may close assault. What the base game forbids besides is not repeated here.
    Rule: I.B.1, II.F, II.H.
    """
    fresh = counter.turn == turn
    if not isinstance(counter, WholeUnit):
        return Rights(move=not fresh, favourable_drm=not fresh)
    engineer = not counter.glider and counter.kind == "platoon"
    return Rights(direct_fire=not (counter.sticks and fresh), engineer=engineer)


class DropState(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The state of a drop. ``part`` is how many parts of the turn are done.

    ``winds`` are kept for the picture; ``others`` counts friendly units of the base game by hex.
    """

    settings: DropSettings
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
    units: tuple[WholeUnit, ...] = ()
    others: dict[str, int] = {}
    finished: bool = False

    @property
    def parts(self) -> tuple[str, ...]:
        """Return the parts of a turn in order. Rule: I.A, II.A."""
        parts: list[str] = [WEATHER, REGROUP]
        for phase in self.settings.phase_order:
            parts += (PLANES, LANDING, SURVIVAL) if phase == "air_phase" else (phase,)
        return (*parts, END)

    @property
    def now(self) -> str:
        """Return the part of the turn that comes next."""
        return self.parts[self.part]

    @property
    def sealed(self) -> Orders:
        """Return the sealed orders."""
        assert self.orders
        return self.orders

    @property
    def counters(self) -> tuple[Lander, ...]:
        """Return whole units, then sticks, each in the order they were ordered or formed."""
        return (*self.units, *self.sticks)

    @property
    def landed_now(self) -> tuple[Stick, ...]:
        """Return the sticks that landed this turn and stand on the map."""
        return tuple(stick for stick in self.sticks if stick.turn == self.turn and stick.on_map)

    def with_(self, **changes: Any) -> DropState:
        """Return the state with some fields changed."""
        return msgspec.structs.replace(self, **changes)

    def next_part(self) -> DropState:
        """Return the state when this part of the turn is done."""
        return self.with_(part=self.part + 1)

    def change(self, counters: Collection[Lander], **fields: Any) -> DropState:
        """Return the state with the ``fields`` of some counters changed."""

        def change_wanted(counter: Any) -> Any:
            wanted = counter in counters
            return msgspec.structs.replace(counter, **fields) if wanted else counter

        return self.with_(
            sticks=tuple(map(change_wanted, self.sticks)),
            units=tuple(map(change_wanted, self.units)),
        )

    def make_map(self) -> DropMap:
        """Return the map the drop is on."""
        return build_map(self.map, self.settings)


def landed_units(state: DropState, *, with_lost: bool = False) -> tuple[Lander, ...]:
    """Return everything that stands on the map, whole platoons first.

    Sticks that a platoon has replaced are left out. ``with_lost`` adds what is eliminated, lost
    off the map or shot down. It reads a drop and changes nothing.
    """
    return tuple(
        counter
        for counter in state.counters
        if counter.on_map or (with_lost and counter.status != "in a platoon")
    )


class DropTally(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A drop in numbers: sticks by state, platoons formed by turn, glider loads by state."""

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


def tally(state: DropState) -> DropTally:
    """Count the sticks, the platoons formed by turn, and the glider loads by state."""
    status = Counter[str](stick.status for stick in state.sticks)
    ordered = sum(drop.sticks for drop in state.orders.drops) if state.orders else 0
    formed = Counter(unit.turn for unit in state.units if not unit.glider)
    kept = ("undispersed", "dispersed", "eliminated", "lost", "shot down")
    return DropTally(
        ordered=ordered,
        aloft=ordered - len(state.sticks),
        **{word.replace(" ", "_"): status[word] for word in kept},
        in_platoons=status["in a platoon"],
        platoons=dict(sorted(formed.items())),
        glider_loads=dict(Counter(str(unit.status) for unit in state.units if unit.glider)),
    )
