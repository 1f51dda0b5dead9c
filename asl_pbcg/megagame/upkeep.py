"""What a table keeps besides fights: its units, their moves, the turn and its phases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.outcome import capital
from asl_pbcg.megagame.settings import Settings, plain_word, spell_out
from asl_pbcg.megagame.table import (
    REMOVED,
    STATE_WORDS,
    Phase,
    Table,
    Unit,
    all_phases,
    phases_of,
)

MARKS = ("suppressed", "marker")
MOST_UNITS = 400


def in_phase(call: Call) -> None:
    """Settle that a line of this kind belongs to the phase; the umpire may overrule.

    Raises IllegalAnswer that says which phase it belongs to. Rule: Turn phases.
    """
    if not call.table.turn:
        return
    belongs = phases_of(call.do, call.settings)
    if not belongs or any(phase.id == call.table.phase for phase in belongs):
        return
    if call.value("phases_refuse"):
        titles = " or ".join(phase.title for phase in belongs)
        here = all_phases()[call.table.phase].title
        call.require(
            "Turn phases",
            (False, f"{capital(call.do)} belongs to {titles}; this is {here} (next goes on)."),
        )


def right_side(call: Call, ambusher: Unit | None, target: Unit | None) -> None:
    """Settle that the side whose movement it is moves, and the other one ambushes."""
    moving = all_phases()[call.table.phase].moving if call.table.turn else ""
    if not moving:
        return
    title = all_phases()[call.table.phase].title
    call.require(
        "Turn phases",
        (
            not ambusher or ambusher.side != moving,
            f"{ambusher.name if ambusher else ''} cannot ambush in this phase: {title}.",
        ),
        (
            not target or target.side in ("", moving),
            f"{target.name if target else ''} does not move in this phase: {title}.",
        ),
    )


def add_unit(call: Call, unit: Unit) -> None:
    """Bring a unit to the table. Raises IllegalAnswer if there is one of that name."""
    if call.table.find(unit.name):
        raise IllegalAnswer(f"{unit.name} stands at this table already: use set to change it.")
    if len(call.table.units) >= MOST_UNITS:
        raise IllegalAnswer(f"A table has at most {MOST_UNITS} units.")
    call.who = unit.name
    call.change(unit)
    call.say(f"{describe(unit)}.")


def describe(unit: Unit) -> str:
    """A unit in words: name, side, quality, figures or vehicle, and how it stands."""
    noun = "occupants" if unit.kind == "soft_skin" else "figures"
    parts = [
        unit.side,
        unit.quality,
        spell_out(unit.vehicle),
        f"{unit.figures} {noun}" if unit.figures is not None else "",
        STATE_WORDS[unit.state],
        "suppressed" if unit.suppressed else "",
        "impact marker" if unit.marker and not unit.suppressed else "",
        f"{unit.due_losses} to be taken away" if unit.due_losses else "",
        f"{STATE_WORDS[unit.due_state]} when all fire is done"
        if unit.going and not unit.gone
        else "",
    ]
    return f"{unit.name}: {', '.join(part for part in parts if part) or 'nothing known'}"


def set_unit(call: Call, unit: Unit, fields: dict[str, Any]) -> None:
    """Correct a unit by the umpire's word; needs the reason.

    ``fields`` are side, quality, figures, vehicle with its kind, or state. A unit that was named
    by mistake is removed.
    """
    if not call.because:
        raise IllegalAnswer("A correction needs its reason: add --because.")
    if not fields:
        raise IllegalAnswer("Say what to change: side, quality, figures, vehicle or state.")
    call.who = unit.name
    if fields.get("state") == REMOVED:
        call.change(unit, listed=False)
        call.say(f"{unit.name}: removed from the table, as if it had never been there.")
        return
    if "figures" in fields:
        call.count_again(unit, fields["figures"])
        started = unit.started if unit.started is not None else fields["figures"]
        none_left = {"destroyed", "abandoned"} & {unit.state, unit.due_state}
        if unit.standing == 0 and fields["figures"] and none_left:
            fields = {"state": "fights", **fields}
        fields = {**fields, "due_losses": 0, "started": max(started, fields["figures"])}
    if "state" in fields:
        fields = {**fields, "due_state": "fights"}
    call.say(f"{describe(call.change(unit, **fields))}.")
    if unit.due_losses and "figures" in fields:
        call.say("So many are left: none is taken away any more when this fire is done.")


def move(call: Call, units: tuple[Unit, ...], what: str = "") -> None:
    """Note that units moved: they cannot ambush in the next turn, and fire as having moved.

    Raises IllegalAnswer for a unit that may not move.
    """
    call.who = ", ".join(unit.name for unit in units)
    for unit in units:
        right_side(call, None, unit)
        held = unit.suppressed and "no_move" in call.value("suppress_effect")
        call.require("Artillery", (not held, f"{unit.name} is suppressed and may not move."))
        call.change(unit, moved=call.table.turn)
    call.say(f"{call.who}: moved{f' {what}' if what else ''}.")


def note(call: Call, text: str) -> None:
    """Put the umpire's own words into the log."""
    if not text.strip():
        raise IllegalAnswer("Say what to note.")
    if len(text) > 500:
        raise IllegalAnswer("A note has at most 500 characters.")
    call.say(text.strip())


