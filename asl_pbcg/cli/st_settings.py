"""``pbcg st settings``: readings of doubtful rules, and which of them a player may set."""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import typer
from rich.text import Text

from asl_pbcg.cli.sentences import Sentences
from asl_pbcg.kernel.errors import Fault, FaultsError
from asl_pbcg.st.settings import Ruling, settable_rulings

app = typer.Typer(add_completion=False)


@app.command()
def settings(
    name: str = typer.Argument("", help="Only one: its name, as gammon_uses, or id, as AMB-11."),
    as_json: bool = typer.Option(False, "--json", help="Answer as JSON."),
) -> None:
    """Say where the rules can be read two ways, what you may choose, and what is played."""

    found = settable_rulings()
    if name:
        found = {known: found[known] for known in _find(name)}
    if as_json:
        typer.echo(
            json.dumps({k: _plain(r) for k, r in found.items()}, indent=1, ensure_ascii=False)
        )
        return

    console = Sentences()
    for known, each in found.items():
        console.print(Text.assemble((known, "bold cyan"), f"  {each.id}, {each.rule}"))
        console.print(Text(f"  {each.question}"))
        for choice, words in each.choices.items():
            mark = "*" if choice == each.default and type(choice) is type(each.default) else " "
            console.print(Text(f"   {mark} {choice_words(choice)}: {words}"))
        console.print(Text(f"  {each.why}", "dim"))
    console.print(Text("* is played unless you say: pbcg st new FILE --setting NAME=CHOICE", "dim"))


def _plain(ruling: Ruling) -> dict[str, Any]:
    """A reading as plain data; its choices by the words that are typed."""
    fields = {name: getattr(ruling, name) for name in ruling.__struct_fields__}
    choices = {choice_words(choice): words for choice, words in ruling.choices.items()}
    return fields | {"choices": choices}


def read_choices(typed: Sequence[str]) -> dict[str, Any]:
    """Read ``NAME=CHOICE`` as players type it; raises FaultsError with everything wrong."""

    found: dict[str, Any] = {}
    faults: list[Fault] = []
    for item in typed:
        name, _, choice = (part.strip() for part in item.partition("="))
        try:
            known = _find(name)
        except FaultsError as error:
            faults += error.faults
            continue
        if len(known) > 1:
            faults.append(Fault(f"--setting {item}", "", f"say which: {' or '.join(known)}."))
            continue
        ruling = settable_rulings()[known[0]]
        words = {choice_words(each): each for each in ruling.choices}
        if choice not in words:
            faults.append(
                Fault(f"--setting {name}", choice, f"is not a choice; choose {_either(ruling)}.")
            )
        elif known[0] in found:
            faults.append(Fault(f"--setting {name}", "", "stands there twice."))
        else:
            found[known[0]] = words[choice]
    if faults:
        raise FaultsError("What you set", faults)
    return found


def choice_words(choice: Any) -> str:
    """A choice as players write it."""
    return {True: "yes", False: "no"}[choice] if isinstance(choice, bool) else str(choice)


def _either(ruling: Ruling) -> str:
    return ", ".join(choice_words(choice) for choice in ruling.choices)


def _find(name: str) -> list[str]:
    """The settings that go by ``name``: one by its name, one or more by their id."""

    known = settable_rulings()
    if name in known:
        return [name]
    found = [each for each, ruling in known.items() if ruling.id.lower() == name.lower()]
    if found:
        return found
    near = get_close_matches(name, known, 3, 0.4)
    hint = f"nearest: {', '.join(near)}." if near else '"pbcg st settings" lists them.'
    raise FaultsError("What you set", [Fault(name or "A setting", "", f"is not a setting; {hint}")])
