"""``pbcg rulings``: the readings of doubtful rules in every game, and the choices players have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
import typer
from rich.text import Text

from asl_pbcg.airborne.drop_settings import DROP_RULINGS
from asl_pbcg.campaign.module.house_rules import campaign_rulings
from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle
from asl_pbcg.cli.terminal.sentences import Sentences
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.rulings import Ruling, choice_words, find_rulings
from asl_pbcg.megagame.mega_settings import MEGA_RULINGS
from asl_pbcg.st.settings import ST_RULINGS

app = typer.Typer(add_completion=False)

GAMES: Final = {
    "pb": "Pegasus Bridge campaign",
    "st": "Strategy & Tactics 122",
    "drop": "Parachute and glider drops",
    "mega": "Megagame umpire",
}
CHOOSING: Final = {
    "pb": '"pbcg new ... --house-rule ID=CHOICE"',
    "st": '"pbcg st new FILE --setting NAME=CHOICE"',
}
"""How players choose, in the games whose rulings have choices."""

Listed = tuple[str, str, Ruling]
"""A ruling in a list: its game, its key and itself."""


class ListedRuling(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling as the command answers it; choices and default as players type them."""

    game: str
    id: str
    rule: str
    question: str
    reading: str
    why: str
    choices: dict[str, str] = {}
    default: str = ""


@app.command()
@answers
def rulings(
    wanted: list[str] = typer.Argument(
        None, metavar="[ID|RULE|WORD]...", help="For example C-14, AMB-58, 9.606, ST-GRE, escape."
    ),
    game: str = typer.Option(
        "", "--game", metavar="pb|st|drop|mega", help="Only the campaign, or another game of pbcg."
    ),
    everything: bool = typer.Option(False, "--all", help="Also those that leave no choice."),
) -> Answer:
    """Find readings of doubtful rules in every game by id, rule number or word.

    Without a word it lists the house rules of the campaign with their choices.
    """
    if game and game not in GAMES:
        raise PBCGError(f'There is no game "{game}": choose one of {", ".join(GAMES)}.')
    listed: Sequence[Listed] = rulings_of(game or "pb")
    if wanted:
        refuse_idle("with a word", "--all")
        every = [ruling for name in ([game] if game else GAMES) for ruling in rulings_of(name)]
        listed = find_rulings(wanted, every)
        if not listed:
            raise PBCGError(_nothing_found(" ".join(wanted), game))
    elif not everything and game in ("", "pb"):
        listed = [ruling for ruling in listed if ruling[2].is_settable]
    return Answer([listed_ruling(*ruling) for ruling in listed], _print_rulings)


def _print_rulings(rulings: list[ListedRuling]) -> None:
    console = Sentences()
    for ruling in rulings:
        print_ruling(console, ruling)
    for name in dict.fromkeys(ruling.game for ruling in rulings if ruling.choices):
        console.print(f"* is the default. {CHOOSING[name]} sets another.")


def rulings_of(game: str) -> list[Listed]:
    """Return every ruling of ``game``, those that leave a choice first where they are apart."""
    registers: dict[str, Mapping[str, Ruling]] = {
        "pb": campaign_rulings(),
        "st": ST_RULINGS,
        "drop": DROP_RULINGS,
        "mega": MEGA_RULINGS,
    }
    return [(game, key, ruling) for key, ruling in registers[game].items() if ruling.why]


def listed_ruling(game: str, key: str, ruling: Ruling) -> ListedRuling:
    """Return a ruling as the command answers it."""
    return ListedRuling(
        game=game,
        id=f"{ruling.id} {key}".strip(),
        rule=ruling.rule,
        question=ruling.question,
        reading=ruling.reading or _value(ruling.default),
        why=ruling.why,
        choices={choice_words(value): words for value, words in ruling.choices.items()},
        default=choice_words(ruling.default) if ruling.is_settable else "",
    )


def print_ruling(console: Sentences, ruling: ListedRuling) -> None:
    """Print a ruling for people, with a mark at the choice that is played by default."""
    title = "" if ruling.game == "pb" else f"  {GAMES[ruling.game]}"
    heading = ((f"{ruling.id}  ", "bold cyan"), (ruling.rule, "bold"), (title, "dim"))
    console.print(Text.assemble(*heading))
    if ruling.question:
        console.print(Text(f"      {ruling.question}"))
    for name, words in ruling.choices.items():
        mark = "*" if name == ruling.default else " "
        console.print(Text.assemble(f"    {mark} ", (name, "green"), f": {words}"))
    if ruling.reading and not ruling.choices:
        console.print(Text(f"      Here: {ruling.reading}"))
    console.print(Text(f"      Why: {ruling.why}", "dim"))


def _nothing_found(wanted: str, game: str) -> str:
    listed = f'"pbcg rulings --game {game}"' if game else '"pbcg rulings --all"'
    more = "" if game else ", with --game st, drop or mega those of the other games"
    return f'No ruling goes by "{wanted}": {listed} lists them{more}.'


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_value(entry)}" for key, entry in value.items())
    if isinstance(value, list):
        return ", ".join(_value(entry) for entry in value)
    return choice_words(value)
