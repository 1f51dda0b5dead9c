"""``pbcg rulings``: the readings of doubtful rules, and the house rules players may set."""

from __future__ import annotations

import json

import typer

from asl_pbcg.kernel.errors import PBCGError

app = typer.Typer(add_completion=False)


@app.command()
def rulings(
    id: str = typer.Argument("", help="One ruling, for example C-14, or a rule number as 9.606."),
    game: str = typer.Option(
        "pb", "--game", metavar="pb|st|drop|mega", help="The campaign, or another game of pbcg."
    ),
    everything: bool = typer.Option(False, "--all", help="Also those that leave no choice."),
    as_json: bool = typer.Option(False, "--json", help="Answer as JSON."),
) -> None:
    """List the house rules with their choices, or show one ruling with its reason."""
    import msgspec

    from asl_pbcg.campaign.rulings import rulings as register

    if game != "pb":
        _other_game(game, id, as_json)
        return
    found = register()
    if id:
        word = id.upper()
        chosen = {
            key: each
            for key, each in found.items()
            if key.replace("-", "") == word.replace("-", "") or word in each.rule
        }
        if not chosen:
            raise PBCGError(f'There is no ruling "{id}": "pbcg rulings --all" lists them.')
    else:
        chosen = {key: each for key, each in found.items() if everything or each.is_house_rule}
    if as_json:
        typer.echo(json.dumps(msgspec.to_builtins(chosen), indent=1, ensure_ascii=False))
        return
    from rich.text import Text

    from asl_pbcg.cli.sentences import Sentences

    console = Sentences()
    for key, each in chosen.items():
        console.print(Text.assemble((f"{key}  ", "bold cyan"), (each.rule, "bold")))
        console.print(Text(f"      {each.issue}"))
        if each.choices:
            for name, words in each.choices.items():
                mark = "*" if name == each.default else " "
                console.print(Text.assemble(f"    {mark} ", (name, "green"), f": {words}"))
        else:
            console.print(Text(f"      Here: {each.ruling}"))
        console.print(Text(f"      Why: {each.why}", "dim"))
    if not id:
        console.print('* is the default. "pbcg new ... --house-rule ID=CHOICE" sets another.')


def _other_game(game: str, id: str, as_json: bool) -> None:
    from dataclasses import asdict

    from asl_pbcg.cli.readings import GAMES, readings

    if game not in GAMES:
        raise PBCGError(f'There is no game "{game}" here: pb, {", ".join(GAMES)}.')
    found = readings(game)
    if id:
        word = id.lower().replace("-", "")
        found = [
            each for each in found if word in f"{each.id} {each.rule}".lower().replace("-", "")
        ]
        if not found:
            raise PBCGError(f'There is no ruling "{id}": "pbcg rulings --game {game}" lists them.')
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in found], indent=1, ensure_ascii=False))
        return
    from rich.text import Text

    from asl_pbcg.cli.sentences import Sentences

    console = Sentences()
    for each in found:
        console.print(Text.assemble((f"{each.id}  ", "bold cyan"), (each.rule, "bold")))
        if each.question:
            console.print(Text(f"      {each.question}"))
        for name, words in each.choices.items():
            mark = "*" if name == each.default else " "
            console.print(Text.assemble(f"    {mark} ", (name, "green"), f": {words}"))
        if each.reading:
            console.print(Text(f"      Here: {each.reading}"))
        console.print(Text(f"      Why: {each.why}", "dim"))
