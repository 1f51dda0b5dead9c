"""Service records on paper and as text: one piece, or a side with its honours and losses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.sheets.ledger import header
from asl_pbcg.campaign.state.record_lines import UMPIRE
from asl_pbcg.campaign.terms import Side
from asl_pbcg.chronicle.service import (
    ON_PAPER,
    Chronicle,
    PieceLoss,
    ServiceLine,
    ServiceRecord,
    by_date,
    entries_words,
)
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.records.templates import load_layout


def service_record(chronicle: Chronicle, side: Side, templates: Path | None = None) -> Sheet:
    """Return the sheet of a side: its honours and losses, then a record of every unit and leader.

    Rule: 9.2 OB, Eliminated.
    """
    state = chronicle.state
    head, layout = header(state), load_layout("service_record", templates)
    return Sheet(
        layout=layout,
        tables={
            "honours": [
                {
                    "kind": honour.kind,
                    "date": honour.title,
                    "piece": honour.piece,
                    "text": f"{honour.text} {entries_words(honour.entries)}".strip(),
                }
                for honour in chronicle.honours(side)
            ],
            "losses": [
                {"date": title, "squads": _squads(losses), **_loss_words(losses)}
                for title, losses in by_date(chronicle.losses(side))
            ],
            "units": [
                {
                    "section": record.formation or "Others",
                    "name": record.name,
                    "type": record.type,
                    "first": record.first_type,
                    "received": record.received,
                    "end": record.fate,
                    "record": "\n".join([*_date_lines(record.lines), *record.notes]),
                    "id": record.id,
                }
                for record in chronicle.records(side)
            ],
        },
        title=f"{side.title} {layout.title}",
        subtitle=head.campaign,
        facts=(("Player", state.players_of(side)),),
        footer=f"{head.campaign}, {state.date.title}",
        strip=head.strip,
        notes=(_NUMBERS,) if chronicle.viewer == UMPIRE else (),
    )


_NUMBERS: Final = "Numbers in brackets are entries of the journal."


def _squads(losses: Sequence[PieceLoss]) -> float | None:
    """Return the squad-equivalents lost; None where paper alone tells of losses."""
    squads = [loss.squads for loss in losses if loss.kind != ON_PAPER]
    return sum(squads) if squads else None


def _loss_words(losses: Iterable[PieceLoss]) -> dict[str, str]:
    """Return the names of what was lost on one CG Date, by how."""
    names_by_how: dict[str, list[str]] = {}
    for loss in losses:
        key = "play" if loss.rule == SCENARIO else "reph"
        names_by_how.setdefault(key, []).append(f"{loss.piece} {loss.kind.lower()}")
    return {key: ", ".join(names) for key, names in names_by_how.items()}


def _date_lines(lines: Iterable[ServiceLine]) -> Iterator[str]:
    """Yield one line for each CG Date."""
    for title, lines_of_date in groupby(lines, key=lambda line: line.title):
        yield f"{title}: {' '.join(map(_line_words, lines_of_date))}"


def _line_words(line: ServiceLine) -> str:
    return f"{line.text} {entries_words(line.entries)}".strip()


# -- As text ---------------------------------------------------------------------------------------


def record_text(record: ServiceRecord) -> str:
    """Return the service record of a piece for the terminal."""
    return "\n".join(_record_lines(record))


def _record_lines(record: ServiceRecord) -> Iterator[str]:
    fate = f"; {record.fate}" if record.fate else ""
    yield f"{record.name}, {record.side.capitalize()}{fate}"
    yield from _dated_lines(record.lines)
    yield from (f"  Note: {words}" for words in record.notes)
    for kin in (*record.ancestors, *record.descendants):
        yield f"  {kin.relation}: {kin.name}"
        yield from (f"  {line}" for line in _dated_lines(kin.lines))


def _dated_lines(lines: Iterable[ServiceLine]) -> Iterator[str]:
    for title, lines_of_date in groupby(lines, key=lambda service_line: service_line.title):
        for at, line in enumerate(lines_of_date):
            yield f"  {'' if at else title:10} {line.rule:9} {_line_words(line)}"


def record_markdown(record: ServiceRecord) -> str:
    """Return the service record of a piece as Markdown."""
    parts = [f"### {record.name}, {record.side.capitalize()}", ""]
    if record.fate:
        parts += [f"*{record.fate}*", ""]
    parts += [*_bullets(record.lines), *(f"- *{words}*" for words in record.notes)]
    for kin in (*record.ancestors, *record.descendants):
        parts += ["", f"**{kin.relation}: {kin.name}**", "", *_bullets(kin.lines)]
    return "\n".join(parts) + "\n"


def _bullets(lines: Iterable[ServiceLine]) -> list[str]:
    return [f"- **{line.title}**, {line.rule}: {_line_words(line)}" for line in lines]


def side_markdown(chronicle: Chronicle, side: Side) -> str:
    """Return a side's honours, its losses and all its records as Markdown."""
    parts = [f"# {side.title} Service Record", "", honours_text(chronicle, side, markdown=True)]
    parts += [record_markdown(record) for record in chronicle.records(side)]
    return "\n".join(parts)


def honours_text(chronicle: Chronicle, side: Side, markdown: bool = False) -> str:
    """Return a side's honours and losses as text, or as Markdown."""
    head, item = ("## ", "- ") if markdown else ("", "  ")
    space = [""] if markdown else []
    parts = [f"{head}{side.title} honours", *space]
    honours, lost = chronicle.honours(side), chronicle.losses(side)
    parts += [] if honours else [f"{item}none yet", *space]
    for kind, honours_of_kind in groupby(honours, key=lambda honour: honour.kind):
        parts.append(f"**{kind}**\n" if markdown else kind)
        parts += [
            f"{item}{won.title}: {won.piece}: {won.text} {entries_words(won.entries)}".rstrip()
            for won in honours_of_kind
        ] + space
    parts += [f"{head}{side.title} losses", *space]
    parts += [] if lost else [f"{item}none yet"]
    for title, losses in by_date(lost):
        squads = _squads(losses)
        ending = "" if squads == 1 else "s"
        count = "" if squads is None else f": {squads:g} squad-equivalent{ending}"
        parts.append(f"{item}{title}{count}")
        words = _loss_words(losses)
        parts += [
            f"{'  ' if markdown else ''}{item}{name}: {words[key]}"
            for key, name in (("play", "in play"), ("reph", "in the Refit Phase"))
            if key in words
        ]
    return "\n".join(parts) + "\n"
