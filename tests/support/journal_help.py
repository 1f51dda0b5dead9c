"""What tests do to campaign files by hand, as somebody would who knows how they are made."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Lines = list[dict[str, Any]]


def canonical(value: Any) -> bytes:
    """JSON with sorted keys, no white space, UTF-8."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def raw_lines(path: Path) -> Lines:
    """The lines of a file, the first one too, as they are stored."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def write_lines(path: Path, lines: Lines, chained: bool = True) -> None:
    """Put lines in place of those of a file; ``chained`` computes numbers and chain again."""
    content = head = b""
    for number, line in enumerate(lines, 1):
        if chained and number > 1:
            line = {**line, "n": number, "prev": hashlib.sha256(head).hexdigest()}
        head = canonical(line) + b"\n"
        content += head
    path.write_bytes(content)


def rewrite(path: Path, change: Callable[[Lines], None]) -> None:
    """Change the lines of a file and compute its whole chain again: only a witness can tell."""
    lines = raw_lines(path)
    change(lines)
    write_lines(path, lines)


def opened(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry without its veil."""
    if "veil" not in entry:
        return entry
    found: dict[str, Any] = json.loads(base64.b64decode(entry["veil"]))
    return {**found, "side": entry.get("side", ""), "secret": True}


def veiled(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry under its veil, if it is secret."""
    if not entry.pop("secret", False):
        return entry
    side = entry.pop("side", "")
    veil = {"veil": base64.b64encode(canonical(entry)).decode()}
    return {**veil, "side": side} if side else veil


def change_entry(
    lines: Lines, change: Callable[[dict[str, Any]], None], which: Callable[[dict[str, Any]], bool]
) -> None:
    """Change the first entry of which ``which`` is true, under its veil too."""
    for line in lines[1:]:
        for at, entry in enumerate(line["entries"]):
            plain = opened(entry)
            if which(plain):
                change(plain)
                line["entries"][at] = veiled(plain)
                return
    raise AssertionError("no such entry")
