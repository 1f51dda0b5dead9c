"""What was read of a campaign file, cached on this machine: what has not changed is checked once.

It is kept with the bytes that it was read from, and used only where the file begins with the very
same ones. Deleting it costs the time to read every line again, nothing else.
"""

from __future__ import annotations

import contextlib
import zlib
from pathlib import Path

import msgspec

from asl_pbcg.kernel.canonical import NotCanonical, digest, fraction
from asl_pbcg.kernel.journal_text import JournalText, KnownLines, read_text
from asl_pbcg.kernel.rules_print import program_stamp
from asl_pbcg.kernel.state_cache import cache_file, write_cache

_ENDING = ".lines"
_FEW = 64
"""So many new lines are read again at each opening rather than cached."""
_NUMBER = 4
"""Bytes of a number: first the length of what was read, then its CRC-32."""
_DECODER = msgspec.json.Decoder(KnownLines, float_hook=fraction)


def read_text_once(content: bytes, path: Path, program: str) -> JournalText:
    """Read a whole file as ``read_text`` does; what was read before is not read again.

    Raises Damaged for the first thing that does not fit.
    """
    states = cache_file(digest(content[: content.find(b"\n") + 1]), program_stamp(program))
    if not states:
        return read_text(content, path)
    file = states.with_suffix(_ENDING)
    known = _load(file, content)
    text = read_text(content, path, known)
    if len(text.heads) >= _FEW + (len(known.heads) if known else 0):
        stored = msgspec.json.encode(text.known_lines())
        numbers = (
            len(stored).to_bytes(_NUMBER, "big"),
            zlib.crc32(stored).to_bytes(_NUMBER, "big"),
        )
        with contextlib.suppress(OSError):
            write_cache(file, b"".join((*numbers, stored, content[: text.size])))
    return text


def _load(file: Path, content: bytes) -> KnownLines | None:
    """Return what was cached of lines that ``content`` begins with; None without any."""
    try:
        cached = file.read_bytes()
        ends = 2 * _NUMBER + int.from_bytes(cached[:_NUMBER], "big")
        stored = memoryview(cached)[2 * _NUMBER : ends]
        if zlib.crc32(stored) != int.from_bytes(cached[_NUMBER : 2 * _NUMBER], "big"):
            return None
        known = _DECODER.decode(stored)
    except (OSError, ValueError, NotCanonical):
        return None
    same = len(cached) - ends == known.size and content.startswith(cached[ends:])
    return known if same else None
