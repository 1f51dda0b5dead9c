"""The position and the map as a player asks for them at a prompt, without the other's secrets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations
from asl_pbcg.campaign.location import Area
from asl_pbcg.campaign.map import map_layers
from asl_pbcg.campaign.map.board_overlay import Overlay
from asl_pbcg.campaign.state.piece_names import name_piece, name_with_status
from asl_pbcg.campaign.terms import DUMMIES, Side
from asl_pbcg.kernel.tables import percent
from asl_pbcg.play.campaign_game.campaign_groups import basket_chances, group_chances
from asl_pbcg.play.campaign_game.campaign_map import areas_seen, first_zones, pieces_seen

if TYPE_CHECKING:
    from rich.console import Console

    from asl_pbcg.campaign.areas.area_map import AreaMap
    from asl_pbcg.campaign.map.board_overlay import AreaMark
    from asl_pbcg.campaign.state.campaign_state import Campaign
    from asl_pbcg.campaign.state.record_lines import ForceLine
    from asl_pbcg.play.campaign_game.campaign_moves import Going, Moves

COLOUR = {Side.BRITISH: "red", Side.GERMAN: "blue"}
NEAR = 3
"""How many hexes round a prompt's place its position and its map in the terminal reach."""
CELL = 11
"""Letters of one hex of the map in the terminal."""


# -- the position --------------------------------------------------------------------


def print_position(console: Console, state: Campaign, eyes: str, around: str | None) -> None:
    """Print what stands in which Location, within three hexes of ``around`` or everywhere."""
    grid = state.board.grid
    places: dict[tuple[int, str], list[ForceLine]] = {}
    held = {item for line in pieces_seen(state, eyes) for item in line.possesses}
    lines = pieces_seen(state, eyes)
    names = {line.id: line for line in lines}
    for line in lines:
        if line.id in held:
            continue
        area = Area.parse(line.area) if line.area and not line.location else None
        place = line.location or str(area or "not on map")
        hex = place.split("/")[0]
        on_map = hex in grid
        if around and not (on_map and grid.distance(hex, around) <= NEAR):
            continue
        enters = area is not None and area.is_entry_area
        order = grid.index(hex) if on_map else 10**6 + enters
        places.setdefault((order, place), []).append(line)
    if not places:
        where = f" within {NEAR} hexes of {around}" if around else ""
        console.print(Text(f" Nothing that you may see stands{where or ' anywhere'}."))
        return
    control = state.control.holders
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 1))
    for (_, place), stack in sorted(places.items()):
        holder = control.get(place)
        words = Text()
        for line in stack:
            if words:
                words.append("; ")
            words.append(_words(line, names), COLOUR[line.side])
        table.add_row(Text(place, "bold"), Text(holder.title if holder else "", "dim"), words)
    console.print(table)
    part = f" within {NEAR} hexes of {around}; p all shows everything" if around else ""
    console.print(Text(f" Place, who Controls it, what stands there{part}.", "dim"))


def _words(line: ForceLine, names: dict[str, ForceLine]) -> str:
    """Return a piece with its status and what it possesses: ``6-4-8 A-1 (wounded) with LMG 2b``."""
    dummies = line.type == DUMMIES
    text = f"{line.type} {line.notes}" if dummies else name_with_status(line)
    items = [name_piece(names[item]) for item in line.possesses if item in names]
    if items:
        text += f" with {', '.join(items)}"
    return text


# -- the map -------------------------------------------------------------------------


def write_map(state: Campaign, eyes: str, around: str | None, file: Path) -> Path:
    """Write the map sheet beside the campaign file, a side's own under its name; give its path."""
    whose = f"-{eyes}" if eyes in state.sides else ""
    part = f"-{around}" if around else ""
    path = file.with_name(f"{file.stem}-map{whose}{part}.png")
    title = state.frame.campaigns[state.campaign].title
    if zones := first_zones(state):
        from asl_pbcg.campaign.map import board_sheet

        subtitle, overlay = f"Setup before {state.date.title}", Overlay(areas=zones)
        heading = board_sheet.MapHeading(subtitle=subtitle, lines=(title,))
        sheet = board_sheet.map_sheet(state.board, overlay, heading=heading, around=around)
    else:
        areas, terrain = areas_seen(state, eyes), state.terrain
        sheet = map_layers.position_sheet(areas, around=around, campaign=title, terrain=terrain)
    sheet.write(path)
    return path