def use_settings(call: Call, own: dict[str, Any], source: Path) -> None:
    """Take the umpire's own settings for the rest of the game."""
    call.changes["own"] = own
    count = len(own)
    call.say(f"Settings of {source.name}: {count} own value{'s' if count != 1 else ''} in force.")


# -- turn and phases ----------------------------------------------------------------------


def order(settings: Settings) -> tuple[Phase, ...]:
    """The phases of a turn in the order that the settings give them. Rule: Turn phases."""
    return tuple(all_phases()[id] for id in settings["phases"])


def first_phase(settings: Settings) -> str:
    """The phase in which a game begins."""
    return order(settings)[0].id


def next_phase(call: Call, to: str = "") -> None:
    """Go on to the next phase, or through all phases up to ``to`` (a phase, or ``turn``).

    Morale checks that are due come first, unless the umpire says why not. What a phase
    brings of itself happens on the way: losses of direct fire are taken away at its end,
    impact markers when the artillery phase begins, counters of hits when the turn does.
    """
    phases = order(call.settings)
    if call.table.due:
        names = ", ".join(str(check) for check in call.table.due)
        call.require("Morale", (False, f"First check morale: {names}."))
        call.done += [check.unit for check in call.table.due]
    places = [phase.id for phase in phases]
    place, turn = places.index(call.table.phase), call.table.turn
    wanted = _phases_wanted(to, phases)
    while True:
        if phases[place].id == "direct_fire":
            _take_away_losses(call)
        place += 1
        if place == len(phases):
            place, turn = 0, turn + 1
            _new_turn(call)
        if phases[place].id == "artillery_and_air":
            _remove_markers(call)
        if phases[place].id in wanted:
            break
    call.changes |= {"turn_to": turn, "phase_to": phases[place].id}
    call.say(f"Turn {turn}: {phases[place].title}.")


def _phases_wanted(to: str, phases: tuple[Phase, ...]) -> set[str]:
    """The phases that ``next`` stops at: any, the first of a turn, or those of that name."""
    word = plain_word(to)
    if not word:
        return {phase.id for phase in phases}
    if word == "turn":
        return {phases[0].id}
    found = {phase.id for phase in phases if word in phase.id}
    if not found:
        names = ", ".join(phase.id for phase in phases)
        raise PBCGError(f'"{to}" is no phase: turn, {names} are.')
    return {word} if word in found else found


def _units(call: Call, table: Table) -> list[Unit]:
    return [call.now(unit) for unit in table.units]


def _take_away_losses(call: Call) -> None:
    """All fire is simultaneous: its losses go when it is done. Rule: Direct fire."""
    told = []
    for unit in _units(call, call.table):
        if not unit.due_losses and unit.due_state == "fights":
            continue
        state = unit.due_state if unit.state == "fights" else unit.state
        left = unit.standing
        call.change(unit, figures=left, due_losses=0, state=state, due_state="fights")
        words = [f"{unit.due_losses} figures" if unit.due_losses > 1 else "1 figure"]
        parts = (words if unit.due_losses else []) + (
            [STATE_WORDS[state]] if state != "fights" else []
        )
        told.append(f"{unit.name} {' and '.join(parts)}")
    if told:
        call.say(f"Taken away after all fire: {'; '.join(told)}.")


def _remove_markers(call: Call) -> None:
    """Impact markers of the turn before are removed, and with them suppression."""
    marked = [unit for unit in _units(call, call.table) if unit.marker]
    for unit in marked:
        call.change(unit, marker=False, suppressed=False)
    if marked:
        call.say(f"Impact markers removed: {', '.join(unit.name for unit in marked)}.")


def _new_turn(call: Call) -> None:
    """Small-arms hits on soft-skin vehicles count within one turn."""
    for unit in _units(call, call.table):
        if unit.hits:
            call.change(unit, hits=0)
