"""Reading text files that players give: whatever they hold, one sentence and no harm."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import reason
from asl_pbcg.kernel.reader import plain_dashes
from asl_pbcg.kernel.slow_libraries import yaml

BYTE_ORDER_MARK = "\ufeff"
"""It begins a text that spreadsheets should take for UTF-8; ``decode_text`` leaves it out."""
LIMIT = 4 * 1024 * 1024  # bytes; a position of a whole campaign stays far below
_DEPTH = 40  # nested lists and keys; our own formats need five
_NODES = 100_000  # lists, keys and values of one YAML file
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_WHOLE = re.compile(r"[-+]?\d{1,18}", re.ASCII)
_BROKEN = re.compile(r"[-+]?\d{1,18}\.\d{1,18}", re.ASCII)


def read_limited(path: Path, limit: int = LIMIT) -> bytes:
    """The bytes of ``path``; raises PBCGError if it is missing, a folder or over ``limit``."""
    try:
        if path.is_dir():
            raise PBCGError(f"{path} is a folder, not a file.")
        if path.exists() and not path.is_file():
            raise PBCGError(f"{path} is not a file but a pipe or a device.")
        with path.open("rb") as stream:
            content = stream.read(limit + 1)
    except OSError as error:
        raise PBCGError(f"{path} could not be read: {reason(error)}.") from error
    except ValueError as error:
        raise PBCGError(f"{str(path)[:80]!r} is not a name of a file.") from error
    if len(content) > limit:
        raise PBCGError(f"{path} is too large: {limit // (1024 * 1024)} MB is the most.")
    return content


def read_text(path: Path, limit: int = LIMIT) -> str:
    """Return the text of ``path``, which must be UTF-8."""
    return decode_text(read_limited(path, limit), str(path))


def decode_text(content: bytes, source: str) -> str:
    """Return the text that is in the bytes of ``source``, which must be UTF-8, dashes as hyphens.

    Raises PBCGError that says how to save a text in another encoding.
    """
    if _is_utf_16(content):
        raise PBCGError(
            f'{source} is UTF-16 text ("Unicode" in some editors): open it in a text editor and '
            "save it as UTF-8."
        )
    if b"\0" in content:
        raise PBCGError(f"{source} is not a text file.")
    try:
        return plain_dashes(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PBCGError(
            f"{source}, line {line}: this is not UTF-8 text. Open it in a text editor and save it "
            "as UTF-8."
        ) from error


def _is_utf_16(content: bytes) -> bool:
    """Whether bytes begin with the mark of UTF-16, or as plain letters of it without one."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    pairs = content[:64]
    halves = (pairs[0::2], pairs[1::2])
    return len(pairs) >= 4 and any(
        not half.strip(b"\0") and b"\0" not in other for half, other in (halves, halves[::-1])
    )


def read_yaml_or_json(path: Path) -> Any:
    """Read the YAML or JSON file ``path``; its suffix says which it is."""
    return parse_yaml_or_json(read_text(path), str(path))


def parse_yaml_or_json(text: str, source: str) -> Any:
    """Read the text of the YAML or JSON file ``source``; its suffix says which it is."""
    if not text.strip():
        raise PBCGError(f"{source} is empty.")
    return parse_json(text, source) if source.endswith(".json") else parse_yaml(text, source)


def parse_json(text: str, source: str) -> Any:
    """Read JSON; a key written twice, NaN and endless nesting are refused."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise PBCGError(f"{source}: {key} is written twice.")
            found[key] = value
        return found

    def refuse(constant: str) -> None:
        raise PBCGError(f"{source}: {constant} is not a number.")

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise PBCGError(
            f"{source}, line {error.lineno}: this is not JSON ({error.msg.lower()})."
        ) from error
    except RecursionError as error:
        raise PBCGError(f"{source} is nested too deeply.") from error
    except ValueError as error:
        raise PBCGError(f"{source} holds a number that is too long.") from error


def parse_yaml(text: str, source: str) -> Any:
    """Read plain YAML: lists, keys, text, whole numbers, true and false.

    Anchors, aliases and tags are refused (they can make a small file enormous), as are keys
    written twice. Only ``true`` and ``false`` are booleans, and a date stays text.
    """
    try:
        events = yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        return _PlainNodes(events, source).document()
    except yaml.MarkedYAMLError as error:
        place = error.problem_mark or error.context_mark
        where = f"{source}, line {place.line + 1}" if place else source
        if "nesting" in str(error.problem):  # newer parsers have a limit of their own
            raise PBCGError(f"{where}: this is nested too deeply.") from error
        raise PBCGError(f"{where}: this is not YAML ({error.problem}).") from error
    except yaml.YAMLError as error:
        raise PBCGError(f"{source} is not YAML: it holds a forbidden character.") from error
    except (RecursionError, ValueError) as error:
        raise PBCGError(f"{source} is not YAML that can be read here.") from error


class _PlainNodes:
    """Reads YAML events as plain lists, keys and values."""

    def __init__(self, events: Iterable[Any], source: str) -> None:
        self._events = iter(events)
        self._source = source
        self._count = 0

    def document(self) -> Any:
        """Read the one document that there is; None if it is empty. Raises PBCGError."""
        content: Any = None
        documents = 0
        for event in self._events:
            if _kind(event) == "DocumentStart":
                documents += 1
                if documents > 1:
                    raise self._fault(event, "a second document begins here (---); write one")
            elif _kind(event) not in ("StreamStart", "StreamEnd", "DocumentEnd"):
                content = self._node(event, 1)
        return content

    def _node(self, event: Any, depth: int) -> Any:
        """Read what begins with an event, in lists and mappings that are ``depth`` deep."""
        self._check(event)
        if _kind(event) == "Scalar":
            return _scalar(event.value) if event.implicit[0] else event.value
        if depth > _DEPTH:
            raise self._fault(event, "this is nested too deeply")
        return self._list(depth) if _kind(event) == "SequenceStart" else self._mapping(depth)

    def _list(self, depth: int) -> list[Any]:
        items = []
        while _kind(event := next(self._events)) != "SequenceEnd":
            items.append(self._node(event, depth + 1))
        return items

    def _mapping(self, depth: int) -> dict[Any, Any]:
        values: dict[Any, Any] = {}
        while _kind(event := next(self._events)) != "MappingEnd":
            if _kind(event) != "Scalar":
                self._check(event)
                raise self._fault(event, "a key must be plain text")
            key = self._node(event, depth)
            if key in values:
                raise self._fault(event, f"{event.value} is written twice")
            values[key] = self._node(next(self._events), depth + 1)
        return values

    def _check(self, event: Any) -> None:
        if event.anchor:  # of an alias too
            raise self._fault(event, "anchors and aliases (& and *) are not used here")
        if event.tag:
            raise self._fault(event, "tags (!) are not used here")
        self._count += 1
        if self._count > _NODES:
            raise PBCGError(f"{self._source} holds far too many entries.")

    def _fault(self, event: Any, wrong: str) -> PBCGError:
        return PBCGError(f"{self._source}, line {event.start_mark.line + 1}: {wrong}.")


def _kind(event: Any) -> str:
    return type(event).__name__.removesuffix("Event")


def _scalar(text: str) -> Any:
    """A value written without quotes; numbers are decimal even with a leading zero."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "-+0123456789":
        if _WHOLE.fullmatch(text):
            return int(text)
        if _BROKEN.fullmatch(text):
            return float(text)
    return text
