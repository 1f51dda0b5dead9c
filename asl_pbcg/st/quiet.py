"""Where nothing happens: the script of it, and how a phase sees that before it opens the state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from asl_pbcg.st.terms import BRITISH, SideName

if TYPE_CHECKING:
    from asl_pbcg.kernel.prompts import Script
    from asl_pbcg.st.rules import Rules
    from asl_pbcg.st.state import State
    from asl_pbcg.st.whereabouts import Whereabouts


def _nothing() -> Script[None]:
    """Have no step."""
    yield from ()


NOTHING: Final = _nothing()
"""The script of what does not happen. It is over, so anybody may go through it at any time: most
that could happen does not, and a procedure that sees it at once need not begin one of its own."""
for _ in NOTHING:
    pass


def last_known(rules: Rules, state: State) -> Whereabouts | None:
    """Who and what was where when the last phase ended, if ``state`` is as it left it.

    It is for a look alone, by a phase in which as good as nothing may be to do.
    """
    last: Whereabouts | None = rules.last_phase
    if last is None or last.ended is None:
        return None
    ended = last.ended
    known = ended.units is state.units and ended.weapons is state.weapons
    return last if known and ended.control is state.control else None


def places_in_reach(where: Whereabouts, side: SideName) -> list[str]:
    """The places of ``side`` with an enemy in them or next to them, in bunkers too. ST-FIR-01."""
    ours, enemies = where.british, where.german
    if side != BRITISH:
        ours, enemies = enemies, ours
    enemy_places, within = frozenset(enemies), where.rules.within
    return [place for place in ours if not enemy_places.isdisjoint(within[place])]
