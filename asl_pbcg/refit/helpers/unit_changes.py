"""Changes of units: Deployed, Replaced, Reduced, hardened, Eliminated; recovery of the wounded.

Wounded leaders on the map recover in 9.610, those off map with 9.611 in secret. Rule: 9.6101.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from asl_pbcg.campaign.module.campaign_tables import WoundedLeader, table
from asl_pbcg.campaign.module.catalogue import MMC, SMC, InfantryType
from asl_pbcg.campaign.module.frame import UNITS
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.scenario.victory import prisoner_times
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told
from asl_pbcg.campaign.state.piece_changes import (
    add_pieces,
    add_status,
    drop_status,
    remove,
    update,
)
from asl_pbcg.campaign.state.piece_events import (
    BattleHardened,
    Deployed,
    Eliminated,
    HeroCreated,
    Recovered,
    Reduced,
    Replaced,
    Wounded,
)
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Roll, Script, ask, paragraph, throw
from asl_pbcg.kernel.topic import IDLE
from asl_pbcg.refit.helpers.catalogue_questions import settle_replacement
from asl_pbcg.refit.helpers.guards import guard_lost
from asl_pbcg.refit.helpers.situation import area_words, in_board_order, is_isolated, is_retained
from asl_pbcg.refit.helpers.subjects import by_name, stack_of

HERO = "1-4-9"


def infantry_type(state: Campaign, piece: Piece) -> InfantryType | None:
    """Return the catalogue entry of a unit, with the players' values; None for other pieces."""
    entry = state.catalogue.find(piece.type, piece.side)
    return entry if isinstance(entry, InfantryType) else None


def stands(state: Campaign, id: str) -> bool:
    """Return whether the piece ``id`` is still in its side's OB."""
    return any(piece.id == id for piece in state.pieces)


def kin(piece: Piece) -> dict[str, Any]:
    """Return what a piece that comes out of ``piece`` has of it: formation, RG and place."""
    return {
        "formation": piece.formation,
        "airborne": piece.airborne,
        "ox_and_bucks": piece.ox_and_bucks,
        "rg": piece.rg,
        "area": piece.area,
        "at": piece.at,
    }


def can_deploy(state: Campaign, piece: Piece) -> bool:
    """Return whether ``piece`` is a squad that two HS can stand for."""
    entry = infantry_type(state, piece)
    return bool(entry and entry.kind == "squad" and entry.half_squad)


def deploy(state: Told, id: str) -> Script[tuple[Told, str]]:
    """Deploy a squad; returns the second HS's id too. Rule: A1.31."""
    squad = state.piece(id)
    after, second = _split_squad(state, id)
    into = (after.piece(id), after.piece(second))
    return (yield from happen(state, after, Deployed(piece=squad, into=into))), second


def _split_squad(state: Campaign, id: str) -> tuple[Campaign, str]:
    """Return the state with a squad as two HS, and the second HS's id; the first keeps all.

    What is true of the squad (Walking Wounded, Encircled and so on) is true of both. Rule: A1.31.
    """
    piece = state.piece(id)
    entry = infantry_type(state, piece)
    assert entry
    assert entry.half_squad
    state = add_pieces(
        state, piece.side, [(entry.half_squad, 1)], status=piece.status, **kin(piece)
    )
    second = state.pieces[-1].id
    return update(state, id, type=entry.half_squad), second


def replace(state: Told, id: str, rule: str) -> Script[Told]:
    """Replace a unit; one that this would Disrupt, or a crew, is Eliminated instead.

    A Hero cannot be Replaced (ruling P-13). A squad whose counter shows an underscored Morale
    Factor becomes two HS of its class. Rule: A19.13, 9.606 note 2; house rule P-28.
    """
    piece = state.piece(id)
    if piece.kind == "hero":
        yield Note(f"{name_piece(piece)} is a Hero and is not Replaced.", rule)
        return state
    state, lesser = yield from settle_replacement(state, piece)
    if lesser:
        after = update(state, id, type=lesser)
        return (
            yield from happen(state, after, Replaced(piece=piece, rule=rule, by=(after.piece(id),)))
        )
    entry = infantry_type(state, piece)
    underscored = bool(entry and entry.underscored and can_deploy(state, piece))
    if underscored and state.plays("P-28", "half-squads"):
        after, second = _split_squad(state, id)
        by = (after.piece(id), after.piece(second))
        return (yield from happen(state, after, Replaced(piece=piece, rule=rule, by=by)))
    why = "its Morale is underscored" if underscored else "it would be Disrupted"
    why = "a crew" if piece.kind == "crew" else why
    return (yield from eliminate(state, id, "Replaced", rule, f" instead of Replaced: {why}"))


