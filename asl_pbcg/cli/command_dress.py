"""Additions to every command: an example in its help, metavars of one style, Tab completion.

The examples are in ``EXAMPLES``; a test runs them all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import Any, Final

import typer

EXAMPLES: Final[Mapping[str, str]] = {
    "demo": "demo my-sample",
    "board": "board show Z15",
    "board show": "board show Z15",
    "board check": "board check",
    "board draw": "board draw -o bridge.png --around Y20 --radius 6",
    "position": "position template night-2.xlsx --campaign evening.pbcg",
    "position from-vasl": "position from-vasl battle.vsav -o from-save.yaml",
    "position to-vasl": "position to-vasl evening.pbcg --base battle.vsav -o night-2.vsav",
    "position template": "position template night-2.xlsx --campaign evening.pbcg",
    "position check": "position check night-1.yaml",
    "position edit": "position edit night-2.yaml --campaign evening.pbcg",
    "position convert": "position convert night-1.yaml night-1.json",
    "position schema": "position schema",
    "units": "units Marder",
    "areas": "areas night-1.yaml -o setup-areas.pdf",
    "new": "new next.pbcg --campaign CG2 --british Anne --german Karl",
    "refit": "refit evening.pbcg --as german",
    "status": "status evening.pbcg",
    "log": "log evening.pbcg --step 9.606",
    "hand": "hand evening.pbcg Ben --as british",
    "note": 'note evening.pbcg "Held the bridge by a hair." --as british',
    "history": "history evening.pbcg -o history.pdf",
    "dice": "dice evening.pbcg --as british",
    "undo": 'undo evening.pbcg --reason "the wrong squad was chosen"',
    "redo": "redo evening.pbcg",
    "correct": 'correct evening.pbcg san/german=4 --reason "4 on our roster"',
    "seal": "seal evening.pbcg --as german",
    "unseal": "unseal evening.pbcg --as german",
    "assert": "assert evening.pbcg date=night-2 san/german=2",
    "verify": "verify evening.pbcg",
    "check-page": "check-page -o check.html",
    "compare": "compare evening.pbcg evening-karl.pbcg",
    "rescue": "rescue evening.pbcg -o rescued.pbcg",
    "records": "records evening.pbcg --as german -o german.pdf",
    "map": "map evening.pbcg --as british --setup -o setup-map.pdf",
    "rules": "rules 9.606",
    "rulings": "rulings C-14",
    "drop": "drop odds orders.yaml",
    "drop weather": "drop weather drop.pbcg",
    "drop survive": "drop survive --terrain clear",
    "drop regroup": "drop regroup drop.pbcg",
    "drop glider": "drop glider --target Y20 --flight E --wind NW --speed low",
    "drop orders": "drop orders drop.pbcg --seal orders.yaml",
    "drop run": "drop run drop.pbcg --seed 9",
    "drop odds": "drop odds orders.yaml",
    "drop table": "drop table drift",
    "drop night": "drop night --range 8",
    "drop draw": "drop draw drop.pbcg -o drop.pdf",
    "drop log": "drop log drop.pbcg",
    "st": "st guide",
    "st guide": "st guide",
    "st new": "st new bridge2.pbcg --historical",
    "st play": "st play bridge.pbcg",
    "st status": "st status bridge.pbcg",
    "st log": "st log bridge.pbcg",
    "st undo": "st undo bridge.pbcg",
    "st score": "st score bridge.pbcg",
    "st map": "st map draw -o area-map.pdf",
    "st map check": "st map check",
    "st map compare": "st map compare mymap.yaml",
    "st map draw": "st map draw -o area-map.pdf",
    "st map new": "st map new own-map.yaml",
    "st records": "st records --blank -o rosters.pdf",
    "st settings": "st settings gammon_uses",
    "st branch": "st branch bridge.pbcg --turn 5 -o other.pbcg",
    "st challenge": "st challenge 2026-11-22",
    "st analyse": "st analyse bridge.pbcg -o report.html --against 20 --effort 0.1",
    "st film": "st film bridge.pbcg -o film.html",
    "st sim": "st sim -n 20 -o results.xlsx",
    "mega": "mega barrage 105 open veteran",
    "mega barrage": "mega barrage 105 open veteran -r 5",
    "mega air": "mega air bomb hard veteran",
    "mega flak": "mega flak light light",
    "mega fire": "mega fire 6 rifles 10in at 8 green hard",
    "mega ambush": "mega ambush mmg 12in at 8 veteran",
    "mega armour": "mega armour light medium_tank",
    "mega assault": "mega assault elite 4 2in half_track",
    "mega morale": "mega morale veteran -r 2",
    "mega house": "mega house 3:veteran 2:elite",
    "mega unit": "mega unit Krafft german green 6 -l table3.mega",
    "mega set": "mega set Warwicks 6 -b miscounted -l table3.mega",
    "mega move": "mega move Warwicks --because surprised -l table3.mega",
    "mega note": "mega note reserves arrive -l table3.mega",
    "mega next": "mega next -l table3.mega",
    "mega undo": "mega undo misheard -l table3.mega",
    "mega status": "mega status -l table3.mega",
    "mega settings": "mega settings",
    "mega log": "mega log table3.mega -o evening.pdf",
    "mega run": "mega run table3.mega",
    "serve": "serve evening.pbcg",
    "settings": "settings as=german paper=letter",
    "table": "table escape.infantry --given hs_equivalents=2 --roll 8",
}
"""By the words of a command, what is typed after ``pbcg``."""


USAGE_ERROR: Final[Any] = typer.BadParameter.__mro__[1]
"""Raised by typer for a line that it cannot read; its name differs with typer's version."""
_WRAPPER: Final[Any] = import_module(
    typer.Context.formatter_class.__module__.replace("formatting", "_textwrap")
).TextWrapper
_WRAPPER.wordsep_re = _WRAPPER.wordsep_simple_re  # no line of help ends within --house-rule
_OF_TYPE: Final = {"path": "FILE", "int": "N", "float": "N"}
"""By the first word of the name of a parameter's type, what stands for its value."""


