"""Where a game of the area game stands, for the terminal: VP, units, Germans known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from asl_pbcg.cli.st_areas import Areas
from asl_pbcg.play.area_game import situation, turn_words
from asl_pbcg.st.numbers import numbers
from asl_pbcg.st.rules import british_order, german_order
from asl_pbcg.st.scoring import score_now, victory_chart
from asl_pbcg.st.terms import BRITISH, PHASES

if TYPE_CHECKING:
    from rich.console import Console

    from asl_pbcg.kernel.session import Session
    from asl_pbcg.st.situation import Situation
    from asl_pbcg.st.state import Result, State, Unit


def score_of(sit: Situation) -> Result:
    """The VP and the level if the game ended now."""
    return sit.state.result or score_now(sit.rules, sit.close())


def step_title(step: str) -> str:
    """A step of the game, as ``3.4`` or ``setup``, in words."""
    turn, _, phase = step.partition(".")
    if not phase.isdigit():
        return {"setup": "Set-up", "score": "Victory"}.get(step, step)
    return f"Turn {turn}, {PHASES[int(phase) - 1].title}"


def score_words(state: State, result: Result) -> str:
    """The VP in a line, with what the next level needs."""
    chart = victory_chart()
    words = f"{result.vp} VP: {chart.names[result.level]}"
    higher = chart.levels[chart.levels.index(result.level) + 1 :]
    if higher and state.difficulty:
        least = chart.least[state.difficulty][higher[0]]
        words += f" ({chart.names[higher[0]]} at {least})"
    return words


def short_score(state: State, result: Result) -> str:
    """The VP and what the next level needs, for the head of a question."""
    chart = victory_chart()
    higher = chart.levels[chart.levels.index(result.level) + 1 :]
    if not higher or not state.difficulty:
        return f"{result.vp} VP: {chart.names[result.level]}"
    least = chart.least[state.difficulty][higher[0]]
    return f"{result.vp} VP ({chart.names[higher[0]]} at {least})"


def facts(session: Session[State]) -> dict[str, Any]:
    """Where the game stands, as plain data for ``--json``; nothing hidden is in it."""
    import msgspec

    sit = situation(session)
    state = Areas(sit).state
    asked = session.pending
    found: dict[str, Any] = {
        "at": turn_words(state),
        "turn": min(state.turn, numbers().turns),
        "phase": "" if state.over else PHASES[state.phase].name,
        "set_up": state.settings.mode,
        "difficulty": state.difficulty,
        "over": state.over,
        "next": {"point": asked.id, "text": asked.text, "rule": asked.rule} if asked else None,
    }
    if state.ready:
        result = score_of(sit)
        found["vp"] = result.vp
        found["level"] = result.level
        found["scores"] = [msgspec.to_builtins(score) for score in result.scores]
    found["british"] = [_plain(unit) for unit in state.units if unit.side == BRITISH]
    found["german"] = [_plain(u) for u in state.units if u.side != BRITISH and u.status == "map"]
    found["weapons"] = [
        {"id": w.id, "name": w.name, "at": w.place, "carrier": w.carrier, "charges": w.charges}
        for w in state.weapons
        if w.status == "map"
    ]
    return found


def _plain(unit: Unit) -> dict[str, Any]:
    names = ("id", "name", "kind", "status", "strength", "grenades", "suppressed", "wounded")
    found = {name: getattr(unit, name) for name in names}
    if unit.face_down:
        found = {"id": unit.id, "name": unit.name, "status": unit.status, "face_down": True}
    return found | {"at": unit.place}


def print_status(console: Console, session: Session[State]) -> None:
    """Print the whole situation: VP, what is to come, the units by area, Germans known."""
    sit = situation(session)
    areas = Areas(sit)
    state = areas.state
    console.print(Text(turn_words(state), "bold"))
    mode = state.settings.mode.replace("_", " ")
    if mode:
        console.print(Text(f"  {mode} game, {state.difficulty or 'difficulty still open'}"))
    if not state.ready:
        return
    console.print(Text(f"  {score_words(state, score_of(sit))}"))
    for words in coming(state):
        console.print(Text(f"  {words}"))
    console.print(_units(areas))
    far = sorted(areas.german)
    if far:
        console.print(Text("Germans on the map", "bold"))
    for area in far:
        console.print(Text(f"  {sit.geo.text(area)}: {areas.germans(area)}"))
    away = out_of_play(state)
    if away:
        console.print(Text("Lost or not in play: ", "bold") + Text(", ".join(away), ""))


def coming(state: State) -> list[str]:
    """What both sides know of what is to come: reinforcements, the Demo Bridge box."""
    found = []
    n = numbers()
    if state.demo_marker != "none":
        found.append("A marker lies face down in the Demo Bridge box.")
    if state.german_force:
        turns = german_order().entry_turns[state.settings.german_entry_turns]
        turn = state.german_turn or turns[state.german_force]
        found.append(f"German reinforcements: force {state.german_force}, from turn {turn}.")
    elif state.turn <= n.german_roll_turn:
        found.append(f"German reinforcements are rolled for on turn {n.german_roll_turn}.")
    entry = british_order().reinforcements.entry
    if state.british_force:
        if any(unit.status == "waiting" for unit in state.units if unit.side == BRITISH):
            found.append(
                f"British reinforcements: force {state.british_force}, "
                f"at {entry} on turn {state.british_turn}."
            )
    elif state.turn <= n.british_roll_turn:
        found.append(f"British reinforcements are rolled for on turn {n.british_roll_turn}.")
    return found


def out_of_play(state: State) -> list[str]:
    """The British that are dead or whose glider was lost."""
    words = {"dead": "killed", "absent": "not here"}
    return [
        f"{unit.name} ({words[unit.status]})"
        for unit in state.units
        if unit.side == BRITISH and unit.status in words and (unit.status == "dead" or unit.sp)
    ]


def _units(areas: Areas) -> Table:
    grid = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("", "SP", "Grenades", "MP", ""):
        grid.add_column(name, no_wrap=name in ("SP", "Grenades", "MP"))
    geo = areas.sit.geo
    for area in sorted(areas.british):
        grid.add_row(Text(geo.text(area), "bold cyan"), "", "", "", Text(areas.ground(area), "dim"))
        for unit in areas.british[area]:
            name, *cells = areas.unit_cells(unit)
            grid.add_row(f"  {name}", *cells)
        for words in areas.lying(area):
            grid.add_row(Text(f"  {words}", "cyan"))
        if german := areas.germans(area):
            grid.add_row(Text(f"  Germans here: {german}", "red"))
        for near in areas.near_germans(area):
            grid.add_row(Text(f"  next to {near}", "red"))
    return grid
