"""Where a game of the area game stands, for the terminal: VP, units, Germans known."""

from __future__ import annotations

from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from asl_pbcg.cli.st_areas import Areas
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.area_game import situation, turn_words
from asl_pbcg.play.area_words import coming, out_of_play, score_of, score_words
from asl_pbcg.st.area_terms import BRITISH, PHASES
from asl_pbcg.st.numbers import numbers
from asl_pbcg.st.orders import number_of
from asl_pbcg.st.rules.game_state import State, Unit


def facts(session: Session[State]) -> dict[str, Any]:
    """Return where the game stands, as plain data for ``--json``; nothing hidden is in it."""
    sit = situation(session)
    state = Areas(sit).state
    asked = session.pending
    answer: dict[str, Any] = {
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
        answer["vp"] = result.vp
        answer["level"] = result.level
        answer["scores"] = [msgspec.to_builtins(score) for score in result.scores]
    answer["british"] = [_plain(unit) for unit in state.units if unit.side == BRITISH]
    answer["german"] = [_plain(u) for u in state.units if u.side != BRITISH and u.status == "map"]
    answer["weapons"] = [
        facts_of(weapon, "id name carrier charges", at="place")
        for weapon in state.weapons
        if weapon.status == "map"
    ]
    return answer


def _plain(unit: Unit) -> dict[str, Any]:
    if unit.face_down:
        return facts_of(unit, "id name status face_down", at="place")
    names = "id name kind status strength grenades suppressed wounded"
    return facts_of(unit, names, at="place")


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


def _units(areas: Areas) -> Table:
    grid = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("", "SP", "Grenades", "MP", ""):
        grid.add_column(name, no_wrap=name in ("SP", "Grenades", "MP"))
    geo = areas.sit.geo
    for area in sorted(areas.british):
        grid.add_row(Text(geo.text(area), "bold cyan"), "", "", "", Text(areas.ground(area), "dim"))
        for unit in areas.british[area]:
            name, *cells = areas.unit_cells(unit)
            grid.add_row(f"  {number_of(areas.sit, unit.id):>3} {name}", *cells)
        for words in areas.lying(area):
            grid.add_row(Text(f"  {words}", "cyan"))
        if german := areas.germans(area):
            grid.add_row(Text(f"  Germans here: {german}", "red"))
        for near in areas.near_germans(area):
            grid.add_row(Text(f"  next to {near}", "red"))
    return grid