def dress(command: Any, words: str) -> Any:
    """Give a command, known by ``words`` after ``pbcg``, and those in it what every command has."""
    if words in EXAMPLES and "pbcg " not in (command.epilog or ""):
        before = f"{command.epilog}\n\n" if command.epilog else ""
        command.epilog = f"{before}\b\nExample:\n  pbcg " + EXAMPLES[words]
    for param in command.params:
        param.metavar = _metavar(param)
        if param.param_type_name == "argument":
            param.make_metavar = partial(_argument_word, param)
        if describe := getattr(param.type, "_describe_range", None):
            param.type._describe_range = partial(_range_words, describe())
        for place, values in _COMPLETED.items():
            if (
                param.metavar
                and re.split(r"[|=.]", param.metavar.strip("["))[0].strip("]") == place
            ):
                param._custom_shell_complete = _completer(values)
        if register := next((_REGISTERS[opt] for opt in param.opts if opt in _REGISTERS), ""):
            param._custom_shell_complete = _choice_completer(register)
    for name, subcommand in getattr(command, "commands", {}).items():
        if subcommand is not command and not hasattr(command, "table"):
            dress(subcommand, f"{words} {name}")
    return command


def _metavar(parameter: Any) -> str | None:
    """Return what stands for a value in help: capitals, or the words to choose from."""
    if parameter.metavar or getattr(parameter, "is_flag", False):
        return str(parameter.metavar) if parameter.metavar else None
    if choices := getattr(parameter.type, "choices", ()):
        return "|".join(str(getattr(choice, "value", choice)) for choice in choices)
    name = str(parameter.name).upper().replace("_", "-")
    if parameter.param_type_name == "argument":
        return f"{name}..." if parameter.nargs == -1 else name
    return _OF_TYPE.get(parameter.type.name.split()[0], name)


def _argument_word(argument: Any, ctx: Any = None, usage: bool = False) -> str:
    """Return how an argument is called, in the line of usage with brackets if it may be left out.

    typer would put what is needed in braces.
    """
    word = re.sub(r"[][]", "", argument.metavar)
    return word if argument.required or not usage else f"[{word}]"


def _range_words(described: str) -> str:
    """Return bounds in words for ``1<=x<=60`` or ``x>=1``."""
    least, _, most = described.partition("<=x<=")
    return f"{least} to {most}" if most else described.replace("x>=", "at least ")


def usage_words(message: str) -> str:
    """Return what typer says of a wrong line as players say it."""
    return re.sub(
        r"a valid int(eger)?\b", "a whole number", message.replace("a valid float", "a number")
    )