def eliminate(
    state: Told, id: str, why: str, rule: str = "", how: str | None = "", step: str = ""
) -> Script[Told]:
    """Eliminate a piece. ``how`` goes on the sentence; None if a note of its own says it.

    Rule: 9.2 Eliminated.
    """
    after = remove(state, id, "eliminated", why, step)
    return (yield from happen(state, after, Eliminated(piece=state.piece(id), rule=rule, how=how)))


def wound_chances(piece: Piece) -> dict[str, Fraction]:
    """Return the chance of each result of the Wound Severity dr of a SMC. Rule: A17.11."""
    severity = UNITS.content.wound_severity
    drm = severity.wounded if piece.has(UnitStatus.WOUNDED) else 0
    gone = Fraction(sum(dr + drm >= severity.eliminated_from for dr in range(1, 7)), 6)
    return {"wounded": 1 - gone, "eliminated": gone}


@paragraph("A17.11")
def _wound_severity(state: Campaign, piece: Piece, point: str, again: str) -> Script[str]:
    """Resolve the result of the Wound Severity dr of a SMC. Rule: A17.11."""
    answer = yield from ask(
        Prompt(
            state=state,
            id=point,
            subject=stack_of([piece], piece.at or piece.area),
            options=(
                Option("wounded", "wounded", again),
                Option("eliminated", "Eliminated"),
            ),
            text=f"{name_piece(piece)} suffers Casualty Reduction: what does its Wound Severity dr "
            "say?",
            help="An SMC that suffers Casualty Reduction makes a Wound Severity dr (A17.11).",
        )
    )
    return answer


def reduce(
    state: Told,
    id: str,
    rule: str,
    point: str,
    first: Callable[[Told], Script[Told]] | None = None,
) -> Script[Told]:
    """Casualty Reduce a unit: a squad becomes its HS, an HS or crew is Eliminated.

    For an SMC its owner gives the result of the Wound Severity dr. ``first`` is resolved before
    the unit is Eliminated. Rule: A7.302, A17.11.
    """
    piece = state.piece(id)
    if piece.kind not in SMC:
        if first is not None and not can_deploy(state, piece):
            state = yield from first(state)
        return (yield from casualty_reduction(state, id, rule))
    again = "+1 drm: it is wounded already" if piece.has(UnitStatus.WOUNDED) else ""
    answer = yield from _wound_severity(state, piece, point, again)
    if answer == "eliminated":
        if first is not None:
            state = yield from first(state)
        after = remove(state, id, "eliminated", rule)
        return (
            yield from happen(state, after, Eliminated(piece=piece, rule=rule, side=piece.side))
        )
    after = add_status(state, id, UnitStatus.WOUNDED)
    return (yield from happen(state, after, Wounded(piece=piece, rule=rule, side=piece.side)))


def harden(state: Told, id: str, rule: str) -> Script[Told]:
    """Battle Harden a unit: the next better type, or Fanatic if there is none.

    Rule: A15.3, 9.6112.
    """
    piece = state.piece(id)
    entry = infantry_type(state, piece)
    after = update(state, id, hardened=state.date)
    to, fanatic = entry.hardens_to if entry else "", False
    if to:
        after = update(after, id, type=to)
    elif piece.kind not in SMC:
        after, fanatic = add_status(after, id, UnitStatus.FANATIC), True
    return (
        yield from happen(
            state, after, BattleHardened(piece=piece, rule=rule, to=to, fanatic=fanatic)
        )
    )


def create_hero(state: Told, id: str, rule: str) -> Script[Told]:
    """Create a Hero out of a unit: a leader becomes heroic, an MMC gets a Hero beside it.

    Rule: A15.2.
    """
    piece = state.piece(id)
    if piece.kind in SMC:
        after, hero = add_status(state, id, UnitStatus.HEROIC), None
    else:
        after = add_pieces(state, piece.side, [(HERO, 1)], **kin(piece))
        hero = after.pieces[-1]
    return (yield from happen(state, after, HeroCreated(piece=piece, rule=rule, hero=hero)))


# -- Casualty VP and Casualty Reduction ------------------------------------------------------------


