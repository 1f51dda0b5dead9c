"""``pbcg new``: begin a campaign, rules 9.5-9.52 and the steps before the first scenario."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.board.board_corrections import read_corrections
from asl_pbcg.campaign.module.house_rules import campaign_rulings
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.cli.campaign_file import kept_book
from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle
from asl_pbcg.cli.common import (
    ANSWERS,
    AUTO,
    HOUSE_RULE,
    NO_SEED,
    SEED,
    DiceKind,
    WithAuto,
    in_quotes,
)
from asl_pbcg.cli.evening.refit_command import Evening, ready_words
from asl_pbcg.kernel.answers import ListedAnswers, RandomAnswers, drive
from asl_pbcg.kernel.deciders import read_players
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.campaign_game import campaign_beginnings
from asl_pbcg.play.campaign_game.campaign_facts import facts
from asl_pbcg.play.campaign_game.campaign_plug import create_campaign
from asl_pbcg.play.plug import BOTH

if TYPE_CHECKING:
    from asl_pbcg.play.open_game import OpenGame

app = typer.Typer(add_completion=False)


class CampaignChoice(StrEnum):
    """The two Campaign Games."""

    CG1 = "CG1"
    CG2 = "CG2"


class BalanceChoice(StrEnum):
    """The side whose Balance provision is used (9.31)."""

    BRITISH = "british"
    GERMAN = "german"
    NONE = "none"


def _players(side: str) -> Any:
    words = f"The {side.capitalize()} player; several with commas."
    return typer.Option("", f"--{side}", metavar="NAMES", help=words)


@app.command(cls=WithAuto)
@answers
def new(
    file: Path = typer.Argument(..., help="The campaign file to make, for example evening.pbcg."),
    campaign: CampaignChoice | None = typer.Option(
        None, "--campaign", case_sensitive=False, help="CG1 or CG2."
    ),
    from_paper: Path | None = typer.Option(
        None, "--from", metavar="BOOK", help="Go on with a campaign begun on paper."
    ),
    british: str = _players("british"),
    german: str = _players("german"),
    balance: BalanceChoice = typer.Option(
        BalanceChoice.NONE, "--balance", case_sensitive=False, help="Balance provision (9.31)."
    ),
    dice: DiceKind = typer.Option(
        DiceKind.SEEDED, "--dice", case_sensitive=False, help="Program dice or real dice."
    ),
    seed: int = SEED,
    house_rule: list[str] = HOUSE_RULE,
    corrections: Path = typer.Option(
        None, "--corrections", help="Corrections of the board; the printed map wins."
    ),
    listed: Path = ANSWERS,
    auto: int | None = AUTO,
    show: bool = typer.Option(False, "--show", help="With --auto: tell each line once it is kept."),
) -> Answer:
    """Begin a campaign: orders of battle, RG, support weapons, leaders, first purchases.

    \b
    A campaign that was begun on paper is brought in when a CG scenario has ended:
      pbcg position template start.xlsx --records
      pbcg new evening.pbcg --from start.xlsx
    """
    if auto is not None and listed:
        raise PBCGError("Give --answers or --auto, not both.")
    if auto is not None:
        auto = max(seed, 0) if auto == NO_SEED else auto
        seed = auto if seed == NO_SEED else seed
    else:
        refuse_idle("without --auto", "--show")
    if campaign is None and from_paper is None:
        raise PBCGError("Which campaign? Add --campaign CG1 or --campaign CG2.")
    settings = _settings(campaign, british, german, balance, house_rule, corrections)
    book = None
    if from_paper:
        from asl_pbcg.play.campaign_game import campaign_from_paper

        book = campaign_from_paper.read_book(from_paper, settings)
        settings = book.settings
        for remark in book.remarks:
            typer.secho(f"Look again: {remark}", fg=typer.colors.YELLOW, err=True)
    meta = {"settings": settings, "dice": dice.value} | ({"seed": seed} if seed >= 0 else {})
    if listed:
        ListedAnswers.read(listed)  # faults before anything is made
    if book and from_paper:
        with campaign_beginnings.begin_from(file, book, meta) as game:
            from asl_pbcg.cli.evening import bringing_in

            typer.echo(f"{file} begins.", err=auto is not None)
            kept_book(file).keep(game.session, from_paper)
            terminal = Evening(game, BOTH).terminal
            brought = bringing_in.bring_in_paper(game, book, terminal, auto, listed)
            if brought:
                kept_book(file).forget()
            answer = facts(game.session, "umpire")
            if not brought:
                return Answer(answer, lambda _: bringing_in.print_kept(game, BOTH))
            return Answer(answer, lambda _: bringing_in.print_brought(game))
    with create_campaign(file, meta) as game:
        typer.echo(f"{file} begins.", err=auto is not None)
        finished = play(game, auto, listed, show)
        session = game.session
        return Answer(facts(session, "umpire"), lambda _: _tell_end(session.state, file, finished))


def _settings(
    campaign: CampaignChoice | None,
    british: str,
    german: str,
    balance: BalanceChoice,
    house_rule: list[str],
    corrections: Path | None,
) -> dict[str, Any]:
    """Return what a campaign file keeps of how it began."""
    named = {"british": british, "german": german}
    settings: dict[str, Any] = {
        "campaign": campaign.value if campaign else "",
        "players": {side: read_players(name) for side, name in named.items() if name},
        "balance": "" if balance is BalanceChoice.NONE else balance.value,
        "house_rules": campaign_rulings().read_typed(house_rule, "--house-rule"),
    }
    if corrections:
        settings["corrections"] = read_corrections(corrections, load_board()).to_data()
    return settings


def play(
    game: OpenGame,
    auto_seed: int | None = None,
    listed: Path | None = None,
    show: bool = False,
) -> bool:
    """Answer what waits: at random, from a file, or by asking; False if somebody left."""
    session = game.session
    if auto_seed is None:
        Evening(game, BOTH).go_on(listed, None)
        return at_scenario(session)
    printed = 0

    def tell() -> bool:
        nonlocal printed
        lines = session.lines() if show else []
        for line in lines[printed:]:
            typer.echo(f"{line.step}  {line.text}")
        printed = len(lines)
        return at_scenario(session)

    finished = drive(session, RandomAnswers(auto_seed), game.dice, until=tell)
    tell()
    return finished


def at_scenario(session: Session[Campaign]) -> bool:
    """Return whether the campaign waits for a CG scenario to be played."""
    return session.state.in_scenario


def _tell_end(state: Campaign, file: Path, finished: bool) -> None:
    if not finished:
        typer.echo(f"Kept up to here. {in_quotes('refit', file)} goes on.")
        return
    typer.echo(ready_words(state))
    printing = in_quotes("records", file, "--as", "umpire", "-o", "records.pdf")
    typer.echo(f"{printing} prints the CG Roster and the records.")
