"""Data for front ends besides the prompts of an area game: events, ways, actions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Option, Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.tables import percent
from asl_pbcg.kernel.views import visible
from asl_pbcg.play.area_play.area_game import name_step, rules_of
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.st.area_terms import BRITISH
from asl_pbcg.st.british.british_options import action_options, attack_options
from asl_pbcg.st.british.orders import (
    ACTION_POINTS,
    FIRE_POINTS,
    FIRER_POINTS,
    UNIT_POINTS,
    action_words,
    attack_words,
    counter_word,
)
from asl_pbcg.st.british.reach import Way, ways
from asl_pbcg.st.picture.film import FilmFrame, frames_of, html
from asl_pbcg.st.picture.follow import Event, follow
from asl_pbcg.st.picture.live_map import live_counters
from asl_pbcg.st.procedures.gun_fire import Attack
from asl_pbcg.st.procedures.movement import STEPS, Action, able_units, legal_actions, mp_left
from asl_pbcg.st.procedures.odds import WORDS
from asl_pbcg.st.rules.game_record import Record, entry_of, record_of
from asl_pbcg.st.state.area_tables import NOTHING
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.state.phase_situation import Situation

NO_EFFECT: Final = ("", WORDS[NOTHING])
"""The effects of rolls after which a counter is as it was."""


def events_since(game: OpenGame, after: int, viewer: str) -> list[dict[str, Any]]:
    """Return the events after the first ``after`` entries that ``viewer`` knows of.

    Each event holds ``changed``: the areas whose counters are others after it, with these
    counters (all areas in the first). Empty where something was undone since: what is on the
    map then is told by the map alone.
    """
    entries = [entry for entry in game.entries() if visible(entry, viewer)]
    if after >= len(entries):
        return []
    at = entries[after - 1].seq if after else 0
    session, rules = game.session, rules_of(game.session)
    if any(entry.kind not in ("answer", "roll", "note", "hand") for entry in entries[after:]):
        return []
    snapshot = session.journal.states.last(at) if at else None
    begun = snapshot.seq if snapshot else 0
    if snapshot:
        state = session.game.decode(snapshot.state)
    else:
        state = session.game.begin(session.journal.meta("settings") or {})
    standing = session.journal.standing(begun)
    history = [entry_of(entry) for entry in standing]
    count = sum(entry.seq <= at for entry in standing)
    events: list[dict[str, Any]] = []
    lying: dict[str, Any] = {}
    for event in follow(rules, Record(state, history), count if at else -1):
        if not event.state.ready:
            continue
        now = live_counters(event.state, rules.map)
        events.append(_event(event, _changed_stacks(lying, now)))
        lying = now
    return events


def _event(event: Event, changed: dict[str, Any]) -> dict[str, Any]:
    return {
        "step": event.step,
        "at_step": name_step(event.step),
        "title": event.title,
        "kind": event.kind,
        "point": event.point,
        "text": event.text,
        "effect": event.effect,
        "struck": bool(event.at and event.kind == "roll" and event.effect not in NO_EFFECT),
        "rule": event.rule,
        "side": event.side,
        "dice": list(event.dice),
        "from": list(event.came_from),
        "at": event.at,
        "changed": changed,
    }


def film_frames(session: Session[State]) -> list[FilmFrame]:
    """Return the frames of the game so far, as the player saw it.

    Raises PBCGError if nothing is on the map yet.
    """
    game = rules_of(session)
    frames = frames_of(game.map, follow(game, record_of(session)))
    if not frames:
        raise PBCGError(f"Nothing is on the map in {session.journal.path} yet.")
    return frames


def film_of(session: Session[State]) -> str:
    """Return the film as a page that stands alone. Raises PBCGError as :func:`film_frames`."""
    return html(rules_of(session).map, film_frames(session))


def film_events(session: Session[State]) -> list[dict[str, Any]]:
    """Return the frames of the film as events, each with the areas that it ``changed``."""
    area_map = rules_of(session).map
    lying: dict[str, Any] = {}
    events = []
    for frame in film_frames(session):
        now = live_counters(frame.event.state, area_map)
        events.append(_event(frame.event, _changed_stacks(lying, now)))
        lying = now
    return events


def _changed_stacks(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Return what lies in the areas that are others than before."""
    return {
        area: now.get(area, [])
        for area in sorted(now.keys() | before.keys())
        if now.get(area) != before.get(area)
    }


def idle_units(session: Session[State], decision: Decision) -> list[str]:
    """Return the units that can act and have neither done anything nor been told to stay."""
    ordered: set[str] = set()
    step = session.step.id if session.step else ""
    for entry in reversed(session.journal.standing()):
        if entry.step != step:
            break
        if entry.kind == "answer" and entry.point in UNIT_POINTS:
            ordered.add(str(entry.body))
    sit = decision.situation
    return [
        id for id in decision.ids if id in sit.units and id not in ordered and not sit.spent.get(id)
    ]


