"""The state as the British player may see it. Rule: ST-SET-23, ST-SET-26, AMB-103."""

from __future__ import annotations

from msgspec.structs import replace

from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.state.game_state import State, Unit
from asl_pbcg.st.state.phase_situation import Situation

_OFF_MAP = frozenset({"pool", "waiting", "aboard"})


def view_for(state: State, viewer: str) -> State:
    """The state as ``viewer`` may see it: "british" the player, "umpire" and "german" all of it.

    Hidden from the player are which face-down counters are dummies, the face of the Demo Bridge
    marker and whether its chance has passed, the drawn chit, and Germans that have not come yet.
    """
    if viewer != BRITISH:
        return state
    car = any(unit.kind == "mercedes" and unit.status == "map" for unit in state.units)
    units = tuple(
        _face_down(unit) if unit.face_down else unit
        for unit in state.units
        if unit.side == BRITISH
        or unit.status not in _OFF_MAP
        or (unit.status == "aboard" and car)
        or _is_announced(state, unit)
    )
    marker = state.demo_marker != "none"
    hidden_chit = state.settings.hidden_chit and not state.settings.historical
    return replace(
        state,
        units=units,
        demo_marker="hidden" if marker else "none",
        demo="open" if marker and state.demo == "over" else state.demo,
        attacked=False,
        chit="" if hidden_chit else state.chit,
    )


def view_in(sit: Situation, viewer: str) -> State:
    """Return the state as ``viewer`` may see it in the middle of a phase."""
    return view_for(sit.close(), viewer)


def _face_down(unit: Unit) -> Unit:
    """Return a face-down counter: nothing of it but where it lies."""
    return replace(unit, name="face-down counter", sp=0, lost=0, dummy=False, suppressed=False)


def _is_announced(state: State, unit: Unit) -> bool:
    """Tell whether an off-map German is known to wait: his column has begun to enter."""
    return unit.side == GERMAN and unit.status == "waiting" and unit.enters_turn < state.turn
