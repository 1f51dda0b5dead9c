"""``pbcg new``: begin a campaign, rules 9.5-9.52 and the steps before the first scenario."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.cli.common import NO_SEED, WithAuto, in_quotes
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.foreign_text import LONGEST_NAME, read_line

if TYPE_CHECKING:
    from asl_pbcg.campaign.state import Campaign
    from asl_pbcg.kernel.session import Session
    from asl_pbcg.play.game import OpenGame

app = typer.Typer(add_completion=False)


class CampaignGame(StrEnum):
    """The two Campaign Games."""

    CG1 = "CG1"
    CG2 = "CG2"


class Balance(StrEnum):
    """Whose balance provision is used (9.31)."""

    BRITISH = "british"
    GERMAN = "german"
    NONE = "none"


class DiceKind(StrEnum):
    """Who rolls."""

    SEEDED = "seeded"
    MANUAL = "manual"


@app.command(cls=WithAuto)
def new(
    file: Path = typer.Argument(..., help="The campaign file to make, for example evening.pbcg."),
    campaign: CampaignGame = typer.Option(
        ..., "--campaign", case_sensitive=False, help="CG1 or CG2."
    ),
    british: str = typer.Option("", "--british", help="The British player's name."),
    german: str = typer.Option("", "--german", help="The German player's name."),
    balance: Balance = typer.Option(
        Balance.NONE, "--balance", case_sensitive=False, help="Balance provision (9.31)."
    ),
    dice: DiceKind = typer.Option(
        DiceKind.SEEDED, "--dice", case_sensitive=False, help="Program dice or real dice."
    ),
    seed: int = typer.Option(
        NO_SEED,
        "--seed",
        show_default=False,
        help="Dice that can be foreseen: for challenges and tests.",
    ),
    house_rule: list[str] = typer.Option(
        [], "--house-rule", metavar="ID=CHOICE", help='See "pbcg rulings"; may be repeated.'
    ),
    corrections: Path = typer.Option(
        None, "--corrections", help="Corrections of the board; the printed map wins."
    ),
    answers: Path = typer.Option(None, "--answers", help="Answer the prompts from a file."),
    auto: int | None = typer.Option(None, "--auto", metavar="[SEED]", help="Legal random answers."),
    show: bool = typer.Option(False, "--show", help="With --auto: tell each line once it is kept."),
    as_json: bool = typer.Option(False, "--json", help="Say at the end as JSON where it stands."),
) -> None:
    """Begin a campaign: orders of battle, RG, support weapons, leaders, first purchases."""
    from asl_pbcg.campaign.house_rules import campaign_rulings
    from asl_pbcg.kernel.answers import ListedAnswers
    from asl_pbcg.play.campaign import create_campaign

    if auto is not None and answers:
        raise PBCGError("Give --answers or --auto, not both.")
    if auto is not None:
        auto = max(seed, 0) if auto == NO_SEED else auto
        seed = auto if seed == NO_SEED else seed
    settings: dict[str, Any] = {
        "campaign": campaign.value,
        "players": {
            side: _name(name) for side, name in (("british", british), ("german", german)) if name
        },
        "balance": "" if balance is Balance.NONE else balance.value,
        "house_rules": campaign_rulings().read_typed(house_rule, "--house-rule"),
    }
    if corrections:
        from asl_pbcg.campaign.board import load_board
        from asl_pbcg.campaign.board_corrections import read_corrections

        settings["corrections"] = read_corrections(corrections, load_board()).to_data()
    meta: dict[str, Any] = {"settings": settings, "dice": dice.value}
    if seed >= 0:
        meta["seed"] = seed
    if answers:
        ListedAnswers.read(answers)  # faults before anything is made
    game = create_campaign(file, meta)
    session = game.session
    with game:
        typer.echo(f"{file} begins.", err=auto is not None or as_json)
        finished = play(game, auto, answers, show)
        if as_json:
            from asl_pbcg.play.campaign_facts import facts

            typer.echo(json.dumps(facts(session, "umpire"), ensure_ascii=False))
        else:
            _tell_end(session, file, finished)


def _name(name: str) -> str:
    return read_line(name, "A player's name", LONGEST_NAME)


def play(
    game: OpenGame,
    auto_seed: int | None = None,
    answers: Path | None = None,
    show: bool = False,
) -> bool:
    """Answer what waits: at random, from a file, or by asking; False if somebody left."""
    from asl_pbcg.kernel.answers import RandomAnswers, drive

    session, dice = game.session, game.dice
    if auto_seed is not None:
        told = 0

        def tell() -> bool:
            nonlocal told
            if show:
                lines = session.lines()
                for line in lines[told:]:
                    typer.echo(f"{line.step}  {line.text}")
                told = len(lines)
            return at_scenario(session)

        finished = drive(session, RandomAnswers(auto_seed), dice, until=tell)
        tell()
        return finished
    from asl_pbcg.cli.refit import Evening

    Evening(game, "umpire").go_on(answers, None)
    return at_scenario(session)


def at_scenario(session: Session[Campaign]) -> bool:
    """Whether the campaign waits for a CG scenario to be played."""
    return session.state.at == "scenario"


def _tell_end(session: Session[Campaign], file: Path, finished: bool) -> None:
    from asl_pbcg.cli.refit import ready_words

    if not finished:
        typer.echo(f"Kept up to here. {in_quotes('refit', file)} goes on.")
        return
    typer.echo(ready_words(session.state))
    printing = in_quotes("records", file, "--as", "umpire", "-o", "records.pdf")
    typer.echo(f"{printing} prints the CG Roster and the records.")
