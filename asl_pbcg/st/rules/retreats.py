"""Retreat after hand-to-hand combat. Rule: ST-H2H-18 to ST-H2H-20, AMB-41, AMB-94, AMB-114."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from asl_pbcg.kernel.prompts import Option, Script
from asl_pbcg.st.area_terms import BRITISH, GERMAN, SideName, other
from asl_pbcg.st.board.geometry import FAR
from asl_pbcg.st.rules.decision import decide, note
from asl_pbcg.st.rules.fire import crews
from asl_pbcg.st.rules.game_state import Unit
from asl_pbcg.st.rules.losses import suppress
from asl_pbcg.st.rules.move import carry_mg
from asl_pbcg.st.rules.phase_situation import Situation
from asl_pbcg.st.rules.vehicles import has_room


def retreat_side(sit: Situation, area: str, side: SideName) -> Script[None]:
    """The side leaves ``area`` for one area without enemies, or is suppressed. ST-H2H-18, 20."""
    units = [unit for unit in sit.at(side, area) if unit.combat or unit.kind == "leader"]
    units.sort(key=lambda unit: unit.id)
    open_to = retreat_areas(sit, area, side, units)
    if not open_to:
        yield note(
            sit, f"The {side.title()}s cannot retreat.".replace("Britishs", "British"), "ST-H2H-20"
        )
        for unit in units:
            yield from suppress(sit, unit.id)
        return
    if side == GERMAN:
        there = min(open_to, key=_german_liking(sit, area)) if len(open_to) > 1 else open_to[0]
    elif len(open_to) == 1:
        there = open_to[0]
    else:
        there = yield decide(
            "retreat",
            f"The British in {sit.geo.text(area)} retreat. Where to?",
            rule="ST-H2H-18",
            situation=sit,
            ids=tuple(open_to),
            build=lambda: [Option(id, sit.geo.text(id)) for id in open_to],
            pieces=tuple(unit.id for unit in units),
        )
    guns = sit.weapons_at(GERMAN, area, "mg") if side == GERMAN else []
    bearers = crews([unit for unit in units if unit.combat], len(guns))
    for unit in units:
        sit.put(unit.id, there)
    for unit, gun in zip(bearers, guns, strict=False):
        carry_mg(sit, unit.id, gun.id)
    who = "British" if side == BRITISH else "Germans"
    yield note(sit, f"The {who} retreat to {sit.geo.text(there)}.", "ST-H2H-18")


def retreat_areas(sit: Situation, area: str, side: SideName, units: list[Unit]) -> list[str]:
    """The adjacent areas without enemies that ``side`` can retreat to, in id order. ST-H2H-18."""
    found = []
    for there in sorted(sit.geo.solid[area]):
        if sit.is_occupied(other(side), there):
            continue
        if sit.bridge == "destroyed":
            if there == sit.geo.pegasus:
                continue
            if area == sit.geo.pegasus and any(
                unit.bank and unit.bank != sit.bank_of(there) for unit in units
            ):
                continue
        infantry = sum(unit.combat for unit in units)
        if side == GERMAN and infantry and not has_room(sit, there, infantry):
            continue
        found.append(there)
    return found


def _german_liking(sit: Situation, here: str) -> Callable[[str], tuple[bool, int, str]]:
    """Obstructed first, then nearest to the Germans elsewhere, then id. Rule: AMB-41."""
    germans = map(sit.units.__getitem__, chain.from_iterable(sit.german.values()))
    friends = {unit.area for unit in germans if not unit.face_down and unit.combat} - {here}

    def liking(there: str) -> tuple[bool, int, str]:
        away = sit.geo.away(there)
        nearest = min([away.get(area, FAR) for area in friends], default=FAR)
        return (not sit.is_obstructed(there), nearest, there)

    return liking
