"""Positions as YAML and JSON text."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

import msgspec

from asl_pbcg.campaign.entry.position_fields import NEITHER, fields_of
from asl_pbcg.campaign.position import FORMAT, LISTS, Position
from asl_pbcg.campaign.terms import CGDate

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._/()+*'-]*", re.ASCII)
# What some reader of YAML takes for something else than text.
_TAKEN = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_WIDTH = 96


def to_yaml(position: Position, neither: Sequence[str] = ()) -> str:
    """The position as YAML, one line per entry; ``neither`` is what nobody Controls."""
    return yaml_text(_data(position, neither), LISTS)


def yaml_text(data: Mapping[str, Any], lists: Container[str]) -> str:
    """Return plain data as YAML: keys, texts and numbers, and ``lists`` with a line per entry."""
    lines = []
    for key, value in data.items():
        if isinstance(value, dict):
            lines.append(f"{key}:")
            for name, item in value.items():
                lines += _wrap(f"  {name}: ", item)
        elif key in lists:
            lines.append(f"{key}:")
            lines += [f"  - {_flow(entry)}" for entry in value]
        else:
            lines += _wrap(f"{key}: ", value)
    return "\n".join(lines) + "\n"


def to_json(position: Position, neither: Sequence[str] = ()) -> str:
    """The position as JSON; ``neither`` is what nobody Controls."""
    return json.dumps(_data(position, neither), indent=1, ensure_ascii=False) + "\n"


def _data(position: Position, neither: Sequence[str]) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(position)
    if neither:
        data["control"] = {**data.get("control", {}), NEITHER: list(neither)}
    return data


def _wrap(head: str, value: Any) -> list[str]:
    """``head`` and a value; a long list goes on below, indented."""
    if not isinstance(value, list | tuple) or len(head) + len(_flow(value)) <= _WIDTH:
        return [f"{head}{_flow(value)}"]
    lines = [f"{head}["]
    indent = " " * (len(head) - len(head.lstrip()) + 2)
    line = indent
    for item in value:
        word = f"{_flow(item)}, "
        if len(line) + len(word) > _WIDTH:
            lines.append(line.rstrip())
            line = indent
        line += word
    lines.append(f"{line.rstrip().removesuffix(',')}]")
    return lines


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    if isinstance(value, str):
        return value if _is_plain(value) else json.dumps(value, ensure_ascii=False)
    return json.dumps(value)


def _is_plain(text: str) -> bool:
    """Whether every reader of YAML takes ``text`` without quotes for this text."""
    if not _PLAIN.fullmatch(text) or text.lower() in _TAKEN or text.endswith(" "):
        return False
    # Numbers in any notation, and dates.
    number = r"0[xob][0-9a-f_]+|[0-9._]+(e[+-]?[0-9]+)?|\d{4}-\d\d?-\d\d?.*"
    return not re.fullmatch(number, text, re.IGNORECASE)


def yaml_template() -> str:
    """An empty position as YAML, with comments that explain the keys."""
    lines = [
        "# A position: what the map looks like when a CG scenario ends.",
        "# Fill in the lists; the lines that begin with # are explanations and may stay.",
        "# Check it with:  pbcg position check FILE",
        f"format: {FORMAT}",
        "",
        f"# The CG Date just played: {', '.join(CGDate)}",
        "date:",
        "",
        "# The Strategic Locations each side Controls; those of SSR PB4 too, Strategic or not.",
        "# Z15 is ground level, Z15/1 first level.",
        "# Example:  british: [Y19, Y20, Z15/1]",
        "control:",
        "  british: []",
        "  german: []",
    ]
    for section, part in LISTS.items():
        lines += ["", f"# {part.__doc__}", f"# Example:  - {EXAMPLES[section]}"]
        for name, field in fields_of(part).items():
            choices = f" One of: {', '.join(field.choices)}." if field.choices else ""
            must = "" if field.required else " (may be left out)"
            about = f" {field.description}" if field.description else ""
            lines.append(f"#   {name}{must}:{about}{choices}")
        lines.append(f"{section}:")
    lines += [
        "",
        "# Casualty VP each side lost in this scenario (9.12).",
        "casualty_vp: {british: 0, german: 0}",
        "",
        "# The side that moved first.",
        "moved_first:",
    ]
    return "\n".join(lines) + "\n"


def json_template() -> str:
    """An empty position as JSON."""
    empty: dict[str, Any] = {
        "format": FORMAT,
        "date": None,
        "control": {"british": [], "german": []},
        **{section: [] for section in LISTS},
        "casualty_vp": {"british": 0, "german": 0},
        "moved_first": None,
    }
    return json.dumps(empty, indent=1) + "\n"


EXAMPLES = {
    "gliders": "{at: X22, state: landed}",
    "fortifications": "{kind: foxhole, at: K11, owner: british, size: 2}",
    "terrain": "{kind: blaze, at: V13}",
    "units": "{id: A-1, side: british, type: 6-4-8, at: Z15/1, status: [broken], "
    "possesses: [LMG 1b]}",
    "equipment": "{id: LMG 1b, side: british, type: LMG, at: Z15/1, status: [malfunctioned]}",
    "vehicles": "{id: PzKpfw IVH 1, side: german, type: PzKpfw IVH, at: Y17, status: [bogged]}",
    "ww_box": "{type: 6-4-8, count: 2}",
}
"""An entry of each list, for templates and guides."""


def schema() -> dict[str, Any]:
    """The JSON Schema of a position file in YAML or JSON."""
    made = msgspec.json.schema(Position, ref_template="#/$defs/{name}")
    keys = made["$defs"]["Position"]["properties"]
    for section in LISTS:
        # A list key with nothing after it is an empty list.
        keys[section]["type"] = ["array", "null"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A position of the Pegasus Bridge campaign games",
        **made,
    }
