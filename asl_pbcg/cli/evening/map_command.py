"""``pbcg map``: a campaign's map with its counters, on one page or as a poster."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import typer

from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.campaign_file import look_at
from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle, written_files
from asl_pbcg.cli.common import (
    POSTER,
    RADIUS,
    Viewer,
    around_option,
    as_option,
    paper_option,
)
from asl_pbcg.hexes.drawing import check_format, write_pages
from asl_pbcg.hexes.poster import read_tiles
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.play.campaign_game.campaign_facts import state_for
from asl_pbcg.play.campaign_game.campaign_prints import MapPrint, map_prints, setup_map
from asl_pbcg.records.layout import Paper

app = typer.Typer(add_completion=False)


_FOR_ALL: Final = ("--poster", "--around", "--radius", "--bare", "--spread", "--no-spread")
"""Options of a map that is not a setup map."""


@app.command("map")
@answers
def draw_map(
    file: Path = typer.Argument(..., help="The campaign file."),
    output: Path = typer.Option(..., "-o", "--output", help="A .pdf, .svg or .png file to write."),
    viewer: Viewer = as_option(),
    paper: str = paper_option(),
    poster: str = POSTER,
    around: str = around_option(words="Only hexes round this one."),
    radius: int = RADIUS,
    bare: bool = typer.Option(False, "--bare", help="Without counters."),
    spread: bool = typer.Option(
        True, "--spread/--no-spread", help="Also pages with every stack spread out (PDF)."
    ),
    setup: bool = typer.Option(
        False, "--setup", help="The side's setup map: only what stays where it is."
    ),
) -> Answer:
    """Print the map of a campaign with the counters its reader may see.

    A PDF holds all pages; as PNG or SVG each sheet of a poster is a file with a number.
    """
    kind = check_format(output)
    size, tiles = Paper.parse(paper), read_tiles(poster)
    if setup:
        refuse_idle("with --setup", *_FOR_ALL)
    if not around:
        refuse_idle("without --around", "--radius")
    if bare or kind != ".pdf":
        refuse_idle("with --bare" if bare else "but in a PDF", "--spread", "--no-spread")
    if setup and viewer is Viewer.UMPIRE:
        raise PBCGError("A setup map is a side's own: --as british or --as german.")
    with look_at(file, viewer.value) as game:
        state = state_for(game.session, viewer.value)
        if setup:
            pages = [setup_map(state, Side(viewer.value), size)]
        else:
            how = MapPrint(
                paper=size,
                tiles=tiles,
                around=state.board.grid.check(around.strip().upper()) if around else None,
                radius=radius,
                counters=not bare,
                spread=spread and kind == ".pdf",
            )
            pages = map_prints(state, viewer.value, how)
    written = write_pages(pages, output)
    count = number_words(len(pages), "page") if kind == ".pdf" else ""
    return written_files(written, f"{count}." if count else "")
