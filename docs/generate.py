"""Writes the parts of ``docs/`` that are made from data: rulings, rule coverage, pictures.

Run: ``python docs/generate.py``; ``--check`` only says whether the texts are current.
"""

from __future__ import annotations

import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent / "tests" / "support"))

BOOKS = {
    "pb": ("Pegasus Bridge campaign game", "9.x"),
    "st": ("Strategy & Tactics 122", "ST"),
    "airborne": ("Airborne drops", "AB"),
    "megagame": ("Megagame umpire", "MG"),
}


def rulings_page() -> str:
    """The register of readings as a page for players."""
    from asl_pbcg.campaign.module.house_rules import campaign_rulings

    found = campaign_rulings()
    lines = [
        "# Rulings and house rules",
        "",
        "Places in the campaign rules that are damaged, contradict each other or can be read",
        "two ways: what pbcg does there and why. The first list is yours to choose from when a",
        "campaign begins: `pbcg new ... --house-rule C-14=any`. The campaign keeps the choice.",
        "",
        "## House rules",
        "",
    ]
    for id, ruling in found.items():
        if ruling.is_settable:
            lines += [
                f"**{id}** ({ruling.rule}) {_sentence(ruling.question)} "
                f"Why: {_sentence(ruling.why)}",
                "",
            ]
            for name, words in ruling.choices.items():
                default = " (default)" if name == ruling.default else ""
                lines.append(f"* `{id}={name}`{default}: {words}")
            lines.append("")
    lines += ["## Readings without a choice", "", "| id | where | doubt | reading | why |"]
    lines.append("|---|---|---|---|---|")
    for id, ruling in found.items():
        if not ruling.is_settable:
            cells = (id, ruling.rule, ruling.question, ruling.reading, ruling.why)
            lines.append("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |")
    return "\n".join([*lines, *_other_games()]) + "\n"


def _other_games() -> list[str]:
    """The readings of the area game and the helpers."""
    from asl_pbcg.cli.rulings_command import GAMES, listed_ruling, rulings_of

    lines = []
    for game, title in GAMES.items():
        if game == "pb":
            continue
        found = [listed_ruling(*each) for each in rulings_of(game)]
        lines += ["", f"## {title}", "", f"`pbcg rulings --game {game}`", ""]
        chosen = [each for each in found if each.choices]
        for each in chosen:
            why = f"Why: {_sentence(each.why)}"
            lines += [f"**{each.id}** ({each.rule}) {_sentence(each.question)} {why}", ""]
            for name, words in each.choices.items():
                default = " (default)" if name == each.default else ""
                lines.append(f"* `{name}`{default}: {words}")
            lines.append("")
        lines += ["| id | where | doubt | reading | why |", "|---|---|---|---|---|"]
        for each in found:
            if not each.choices:
                cells = (each.id, each.rule, each.question, each.reading, each.why)
                row = " | ".join(" ".join(cell.replace("|", "/").split()) for cell in cells)
                lines.append(f"| {row} |")
    return lines


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?")) else f"{text}."


def rules_page() -> str:
    """Which obligation of the rules is shown by which test."""
    from rule_marks import marks, obligations

    shown = marks()
    lines = [
        "# What the rules ask, and which test shows it",
        "",
        "Made from the rules matrices in `data/*/obligations.csv` and the marks of the tests.",
        "",
    ]
    for book, (title, _) in BOOKS.items():
        rows = [row for row in obligations() if row.book == book]
        if not rows:
            continue
        done = sum(bool(shown.get(row.id)) for row in rows)
        own = sum(bool(row.reason) and not shown.get(row.id) for row in rows)
        lines += [f"## {title}", "", f"{len(rows)} rows: {done} tested, {own} the players' own "
                  f"business, {len(rows) - done - own} open.", "", "| id | what | shown by |",
                  "|---|---|---|"]  # fmt: skip
        for row in rows:
            tests = ", ".join(f"`{test}`" for test in shown.get(row.id, []))
            lines.append(f"| {row.id} | {row.text.replace('|', '/')} | {tests or row.reason} |")
        lines.append("")
    return "\n".join(lines)


def defaults_page() -> str:
    """What Enter answers to every question of the campaign game, in the order of the rules."""
    from asl_pbcg.refit.helpers.prompt_defaults import PROMPT_DEFAULTS

    register = PROMPT_DEFAULTS.content
    counts = {
        says: sum(each.says == says for each in register.values())
        for says in ("must", "may", "fact")
    }
    lines = [
        "# What Enter answers",
        "",
        "Made from `data/pb/defaults.yaml`; `tests/refit/test_prompt_defaults.py` holds it",
        "against the questions of golden and generated campaigns.",
        "",
        f"Of {len(register)} questions the rule says *must* at {counts['must']}, and Enter obeys;",
        f"*may* at {counts['may']}, and Enter changes nothing; {counts['fact']} ask for a *fact*,",
        "which the records know or do not. *No answer*: Enter alone is not taken, as several",
        "answers obey, or each of them changes something. What follows from a player's own choice",
        "(who Scrounges, in which hex) is a *must*.",
        "",
        "| question | asks for | rule | says | Enter | why |",
        "|---|---|---|---|---|---|",
    ]
    for point, each in register.items():
        cells = (f"`{point}`", each.asks, each.rule, each.says, each.answer, each.why)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def rules_index() -> str:
    """For ``pbcg rules``: obligation id to tests, and rule number to the code that names it."""
    import json

    from rule_marks import code_places, marks

    return json.dumps({"tests": marks(), "code": code_places()}, indent=0, sort_keys=True) + "\n"


PAGES = {
    "docs/players/rulings.md": rulings_page,
    "docs/engineers/rules.md": rules_page,
    "docs/engineers/defaults.md": defaults_page,
    "data/rules_index.json": rules_index,
}


def main() -> None:
    """Write the pages, or with ``--check`` compare them."""
    stale = []
    for name, make in PAGES.items():
        text = make()
        path = DOCS.parent / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(name)
        else:
            path.write_text(text, encoding="utf-8")
    if stale:
        print(f"Not current: {', '.join(stale)}; run python docs/generate.py")
        sys.exit(1)


if __name__ == "__main__":
    main()
