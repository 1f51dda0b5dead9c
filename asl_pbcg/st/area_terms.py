"""Words of the area game: sides, kinds of unit, phases. Rule: ST-GEN-04, ST-SEQ-01."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

SideName = Literal["british", "german"]
BRITISH: Final = "british"
GERMAN: Final = "german"

Kind = Literal[
    "leader", "platoon", "squad", "sapper", "hq", "garrison", "infantry", "tank", "mercedes"
]
WeaponKind = Literal["mg", "at", "piat", "gammon"]
Mode = Literal["historical", "full_history", "variable"]
Difficulty = Literal["easy", "medium", "hard"]

COMBAT_KINDS: Final = frozenset({"platoon", "squad", "sapper", "hq", "garrison", "infantry"})
"""Combat units: infantry, sappers and HQ of both sides. Rule: ST-GEN-04."""
BRITISH_INFANTRY: Final = frozenset({"platoon", "squad"})
"""British infantry, which alone throws grenades; not sappers or HQ. Rule: ST-GRE-02, ST-FIR-15."""
GERMAN_INFANTRY: Final = frozenset({"garrison", "infantry"})
VEHICLES: Final = frozenset({"tank", "mercedes"})


class PhaseTerm(NamedTuple):
    """A phase: its name in the program, its title, its rule."""

    name: str
    title: str
    rule: str


PHASES: Final = (
    PhaseTerm("glider_landing", "Glider Landing Phase", "ST-GLI-01"),
    PhaseTerm("suppression_removal", "Suppression Removal Phase", "ST-SUP-05"),
    PhaseTerm("british_movement", "British Movement Phase", "ST-SEQ-04"),
    PhaseTerm("german_movement", "German Movement Phase", "ST-GMV-01"),
    PhaseTerm("british_fire", "British Fire Phase", "ST-SEQ-11"),
    PhaseTerm("german_fire", "German Fire Phase", "ST-SEQ-13"),
    PhaseTerm("hand_to_hand", "Hand-to-Hand Combat Phase", "ST-SEQ-14"),
    PhaseTerm("prepared_positions", "Prepared Position Phase", "ST-SEQ-15"),
    PhaseTerm("bridge", "Bridge Disarming/Repair Phase", "ST-SEQ-16"),
)
"""The nine phases of a turn in their order; the first is played on turn 1 only."""


def other(side: str) -> SideName:
    """Name the enemy of ``side``."""
    return GERMAN if side == BRITISH else BRITISH