def casualty_reduction(
    state: Told, id: str, rule: str, lose_equipment: bool = False
) -> Script[Told]:
    """Casualty Reduce a unit: a squad becomes an HS, what is smaller is Eliminated.

    With ``lose_equipment`` what it possesses goes with it. Rule: A7.302.
    """
    piece = state.piece(id)
    entry = state.catalogue.find(piece.type, piece.side)
    if isinstance(entry, InfantryType) and entry.half_squad:
        after = update(state, id, type=entry.half_squad)
        return (
            yield from happen(state, after, Reduced(piece=piece, rule=rule, to=after.piece(id)))
        )
    for item in piece.possesses if lose_equipment else ():
        state = yield from eliminate(state, item, rule, rule, " with its possessor")
    return (yield from eliminate(state, id, rule, rule))


def personnel_vp_lost(before: Campaign, state: Campaign, side: Side) -> int:
    """Return the CVP of the Personnel ``side`` lost between two states, new SMC aside.

    Who became a prisoner counts as ``captured_vp`` says; who was one before was lost then.

    Rule: A26.2; house rule C-30.
    """
    known = {piece.id: piece for piece in before.of(side)}
    lost = sum(cvp_of(before, piece) for piece in known.values() if not piece.is_prisoner)
    for piece in state.of(side):
        old = known.get(piece.id)
        if old and old.is_prisoner:
            continue
        if piece.is_prisoner:
            lost += captured_vp(state, piece)
        if old or piece.kind in MMC:
            lost -= cvp_of(state, piece)
    return max(0, lost)


def captured_vp(state: Campaign, piece: Piece) -> int:
    """Return the CVP that a unit held prisoner costs its side. Rule: A26.222; house rule C-30."""
    return prisoner_times(state) * cvp_of(state, piece)


def cvp_of(state: Campaign, piece: Piece) -> int:
    """Return the CVP of a Personnel piece by the catalogue; 0 for Equipment. Rule: A26.2."""
    entry = state.catalogue.find(piece.type, piece.side)
    return entry.cvp or 0 if isinstance(entry, InfantryType) else 0


@paragraph("9.6101")
def wounded_leaders(state: Told, side: Side | None = None) -> Script[Told]:
    """Roll for each wounded leader Retained on the map, of both sides.

    With ``side`` instead for those that it Retains off map. Rule: 9.6101; ruling C-89.
    """
    wounded = [
        piece
        for piece in state.pieces
        if _is_wounded(state, piece) and side is (None if piece.on_map else piece.side)
    ]
    if not wounded and side is None:
        yield Note("No leader Retained on the map is wounded.", topic=IDLE)
    for piece in in_board_order(state, wounded):
        state = yield from _wounded_leader(state, piece)
    return state


def _is_wounded(state: Campaign, piece: Piece) -> bool:
    """Return whether a piece is a wounded leader who is Retained. Rule: 9.6101, 9.6058."""
    return (
        piece.kind == "leader"
        and piece.has(UnitStatus.WOUNDED)
        and is_retained(state, piece)
        and not piece.is_prisoner
    )


def _wounded_leader(state: Told, piece: Piece) -> Script[Told]:
    """Roll for one leader. Rule: 9.6101."""
    where = area_words(piece.area) if piece.area else piece.at
    rolled = yield from throw(
        Roll(
            state=state,
            id="9.6101",
            subject=by_name(piece),
            text=f"Wounded {name_piece(piece)} in {where}",
            table=table("wounded_leader"),
            given={
                "isolated": is_isolated(state, piece),
                "heroic": piece.has(UnitStatus.HEROIC),
                "british": piece.side is Side.BRITISH,
            },
        )
    )
    if rolled.result == WoundedLeader.UNWOUNDED:
        yield Note(f"{name_piece(piece)} is wounded no longer.", "9.6101", piece.side)
        after = drop_status(state, piece.id, UnitStatus.WOUNDED)
        return (yield from happen(state, after, Recovered(piece=piece)))
    if rolled.result == WoundedLeader.WOUNDED:
        yield Note(f"{name_piece(piece)} stays wounded.", "9.6101", piece.side)
        return state
    yield Note(f"{name_piece(piece)} is evacuated: Eliminated.", "9.6101", piece.side)
    state = yield from guard_lost(state, piece, "9.6101.1")
    state = yield from eliminate(state, piece.id, "evacuated", how=None, step="9.6101")
    for item in piece.possesses:
        yield Note(f"{name_piece(state.piece(item))} is unpossessed now.", "9.6101", piece.side)
    return state
