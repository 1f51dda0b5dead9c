"""``pbcg assert``: a campaign file held against a roster on paper."""

from __future__ import annotations

from pathlib import Path

import typer

from asl_pbcg.cli.campaign_file import warn_of
from asl_pbcg.cli.command_answers import Answer, answers
from asl_pbcg.cli.common import Viewer, as_option
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat

app = typer.Typer(add_completion=False)


@app.command(name="assert")
@answers
def assert_(
    file: Path = typer.Argument(..., help="The campaign file."),
    facts: list[str] = typer.Argument(..., metavar="FACT=VALUE...", help="san/german=3"),
    viewer: Viewer = as_option("Only facts that this side may know."),
    keep: bool = typer.Option(False, "--keep", help="Keep what agrees in the file, for the log."),
) -> Answer:
    """Hold the file against what stands on a roster on paper.

    All differences are listed. Exit code 0: file and paper agree; 1: they differ; 2: a fact is
    unknown or malformed, and the facts that exist are listed. A blank of the roster is written -.

    \b
    Facts of a SIDE, as san/german=3:
      san, san-base, cvp-lost, fpp, fpp-received, fpp-spent, dummies, areas,
      control, cpp, cpp-available, cpp-spent, cpp-base, cpp-loss-points
      units, squads, half-squads, crews, leaders, heroes, sw, guns, vehicles,
      prisoners, fortifications, also of a TYPE: units/british/6-4-8=7
    Others: campaign, date, ww-box, reinforcements, bought/SIDE/KIND, rg/ID,
      control/Y20=british
    What the CG Roster has by CG Date may end with one: cpp-spent/german/dawn.
    """
    with OpenGame.open(file, look=not keep) as game:
        warn_of(game)
        compared, kept = Seat(game, viewer.value).compare_with_paper(facts, keep)
    different = [fact for fact in compared if not fact.agrees]
    facts_data = [fact.plain_data for fact in compared]
    data = {"agrees": not different, "kept": kept, "facts": facts_data}
    count = number_words(len(compared), "fact")
    if different:
        sentences = [fact.sentence for fact in different]
        lines = [*sentences, f"Different: {len(different)} of {count}."]
    else:
        lines = [f"File and paper agree: {count}.{' That is kept in the log.' if kept else ''}"]
    return Answer.in_lines(data, lines)._replace(code=1 if different else 0)
