"""How a decision of the area game looks at the terminal: units by area, actions with their odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from asl_pbcg.cli.area_commands.st_areas import Areas, direction
from asl_pbcg.kernel.prompts import Option
from asl_pbcg.kernel.tables import Likelihood
from asl_pbcg.st.british.orders import (
    action_words,
    attack_words,
    counter_word,
    firer_word,
    number_of,
)
from asl_pbcg.st.british.standing_orders import gun_prices
from asl_pbcg.st.picture.textmap import ROWS, WIDTH, text_map
from asl_pbcg.st.procedures.fire import Target
from asl_pbcg.st.procedures.german_guns import british_volley
from asl_pbcg.st.procedures.gun_fire import Attack
from asl_pbcg.st.procedures.movement import STEPS
from asl_pbcg.st.procedures.odds import fire_odds
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.phase_situation import Situation

TALL: Final = (46, 130)
"""Rows and columns of a screen that holds map, units and log side by side."""
MAP_WIDTH: Final = 79
"""Columns of the map beside the units."""
AROUND: Final = 7
"""Rows above and below them: head, question, end, keys, what is typed."""


def show_units(
    console: Console, areas: Areas, options: tuple[Option, ...], recent: list[str]
) -> None:
    """Print the British who can act, by area, each with the number on its counter.

    A small screen has a line an area, a large one all units beside the map and what happened last.
    """
    able_ids = {option.id for option in options}
    if console.height >= TALL[0] and console.width >= TALL[1]:
        _show_tall(console, areas, able_ids, recent)
    else:
        console.print(Padding(_short_lines(areas, able_ids), (0, 0, 0, 1)))
    for words in areas.other_germans(areas.british):
        _say(console, words, "red")
    for option in options:
        if option.topic.kind == "end":
            console.print(Text.assemble(("   e ", "bold cyan"), option.text))


def _short_lines(areas: Areas, able_ids: set[str]) -> Group:
    """Return a paragraph for each area with units that can act; the numbers of all others."""
    geo = areas.sit.geo
    lines: list[RenderableType] = []
    for area in sorted(areas.british):
        able = [unit for unit in areas.british[area] if unit.id in able_ids]
        if not able:
            continue
        words = Text.assemble((f"{geo.text(area)}: ", "bold"))
        for unit in able:
            name, sp, grenades, mp, more = areas.unit_cells(unit)
            words.append(f"{number_of(areas.sit, unit.id)} ", "bold cyan")
            facts = [f"{sp} SP" if sp else "", f"{grenades}g" if grenades else "", f"{mp[0]} MP"]
            words.append(f"{name} {' '.join(filter(None, (*facts, more)))}; ")
        words.rstrip()
        words.right_crop(1)
        if german := areas.germans(area):
            words.append(f"  Germans here: {german}", "red")
        if near := areas.near_germans(area):
            words.append(f"  next to {'; '.join(near)}", "red dim")
        lines.append(words)
    idle = [
        number_of(areas.sit, unit.id)
        for units in areas.british.values()
        for unit in units
        if unit.id not in able_ids
    ]
    if idle:
        listed = ", ".join(sorted(idle, key=_by_number))
        lines.append(Text(f"Nothing left to do: {listed}", "dim"))
    return Group(*lines)


def _by_number(word: str) -> tuple[int, str]:
    return (int(word), "") if word.isdecimal() and len(word) < 10 else (0, word)


def _show_tall(console: Console, areas: Areas, able_ids: set[str], recent: list[str]) -> None:
    """Map and log on the left, units on the right; all of it on one screen as far as it can be."""
    below = sum(
        len(words) // (console.width - 8) + 1 for words in areas.other_germans(areas.british)
    )
    rows = console.height - below - AROUND
    width = console.width - MAP_WIDTH - 2
    units = _unit_lines(areas, able_ids)
    wide = console.options.update(width=width)
    if len(console.render_lines(units, wide, pad=False)) > rows:
        units = _short_lines(areas, able_ids)  # a line a unit is too much for this screen
    chart = map_text(areas, MAP_WIDTH + 1)
    news = console.render_lines(
        Text("\n".join(recent[-rows:]), "dim"), console.options.update(width=MAP_WIDTH), pad=False
    )
    map_and_log = Table.grid()
    map_and_log.add_row(chart)
    for line in news[-max(0, rows - len(chart.plain.splitlines())) :]:
        map_and_log.add_row(Text("".join(part.text for part in line), "dim", no_wrap=True))
    side = Table.grid(padding=(0, 2, 0, 0))
    side.add_column(width=MAP_WIDTH)
    side.add_column(width=width)
    side.add_row(map_and_log, units)
    console.print(side)


def _unit_lines(areas: Areas, able_ids: set[str]) -> Group:
    """Return a line for each unit under the line of its area; what is too long goes on below it."""
    lines: list[RenderableType] = []

    def hang(words: Text, by: int = 4) -> None:
        words.rstrip()
        words.expand_tabs()
        lines.append(_Hanging(words, by))

    for area in sorted(areas.british):
        hang(Text.assemble((areas.sit.geo.text(area), "bold"), (f"  {areas.ground(area)}", "dim")))
        for unit in areas.british[area]:
            name, sp, grenades, mp, more = areas.unit_cells(unit)
            able = unit.id in able_ids
            style = "" if able else "dim"
            hang(
                Text.assemble(
                    (f"{number_of(areas.sit, unit.id):>3} ", "bold cyan" if able else "dim"),
                    (f"{name:<20} {f'{sp} SP' if sp else '':<9} ", style),
                    (f"{f'{grenades}g' if grenades else '':<2} {mp} MP  ", style),
                    (more, "cyan"),
                )
            )
        for words in areas.lying(area):
            hang(Text(f"    {words}", "cyan"))
        if german := areas.germans(area):
            hang(Text(f"    Germans here: {german}", "red"))
        for near in areas.near_germans(area):
            hang(Text(f"    next to {near}", "red dim"))
    return Group(*lines)


class _Hanging:
    """Words of which all lines but the first begin farther in."""

    def __init__(self, words: Text, by: int) -> None:
        self._words, self._by = words, by

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        first, *following = self._words.wrap(console, options.max_width)
        yield first
        if following:
            indented = Text(" ").join(following)
            yield Padding(indented, (0, 0, 0, self._by))


STYLES: Final = {
    "": "dim",
    "british": "bold cyan",
    "german": "bold red",
    "both": "bold magenta",
    "water": "blue",
    "road": "yellow",
    "line": "dim",
    "british-held": "cyan",
    "german-held": "red dim",
}


TALL_MAP: Final = 2 * ROWS - 1
"""Rows of the map on a screen that holds so many more: its lines have room."""
AROUND_MAP: Final = 4


def map_text(areas: Areas, width: int, height: int = ROWS) -> Text:
    """Return the map in letters, as many rows of 79 letters as ``height`` and one of words."""
    rows = []
    for row in text_map(areas.sit, areas.state, min(width - 1, WIDTH), height):
        line = Text()
        for piece in row:
            line.append(piece.text, STYLES[piece.whose])
        line.rstrip()
        rows.append(line)
    rows.append(
        Text(
            " B4+12 you  B4-8T Germans, tank  ? face down  * leader  ! both  ~ water  . fire", "dim"
        )
    )
    return Text("\n").join(rows)


def _say(console: Console, words: str, style: str) -> None:
    """Words under an area; what does not fit into a line goes on below them."""
    console.print(Padding(Text(words, style), (0, 0, 0, 5)))


def show_actions(console: Console, prompt: Decision, options: tuple[Option, ...]) -> None:
    """Print the actions of a unit; beside a move, what the area is and who stands there.

    Before each stands what to type: an area or a letter.
    """
    sit = prompt.situation
    words = action_words(sit, prompt.pieces[0], prompt.choices)
    areas = Areas(sit)
    first = sit.units[prompt.pieces[0]]
    where = sit.geo.text(first.area)
    console.print(Text.assemble(f" in {where}", (f"  {areas.ground(first.area)}", "dim")))
    if german := areas.germans(first.area):
        console.print(Text(f" Germans here: {german}", "red"))
    grid = Table(box=None, show_header=False, padding=(0, 2, 0, 1))
    for _ in range(3):
        grid.add_column(overflow="fold")
    refused = []
    for option in sorted(options, key=_carrying):
        if option.refused:
            refused.append(option)
            continue
        text, beside = Text(option.text), Text(option.consequence, "green")
        if option.topic.kind in STEPS:
            (target,) = option.topic.places
            way = direction(sit.geo.map, first.area, target)
            text.append(f"  {way}, {areas.ground(target)}", "dim")
            if ours := areas.ours(target):
                text.append(f"\n{ours}", "cyan")
            if german := areas.germans(target):
                text.append(f"\n{german}", "red")
            if near := areas.near_germans(target, apart_from=first.area):
                text.append(f"\nnext to {'; '.join(near)}", "red dim")
        if option.odds:
            beside.append(f"\n{odds_words(option)}")
        grid.add_row(Text(words.get(option.id, "."), "bold cyan"), text, beside)
    for option in refused:
        why = f"{option.refused} ({option.rule})"
        grid.add_row(Text("-", "dim"), Text(option.text, "dim"), Text(why, "dim"))
    console.print(grid)


def _carrying(option: Option) -> bool:
    """Taking and leaving things comes last."""
    return option.topic.kind in ("take", "leave")


def show_attacks(console: Console, prompt: Decision, options: tuple[Option, ...]) -> None:
    """Print the attacks of the Fire Phase, each with its target's place, which may be typed."""
    sit = prompt.situation
    attacks = [choice for choice in prompt.choices if isinstance(choice, Attack)]
    words = attack_words(sit, attacks)
    grid = Table(box=None, show_header=False, padding=(0, 2, 0, 1))
    for number, option in enumerate(options, 1):
        if option.id not in words:
            grid.add_row(Text("e", "bold cyan"), "", Text(option.text), "")
            continue
        attack = attacks[number - 1]
        beside = Text(option.consequence, "green")
        if option.odds:
            beside.append(f"\n{odds_words(option)}")
        if attack.kind == "small-arms":
            for price, _ in gun_prices(sit, attack.firers):
                beside.append(f"\n{price}", "yellow")
        grid.add_row(
            Text(str(number), "bold cyan"), Text(words[option.id], "cyan"), option.text, beside
        )
    console.print(grid)


