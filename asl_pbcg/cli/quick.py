"""Reading plain command-line values without pydantic.

Recent versions of typer load pydantic, which costs as much as everything else at start-up, to turn
any value into text, a number or a path. Here plain values are read directly; whatever is not plain
is left to typer.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from typer import BadParameter


def _flag(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in ("1", "true", "t", "yes", "y", "on")
    return bool(value)


_PLAIN: Final[dict[Any, tuple[Callable[[Any], Any], bool]]] = {
    bool: (_flag, False),
    str: (str, False),
    int: (int, False),
    Path: (Path, False),
    list[str]: (str, True),
    list[Path]: (Path, True),
}
"""By annotation: what reads one value, and whether there may be several."""

_CHECKS: Final = ("parser", "click_type", "exists", "resolve_path", "writable", "clamp")
"""What typer may be asked to do with a value beyond reading it."""


class PlainParam:
    """Reads the values of one parameter, in place of typer's own reader."""

    def __init__(self, annotation: Any, least: float | None, most: float | None) -> None:
        self._read, self._several = _PLAIN[annotation]
        self._least = least
        self._most = most

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Turn what was typed, or the default, into a value. Raises BadParameter."""
        if value is None:
            return () if self._several else None
        if self._several:
            return [self._read(item) for item in value]
        try:
            found = self._read(value)
        except ValueError as error:
            raise BadParameter(f'"{value}" is no whole number.', ctx=ctx, param=param) from error
        if (self._least is not None and found < self._least) or (
            self._most is not None and found > self._most
        ):
            said = f"{found} is not from {self._least} to {self._most}."
            raise BadParameter(said, ctx=ctx, param=param)
        return found


def quicken(command: Any, ctx: Any) -> None:
    """Let a command, and the commands under it, read plain parameters without pydantic."""
    for param in command.get_params(ctx):
        descriptor: Any = getattr(param, "type_descriptor", None)
        info: Any = getattr(descriptor, "parameter_info", None)
        if info is None or getattr(param, "_runtime_param", True) is not None:
            continue  # a version of typer that does without
        if descriptor.annotation in _PLAIN and not any(getattr(info, key, None) for key in _CHECKS):
            param._runtime_param = PlainParam(descriptor.annotation, info.min, info.max)
    for below in getattr(command, "commands", {}).values():
        quicken(below, ctx)