def _completer(values: Callable[[], Iterable[str]]) -> Callable[[Any, Any, str], list[str]]:
    def complete(_context: Any, _parameter: Any, begun: str) -> list[str]:
        return [value for value in values() if value.lower().startswith(begun.lower())]

    return complete


def _choice_completer(register: str) -> Callable[[Any, Any, str], list[str]]:
    """Return what completes ``ID=CHOICE`` from a register of rulings: ids, then the choices."""

    def complete(_context: Any, _parameter: Any, begun: str) -> list[str]:
        rulings = _call(register)
        name, equals, choice = begun.partition("=")
        named = {spelling: key for key, ruling in rulings.settable.items() for spelling in
                 ((key, ruling.id) if ruling.id else (key,))}  # fmt: skip
        fitting = [spelling for spelling in named if spelling.lower().startswith(name.lower())]
        if equals:
            fitting = [spelling for spelling in named if spelling.lower() == name.lower()]
        if len(fitting) > 1:
            return [f"{spelling}=" for spelling in fitting]
        before, comma, last = choice.rpartition(",")  # --vary compares several
        offered = [
            f"{spelling}={before}{comma}{words}"
            for spelling in fitting
            for words in rulings.typed_choices(named[spelling])
            if words.lower().startswith(last.lower())
        ]
        return [spelling.removeprefix(os.environ.get(_TYPED, "")) for spelling in offered]

    return complete


_TYPED: Final = "_PBCG_TYPED"
"""The variable with what stands before the word that bash completes, where = parts them."""


def join_bash_words() -> None:
    """Put together what bash parts at =, when it asks for completion: ``C-14=joins-only``.

    It replaces what follows = and no more.
    """
    if os.environ.get("_PBCG_COMPLETE") != "complete_bash":
        return
    words = os.environ.get("COMP_WORDS", "").split("\n")
    upto = words[: int(os.environ.get("COMP_CWORD", "0")) + 1]
    start = len(upto) - 1 - (upto[-1:] == ["="])
    while start > 1 and upto[start - 1] == "=":
        start -= 2
    word = "".join(upto[start:])
    if "=" in word:
        joined = [*upto[:start], word]
        os.environ |= {"COMP_WORDS": "\n".join(joined), "COMP_CWORD": str(len(joined) - 1)}
        typed = word[: word.rindex("=") + 1]
        os.environ[_TYPED] = typed.partition("=")[2] if word.startswith("--") else typed


def _call(place: str) -> Any:
    """Return what a function at ``module:name`` gives; the module is loaded only now."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"asl_pbcg.{module}"), name)()


def _tables() -> Iterator[str]:
    return (table.name for table in _call("cli.table_command:all_tables"))


def _rules() -> list[str]:
    return list(dict.fromkeys(row.rule for row in _call("cli.rules_command:rule_rows")))


def _rulings() -> list[str]:
    commands = import_module("asl_pbcg.cli.rulings_command")
    return [key for game in commands.GAMES for _, key, _ in commands.rulings_of(game)]


def _settings() -> list[str]:
    return list(_st_rulings().settable)


def _st_rulings() -> Any:
    return import_module("asl_pbcg.st.settings").ST_RULINGS


def _unit_types() -> list[str]:
    return list(
        dict.fromkeys(kind.name for kind in _call("campaign.module.catalogue:load_catalogue"))
    )


def _hexes() -> Iterator[str]:
    return iter(_call("campaign.board.board:load_board").in_play)


def _papers() -> list[str]:
    return [paper.value.lower() for paper in import_module("asl_pbcg.records.layout").Paper]


_COMPLETED: Final[Mapping[str, Callable[[], Iterable[str]]]] = {
    "TABLE": _tables,
    "RULE": _rules,
    "ID": _rulings,
    "SETTING": _settings,
    "TYPE": _unit_types,
    "HEX": _hexes,
    "PAPER": _papers,
}
"""By the metavar of a parameter, the values that Tab completes."""
_REGISTERS: Final[Mapping[str, str]] = {
    "--house-rule": "campaign.module.house_rules:campaign_rulings",
    "--setting": "cli.command_dress:_st_rulings",
    "--vary": "cli.command_dress:_st_rulings",
}
"""By option, the register of rulings whose choices follow ``ID=``."""
