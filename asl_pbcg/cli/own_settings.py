"""``pbcg settings``: what players set once for themselves: whose eyes they have, their paper."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import typer

from asl_pbcg.cli.command_answers import Answer, answers, json_text
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import reason, write_atomic

app = typer.Typer(add_completion=False)


class OwnSetting(NamedTuple):
    """A setting of a player: the choices, the first of them the default, and its meaning."""

    choices: tuple[str, ...]
    meaning: str


OWN_SETTINGS: Final = {
    "as": OwnSetting(
        ("umpire", "british", "german"), "the default of --as: whose prompts, lines and prints"
    ),
    "paper": OwnSetting(
        ("a4", "letter", "a3", "tabloid"), "the default of --paper for records and maps"
    ),
}


def settings_file() -> Path:
    """Return where they are kept: PBCG_SETTINGS, else in the user's own folder for programs."""
    if named := os.environ.get("PBCG_SETTINGS"):
        return Path(named)
    return Path(typer.get_app_dir("pbcg")) / "settings.json"


def read_settings() -> dict[str, str]:
    """Return the settings that were set; a file that cannot be read counts as none."""
    try:
        stored = msgspec.json.decode(settings_file().read_bytes(), type=dict)
    except (OSError, ValueError):
        return {}
    return {
        key: stored[key] for key, entry in OWN_SETTINGS.items() if stored.get(key) in entry.choices
    }


def setting(key: str) -> str:
    """Return the value set for ``key``, or its default."""
    return read_settings().get(key, OWN_SETTINGS[key].choices[0])


@app.command()
@answers
def settings(
    changes: list[str] = typer.Argument(
        None, metavar="[KEY=VALUE]...", help="as=german, paper=letter; as= forgets it."
    ),
) -> Answer:
    """Show or set what you need not say each time: whose eyes you have, your paper."""
    own = read_settings()
    for change in changes or []:
        key, equals, value = (part.strip().lower() for part in change.partition("="))
        if key not in OWN_SETTINGS or not equals:
            keys = ", ".join(f"{key}=" for key in OWN_SETTINGS)
            raise PBCGError(f'"{change}" sets nothing: write {keys}…')
        if value and value not in OWN_SETTINGS[key].choices:
            raise PBCGError(f"{key} is one of: {', '.join(OWN_SETTINGS[key].choices)}.")
        own.pop(key, None)
        own |= {key: value} if value else {}
    if changes:
        _store(own)
    in_force = {key: own.get(key, entry.choices[0]) for key, entry in OWN_SETTINGS.items()}
    return Answer(in_force, lambda _: _print(in_force, own))


def _store(own: dict[str, str]) -> None:
    target = settings_file()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PBCGError(f"{target.parent} could not be made: {reason(error)}.") from error
    write_atomic(target, json_text(own))


def _print(in_force: dict[str, str], own: dict[str, str]) -> None:
    for key, value in in_force.items():
        mark = "" if key in own else " (as it came)"
        typer.echo(f"{key:6} {value:8}{mark}  {OWN_SETTINGS[key].meaning}")
    typer.echo(f"Kept in {settings_file()}.")
