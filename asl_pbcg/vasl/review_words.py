"""Words of the questions about a save."""

from __future__ import annotations

from asl_pbcg.vasl.scene import Seen

OUT, NEW, NOBODY = "leave-out", "new", "nobody"
_MOST_NAMED = 12


RULE = "9.2"


def name_some(names: list[str]) -> str:
    """The first few of some names, and how many more there are."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def stack_names(stack: list[Seen]) -> str:
    """The names of a stack of counters."""
    return name_some([seen.name for seen in stack])


def piece_words(seen: Seen) -> str:
    """A counter by its type and status."""
    status = f" ({', '.join(seen.status)})" if seen.status else ""
    return f"{seen.type or seen.name}{status}"
