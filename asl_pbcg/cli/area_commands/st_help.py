"""The built-in help of the area game: the phase, the question, any rule in our own words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from asl_pbcg.cli.terminal.manner import Shown
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.asked import AskedPrompt
from asl_pbcg.play.help_texts import AREA_GAME_HELP, AreaGameHelp
from asl_pbcg.play.obligations import obligations_file
from asl_pbcg.st.area_terms import PHASES
from asl_pbcg.st.germans.german_resolute import resolute_rules
from asl_pbcg.st.settings import ST_RULINGS
from asl_pbcg.st.state.game_state import State

ORDERS = (
    ("23 N4 g", "unit 23 (the number on its counter) goes to N4 and throws a grenade"),
    ("23 24 N4", "units of one place go together; N3 N4: all who are in N3"),
    ("g b c k p", "grenade, bunker (in or out), clear it, gammon bomb, prepare a position"),
    ("gB4 gb", "a grenade at B4 next door; into the bunker of the own area"),
    ("t d", "take, leave: tmg1, dpiat2"),
    ("24 N7", "at the actions of a unit: that one is done, unit 24 goes to N7"),
    ("B4 23", "in the Fire Phase: 23 alone fires at B4; B4 alone: all who are of use"),
    ("all, none", "everybody or nobody, where several may be named"),
    ("o 23 24", "the odds if 23 and 24 fire together"),
    ("23 N4 24 N7", "orders of several units in one line"),
    ("e, ee", "end: no more of this, nobody; ee: the phase is over, without a question"),
    ("f ask", "ask about every Opportunity Fire; f auto: only where there is something to weigh"),
    ("split 23", "split a platoon (join 24: the squads join) at the beginning of your phase"),
    ("Enter", "shows the question again, or takes the answer it offers"),
    ("l 3", "what happened on turn 3"),
    ("x ST-GRE-06", "what a rule does"),
    ("?", "the three best things to do now, by 5 s of imagined games; ? 20 takes 20 s"),
    ("h, h goals", "this help; what to try for, turn by turn"),
)


def _texts() -> AreaGameHelp:
    return AREA_GAME_HELP.content


def welcome(console: Console) -> None:
    """Greet a player whose game begins."""
    console.print()
    _paragraphs(console, _texts().welcome)


def help_for(console: Console, session: Session[State], asked: Shown, topic: str = "") -> None:
    """Print help for the phase and the question, or the goals of the game."""
    texts, state = _texts(), session.state
    germans = texts.germans[state.settings.german]
    if topic == "goals":
        _paragraphs(console, [*texts.goals, *germans.goals])
        return
    if topic:
        raise PBCGError("h helps with this phase, h goals says what to try for.")
    step = session.step.id if session.step else ""
    name = PHASES[state.phase].name if "." in step else step
    console.print(Text(f" {session.step.title if session.step else ''}", "bold"))
    _paragraphs(console, germans.phases.get(name) or texts.phases.get(name, ()))
    if point := texts.points.get(asked.id):
        console.print(Text(f" {asked.text}", "bold"))
        _paragraphs(console, [point])
    console.print(Text(" What may be typed", "bold"))
    for key, words in ORDERS:
        console.print(Text.assemble((f"   {key:14} ", "bold cyan"), words))


def explain(console: Console, asked: Shown, rule: str = "") -> None:
    """Print what a rule does here: the one of the question, or any other by its number."""
    wanted = rule or asked.rule
    rules = rules_like(wanted)
    if not rules:
        raise PBCGError(f'No rule goes by "{wanted}". Rules here look like ST-GRE-06.')
    for number, text in rules:
        console.print(Padding(Text.assemble((f"{number:10}", "bold"), f" {text}"), (0, 0, 0, 1)))
        for ruling, about in _readings():
            if about == number:
                reading = Text(f"{ruling}: {_rules()[ruling]}", "green")
                console.print(Padding(reading, (0, 0, 0, 12)))
    if not rule and isinstance(asked, AskedPrompt):
        words = [asked.help, _texts().points.get(asked.id, "")]
        _paragraphs(console, [text for text in words if text])


def rules_like(wanted: str) -> list[tuple[str, str]]:
    """Return the rules whose number is ``wanted`` or begins with it, each in our own words."""
    prefix = wanted.strip().upper()
    if not prefix:
        return []
    if prefix in _rules():
        return [(prefix, _rules()[prefix])]
    return [(number, text) for number, text in _rules().items() if number.startswith(prefix + "-")]


@cache
def _rules() -> dict[str, str]:
    """Return every rule of the game by its number, the readings of doubtful ones too."""
    rules = {row.id: row.obligation for row in obligations_file("st").content}
    rules |= resolute_rules()
    for key, ruling in ST_RULINGS.items():
        if ruling.is_settable:
            chosen = ruling.choices[ruling.default]
            rules[ruling.id] = f"{ruling.question} Played unless you set it: {chosen}. {ruling.why}"
        else:
            rules[key] = f"{ruling.reading} {ruling.why}"
    return rules


@cache
def _readings() -> tuple[tuple[str, str], ...]:
    """Return each reading of a doubtful rule with the rule it is about."""
    return tuple(
        dict.fromkeys((ruling.id or key, ruling.rule) for key, ruling in ST_RULINGS.items())
    )


def _paragraphs(console: Console, texts: Iterable[str]) -> None:
    for text in texts:
        console.print(Padding(Text(" ".join(text.split())), (0, 0, 0, 3)))