def show_firers(console: Console, prompt: Decision, options: tuple[Option, ...]) -> None:
    """Print who can fire, each by the number on its counter."""
    grid = Table(box=None, show_header=False, padding=(0, 2, 0, 1))
    for option in options:
        word = firer_word(prompt.situation, option.id)
        beside = "  ".join(filter(None, (option.consequence, odds_words(option))))
        grid.add_row(Text(word, "bold cyan"), option.text, Text(beside, "green"))
    console.print(grid)


def show_counters(console: Console, prompt: Decision, options: tuple[Option, ...]) -> None:
    """Print units and weapons to choose from, each by the number on its counter."""
    grid = Table(box=None, show_header=False, padding=(0, 2, 0, 1))
    for option in options:
        word = counter_word(prompt.situation, option.id)
        grid.add_row(Text(word, "bold cyan"), option.text, Text(option.consequence, "green"))
    console.print(grid)


def odds_words(option: Option) -> str:
    """Return the odds of an option in a line."""
    return _line(option.odds)


def together(
    sit: Situation,
    target: Target,
    choices: dict[str, tuple[str, str]],
    answers: Sequence[str],
    opportunity: bool = False,
) -> str:
    """Return the SP and the odds of those who fire in one attack."""
    if not answers:
        return "Nobody fires."
    volley = british_volley(sit, answers, choices)
    if volley.sp <= 0:
        return "They have no SP to fire with."
    odds = fire_odds(sit, volley, target, opportunity=opportunity)
    who = "All together" if len(answers) == len(choices) else f"These {len(answers)} together"
    return f"{who}, {volley.sp} SP: {_line(odds)}"


def _line(odds: Mapping[str, Likelihood]) -> str:
    return "  ".join(f"{result} {chance}" for result, chance in odds.items())
