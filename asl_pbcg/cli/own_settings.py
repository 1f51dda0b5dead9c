"""``pbcg settings``: what a player sets once for himself: whose eyes he has, his paper."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import typer

from asl_pbcg.kernel.errors import PBCGError

app = typer.Typer(add_completion=False)

KNOWN: Final[dict[str, tuple[str, ...]]] = {
    "as": ("british", "german", "umpire"),
    "paper": ("a4", "letter", "a3", "tabloid"),
}
"""What can be set, and to what."""
DEFAULTS: Final = {"as": "umpire", "paper": "a4"}
MEANS: Final = {
    "as": "the default of --as: whose prompts, lines and prints",
    "paper": "the default of --paper for records and maps",
}


def settings_file() -> Path:
    """Where they are kept: PBCG_SETTINGS, else a file in the user's own folder for programs."""
    if named := os.environ.get("PBCG_SETTINGS"):
        return Path(named)
    return Path(typer.get_app_dir("pbcg")) / "settings.json"


def read_settings() -> dict[str, str]:
    """What is set; a file that cannot be read counts as none."""
    try:
        text = settings_file().read_text(encoding="utf-8")
    except (OSError, ValueError):
        return {}
    import json

    try:
        found = json.loads(text)
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    return {key: found[key] for key, allowed in KNOWN.items() if found.get(key) in allowed}


def setting(key: str) -> str:
    """What is set for ``key``, or its default."""
    return read_settings().get(key, DEFAULTS[key])


@app.command()
def settings(
    changes: list[str] = typer.Argument(
        None, metavar="[KEY=VALUE]...", help="as=german, paper=letter; as= forgets it."
    ),
    as_json: bool = typer.Option(False, "--json", help="Answer as JSON."),
) -> None:
    """Show or set what you need not say each time: whose eyes you have, your paper."""
    found = read_settings()
    for change in changes or []:
        key, equals, value = (part.strip().lower() for part in change.partition("="))
        if key not in KNOWN or not equals:
            raise PBCGError(f'"{change}" sets nothing: write {", ".join(f"{k}=" for k in KNOWN)}…')
        if value and value not in KNOWN[key]:
            raise PBCGError(f"{key} is one of: {', '.join(KNOWN[key])}.")
        found = {name: each for name, each in found.items() if name != key}
        found |= {key: value} if value else {}
    import json

    if changes:
        from asl_pbcg.kernel.files import reason, write_atomic

        target = settings_file()
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PBCGError(f"{target.parent} could not be made: {reason(error)}.") from error
        write_atomic(target, json.dumps(found, indent=1))
    if as_json:
        typer.echo(json.dumps(DEFAULTS | found, indent=1))
        return
    for key in KNOWN:
        own = "" if key in found else " (as it came)"
        typer.echo(f"{key:6} {(DEFAULTS | found)[key]:8}{own}  {MEANS[key]}")
    typer.echo(f"Kept in {settings_file()}.")
