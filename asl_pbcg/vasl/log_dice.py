"""The dice of VASL logs: every throw of VASL's buttons once, and nothing else.

A log (``.vlog``) holds the map as it was when the log began, then each move and each line of the
chat. Of a throw the chat says ``*** (IFT DR) 4,3 ***   <Karl>   [2 / 5   avg   6.20]   (1.57)``,
the coloured die first, then its running number, the average so far and the time. Both players'
logs of a session have the same line, so that a line with a number and a time is one throw.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.vasl.archive import ESC, commands, cut, plain, read_log

_LOG = "LOG\t"
_CHAT = "CHAT"
_MAX_ROLLS = 100_000  # of one log; a long scenario has about 1,000
_MAX_UNREAD = 40  # letters of a line that is named as left out
_MAX_NAMED = 12  # of those lines
_THROW = re.compile(
    r"\*\*\* (?:\((?P<kind>[A-Za-z0-9 /.-]{0,24}?) ?(?P<sort>DR|dr)\)|(?P<many>[1-9])d6 =) "
    r"(?P<dice>[1-6](?:,[1-6]){0,8}) \*\*\*[^<]{0,80}<(?P<player>[^<>]{0,80})>(?P<rest>.*)",
    re.DOTALL,
)
"""A throw: its kind, DR or dr (or how many dice), the dice, who threw, and what is said of it."""
_NUMBERED = re.compile(r"\[\s*[0-9].*\].*\([^()]*[0-9][.:][0-9]")
"""The line about a throw that has a running number and a time."""
_LIKE_A_THROW = re.compile(r"\*\*\* (.*?) \*\*\*.*<", re.DOTALL)
_SORTS = {"dr": (1,), "DR": (2, 3)}  # the third die of a DR is that of dust


class LoggedRoll(msgspec.Struct, frozen=True):
    """One throw of a log."""

    player: str
    kind: str
    """As on VASL's button: IFT, TH, MC ...; Other for a plain one."""
    dice: tuple[int, ...]
    log: str = ""
    """The log that has it; of several the first."""


class LogDice(msgspec.Struct, frozen=True):
    """The throws of logs."""

    rolls: tuple[LoggedRoll, ...]
    twice: int = 0
    """How many of them stand in another log too."""
    left_out: tuple[str, ...] = ()
    """Lines that look like throws of other dice."""


def read_logs(paths: Iterable[Path]) -> LogDice:
    """Return the throws of logs in their order, each once. Raises PBCGError for other files."""
    rolls: list[LoggedRoll] = []
    left_out: dict[str, None] = {}
    counts: Counter[str] = Counter()
    twice = 0
    for path in paths:
        own: Counter[str] = Counter()
        for line in _chat_lines(path):
            roll, is_numbered = _read_throw(line, path.name)
            if roll is None:
                if match := _LIKE_A_THROW.match(line):
                    throw = "".join(letter for letter in match[1] if letter.isprintable())
                    left_out[throw[:_MAX_UNREAD]] = None
                continue
            own[line] += 1
            if is_numbered and own[line] <= counts[line]:
                twice += 1
                continue
            rolls.append(roll)
            if len(rolls) > _MAX_ROLLS:
                raise PBCGError(f"{path.name} holds far more dice than any game.")
        counts |= own
    return LogDice(tuple(rolls), twice, tuple(left_out)[:_MAX_NAMED])


def _chat_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a log's chat. Raises PBCGError if it is not a log."""
    text = read_log(path)
    is_log = False
    for part in cut(text, ESC, len(text)):
        command = plain(part, ESC)
        if command.startswith(_LOG):
            is_log = True
            for message in commands(command.removeprefix(_LOG)):
                if message.startswith(_CHAT):
                    line = message.removeprefix(_CHAT).replace("&lt;", "<").replace("&gt;", ">")
                    yield line.strip()
    if not is_log:
        raise PBCGError(f"{path.name} is a VASL save: dice are in its logs (.vlog).")


def _read_throw(line: str, log: str) -> tuple[LoggedRoll | None, bool]:
    """Return the throw that a line tells of, and whether its number and time name it."""
    match = _THROW.match(line)
    if match is None:
        return None, False
    dice = tuple(map(int, match["dice"].split(",")))
    sort = match["sort"]
    if len(dice) not in (_SORTS[sort] if sort else (int(match["many"]),)):
        return None, False
    name = "".join(letter for letter in match["player"] if letter.isprintable()).strip()
    kind = (match["kind"] or "").strip() or "Other"
    dice = dice[:2] if sort else dice
    return LoggedRoll(name or "nobody", kind, dice, log), bool(_NUMBERED.search(match["rest"]))
