"""The dice of a VASL log: every DR and dr that was thrown with VASL's buttons, and nothing else.

A log (``.vlog``) holds the map as it was when the log began, then each move and each line of the
chat. Of a throw the chat says ``*** (IFT DR) 4,3 ***   <Karl>``, the coloured die first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.vasl.archive import read_log
from asl_pbcg.vasl.sequences import ESC, commands, cut, plain

_LOG = "LOG\t"
_CHAT = "CHAT"
_MAX_ROLLS = 100_000  # of one log; a long scenario has about 1,000
_THROW = re.compile(
    r"\*\*\* \(([A-Za-z0-9 /.-]{0,24}?) ?(DR|dr)\) ([1-6])(?:,([1-6]))?(?:,[1-6])? \*\*\*"
    r"[^<]{0,80}<([^<>]{0,80})>"
)
"""A throw: its kind, DR or dr, the dice (a third is of dust), and who threw."""


class LoggedRoll(msgspec.Struct, frozen=True):
    """One throw of a log."""

    player: str
    kind: str
    """As on VASL's button: IFT, TH, MC ...; Other for a plain one."""
    dice: tuple[int, ...]


def read_log_dice(path: Path) -> list[LoggedRoll]:
    """Return the throws of a log in their order. Raises PBCGError if it is not a log."""
    text = read_log(path)
    found: list[LoggedRoll] = []
    is_log = False
    for part in cut(text, ESC, len(text)):
        command = plain(part, ESC)
        if command.startswith(_LOG):
            is_log = True
            found += _throws(command.removeprefix(_LOG))
            if len(found) > _MAX_ROLLS:
                raise PBCGError(f"{path.name} holds far more dice than any game.")
    if not is_log:
        raise PBCGError(f"{path.name} is a VASL save: dice are in its logs (.vlog).")
    return found


def _throws(logged: str) -> Iterator[LoggedRoll]:
    """Yield the throws that one step of a log tells of."""
    for command in commands(logged):
        if not command.startswith(_CHAT):
            continue
        line = command.removeprefix(_CHAT).replace("&lt;", "<").replace("&gt;", ">")
        told = _THROW.match(line.lstrip())
        if told is None:
            continue
        kind, sort, first, second, player = told.groups()
        if (sort == "DR") is (second is not None):
            dice = (int(first), int(second)) if second else (int(first),)
            name = "".join(each for each in player if each.isprintable()).strip()
            yield LoggedRoll(name or "nobody", kind.strip() or "Other", dice)
