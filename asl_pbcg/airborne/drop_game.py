"""A drop as a game the kernel runs: sealed orders, then turn after turn. Rule: I.A, II.A."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from asl_pbcg.airborne import air_phase, landing, turn_parts
from asl_pbcg.airborne.drop_map import MapSpec, build_map
from asl_pbcg.airborne.drop_settings import DropSettings
from asl_pbcg.airborne.drop_state import (
    END,
    GAME,
    LANDING,
    PLANES,
    REGROUP,
    SURVIVAL,
    WEATHER,
    DropState,
)
from asl_pbcg.airborne.landing_orders import Orders, fingerprint, read_orders
from asl_pbcg.airborne.wind import Wind
from asl_pbcg.kernel.corrections import correct_state
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Entry, Journal
from asl_pbcg.kernel.prompts import Note, Prompt, Script, ask_document
from asl_pbcg.kernel.run import begin
from asl_pbcg.kernel.session import Session, Step
from asl_pbcg.kernel.views import LogLine

ORDERS_POINT: Final = "orders"
SEED_POINT: Final = "seed"
"""A correction of this name changes nothing: it keeps in the log that dice could be foreseen."""
_SEALED: Final = ("orders", "salt", "fingerprint")
_FIXED: Final = "The orders are sealed and cannot be changed or undone (I.H)."


class Airborne:
    """The game ``airborne``; it begins with settings, map, side, salt and perhaps weather."""

    name = GAME
    rules_of = (("airborne", "hexes"), ("airborne",))

    def begin(self, settings: Mapping[str, Any]) -> DropState:
        """Return the state before the orders are sealed."""
        weather = settings.get("weather", {})
        return DropState(
            settings=DropSettings.of_data(settings["settings"]),
            map=msgspec.convert(settings["map"], MapSpec),
            side=settings.get("side", ""),
            salt=settings["salt"],
            given_weather=msgspec.convert(weather, dict[int, Wind], strict=False),
        )

    def next_step(self, state: DropState) -> Step[DropState] | None:
        """Seal the orders first; then the parts of each turn in order."""
        if state.orders is None:
            return Step(ORDERS_POINT, "Sealed orders", seal_orders, "I.H")
        if state.finished:
            return None
        part = state.now
        base = (part.replace("_", " "), "", turn_parts.base_phase)
        title, rule, script = _PARTS.get(part, base)
        return Step(f"{state.turn}.{part}", f"Turn {state.turn}: {title}", script, rule)

    def encode(self, state: DropState) -> bytes:
        """Return the state as it is stored."""
        return msgspec.json.encode(state)

    def decode(self, stored: bytes) -> DropState:
        """Return the state from its stored form."""
        return msgspec.json.decode(stored, type=DropState)

    def correct(self, state: DropState, path: str, value: Any) -> tuple[DropState, LogLine]:
        """Return the state with one fact changed; sealed orders cannot be. Rule: I.H."""
        if path.strip("/ ").split("/")[0] in _SEALED:
            raise PBCGError(_FIXED)
        if path == SEED_POINT:
            text = "The dice that follow are of a seed: they can be foreseen."
            return state, LogLine(kind="note", step="correction", text=text)
        new, old = correct_state(state, path, value)
        text = f"Correction: {path} was {old!r} and is {value!r} now."
        return new, LogLine(kind="note", step="correction", text=text)


_PARTS: Final[dict[str, Any]] = {
    WEATHER: ("wind", "I.D", turn_parts.weather),
    REGROUP: ("forming platoons", "II.H", landing.regroup),
    PLANES: ("Air Phase, anti-aircraft segment", "I.G", air_phase.anti_aircraft),
    LANDING: ("Air Phase, landing segment", "II.C", air_phase.landing),
    SURVIVAL: ("Air Phase, jump survival", "II.D", landing.survival),
    END: ("end of the turn", "", turn_parts.end),
}


def seal_orders(state: DropState) -> Script[DropState]:
    """Take the orders, check them and seal them with a fingerprint. Rule: I.H, III.B."""

    def read(raw: Any) -> Orders:
        dropmap = build_map(state.map, state.settings)
        return read_orders(raw, dropmap, state.settings, "The order sheet")

    raw = yield from ask_document(
        Prompt(
            id=ORDERS_POINT,
            text="Orders of all landings, written before the enemy sets up.",
            rule="I.H",
            side=state.side,
            secret=True,
            kind="document",
            verify=lambda raw: read(raw).to_data(),
        )
    )
    orders = read(raw)
    mark = fingerprint(orders, state.salt, state.settings, state.map)
    yield Note(f"The orders are sealed as: {mark}", rule="I.H")
    return state.with_(orders=orders, fingerprint=mark)


class DropSession(Session[DropState]):
    """A drop in progress; sealed orders cannot be undone."""

    def undo(self, reason: str = "") -> Entry:
        """Undo the last answer, but never the sealed orders. Rule: I.H."""
        standing = self.journal.standing()
        if standing and standing[-1].point == ORDERS_POINT:
            raise PBCGError(_FIXED)
        return super().undo(reason)


def check_seal(session: DropSession) -> None:
    """Check that the stored orders are still those that were sealed.

    Raises PBCGError if they were changed in the file. Rule: I.H, III.B.
    """
    state = session.state
    if state.orders is None:
        return
    start = begin(Airborne(), session.journal.meta("settings"))
    marks = {fingerprint(state.orders, state.salt, state.settings, state.map), state.fingerprint}
    for entry in session.journal.standing():
        if entry.point == ORDERS_POINT:
            dropmap = build_map(state.map, state.settings)
            written = read_orders(entry.body, dropmap, state.settings, "The sealed orders")
            marks.add(fingerprint(written, start.salt, start.settings, start.map))
    if len(marks) > 1:
        raise PBCGError(
            "The orders in this file are not those that were sealed: "
            "their fingerprint does not fit any more (I.H)."
        )


def check_is_drop(path: Path | None, game: str) -> None:
    """Refuse a file by the name of its game. Raises PBCGError."""
    if game != GAME:
        raise PBCGError(f"{path} holds another game ({game}), not an airborne drop.")


def begin_drop(journal: Journal) -> DropSession:
    """Return the drop on ``journal``, its seal checked; the journal is closed if that fails."""
    try:
        check_is_drop(journal.path, journal.meta("game"))
        session = DropSession(Airborne(), journal)
        check_seal(session)
    except BaseException:
        journal.close()
        raise
    return session
