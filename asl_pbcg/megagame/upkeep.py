"""The upkeep of a table besides fights: its units, their moves, the turn and its phases."""

from __future__ import annotations

from typing import Any, Final

from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.game_table import (
    REMOVED,
    STATE_WORDS,
    Phase,
    TableUnit,
    all_phases,
    phases_of,
)
from asl_pbcg.megagame.line_content import LineContent
from asl_pbcg.megagame.mega_settings import UmpireSettings, capital, plain_word

MAX_UNITS: Final = 400
MAX_NOTE: Final = 500


def check_phase(call: Call) -> None:
    """Check that a line of this kind belongs to the phase; the umpire may overrule.

    Raises IllegalAnswer that says which phase it belongs to. Rule: Turn phases.
    """
    belongs = phases_of(call.do, call.settings) if call.table.turn else ()
    if not belongs or any(phase.id == call.table.phase for phase in belongs):
        return
    if call.value("phases_refuse"):
        titles = " or ".join(phase.title for phase in belongs)
        now = all_phases()[call.table.phase].title
        wrong = f"{capital(call.do)} belongs to {titles}; this is {now} (next goes on)."
        call.require("Turn phases", (False, wrong))


def check_movement(call: Call, mover: TableUnit | None, ambusher: TableUnit | None = None) -> None:
    """Check that one side moves in this phase, and the other ambushes. Rule: Turn phases."""
    moving = call.table.moving
    if not moving:
        return
    conditions = []
    title = all_phases()[call.table.phase].title
    if ambusher:
        wrong = f"{ambusher.name} cannot ambush in this phase: {title}."
        conditions.append((ambusher.side != moving, wrong))
    if mover:
        wrong = f"{mover.name} does not move in this phase: {title}."
        conditions.append((mover.side in ("", moving), wrong))
    call.require("Turn phases", *conditions)


def add_unit(call: Call, unit: TableUnit) -> None:
    """Bring a unit to the table. Raises IllegalAnswer if there is no room for it."""
    if len(call.table.units) >= MAX_UNITS:
        raise IllegalAnswer(f"A table has at most {MAX_UNITS} units.")
    call.who = unit.name
    call.change(unit)
    call.say(f"{unit}.")


def set_unit(call: Call, line: LineContent) -> None:
    """Correct a unit by the umpire's word; needs the reason.

    It may be given another side, quality, vehicle, state or count of figures. A unit that was named
    by mistake is removed.
    """
    unit = call.table.unit(line.at.name)
    fields: dict[str, Any] = {
        key: value
        for key in ("side", "quality", "figures", "vehicle")
        if (value := getattr(line.at, key)) not in ("", None)
    }
    if not call.because:
        raise IllegalAnswer("A correction needs its reason: add --because.")
    if not fields and not line.state:
        raise IllegalAnswer("Say what to change: side, quality, figures, vehicle or state.")
    call.who = unit.name
    if line.state == REMOVED:
        call.change(unit, listed=False)
        call.say(f"{unit.name}: removed from the table, as if it had never been there.")
        return
    if "figures" in fields:
        figures = fields["figures"]
        call.count_again(unit, figures)
        started = unit.started if unit.started is not None else figures
        fields |= {"due_losses": 0, "started": max(started, figures)}
        if (
            unit.standing == 0
            and figures
            and {"destroyed", "abandoned"} & {unit.state, unit.due_state}
        ):
            fields |= {"state": "fights", "due_state": "fights"}
    if line.state:
        fields |= {"state": line.state, "due_state": "fights"}
    call.say(f"{call.change(unit, **fields)}.")
    if unit.due_losses and "figures" in fields:
        call.say("So many are left: none is taken away any more when this fire is done.")


def move_units(call: Call, line: LineContent, units: tuple[TableUnit, ...]) -> None:
    """Note that units moved: they cannot ambush in the next turn, and fire as having moved.

    Raises IllegalAnswer for a unit that may not move.
    """
    if not units:
        raise IllegalAnswer("Say which units moved.")
    call.who = ", ".join(unit.name for unit in units)
    for unit in units:
        check_movement(call, unit)
        held = unit.suppressed and "no_move" in call.value("suppress_effect")
        call.require("Artillery", (not held, f"{unit.name} is suppressed and may not move."))
        call.change(unit, moved=call.table.turn)
    call.say(f"{call.who}: moved{f' to {line.text}' if line.text else ''}.")