def print_map(console: Console, state: Campaign, eyes: str, around: str) -> None:
    """Draw the hexes round ``around`` with letters: Setup Areas, Control, who stands there."""
    grid = state.board.grid
    areas = areas_seen(state, eyes)
    radius = max(1, min(NEAR + 2, (console.width // CELL - 1) // 2))
    column, row = grid.column_row(around)
    counts = _counts(state, eyes)
    marks = _marks(areas, first_zones(state))
    lines: list[Text] = []
    for half in range(2 * (row - radius), 2 * (row + radius) + 3):
        line = Text(" ")
        for x in range(column - radius, column + radius + 1):
            # Hexes of an even column stand half a hex higher than those of an odd one.
            number, between = divmod(half - (x % 2), 2)
            name = None if between else grid.at(x, number)
            if name is None or grid.distance(name, around) > radius:
                line.append(" " * CELL)
                continue
            words, style = marks(name, name == around)
            line.append(words, style)
            line.append(f" {counts.get(name, '')}".ljust(CELL - len(words)))
        lines.append(line)
    for line in lines:
        if line.plain.strip():
            console.print(line, no_wrap=True, overflow="crop")
    console.print(
        Text(
            " bA, gA: British, German Setup Area A (small i: Isolated); ==: No Man's Land; "
            "* and o: Strategic Location, Controlled or not; b2g1: pieces seen there.",
            "dim",
        )
    )


def _counts(state: Campaign, eyes: str) -> dict[str, str]:
    counts: dict[str, dict[str, int]] = {}
    for line in pieces_seen(state, eyes):
        hex = line.location.split("/")[0]
        side = line.side.value[0]
        counts.setdefault(hex, {}).setdefault(side, 0)
        counts[hex][side] += 1
    return {
        hex: "".join(f"{side}{count}" for side, count in by_side.items())
        for hex, by_side in counts.items()
    }


def _marks(areas: AreaMap, zones: tuple[AreaMark, ...]) -> Callable[[str, bool], tuple[str, str]]:
    """Gives a hex its name, a sign if it holds a Strategic Location, and its Setup Area."""
    held = {
        location.hex: side
        for side in reversed(Side)
        for location in areas.ground.position.control.locations(side)
    }
    strategic = StrategicLocations(areas.ground.position, areas.board).hexes
    of: dict[str, tuple[str, str]] = {}
    for zone in zones:
        for name in zone.hexes:
            of[name] = (f"{zone.side[0]}{zone.label}", COLOUR[Side(zone.side)])
    for side in Side:
        for area in areas.areas[side]:
            for name in area.hexes:
                label = f"{side.value[0]}{area.id}{'i' if area.isolated else ''}"
                of[name] = (label, COLOUR[side])
    for name in areas.no_mans_land:
        of[name] = ("==", "yellow")

    def mark(name: str, is_here: bool) -> tuple[str, str]:
        label, colour = of.get(name, ("", "dim"))
        star = "*" if name in held else "o" if name in strategic else " "
        colour = COLOUR[held[name]] if name in held else colour
        return f"{name}{star}{label}", f"{colour} {'reverse' if is_here else ''}".strip()

    return mark


def print_groups(console: Console, state: Campaign, ids: Sequence[str]) -> None:
    """Print what each RG for sale would bring: mean counts, and for each CPP. Rule: 9.618."""
    table = Table(box=None, pad_edge=False)
    for name in ("RG", "CPP", "Full", "on average", "units per CPP"):
        table.add_column(name, justify="right" if name in ("CPP", "Full") else "left")
    for id, chart in state.charts.groups.groups.items():
        if chart.cost is None:
            continue
        chances = group_chances(state, id)
        shown = [spread for spread in chances.spreads if spread.kind != "leader"]
        units = sum(spread.mean for spread in chances.spreads if spread.kind == "units")
        full = chances.strength.get("full")
        table.add_row(
            id,
            str(chart.cost),
            percent(full) if full is not None else "",
            ", ".join(f"{float(spread.mean):.2f} {spread.what}" for spread in shown),
            f"{float(units) / chart.cost:.2f}" if units and chart.cost else "",
        )
    console.print(table)


def print_basket(console: Console, state: Campaign, ids: Sequence[str]) -> None:
    """The exact distribution of what RG would bring together. Rule: 9.618."""
    table = Table(box=None, pad_edge=False)
    table.add_column(", ".join(ids))
    table.add_column("mean", justify="right")
    table.add_column("how many, and how likely")
    for spread in basket_chances(state, ids):
        ways = [f"{n}: {percent(part)}" for n, part in sorted(spread.chances.items())]
        table.add_row(spread.what, f"{float(spread.mean):.2f}", "  ".join(ways))
    console.print(table)


def print_moves(console: Console, places: Sequence[Moves]) -> None:
    """Every destination and grouping before Escape and Shift, exactly. Rule: 9.606, 9.613."""
    if not places:
        console.print(Text(" Nothing can go anywhere."))
    for place in places:
        table = Table(box=None, pad_edge=False, show_header=False, title_justify="left")
        table.title = place.where
        for going in place.going:
            odds = "  ".join(f"{name} {chance}" for name, chance in going.odds.items())
            table.add_row(f"{going.words} {going.to}", odds or going.beside, _average(going))
        console.print(table)
        if place.groupings:
            stacks = Table(box=None, pad_edge=False)
            for name in ("as stacks", "none Eliminated", "HS-equivalents", "SMC"):
                stacks.add_column(name, justify="left" if name == "as stacks" else "right")
            for one in place.groupings:
                stacks.add_row(one.words, one.all_arrive, f"{one.left:.2f}", f"{one.leaders:.2f}")
            console.print(stacks)


def _average(going: Going) -> str:
    parts = [
        f"{average:.2f} of {whole} {what}"
        for average, whole, what in (
            (going.left, going.whole, "HS-eq."),
            (going.leaders, going.smc, "SMC"),
        )
        if whole
    ]
    return " ".join(parts)
