"""``pbcg rulings``: the readings of doubtful rules in every game, and the choices players have."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from asl_pbcg.kernel.errors import PBCGError

if TYPE_CHECKING:
    from asl_pbcg.cli.readings import Reading
    from asl_pbcg.cli.sentences import Sentences

app = typer.Typer(add_completion=False)


@app.command()
def rulings(
    wanted: list[str] = typer.Argument(
        None, metavar="[ID|RULE|WORD]...", help="For example C-14, AMB-58, 9.606, ST-GRE, escape."
    ),
    game: str = typer.Option(
        "", "--game", metavar="pb|st|drop|mega", help="Only the campaign, or another game of pbcg."
    ),
    everything: bool = typer.Option(False, "--all", help="Also those that leave no choice."),
    as_json: bool = typer.Option(False, "--json", help="Answer as JSON."),
) -> None:
    """Find readings of doubtful rules in every game by id, rule number or word.

    Without a word it lists the house rules of the campaign with their choices.
    """
    from asl_pbcg.cli.readings import GAMES, find_readings, readings

    if game and game not in GAMES:
        raise PBCGError(f'There is no game "{game}": choose one of {", ".join(GAMES)}.')
    games = [game] if game else list(GAMES)
    if wanted:
        found = find_readings(wanted, games)
        if not found:
            raise PBCGError(_nothing_found(" ".join(wanted), game))
    else:
        found = readings(game or "pb")
        if not (everything or game not in ("", "pb")):
            found = [each for each in found if each.choices]
    if as_json:
        from msgspec import to_builtins

        typer.echo(json.dumps(to_builtins(found), indent=1, ensure_ascii=False))
        return
    from asl_pbcg.cli.sentences import Sentences

    console = Sentences()
    for each in found:
        _show(console, each)
    _say_how_to_choose(console, found)


def _nothing_found(wanted: str, game: str) -> str:
    listed = f'"pbcg rulings --game {game}"' if game else '"pbcg rulings --all"'
    more = "" if game else ", with --game st, drop or mega those of the other games"
    return f'No ruling goes by "{wanted}": {listed} lists them{more}.'


def _show(console: Sentences, each: Reading) -> None:
    from rich.text import Text

    from asl_pbcg.cli.readings import GAMES

    title = "" if each.game == "pb" else f"  {GAMES[each.game]}"
    console.print(Text.assemble((f"{each.id}  ", "bold cyan"), (each.rule, "bold"), (title, "dim")))
    if each.question:
        console.print(Text(f"      {each.question}"))
    for name, words in each.choices.items():
        mark = "*" if name == each.default else " "
        console.print(Text.assemble(f"    {mark} ", (name, "green"), f": {words}"))
    if each.reading and not each.choices:
        console.print(Text(f"      Here: {each.reading}"))
    console.print(Text(f"      Why: {each.why}", "dim"))


def _say_how_to_choose(console: Sentences, found: Sequence[Reading]) -> None:
    """Say how another choice is made, for each game that has one in the list."""
    from asl_pbcg.cli.readings import CHOOSING

    for game in dict.fromkeys(each.game for each in found if each.choices):
        console.print(f"* is the default. {CHOOSING[game]} sets another.")
