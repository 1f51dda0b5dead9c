"""Where nothing happens: the script of it, and how a fire phase sees that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from asl_pbcg.st.terms import BRITISH, SideName

if TYPE_CHECKING:
    from asl_pbcg.kernel.prompts import Script
    from asl_pbcg.st.rules.whereabouts import Whereabouts


def _nothing() -> Script[None]:
    """Have no step."""
    yield from ()


NOTHING: Final = _nothing()
"""The script of what does not happen. It is over, so anybody may go through it at any time: most
that could happen does not, and a procedure that sees it at once need not begin one of its own."""
for _ in NOTHING:
    pass


def places_in_reach(where: Whereabouts, side: SideName) -> list[str]:
    """The places of ``side`` with an enemy in them or next to them, in bunkers too. ST-FIR-01."""
    ours, enemies = where.british, where.german
    if side != BRITISH:
        ours, enemies = enemies, ours
    enemy_places, within = frozenset(enemies), where.rules.within
    return [place for place in ours if not enemy_places.isdisjoint(within[place])]
