"""CG17 Walking Wounded: how many MMC there can be in the box."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from asl_pbcg.campaign.catalogue import MMC, Catalogue, InfantryType
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import Fault

HalfSquads = dict[str, int]
"""By British squad type, how many HS the MMC that belong to it are worth."""


def too_many_wounded(state: Campaign, position: Position, catalogue: Catalogue) -> Iterator[Fault]:
    """Yield faults for more MMC in the Walking Wounded box than were lost. Rule: CG17."""
    lost = half_squads(catalogue, state.ww_box.items())
    listed = {entry.id: entry for entry in position.units}
    for piece in state.of(Side.BRITISH):
        if not piece.airborne or piece.kind not in MMC or piece.has(UnitStatus.WALKING_WOUNDED):
            continue
        family, count = _family(catalogue, piece.type)
        lost[family] = lost.get(family, 0) + count
        entry = listed.get(piece.id)
        if entry and UnitStatus.WALKING_WOUNDED not in entry.status:
            # Replaced or not, what is left of it is no longer missing.
            lost[family] -= _family(catalogue, entry.type)[1]
    there = half_squads(catalogue, ((box.type, box.count) for box in position.ww_box))
    for family, count, missing in beyond(there, lost, catalogue):
        yield Fault(
            "ww_box",
            family,
            f"holds {squad_words(count)} squad-equivalents, but {squad_words(missing)} "
            "Airborne ones are missing from the map (CG17)",
        )


def half_squads(catalogue: Catalogue, types: Iterable[tuple[str, int]]) -> HalfSquads:
    """Return British MMC, given by type and number, by their squad types."""
    found: HalfSquads = {}
    for type, number in types:
        family, count = _family(catalogue, type)
        found[family] = found.get(family, 0) + count * number
    return found


def beyond(
    there: HalfSquads, lost: HalfSquads, catalogue: Catalogue
) -> Iterator[tuple[str, int, int]]:
    """Yield each squad type with more MMC in the box than those ``lost`` can have become.

    With it what is in the box and what was lost, in HS.
    """
    lost = {**lost}
    for family, count in there.items():
        able = [each for each in lost if family in _replacements(catalogue, each)]
        missing = sum(lost[each] for each in able)
        if count > missing:
            yield family, count, missing
        for each in sorted(able, key=lambda each: each != family):  # its own first
            taken = min(count, lost[each])
            count -= taken
            lost[each] -= taken


def _replacements(catalogue: Catalogue, family: str) -> set[str]:
    """A British squad type and all that its Replacement in play can make of it. Rule: A19.13."""
    found = {family}
    known = catalogue.find(family, Side.BRITISH)
    while isinstance(known, InfantryType) and known.replaced_by not in ("", *found):
        found.add(known.replaced_by)
        known = catalogue.find(known.replaced_by, Side.BRITISH)
    return found


def squad_words(half_squads: int) -> str:
    """Return HS as squad-equivalents: 2½."""
    whole, half = divmod(max(0, half_squads), 2)
    return f"{whole or ''}½" if half else str(whole)


def _family(catalogue: Catalogue, type: str) -> tuple[str, int]:
    """The squad type a squad or HS belongs to, and how many HS it is worth."""
    found = catalogue.find(type, Side.BRITISH)
    if isinstance(found, InfantryType):
        squad = catalogue.squad_of(type, Side.BRITISH)
        return (squad.name if squad else type), found.hs_equivalents
    return type, 0
