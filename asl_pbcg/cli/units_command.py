"""``pbcg units``: the types of both orders of battle, and which values to check on the counter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.kernel.errors import PBCGError

if TYPE_CHECKING:
    from asl_pbcg.campaign.catalogue import AnyType, Catalogue
    from asl_pbcg.campaign.terms import Side

app = typer.Typer(add_completion=False)

_HIDDEN = ("side", "name", "kind", "check", "also", "used_by")


@app.command()
def units(
    name: str = typer.Argument("", metavar="[TYPE]", help="One type, for example 6-4-8 or Marder."),
    file: Path = typer.Option(
        None, "--campaign", metavar="FILE", help="As a campaign's players have corrected them."
    ),
    to_check: bool = typer.Option(False, "--to-check", help="Only what is still to be checked."),
    as_json: bool = typer.Option(False, "--json", help="Answer as JSON."),
) -> None:
    """Show types of units and Equipment. A value marked "?" is common knowledge, not of the rules.

    Check such a value on your counter. What is wrong you correct for a campaign:
    pbcg correct FILE units/german/Marder/cvp=6 --reason "the counter says so"
    """
    catalogue = _catalogue(file)
    found = _find(catalogue, name) if name else list(catalogue)
    if to_check:
        found = [each for each in found if each.check]
    if as_json:
        typer.echo(json.dumps([_plain(each, to_check) for each in found], indent=1))
        return
    _print(found, bool(name), to_check)


def _catalogue(file: Path | None) -> Catalogue:
    from asl_pbcg.campaign.catalogue import load_catalogue

    if file is None:
        return load_catalogue()
    from asl_pbcg.cli.campaign_file import open_campaign
    from asl_pbcg.refit.catalogue_questions import without_secret_answers

    session = open_campaign(file, look=True)
    session.journal.close()
    return without_secret_answers(session.state).catalogue


def _find(catalogue: Catalogue, name: str) -> list[AnyType]:
    from asl_pbcg.campaign.terms import Side

    wanted = name.lower()
    found = [
        each for each in catalogue if wanted in (known.lower() for known in (each.name, *each.also))
    ]
    if not found:
        near = dict.fromkeys(near for side in Side for near in catalogue.nearest(name, side))
        hint = f" Nearest: {', '.join(near)}." if near else ""
        raise PBCGError(f'There is no type "{name}".{hint} "pbcg units" lists them all.')
    return found


def _values(each: AnyType) -> dict[str, Any]:
    """The values that are known or that the players may have to say."""
    import msgspec

    raw = msgspec.to_builtins(each)
    return {
        field: value
        for field, value in raw.items()
        if field not in _HIDDEN and (field in each.check or value not in (None, "", [], ()))
    }


def _plain(each: AnyType, to_check: bool) -> dict[str, Any]:
    import msgspec

    raw: dict[str, Any] = msgspec.to_builtins(each)
    if to_check:
        return {field: raw[field] for field in ("side", "name", "kind", *each.check)}
    return raw


def _print(found: list[AnyType], in_full: bool, to_check: bool) -> None:
    from rich.text import Text

    from asl_pbcg.cli.sentences import Sentences

    console = Sentences()
    side: Side | None = None
    for each in found:
        if each.side is not side:
            side = each.side
            console.print(Text(side.title, "bold red" if side == "british" else "bold blue"))
        values = _values(each)
        if to_check:
            values = {field: values[field] for field in each.check}
        words = [_word(field, value, field in each.check) for field, value in values.items()]
        kind = each.kind.replace("_", " ")
        line = Text.assemble("  ", (each.name, "bold"), f"  {kind}")
        if in_full:
            console.print(line)
            for word in words:
                console.print(Text(f"    {word}"))
        else:
            console.print(Text.assemble(line, ": ", ", ".join(words)))
    left = sum(len(each.check) for each in found)
    if left:
        console.print(f"? {left} values to check against the counter.", style="dim")


def _word(field: str, value: Any, check: bool) -> str:
    if value in (None, "", [], ()):
        said = "none"
    elif isinstance(value, bool):
        said = "yes" if value else "no"
    elif isinstance(value, list | tuple):
        said = " ".join(str(each) for each in value)
    else:
        said = str(value)
    return f"{field} {said}{'?' if check else ''}"
