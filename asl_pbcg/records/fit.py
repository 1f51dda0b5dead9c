"""Sharing the width of a page among columns so that no word and no number is broken."""

from __future__ import annotations

from collections.abc import Sequence


def share(wanted: Sequence[float], needed: Sequence[float], total: float) -> list[float] | None:
    """Column widths that add up to ``total``: in proportion to ``wanted``, none below ``needed``.

    All in points. None if what is needed is more than ``total``.
    """
    if sum(needed) > total:
        return None
    fixed: dict[int, float] = {}
    while True:
        left = total - sum(fixed.values())
        scale = left / (sum(w for i, w in enumerate(wanted) if i not in fixed) or 1)
        narrow = {
            i: needed[i] for i, w in enumerate(wanted) if i not in fixed and w * scale < needed[i]
        }
        if not narrow:
            break
        fixed |= narrow
    widths = [fixed.get(i, w * scale) for i, w in enumerate(wanted)]
    short = total - sum(widths)  # every column may have ended up at what it needs
    return [width + short * width / sum(widths) for width in widths] if short > 0.01 else widths


def squeeze(wanted: Sequence[float], needed: Sequence[float], total: float) -> list[float]:
    """Column widths when not everything fits: what is needed, shrunk; long words will break."""
    bases = [max(w, 0.1) for w in needed] if sum(needed) else list(wanted)
    return [base * total / sum(bases) for base in bases]


def settle(
    widths: Sequence[float],
    needed: Sequence[float],
    natural: Sequence[float],
    rows: Sequence[int],
) -> list[float]:
    """Give width that no text uses to columns whose texts wrap, first where most rows do.

    ``natural`` is the width in which nothing in a column would wrap, ``rows`` how many rows are
    about that wide. A column keeps two thirds of its width, as room to write by hand.
    """
    settled = list(widths)
    spare = [
        max(0.0, have - max(need, want, have * 2 / 3))
        for have, need, want in zip(widths, needed, natural, strict=True)
    ]
    left = total = sum(spare)
    for place in sorted(range(len(settled)), key=lambda place: -rows[place]):
        more = min(left, max(0.0, natural[place] - settled[place]))
        settled[place] += more
        left -= more
    given = (total - left) / total if total else 0.0
    return [have - more * given for have, more in zip(settled, spare, strict=True)]
