"""Reading text files that players give: whatever they hold, one sentence and no harm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import reason

LIMIT = 4 * 1024 * 1024  # bytes; a position of a whole campaign stays far below
_DEPTH = 40  # nested lists and keys; our own formats need five


def read_limited(path: Path, limit: int = LIMIT) -> bytes:
    """The bytes of ``path``; raises PBCGError if it is missing, a folder or over ``limit``."""
    try:
        if path.is_dir():
            raise PBCGError(f"{path} is a folder, not a file.")
        with path.open("rb") as stream:
            content = stream.read(limit + 1)
    except OSError as error:
        raise PBCGError(f"{path} could not be read: {reason(error)}.") from error
    if len(content) > limit:
        raise PBCGError(f"{path} is too large: {limit // (1024 * 1024)} MB is the most.")
    return content


def read_text(path: Path, limit: int = LIMIT) -> str:
    """The text of ``path``, which must be UTF-8."""
    content = read_limited(path, limit)
    if b"\0" in content:
        raise PBCGError(f"{path} is no text file.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PBCGError(f"{path}, line {line}: this is not UTF-8 text.") from error


def read_yaml_or_json(path: Path) -> Any:
    """What the YAML or JSON file ``path`` holds, told apart by its suffix."""
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
    import yaml

    try:
        depth = 0
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            start: Any = event.start_mark
            mark = f"{source}, line {start.line + 1}"
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise PBCGError(f"{mark}: anchors and aliases (& and *) are not used here.")
            if getattr(event, "tag", None):
                raise PBCGError(f"{mark}: tags (!) are not used here.")
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEPTH:
                raise PBCGError(f"{mark}: this is nested too deeply.")
        return yaml.load(text, Loader=_plain_loader(source))
    except yaml.MarkedYAMLError as error:
        place = error.problem_mark or error.context_mark
        where = f"{source}, line {place.line + 1}" if place else source
        raise PBCGError(f"{where}: this is not YAML ({error.problem}).") from error
    except yaml.YAMLError as error:
        raise PBCGError(f"{source} is not YAML: it holds a forbidden character.") from error
    except (RecursionError, ValueError) as error:
        raise PBCGError(f"{source} is not YAML that can be read here.") from error


_LOADERS: dict[str, Any] = {}


def _plain_loader(source: str) -> Any:
    import yaml

    if "plain" not in _LOADERS:
        base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

        class Plain(base):  # type: ignore[misc]
            """Only the scalars our formats use."""

            source = ""
            yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012

            def construct_mapping(self, node: Any, deep: bool = False) -> Any:
                seen = set()
                for key, _ in node.value:
                    if key.value in seen if isinstance(key.value, str) else True:
                        mark = f"{self.source}, line {key.start_mark.line + 1}"
                        what = (
                            f"{key.value} is written twice"
                            if isinstance(key.value, str)
                            else "a key must be plain text"
                        )
                        raise PBCGError(f"{mark}: {what}.")
                    seen.add(key.value)
                return super().construct_mapping(node, deep)

        import re

        for tag, pattern, first in (
            ("bool", r"true|false", "tf"),
            ("int", r"[-+]?\d{1,18}", "-+0123456789"),
            ("float", r"[-+]?\d{1,18}\.\d{1,18}", "-+0123456789"),
            ("null", r"null|~|", ["n", "~", ""]),
        ):
            Plain.add_implicit_resolver(
                f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first)
            )
        # Our whole numbers are decimal even with a leading zero.
        Plain.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
        _LOADERS["plain"] = Plain
    return type("Plain", (_LOADERS["plain"],), {"source": source})
