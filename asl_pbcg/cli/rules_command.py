"""``pbcg rules``: what the program does with a rule, where its code and tests are, which ruling."""

from __future__ import annotations

import json
from typing import Any

import typer

from asl_pbcg.kernel.errors import PBCGError

app = typer.Typer(add_completion=False)

BOOKS = {
    "pb": "Pegasus Bridge campaign game",
    "st": "Strategy & Tactics 122",
    "airborne": "Airborne drops",
    "megagame": "Megagame umpire",
}


@app.command()
def rules(
    number: str = typer.Argument("", help="A rule number, as 9.606, or an obligation's id."),
    as_json: bool = typer.Option(False, "--json", help="Answer as JSON."),
) -> None:
    """Say in our own words what a rule does here, and where its code and tests are."""
    found = [row for row in rows() if not number or _asks_for(row, number)]
    if not found:
        raise PBCGError(f'Nothing here goes by "{number}". Try a chapter, for example 9.61 or ST.')
    if not number and not as_json:
        return _overview(found)
    facts: dict[str, Any] = {
        "rules": found,
        "code": _code(number),
        "rulings": _rulings(number),
    }
    if as_json:
        typer.echo(json.dumps(facts, indent=1, ensure_ascii=False))
        return None
    for row in found:
        typer.secho(f"{row['id']:12}", bold=True, nl=False)
        typer.echo(f" {row['obligation']}")
        for test in row["tests"]:
            typer.secho(f"{'':13}shown by tests/{test}", dim=True)
        if row["reason"]:
            typer.secho(f"{'':13}the players' own business: {row['reason']}", dim=True)
    for place in facts["code"]:
        typer.secho(f"code: {place}", fg=typer.colors.CYAN)
    for id, words in facts["rulings"].items():
        typer.secho(f"ruling {id}: {words}", fg=typer.colors.GREEN)
    return None


def rows() -> list[dict[str, Any]]:
    """Every obligation of every rulebook, with the tests that show it."""
    from asl_pbcg.kernel.data import data_path
    from asl_pbcg.play.obligations import obligations_file

    index = json.loads(data_path("rules_index.json").read_text(encoding="utf-8"))
    found = []
    for book in BOOKS:
        for each in obligations_file(book).content:
            found.append(
                {
                    "book": book,
                    "id": each.id,
                    "rule": each.rule,
                    "obligation": each.obligation,
                    "reason": each.reason,
                    "tests": index["tests"].get(each.id, []),
                }
            )
    return found


def _asks_for(row: dict[str, Any], number: str) -> bool:
    wanted = number.strip().lower()
    return bool(
        row["id"].lower() == wanted
        or row["rule"].lower() == wanted
        or row["rule"].lower().startswith(wanted)
        or row["id"].lower().startswith(wanted + "-")
    )


def _code(number: str) -> list[str]:
    """Where the code says that it settles the rule."""
    from asl_pbcg.kernel.data import data_path

    index = json.loads(data_path("rules_index.json").read_text(encoding="utf-8"))
    rule = number.rpartition("-")[0] if "-" in number and number.startswith("9.") else number
    found = [
        place
        for named, places in index["code"].items()
        if named.startswith(rule)
        for place in places
    ]
    return sorted(set(found))


def _rulings(number: str) -> dict[str, str]:
    from asl_pbcg.campaign.house_rules import campaign_rulings

    register = campaign_rulings()
    return {id: each.reading for id, each in register.items() if number and number in each.rule}


def _overview(found: list[dict[str, Any]]) -> None:
    for book, title in BOOKS.items():
        mine = [row for row in found if row["book"] == book]
        done = sum(bool(row["tests"]) for row in mine)
        own = sum(bool(row["reason"]) and not row["tests"] for row in mine)
        typer.echo(
            f"{title}: {len(mine)} obligations, {done} shown by tests, {own} the players' own."
        )
    typer.echo('"pbcg rules 9.606" says what a rule does here.')
