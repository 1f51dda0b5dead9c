"""The marks of records: corrections, rolls undone, dice that were not the campaign's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.views import LogLine, for_side

MARKED = {
    "correction": ("correction", "corrections"),
    "undo": ("roll undone", "rolls undone"),
    "redo": ("roll or correction redone", "rolls or corrections redone"),
    "exception": ("roll with other dice", "rolls with other dice"),
}
"""The kinds of lines that nobody may overlook, and how they are counted."""
MAX_LISTED = 12
"""So many are told one by one; the others of the RePh are counted, as those before it are."""
_MAX_LETTERS = 240


def mark_notes(every: Sequence[LogLine], recent: Sequence[LogLine], sees: str) -> tuple[str, ...]:
    """The notes at the foot of a record, as ``sees`` may read them; none if nothing is marked.

    ``every`` is the whole log, ``recent`` its end that the record is about.
    """
    now = [line for line in for_side(recent, sees) if line.kind in MARKED]
    before = [
        line for line in for_side(every[: len(every) - len(recent)], sees) if line.kind in MARKED
    ]
    notes = [f"MARKED, {_when(line)}: {_short(line.text)}" for line in now[:MAX_LISTED]]
    if len(now) > MAX_LISTED:
        notes.append(
            f"MARKED, not listed here: {_count_words(now[MAX_LISTED:])}; the report has them."
        )
    if before:
        notes.append(f"MARKED before this RePh: {_count_words(before)}; the whole report has all.")
    return tuple(notes)


def _when(line: LogLine) -> str:
    date, _, at = line.step.partition("/")
    title = CGDate.title_of(date)
    return f"{title} {at}".strip() if at.startswith("9") else title


def _short(words: str) -> str:
    text = " ".join(words.split())
    return text if len(text) <= _MAX_LETTERS else f"{text[: _MAX_LETTERS - 3]}..."


def _count_words(lines: Sequence[LogLine]) -> str:
    counts = Counter(line.kind for line in lines)
    return ", ".join(
        f"{counts[kind]} {one if counts[kind] == 1 else more}"
        for kind, (one, more) in MARKED.items()
        if counts[kind]
    )
