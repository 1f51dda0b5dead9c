"""``pbcg units``: the types of both orders of battle, and which values to check on the counter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.text import Text

from asl_pbcg.campaign.module.catalogue import AnyType, Catalogue, load_catalogue
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.command_answers import Answer, answers
from asl_pbcg.cli.terminal.sentences import Sentences
from asl_pbcg.kernel.errors import PBCGError

app = typer.Typer(add_completion=False)

_HIDDEN = ("side", "name", "kind", "check", "also", "used_by")
_EMPTY: tuple[Any, ...] = (None, "", [], ())


@app.command()
@answers
def units(
    name: str = typer.Argument("", metavar="[TYPE]", help="One type, for example 6-4-8 or Marder."),
    file: Path = typer.Option(
        None, "--campaign", metavar="FILE", help="As a campaign's players have corrected them."
    ),
    to_check: bool = typer.Option(False, "--to-check", help="Only what is still to be checked."),
) -> Answer:
    """Show types of units and Equipment. A value marked "?" is common knowledge, not of the rules.

    Check such a value on your counter. What is wrong you correct for a campaign:
    pbcg correct FILE units/german/Marder/cvp=6 --reason "the counter says so"
    """
    catalogue = load_catalogue()
    if file is not None:
        from asl_pbcg.cli import campaign_file
        from asl_pbcg.refit.helpers import catalogue_questions

        state = campaign_file.state_of(file, look=True)
        catalogue = catalogue_questions.without_secret_answers(state).catalogue
    types = _types_named(catalogue, name) if name else list(catalogue)
    data = [msgspec.to_builtins(kind) for kind in types]
    if to_check:
        types = [kind for kind in types if kind.check]
        data = [
            {field: raw[field] for field in ("side", "name", "kind", *kind.check)}
            for kind, raw in ((kind, msgspec.to_builtins(kind)) for kind in types)
        ]
    return Answer(data, lambda _: _print(types, bool(name), to_check))


def _types_named(catalogue: Catalogue, name: str) -> list[AnyType]:
    wanted = name.lower()
    types = [
        kind for kind in catalogue if wanted in (name.lower() for name in (kind.name, *kind.also))
    ]
    if not types:
        near = dict.fromkeys(near for side in Side for near in catalogue.nearest(name, side))
        hint = f" Nearest: {', '.join(near)}." if near else ""
        raise PBCGError(f'There is no type "{name}".{hint} "pbcg units" lists them all.')
    return types


def _print(types: list[AnyType], in_full: bool, to_check: bool) -> None:
    console = Sentences()
    side: Side | None = None
    for kind in types:
        if kind.side is not side:
            side = kind.side
            console.print(Text(side.title, "bold red" if side == "british" else "bold blue"))
        raw: dict[str, Any] = msgspec.to_builtins(kind)
        words = [
            _value_words(field, value, field in kind.check)
            for field, value in raw.items()
            if field not in _HIDDEN
            and (field in kind.check or (value not in _EMPTY and not to_check))
        ]
        line = Text.assemble("  ", (kind.name, "bold"), f"  {kind.kind.replace('_', ' ')}")
        if in_full:
            console.print(line)
            for word in words:
                console.print(Text(f"    {word}"))
        else:
            console.print(Text.assemble(line, ": ", ", ".join(words)))
    if to_be_checked := sum(len(kind.check) for kind in types):
        console.print(f"? {to_be_checked} values to check against the counter.", style="dim")


def _value_words(field: str, value: Any, is_doubtful: bool) -> str:
    if value in _EMPTY:
        words = "none"
    elif isinstance(value, bool):
        words = "yes" if value else "no"
    elif isinstance(value, list | tuple):
        words = " ".join(map(str, value))
    else:
        words = str(value)
    return f"{field} {words}{'?' if is_doubtful else ''}"