def idle_words(session: Session[State]) -> str:
    """Return the units that have done nothing yet, in words, before a movement phase ends."""
    decision = session.pending
    if not isinstance(decision, Decision) or decision.id not in UNIT_POINTS:
        return ""
    idle = idle_units(session, decision)
    units = decision.situation.units
    return f"{len(idle)} units" if len(idle) > 1 else units[idle[0]].name if idle else ""


def marks_for(pending: Prompt | Roll | None) -> dict[str, Any]:
    """Return the marks on the map that belong to the question that waits.

    ``subject`` are the units it is about, ``able`` those that may be ordered now, ``targets``
    what may be fired at and how that is ordered, ``firers`` who may fire at ``at``.
    """
    marks: dict[str, Any] = {"subject": [], "able": [], "targets": [], "firers": [], "at": ""}
    if not isinstance(pending, Decision):
        return marks
    sit = pending.situation
    if pending.id in UNIT_POINTS:
        marks["able"] = [id for id in pending.ids if id in sit.units]
    elif pending.id in ACTION_POINTS:
        marks["subject"] = list(pending.pieces)
        able = chain.from_iterable(able_units(sit).values())
        marks["able"] = list(dict.fromkeys([*pending.pieces, *able]))
    elif pending.id in FIRE_POINTS:
        attacks = [choice for choice in pending.choices if isinstance(choice, Attack)]
        words = attack_words(sit, attacks)
        marks["targets"] = [
            {
                "area": attack.target.area,
                "word": words[attack.id],
                "from": sorted({sit.units[unit.rpartition("+")[2]].area for unit in attack.firers}),
                "option": option,
            }
            for attack, option in zip(attacks, attack_options(sit, attacks), strict=False)
        ]
    elif pending.id in FIRER_POINTS:
        target, choices = pending.choices
        marks["at"] = target.area
        marks["firers"] = sorted({sit.units[unit].area for unit, _ in choices.values()})
    return marks


def ways_of(sit: Situation, pending: Prompt | Roll | None, ids: Sequence[str]) -> dict[str, Any]:
    """Return where British units can go together, and what one of them alone can do.

    Raises PBCGError for units that cannot be ordered together now.
    """
    if not ids and isinstance(pending, Decision) and pending.id in ACTION_POINTS:
        ids = pending.pieces
    units = [sit.units[id] for id in ids if id in sit.units and sit.units[id].side == BRITISH]
    if not units or len(units) != len(ids) or len({unit.place for unit in units}) > 1:
        raise PBCGError("Choose British units that stand in one place.")
    can = _can_move(pending, ids)
    able = [unit for unit in units if unit.status == "map" and not unit.suppressed]
    if not can or len(able) != len(units):
        keys = list(ids)
        return {
            "keys": keys,
            "units": [],
            "area": units[0].area,
            "ways": [],
            "left": {},
            "actions": [],
        }
    choices = [
        {
            "area": area,
            **_way(both.quickest),
            "safer": _way(both.safest) if both.safest.risk < both.quickest.risk else None,
        }
        for area, both in sorted(ways(sit, units).items())
    ]
    return {
        "keys": list(ids),
        "units": [counter_word(sit, id) for id in ids],
        "area": units[0].area,
        "ways": choices,
        "left": {
            unit.id: mp_left(sit, unit)
            for unit in sit.in_area(BRITISH, units[0].area)
            if unit.status == "map" and not unit.suppressed
        },
        "actions": _actions(sit, units[0].id) if len(units) == 1 else [],
    }


def _can_move(pending: Prompt | Roll | None, ids: Sequence[str]) -> bool:
    if not isinstance(pending, Decision):
        return False
    if pending.id in UNIT_POINTS:
        return all(id in pending.ids for id in ids)
    return pending.id in ACTION_POINTS


def _way(way: Way) -> dict[str, Any]:
    return {
        "path": list(way.path),
        "mp": way.mp,
        "left": way.left,
        "risk": float(way.risk),
        "percent": percent(way.risk) if way.risk else "",
        "hidden": way.hidden,
    }


def _actions(sit: Situation, id: str) -> list[dict[str, Any]]:
    """Return the actions of a unit where it stands, as they are typed and as they read."""
    unit = sit.units[id]
    legal: list[Action] = [
        action for action in legal_actions(sit, unit) if action.kind not in STEPS
    ]
    words = action_words(sit, id, legal)
    entries = [
        {"word": words[option.id], "option": option}
        for option in action_options(sit, (id,), legal)
        if option.id in words
    ]
    number, platoon = counter_word(sit, id), sit.rules.platoon_of.get(id, "")
    kind = "split" if id in sit.rules.squads and unit.strength > 1 else "join" if platoon else ""
    if kind:
        text = "split into two squads" if kind == "split" else "join its two squads"
        when = "when a Movement Phase of yours begins"
        rule = "ST-BRK-01" if kind == "split" else "ST-BRK-03"
        option = Option(f"{kind} {id}", text, consequence=when, rule=rule)
        entries.append({"order": f"{kind} {number}", "word": kind, "option": option})
    return entries
