"""Checkpoints: the state and the log at the end of a part of the game, as an entry.

A later version whose rules no longer lead to the same state goes on from the newest one.
"""

from __future__ import annotations

import zlib
from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable
from typing import Any

import msgspec

from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.standing import MAX_STATE
from asl_pbcg.kernel.state_cache import Snapshot
from asl_pbcg.kernel.views import read_lines

_LEVEL = 9


class _Data(msgspec.Struct):
    lines: msgspec.Raw
    state: msgspec.Raw


def part_of(step: str) -> str:
    """Return the part of the game that a step belongs to: ``night-1`` of ``night-1/9.606``."""
    return step.partition("/")[0] if "/" in step else ""


def checkpoint_entry(snapshot: Snapshot, logs: list[str], gap: bool = False) -> Entry:
    """Return the checkpoint of a snapshot; ``logs`` are the logs of the steps of its part."""
    lines = "[" + ",".join(inner for log in logs if (inner := log[1:-1])) + "]"
    body: dict[str, Any] = {"after": snapshot.seq, "data": _pack(lines.encode(), snapshot.state)}
    if gap:
        body["gap"] = True
    return Entry(kind="checkpoint", step=snapshot.step, secret=True, body=body)


def renumbered_log(entry: Entry, number: Callable[[int], int]) -> str:
    """Return the data of a checkpoint with another number of each entry in its log.

    Raises PBCGError if the checkpoint cannot be read.
    """
    kept = read_checkpoint(entry)
    lines = [msgspec.structs.replace(line, seq=number(line.seq)) for line in read_lines(kept.lines)]
    return _pack(msgspec.json.encode(lines), kept.state)


def _pack(lines: bytes, state: bytes) -> str:
    data = msgspec.json.encode(_Data(msgspec.Raw(lines), msgspec.Raw(state)))
    return b2a_base64(zlib.compress(data, _LEVEL), newline=False).decode()


def read_checkpoint(entry: Entry) -> Snapshot:
    """Return the snapshot in a checkpoint. Raises PBCGError if it cannot be read."""
    try:
        inflate = zlib.decompressobj()
        content = inflate.decompress(a2b_base64(entry.body["data"]), MAX_STATE)
        if inflate.unconsumed_tail or not inflate.eof:
            raise ValueError
        data = msgspec.json.decode(content, type=_Data)
        return Snapshot(
            seq=entry.body["after"],
            step=entry.step,
            state=bytes(data.state),
            lines=bytes(data.lines).decode(),
            given=True,
        )
    except (zlib.error, Base64Error, ValueError, msgspec.DecodeError, RecursionError) as error:
        raise PBCGError(f"The checkpoint after {entry.step[:40]} cannot be read.") from error
