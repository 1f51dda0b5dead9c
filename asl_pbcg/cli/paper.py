"""``pbcg assert``: a campaign file held against a roster on paper."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from asl_pbcg.cli.campaign_file import warn_of
from asl_pbcg.cli.common import Viewer, as_option
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat

app = typer.Typer(add_completion=False)


@app.command(name="assert")
def assert_(
    file: Path = typer.Argument(..., help="The campaign file."),
    facts: list[str] = typer.Argument(..., metavar="FACT=VALUE...", help="san/german=3"),
    viewer: Viewer = as_option("Only facts that this side may know."),
    keep: bool = typer.Option(False, "--keep", help="Keep what agrees in the file, for the log."),
    as_json: bool = typer.Option(False, "--json", help="Answer as JSON."),
) -> None:
    """Hold the file against what stands on a roster on paper.

    pbcg assert evening.pbcg date=dawn san/german=3 units/british=18 cpp/german=12

    All differences are listed. Exit code 0: file and paper agree; 1: they differ; 2: a fact is
    unknown or malformed, and the facts that exist are listed. A blank of the roster is written -.

    Facts: campaign, date; san, san-base, cvp-lost, fpp, fpp-received, fpp-spent, dummies, areas,
    control of a SIDE; cpp, cpp-available, cpp-spent, cpp-base, cpp-loss-points; units, squads,
    half-squads, crews, leaders, heroes, sw, guns, vehicles, prisoners, fortifications of a SIDE,
    also of a TYPE (units/british/6-4-8=7); bought/SIDE/KIND; rg/ID; ww-box; reinforcements;
    control/Y20=british. What the CG Roster has by CG Date may end with one: cpp-spent/german/dawn.
    """
    with OpenGame.open(file, look=not keep) as game:
        warn_of(game)
        compared, kept = Seat(game, viewer.value).compare_with_paper(facts, keep)
    different = [fact for fact in compared if not fact.agrees]
    if as_json:
        facts_data = [fact.plain_data for fact in compared]
        data = {"agrees": not different, "kept": kept, "facts": facts_data}
        typer.echo(json.dumps(data, indent=1, ensure_ascii=False))
    elif different:
        for fact in different:
            typer.echo(fact.sentence)
        typer.echo(f"Different: {len(different)} of {number_words(len(compared), 'fact')}.")
    else:
        kept_words = " That is kept in the log." if kept else ""
        typer.echo(f"File and paper agree: {number_words(len(compared), 'fact')}.{kept_words}")
    if different:
        raise typer.Exit(1)
