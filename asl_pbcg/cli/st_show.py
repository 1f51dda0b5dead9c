"""How a decision of the area game looks at the terminal: units by area, actions with their odds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from asl_pbcg.cli.st_areas import Areas
from asl_pbcg.cli.st_look import direction
from asl_pbcg.st.odds import fire_odds
from asl_pbcg.st.opportunity_fire import british_volley

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from asl_pbcg.kernel.prompts import Option
    from asl_pbcg.st.decision import Decision

GOING: Final = ("move", "arrow")
"""The actions that go to another area: their answers are the word and the area."""


def show_units(console: Console, areas: Areas, options: tuple[Option, ...]) -> dict[str, str]:
    """Print the British by area, those that can act numbered, and the Germans near them.

    Returns the answer under each number.
    """
    numbers: dict[str, str] = {}
    geo = areas.sit.geo
    known = {option.id for option in options}
    for area in sorted(areas.british):
        console.print()
        console.print(Text.assemble((geo.text(area), "bold"), (f"  {areas.ground(area)}", "dim")))
        console.print(_units_of(areas, area, known, numbers))
        for words in areas.lying(area):
            _say(console, words, "cyan")
        if german := areas.germans(area):
            _say(console, f"Germans here: {german}", "red")
        for near in areas.near_germans(area):
            _say(console, f"next to {near}", "red")
    console.print()
    for words in areas.other_germans(areas.british):
        _say(console, words, "red")
    for option in options:
        if option.id not in areas.sit.units and not option.id.startswith("stack "):
            number = _number(numbers, option.id)
            console.print(Text.assemble((f"{number:>4} ", "bold cyan"), option.text))
    return numbers


def _say(console: Console, words: str, style: str) -> None:
    """Words under an area; what does not fit into a line goes on below them."""
    console.print(Padding(Text(words, style), (0, 0, 0, 5)))


def _number(numbers: dict[str, str], answer: str) -> str:
    """The number under which an answer is shown."""
    number = str(len(numbers) + 1)
    numbers[number] = answer
    return number


def _units_of(areas: Areas, area: str, known: set[str], numbers: dict[str, str]) -> Table:
    grid = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
    for width in (4, 22, 9, 10, 9, None):
        grid.add_column(width=width, justify="right" if width == 4 else "left")
    for unit in areas.british[area]:
        name, sp, grenades, mp, more = areas.unit_cells(unit)
        able = unit.id in known
        style = "" if able else "dim"
        grid.add_row(
            Text(_number(numbers, unit.id) if able else "-", "bold cyan" if able else "dim"),
            Text(name, style),
            Text(f"{sp} SP" if sp else "", style),
            Text(f"{grenades} grenade{'s' * (grenades != '1')}" if grenades else "", style),
            Text(f"{mp} MP", style),
            Text(more, "cyan"),
        )
    for place in (area, areas.sit.rules.star[area]):
        if f"stack {place}" in known:
            inside = " in the bunker" if place != area else ""
            number = _number(numbers, f"stack {place}")
            grid.add_row(Text(number, "bold cyan"), Text(f"together{inside}"))
    return grid


def show_actions(console: Console, prompt: Decision, options: tuple[Option, ...]) -> None:
    """Print the actions of a unit; beside a move, what the area is and who stands there."""
    sit = prompt.situation
    areas = Areas(sit)
    first = sit.units[prompt.subject[0]]
    where = sit.geo.text(first.area)
    console.print(Text.assemble(f" in {where}", (f"  {areas.ground(first.area)}", "dim")))
    if german := areas.germans(first.area):
        console.print(Text(f" Germans here: {german}", "red"))
    grid = Table(box=None, show_header=False, padding=(0, 2, 0, 1))
    for _ in range(3):
        grid.add_column(overflow="fold")
    refused = []
    here = f"{sit.geo.text(first.area)} ("
    for number, option in enumerate(options, 1):
        if option.refused:
            refused.append(option)
            continue
        text, beside = Text(option.text), Text(option.consequence, "green")
        kind, _, target = option.id.partition(" ")
        if kind in GOING:
            way = direction(sit.geo.map, first.area, target)
            text.append(f"  {way}, {areas.ground(target)}", "dim")
            if ours := areas.ours(target):
                text.append(f"\n{ours}", "cyan")
            if german := areas.germans(target):
                text.append(f"\n{german}", "red")
            near = [found for found in areas.near_germans(target) if not found.startswith(here)]
            if near:
                text.append(f"\nnext to {'; '.join(near)}", "red dim")
        if option.odds:
            beside.append(f"\n{odds_words(option)}")
        grid.add_row(Text(str(number), "bold cyan"), text, beside)
    for option in refused:
        why = f"{option.refused} ({option.rule})"
        grid.add_row(Text("-", "dim"), Text(option.text, "dim"), Text(why, "dim"))
    console.print(grid)


def odds_words(option: Option) -> str:
    """The odds of an option in a line."""
    return _line(option.odds)


def together(prompt: Decision, answers: list[str]) -> str:
    """The SP and the odds of those who answer a question of who fires, all in one attack."""
    target, choices = prompt.choices
    if not answers:
        return "Nobody fires."
    volley = british_volley(prompt.situation, answers, choices)
    if volley.sp <= 0:
        return "They have no SP to fire with."
    found = fire_odds(prompt.situation, volley, target, opportunity=prompt.id == "opportunity_fire")
    who = "All together" if len(answers) == len(choices) else f"These {len(answers)} together"
    return f"{who}, {volley.sp} SP: {_line(found)}"


def _line(odds: Mapping[str, str]) -> str:
    return "  ".join(f"{result} {chance}" for result, chance in odds.items())
