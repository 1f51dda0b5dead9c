"""What the log tells of paper assertions that were kept."""

from __future__ import annotations

from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.views import Line

_MOST_WORDS = 2000


def assertion_lines(journal: Journal) -> list[tuple[int, list[Line]]]:
    """Return for each assertion that was kept its number and what the log tells."""
    return [
        (
            entry.seq,
            [
                Line(
                    kind="assertion",
                    step=entry.step,
                    text=f"The roster on paper agrees: {_words(entry.body)}.",
                    side=entry.side,
                    secret=entry.secret,
                    seq=entry.seq,
                )
            ],
        )
        for entry in journal.entries_of("assertion")
    ]


def _words(body: object) -> str:
    facts = body.items() if isinstance(body, dict) else ()
    listed = ", ".join(f"{fact} {'-' if value is None else value}" for fact, value in facts)
    return listed if len(listed) <= _MOST_WORDS else f"{listed[: _MOST_WORDS - 3]}..."