def add_note(call: Call, line: LineContent) -> None:
    """Put the umpire's own words into the log."""
    text = line.text
    if not text.strip():
        raise IllegalAnswer("Say what to note.")
    if len(text) > MAX_NOTE:
        raise IllegalAnswer(f"A note has at most {MAX_NOTE} characters.")
    call.say(text.strip())


def use_settings(call: Call, own: dict[str, Any], source: str) -> None:
    """Take the umpire's own settings for the rest of the game."""
    call.changes["own"] = own
    values = number_words(len(own), "own value", "own values")
    call.say(f"Settings of {source}: {values} in force.")


# -- turn and phases ----------------------------------------------------------------------


def phase_order(settings: UmpireSettings) -> tuple[Phase, ...]:
    """Return the phases of a turn in the order that the settings give them. Rule: Turn phases."""
    return tuple(all_phases()[id] for id in settings["phases"])


def next_phase(call: Call, line: LineContent) -> None:
    """Go on to the next phase, or through all phases up to one that is named, or ``turn``.

    Morale checks that are due come first, unless the umpire says why not. On the way losses of
    direct fire are taken away at its end, impact markers are removed when the artillery phase
    begins, and counts of small-arms hits when the turn does. Rule: Turn phases.
    """
    phases = phase_order(call.settings)
    if call.table.due:
        names = ", ".join(map(str, call.table.due))
        call.require("Morale", (False, f"First check morale: {names}."))
        call.done += [check.unit for check in call.table.due]
    place, turn = [phase.id for phase in phases].index(call.table.phase), call.table.turn
    wanted = _wanted_phases(line.text, phases)
    while True:
        if phases[place].id == "direct_fire":
            _take_away_losses(call)
        place += 1
        if place == len(phases):
            place, turn = 0, turn + 1
            for unit in map(call.now, call.table.units):
                if unit.hits:
                    call.change(unit, hits=0)
        if phases[place].id == "artillery_and_air":
            _remove_markers(call)
        if phases[place].id in wanted:
            break
    call.changes |= {"turn_to": turn, "phase_to": phases[place].id}
    call.say(f"Turn {turn}: {phases[place].title}.")


def _wanted_phases(to: str, phases: tuple[Phase, ...]) -> set[str]:
    """Return the phases that ``next`` stops at: any, the first of a turn, or those of that name."""
    word, ids = plain_word(to), {phase.id for phase in phases}
    if not word:
        return ids
    if word == "turn":
        return {phases[0].id}
    matching = {id for id in ids if word in id}
    if not matching:
        names = ", ".join(phase.id for phase in phases)
        raise PBCGError(f'"{to}" is not a phase; there are: turn, {names}.')
    return {word} if word in ids else matching


def _take_away_losses(call: Call) -> None:
    """Take away all losses of direct fire: it is simultaneous. Rule: Direct fire."""
    gone = []
    for unit in map(call.now, call.table.units):
        if not unit.due_losses and unit.due_state == "fights":
            continue
        state = unit.final_state
        fields = {"figures": unit.standing, "due_losses": 0, "due_state": "fights"}
        call.change(unit, state=state, **fields)
        parts = [number_words(unit.due_losses, "figure")] if unit.due_losses else []
        parts += [STATE_WORDS[state]] if state != "fights" else []
        gone.append(f"{unit.name} {' and '.join(parts)}")
    if gone:
        call.say(f"Taken away after all fire: {'; '.join(gone)}.")


def _remove_markers(call: Call) -> None:
    """Remove the impact markers of the turn before, and suppression with them."""
    marked = [unit for unit in map(call.now, call.table.units) if unit.marker]
    for unit in marked:
        call.change(unit, marker=False, suppressed=False)
    if marked:
        call.say(f"Impact markers removed: {', '.join(unit.name for unit in marked)}.")
