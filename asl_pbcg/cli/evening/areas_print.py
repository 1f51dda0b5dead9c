"""Setup Areas printed for people."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from asl_pbcg.campaign.areas.area_map import AreaMap, short
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.terminal.sentences import Sentences


def print_areas(area_map: AreaMap) -> None:
    """Print an AreaMap for people: a table for each side, then what belongs to nobody."""
    console = Sentences()
    then = f", before {area_map.coming.title}" if area_map.coming else ""
    head = Text(f"Setup Areas after {area_map.date.title}{then}", style="bold")
    head.append("   9.605", style="dim")
    console.print(head)
    for side in area_map.sides:
        _print_side(console, area_map, side)
    console.print()
    console.print(_line("No Man's Land", area_map.no_mans_land.names))
    in_play = len(area_map.board.in_play)
    console.print(f"Uncontrolled Territory: {len(area_map.uncontrolled)} of {in_play} hexes")


def _print_side(console: Console, area_map: AreaMap, side: Side) -> None:
    if area_map.areas[side]:
        table = Table(box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False, expand=False)
        table.title = f"\n{side.title}"
        table.title_style = "bold red" if side == "british" else "bold blue"
        for heading, ratio in (
            ("Area", None), ("Strategic Locations", 2), ("Other hexes", 3), ("Front-Line", 3),
        ):  # fmt: skip
            table.add_column(heading, ratio=ratio, overflow="fold")
        for area in area_map.areas[side]:
            held = set(map(str, area.strategic_locations))  # a level above is not its hex
            others = [name for name in area.hexes if name not in held]
            front = "all" if area.hexes == area.front_line else short(area.front_line.names)
            held_words = " ".join(map(str, area.strategic_locations))
            cut_off = " ".join(map(str, area_map.isolated_in(area)))
            if cut_off and not area.isolated:
                held_words += f"\n[bold]Isolated[/bold] {cut_off}"
            table.add_row(
                f"{area.id}\n[bold]Isolated[/bold]" if area.isolated else area.id,
                held_words,
                short(others) if area.hexes else f"none: {side.other.title} ground level",
                front if area.hexes else "",
            )
        console.print(table)
    else:
        console.print(f"\n{side.title}: no Setup Area")
    entries = [
        f"{entry.id}{'' if entry.eligible else ' (not Eligible)'}"
        for entry in area_map.entry_areas[side]
    ]
    console.print(f"Entry Areas: {', '.join(entries)}")


def _line(words: str, names: list[str]) -> str:
    return f"{words}: {short(names) if names else 'none'}"
