"""``pbcg rules``: what the program does with a rule, where its code and tests are, which ruling."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import typer

from asl_pbcg.campaign.module.house_rules import campaign_rulings
from asl_pbcg.cli.command_answers import Answer, answers
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.obligations import obligations_file
from asl_pbcg.refit.helpers.prompt_defaults import PROMPT_DEFAULTS

app = typer.Typer(add_completion=False)

BOOKS = {
    "pb": "Pegasus Bridge campaign game",
    "st": "Strategy & Tactics 122",
    "airborne": "Airborne drops",
    "megagame": "Megagame umpire",
}


class RuleRow(msgspec.Struct, frozen=True, kw_only=True):
    """An obligation of a rulebook, and the tests that show it."""

    book: str
    id: str
    rule: str
    obligation: str
    reason: str
    tests: list[str]

    def goes_by(self, number: str) -> bool:
        """Return whether a rule number or an obligation's id names it."""
        wanted = number.strip().lower()
        id, rule = self.id.lower(), self.rule.lower()
        return id == wanted or rule.startswith(wanted) or id.startswith(f"{wanted}-")


class RuleFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The obligations that go by a number, their code, rulings on them, and what Enter answers."""

    rules: list[RuleRow]
    code: list[str]
    rulings: dict[str, str]
    enter: dict[str, str]


@app.command()
@answers
def rules(
    number: str = typer.Argument(
        "", metavar="RULE", help="A rule number, as 9.606, or an obligation's id."
    ),
) -> Answer:
    """Say in our own words what a rule does here, and where its code and tests are."""
    rows = [row for row in rule_rows() if not number or row.goes_by(number)]
    if not rows:
        raise PBCGError(f'Nothing here goes by "{number}". Try a chapter, for example 9.61 or ST.')
    register = campaign_rulings().items()
    rulings = {id: ruling.reading for id, ruling in register if number and number in ruling.rule}
    enter = {
        point: f"{default.answer} ({default.says}): {default.asks}"
        for point, default in PROMPT_DEFAULTS.content.items()
        if number and (point.startswith(number) or number in default.rule)
    }
    facts = RuleFacts(rules=rows, code=_code_places(number), rulings=rulings, enter=enter)
    return Answer(facts, _print_facts if number else _print_overview)


@cache
def _index() -> Any:
    """Return which tests show an obligation and which code settles a rule."""
    return msgspec.json.decode(data_path("rules_index.json").read_bytes())


def rule_rows() -> Iterator[RuleRow]:
    """Yield every obligation of every rulebook."""
    for book in BOOKS:
        for obligation in obligations_file(book).content:
            yield RuleRow(
                book=book,
                id=obligation.id,
                rule=obligation.rule,
                obligation=obligation.obligation,
                reason=obligation.reason,
                tests=_index()["tests"].get(obligation.id, []),
            )


def _code_places(number: str) -> list[str]:
    """Return where the code says that it settles a rule."""
    rule = number.rpartition("-")[0] if "-" in number and number.startswith("9.") else number
    return sorted(
        {
            place
            for named, places in _index()["code"].items()
            if named.startswith(rule)
            for place in places
        }
    )


def _print_facts(facts: RuleFacts) -> None:
    for row in facts.rules:
        typer.secho(f"{row.id:12}", bold=True, nl=False)
        typer.echo(f" {row.obligation}")
        for test in row.tests:
            typer.secho(f"{'':13}shown by tests/{test}", dim=True)
        if row.reason:
            typer.secho(f"{'':13}the players' own business: {row.reason}", dim=True)
    for place in facts.code:
        typer.secho(f"code: {place}", fg=typer.colors.CYAN)
    for point, words in facts.enter.items():
        typer.echo(f"Enter at {point}: {words}")
    for id, words in facts.rulings.items():
        typer.secho(f"ruling {id}: {words}", fg=typer.colors.GREEN)


def _print_overview(facts: RuleFacts) -> None:
    for book, title in BOOKS.items():
        rows = [row for row in facts.rules if row.book == book]
        shown = sum(bool(row.tests) for row in rows)
        own = sum(bool(row.reason) and not row.tests for row in rows)
        typer.echo(
            f"{title}: {len(rows)} obligations, {shown} shown by tests, {own} the players' own."
        )
    typer.echo('"pbcg rules 9.606" says what a rule does here.')
