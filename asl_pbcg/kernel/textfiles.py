"""Reading text files that players give: whatever they hold, one sentence and no harm."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import reason
from asl_pbcg.kernel.lazy_import import lazy_import

if TYPE_CHECKING:
    import json

    import yaml
else:
    json = lazy_import("json")
    yaml = lazy_import("yaml")


LIMIT = 4 * 1024 * 1024  # bytes; a position of a whole campaign stays far below
_DEPTH = 40  # nested lists and keys; our own formats need five
_NODES = 100_000  # lists, keys and values of one YAML file
_NO_KEY = object()
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_WHOLE = re.compile(r"[-+]?\d{1,18}", re.ASCII)
_BROKEN = re.compile(r"[-+]?\d{1,18}\.\d{1,18}", re.ASCII)


def read_limited(path: Path, limit: int = LIMIT) -> bytes:
    """The bytes of ``path``; raises PBCGError if it is missing, a folder or over ``limit``."""
    try:
        if path.is_dir():
            raise PBCGError(f"{path} is a folder, not a file.")
        if path.exists() and not path.is_file():
            raise PBCGError(f"{path} is no file but a pipe or a device.")
        with path.open("rb") as stream:
            content = stream.read(limit + 1)
    except OSError as error:
        raise PBCGError(f"{path} could not be read: {reason(error)}.") from error
    except ValueError as error:
        raise PBCGError(f"{str(path)[:80]!r} is no name of a file.") from error
    if len(content) > limit:
        raise PBCGError(f"{path} is too large: {limit // (1024 * 1024)} MB is the most.")
    return content


def read_text(path: Path, limit: int = LIMIT) -> str:
    """Return the text of ``path``, which must be UTF-8."""
    content = read_limited(path, limit)
    if b"\0" in content:
        raise PBCGError(f"{path} is no text file.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PBCGError(f"{path}, line {line}: this is not UTF-8 text.") from error


def read_yaml_or_json(path: Path) -> Any:
    """Read the YAML or JSON file ``path``; its suffix says which it is."""
    text = read_text(path)
    if not text.strip():
        raise PBCGError(f"{path} is empty.")
    return parse_json(text, str(path)) if path.suffix == ".json" else parse_yaml(text, str(path))


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
        raise PBCGError(f"{source}: {constant} is no number.")

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
        return _build(events, source)
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


def _build(events: Iterable[Any], source: str) -> Any:
    """Read a stream of YAML events in one pass, so that a large file stays cheap."""
    found: Any = None
    documents = nodes = 0
    open_parts: list[Any] = []
    waiting: list[Any] = []  # for each open part the key whose value comes next

    def fail(event: Any, wrong: str) -> PBCGError:
        return PBCGError(f"{source}, line {event.start_mark.line + 1}: {wrong}.")

    for event in events:
        kind = event.__class__
        if kind is yaml.ScalarEvent:
            value = _scalar(event.value) if event.implicit[0] else event.value
        elif kind is yaml.SequenceStartEvent:
            value = []
        elif kind is yaml.MappingStartEvent:
            value = {}
        elif kind is yaml.AliasEvent:
            raise fail(event, "anchors and aliases (& and *) are not used here")
        elif kind is yaml.SequenceEndEvent or kind is yaml.MappingEndEvent:
            open_parts.pop()
            waiting.pop()
            continue
        else:
            documents += kind is yaml.DocumentStartEvent
            if documents > 1:
                raise fail(event, "a second document begins here (---); write one")
            continue
        if event.anchor:
            raise fail(event, "anchors and aliases (& and *) are not used here")
        if event.tag:
            raise fail(event, "tags (!) are not used here")
        nodes += 1
        if nodes > _NODES:
            raise PBCGError(f"{source} holds far too many entries.")
        if not open_parts:
            found = value
        elif open_parts[-1].__class__ is list:
            open_parts[-1].append(value)
        elif waiting[-1] is _NO_KEY:
            if kind is not yaml.ScalarEvent:
                raise fail(event, "a key must be plain text")
            if value in open_parts[-1]:
                raise fail(event, f"{event.value} is written twice")
            waiting[-1] = value
        else:
            open_parts[-1][waiting[-1]] = value
            waiting[-1] = _NO_KEY
        if kind is not yaml.ScalarEvent:
            open_parts.append(value)
            waiting.append(_NO_KEY)
            if len(open_parts) > _DEPTH:
                raise fail(event, "this is nested too deeply")
    return found


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
