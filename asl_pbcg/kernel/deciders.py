"""Which of several players of a side decides: handed from one to the other by an entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import LONGEST_NAME, read_line
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.views import UMPIRE, LogLine, visible
from asl_pbcg.kernel.wording import cut

DECISIONS = ("answer", "roll", "correction")
"""The kinds of lines that somebody of a side decided or threw."""


def names_in(listed: str) -> tuple[str, ...]:
    """Return the players of a side that a line of theirs names, which commas part."""
    return tuple(filter(None, map(str.strip, listed.split(","))))


def named_twice(listed: str) -> str:
    """Return the first player that a side's line names twice; empty if none."""
    names = names_in(listed)
    plain = [name.casefold() for name in names]
    return next((name for name in names if plain.count(name.casefold()) > 1), "")


def read_players(listed: str) -> str:
    """Return the players of a side as somebody entered them. Raises PBCGError."""
    line = read_line(listed, "A player's name", LONGEST_NAME)
    if twice := named_twice(line):
        raise PBCGError(f"{twice} is named twice in a side: each player once, as Anne, Ben.")
    return line


def check_hand(names: Sequence[str], side: str, name: str) -> str:
    """Return the player who takes over, as ``side`` lists ``names``. Raises PBCGError."""
    if len(names) < 2:
        raise PBCGError(
            f"The {side.capitalize()} side does not list several players: correct "
            f'players/{side} to "Anne, Ben", for example.'
        )
    listed = next((each for each in names if each.casefold() == name.strip().casefold()), "")
    if not listed:
        raise PBCGError(f'"{name[:40]}" is not one of {", ".join(names)}.')
    return listed


def hand_over(journal: Journal, side: str, name: str, step: str, secret: bool = False) -> None:
    """Write down that ``name`` decides for ``side`` from here on; ``secret`` for that side alone.

    While a side acts in secret the step would tell the other how far it has come.
    """
    journal.append(Entry(kind="hand", step=step, side=side, secret=secret, body=name))


def deciders(journal: Journal, sees: str = UMPIRE) -> dict[str, str]:
    """Return who decides for each side now, where ``sees`` was ever told."""
    handed = journal.entries_of("hand")
    return {entry.side: _name_in(entry) for entry in handed if visible(entry, sees)}


def _name_in(entry: Entry) -> str:
    """Return the player that a hand-over names, shortened where a foreign file names a long one."""
    return cut(str(entry.body), LONGEST_NAME)


def hand_lines(journal: Journal) -> Iterator[tuple[int, list[LogLine]]]:
    """Yield what the log tells of each handing over, with the number of its entry."""
    for entry in journal.entries_of("hand"):
        name = _name_in(entry)
        text = f"{name[:1].upper()}{name[1:]} decides from here on."
        line = LogLine(
            kind="hand",
            step=entry.step,
            text=text,
            side=entry.side,
            secret=entry.secret,
            seq=entry.seq,
        )
        yield entry.seq, [line]


def with_deciders(lines: Sequence[LogLine], journal: Journal) -> list[LogLine]:
    """Return the lines with the player who decided each, where several share a side."""
    handed = journal.entries_of("hand")
    if not handed:
        return list(lines)
    return [
        msgspec.structs.replace(line, by=name) if (name := _decider(line, handed)) else line
        for line in lines
    ]


def _decider(line: LogLine, handed: Sequence[Entry]) -> str:
    if line.kind not in DECISIONS or not line.side or not line.seq:
        return ""
    before = [each for each in handed if each.side == line.side and each.seq < line.seq]
    return _name_in(before[-1]) if before else ""
