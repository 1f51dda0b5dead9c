"""Checkpoints: the state and the log at the end of a part of the game, as an entry.

A later version whose rules no longer lead to the same state goes on from the newest one.
"""

from __future__ import annotations

import zlib
from binascii import b2a_base64
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from asl_pbcg.kernel.canonical import NotCanonical
from asl_pbcg.kernel.entries import Entry, read_base64
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal_cache import Snapshot
from asl_pbcg.kernel.views import read_lines

MAX_STATE = 32_000_000
"""The most bytes of a state with its log in a checkpoint, inflated."""


class _Data(msgspec.Struct):
    lines: msgspec.Raw
    state: msgspec.Raw


def part_of(step: str) -> str:
    """Return the part of the game that a step belongs to: ``night-1`` of ``night-1/9.606``."""
    return step.partition("/")[0] if "/" in step else ""


def checkpoint_entry(snapshot: Snapshot, logs: Iterable[bytes]) -> Entry:
    """Return the checkpoint of a snapshot; ``logs`` are the logs of the steps of its part."""
    lines = msgspec.json.encode([line.as_kept for log in logs for line in read_lines(log)])
    body: dict[str, Any] = {"after": snapshot.seq, "data": _pack(lines, snapshot.state)}
    return Entry(kind="checkpoint", step=snapshot.step, secret=True, body=body)


def renumbered_log(entry: Entry, number: Callable[[int], int]) -> str:
    """Return the data of a checkpoint with another number of each entry in its log.

    Raises PBCGError if the checkpoint cannot be read.
    """
    snapshot = read_checkpoint(entry)
    lines = [
        msgspec.structs.replace(line.as_kept, seq=number(line.seq))
        for line in read_lines(snapshot.log)
    ]
    return _pack(msgspec.json.encode(lines), snapshot.state)


def _pack(lines: bytes, state: bytes) -> str:
    data = msgspec.json.encode(_Data(msgspec.Raw(lines), msgspec.Raw(state)))
    return b2a_base64(zlib.compress(data, 9), newline=False).decode()


def read_checkpoint(entry: Entry) -> Snapshot:
    """Return the snapshot in a checkpoint. Raises PBCGError if it cannot be read."""
    try:
        inflate = zlib.decompressobj()
        content = inflate.decompress(read_base64(entry.body["data"]), MAX_STATE)
        if inflate.unconsumed_tail or not inflate.eof:
            raise ValueError
        data = msgspec.json.decode(content, type=_Data)
    except (zlib.error, NotCanonical, ValueError, RecursionError) as error:
        raise PBCGError(f"The checkpoint after {entry.step[:40]} cannot be read.") from error
    return Snapshot(
        seq=entry.body["after"],
        step=entry.step,
        stored_state=bytes(data.state),
        stored_log=bytes(data.lines),
        checkpoint=entry.seq,
    )
