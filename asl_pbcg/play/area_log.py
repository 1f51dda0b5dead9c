"""Lines of the log of an area game, as front ends tell them."""

from __future__ import annotations

from asl_pbcg.kernel.views import LogLine
from asl_pbcg.st.picture.captions import PRINTED, effect_words


def came_to(line: LogLine) -> tuple[str, str]:
    """Of a roll's line what was rolled for, and what it came to."""
    rolled = line.roll
    assert rolled
    what = line.text.removesuffix(f": {rolled}")
    return what, effect_words(line.point, what, rolled.result, rolled.says)


def log_text(line: LogLine, dice: bool = True) -> str:
    """Return a line of the log in one line; a roll with what the table prints and what that does.

    Without ``dice`` for who sees them beside it.
    """
    rolled = line.roll
    if rolled is None or not line.text.endswith(f": {rolled}"):
        return line.text
    what, effect = came_to(line)
    printed = rolled.says or rolled.result
    faces = str(rolled).removesuffix(f": {printed}") + ": " if dice else ""
    if line.point in PRINTED:
        return f"{what}: {faces}{printed} ({effect})"
    return f"{what}: {faces}{effect}"
