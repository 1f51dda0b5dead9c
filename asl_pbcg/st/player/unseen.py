"""Everything the British cannot see, drawn again: a state as it may well be.

Nothing of the true face-down counters, marker, chit or coming tanks is looked at; only how many
there are that anybody may count.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from math import comb

from msgspec.structs import replace

from asl_pbcg.st.area_terms import GERMAN, PHASES
from asl_pbcg.st.procedures.losses import HICKMAN, MERCEDES
from asl_pbcg.st.state.area_tables import TANK_ENTRY, table
from asl_pbcg.st.state.game_rules import Chit, german_order
from asl_pbcg.st.state.game_state import DemoMarker, State, Unit

_GERMANS_MOVE = [phase.name for phase in PHASES].index("german_movement")


def imagine(state: State, hidden: Collection[str], marker: bool, source: random.Random) -> State:
    """``state`` with everything unseen drawn from ``source``, as likely as it is.

    ``hidden`` names the counters that lie face down at the moment that is thought from, and
    ``marker`` says whether a marker lies face down in the Demo Bridge box then; what had been
    turned up by then is known and stays. Rule: ST-SET-23, ST-SET-26, AMB-103.
    """
    chit_name = _draw_chit(state, hidden, marker, source)
    chit = german_order().chits[chit_name]
    seen_garrisons = sum(not unit.dummy for unit in _counters(state) if unit.id not in hidden)
    dummies = len(hidden) - (chit.garrisons - seen_garrisons)
    false = set(source.sample(sorted(hidden), min(len(hidden), max(0, dummies))))
    units = tuple(
        replace(unit, dummy=unit.id in false) if unit.id in hidden else unit for unit in state.units
    )
    drawn: dict[str, object] = {"units": _coming_tanks(state, units, chit, source)}
    if not state.settings.historical:
        drawn["chit"] = chit_name
    if marker and chit.wiring:
        cup: list[DemoMarker] = ["blank", "wired"]
        counts = [chit.wiring["blank"], chit.wiring["wired"]]
        drawn["demo_marker"] = source.choices(cup, counts)[0]
    return replace(state, **drawn)


def _counters(state: State) -> list[Unit]:
    """Return the garrisons and dummies of the set-up."""
    return [unit for unit in state.units if unit.kind == "garrison"]


def _draw_chit(state: State, hidden: Collection[str], marker: bool, source: random.Random) -> str:
    """Return a set-up chit, as likely as what has been seen makes it. Rule: ST-SET-18."""
    settings = state.settings
    if settings.historical or not settings.hidden_chit:
        return state.chit
    order = german_order()
    names = order.difficulties[state.difficulty or "hard"]
    weights = [_likelihood(state, hidden, marker, order.chits[name]) for name in names]
    if not any(weights):
        return source.choice(names)
    return source.choices(names, weights)[0]


def _likelihood(state: State, hidden: Collection[str], marker: bool, chit: Chit) -> float:
    """Return how well a chit fits what lies open.

    That is Schmidt in the pillbox or not, where Hickman began, the marker in the Demo Bridge box,
    the infantry, the counters turned up. Rule: ST-SET-24, ST-SET-25, ST-SET-26, ST-MER-01.
    """
    open_units = {unit.id: unit for unit in state.units if unit.side == GERMAN}
    # Who begins in his car does not stand in the pillbox: that is seen from the first turn on.
    if (MERCEDES in open_units) != (chit.schmidt != "pillbox"):
        return 0.0
    if (HICKMAN in open_units) != bool(chit.hickman) or (marker and not chit.wiring):
        return 0.0
    # An older file does not keep where he began.
    if state.hickman and state.hickman != chit.hickman:
        return 0.0
    infantry = sum(
        unit.kind == "infantry" and unit.status != "pool" and not unit.force
        for unit in open_units.values()
    )
    if infantry != sum(chit.infantry.values()):
        return 0.0
    seen = [unit for unit in _counters(state) if unit.id not in hidden]
    garrisons = sum(not unit.dummy for unit in seen)
    dummies = len(seen) - garrisons
    # None if more of a kind have turned up than the chit has.
    ways = comb(chit.garrisons, garrisons) * comb(chit.dummies, dummies)
    return ways / comb(chit.garrisons + chit.dummies, len(seen))


def _coming_tanks(
    state: State, units: tuple[Unit, ...], chit: Chit, source: random.Random
) -> tuple[Unit, ...]:
    """Tanks of the set-up chit that nobody has seen yet come when and where the die says.

    What would have come by now did not. Rule: ST-SET-34.
    """
    if state.german_turn and state.turn >= state.german_turn:
        return units  # every column has been announced
    next_move = state.turn + (state.phase > _GERMANS_MOVE)
    every = [TANK_ENTRY.facts(row) for row in table("tank_entry").rows]
    entries = [each for each in every if each.turn >= next_move] or every[-1:]
    drawn = []
    tanks = 0
    for unit in units:
        unseen = unit.kind == "tank" and (
            unit.status == "pool" or (unit.status == "waiting" and unit.enters_turn >= state.turn)
        )
        if unit.kind == "tank":
            tanks += 1
        if not unseen:
            drawn.append(unit)
        elif tanks <= chit.tanks and state.turn <= 4:
            facts = source.choice(entries)
            drawn.append(
                replace(
                    unit,
                    status="waiting",
                    enters=facts.entry,
                    enters_turn=max(next_move, facts.turn),
                    stack=tanks,
                    force=state.settings.chit_tanks_march,
                )
            )
        else:
            drawn.append(
                replace(unit, status="pool", enters="", enters_turn=0, stack=0, force=False)
            )
    return tuple(drawn)
