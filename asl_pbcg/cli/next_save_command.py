"""``pbcg position to-vasl``: the VASL save of the next scenario."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.command_answers import Answer, answers, written_words
from asl_pbcg.cli.common import Viewer, as_option
from asl_pbcg.cli.position_vasl import side_of
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import make_new
from asl_pbcg.kernel.lazy_import import lazy_import

if TYPE_CHECKING:
    from asl_pbcg.cli import campaign_file
    from asl_pbcg.play import vasl_save_next
else:
    campaign_file = lazy_import("asl_pbcg.cli.campaign_file")
    vasl_save_next = lazy_import("asl_pbcg.play.vasl_save_next")


@answers
def to_vasl(
    campaign: Path = typer.Argument(..., metavar="FILE", help="The campaign file."),
    base: Path = typer.Option(
        ..., "--base", metavar="SAVE", help="The save of the scenario just played; it stays."
    ),
    output: Path = typer.Option(
        ..., "-o", "--output", metavar="SAVE", help="The save to make: .vsav."
    ),
    viewer: Viewer = as_option("One side's eyes: of the other it holds what both may see."),
    onto: Path | None = typer.Option(
        None, "--onto", metavar="SAVE", help="Add what sets up second to the other side's setup."
    ),
    module: Path | None = typer.Option(
        None, "--module", metavar="VMOD", help="Your VASL module, for counters the base has not."
    ),
    palette: list[Path] = typer.Option(
        [], "--palette", metavar="SAVE", help="Another save to copy counters from; may be repeated."
    ),
    perimeters: bool = typer.Option(
        False, "--perimeters", help="Perimeter counters where Setup Areas end."
    ),
) -> Answer:
    """Make the VASL save of the next scenario from the last one's: cleaned, flipped, in place.

    \b
      pbcg position to-vasl evening.pbcg --base night-1.vsav -o night-2.vsav
    """
    if output.suffix.lower() != ".vsav":
        raise PBCGError(f"{output} is not a name for a VASL save: let it end in .vsav.")
    if output.exists():
        raise PBCGError(f"{output} exists already: choose another name or move it away.")
    with campaign_file.look_at(campaign, viewer.value) as game:
        content, report = vasl_save_next.next_save(
            game.session, base, side_of(viewer), onto, palette, module, perimeters
        )
    make_new(output, content)
    return Answer(NextSaveMade([str(output)], report), _print_next_save)


class NextSaveMade(msgspec.Struct, frozen=True):
    """The answer of ``position to-vasl``."""

    written: list[str]
    report: Any


def _print_next_save(made: NextSaveMade) -> None:
    report = made.report
    whose = f"It is for the {Side(report.viewer).title} player. " if report.viewer else ""
    more = f"{whose}Pieces that stay as they were: {report.stayed}."
    typer.echo(written_words(*made.written, more=more))
    for head, lines in report.lines():
        typer.echo(head)
        for line in lines:
            typer.echo(f"  {line}")
