"""9.611 Recombining and Battle Hardening: 9.6111 HS, 9.6112 Heroes and MMC, 9.6113 Leaders.

``off_map`` resolves 9.6101 and 9.611 for units that a side Retains off map. House
rule C-91 says which HS may stay for a SW MTR.
"""

from __future__ import annotations

from collections.abc import Sequence

from asl_pbcg.campaign.module.catalogue import MMC, WeaponType
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.scenario.scenario_facts import is_held_by_no_move
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, possessor
from asl_pbcg.campaign.state.piece_changes import add_status, drop_status, remove, transfer, update
from asl_pbcg.campaign.state.piece_events import HeroGaveWay, HeroicNoLonger, Recombined
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Infantry, Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, paragraph
from asl_pbcg.kernel.topic import IDLE
from asl_pbcg.refit.helpers.guards import guard_lost, wards_of
from asl_pbcg.refit.helpers.situation import (
    area_words,
    in_board_order,
    is_isolated,
    is_off_map,
    is_retained,
    personnel_in,
)
from asl_pbcg.refit.helpers.subjects import by_name, own_turn, piece_option, side_in
from asl_pbcg.refit.helpers.unit_changes import harden, infantry_type, wounded_leaders

RULE = "9.6111"
WW = UnitStatus.WALKING_WOUNDED
BENEFITS = (UnitStatus.FANATIC, UnitStatus.FREEDOM_OF_MOVEMENT)
"""A squad has these only if both its HS had them; of all else one HS is enough. Ruling P-126."""
Alike = tuple[str, bool, str, bool, tuple[bool, bool]]
"""HS with the same of all this Recombine: type, unarmed, held in, Isolated, formation."""


def recombining_and_battle_hardening(state: Told) -> Script[Told]:
    """Go through 9.6111, 9.6112 and 9.6113 in this order. Rule: 9.611.

    First on the map. What is off map is its side's secret, with 9.6101 for the leaders there: each
    side settles it by itself, and is asked something in any case, so that waiting tells nothing.
    """
    for sub_step in (recombining, heroes, leaders):
        state = yield from sub_step(state)
    for side in state.sides:
        state = yield from own_turn(state, off_map(state, side), side, "9.611")
    return state


@paragraph(RULE)
def recombining(state: Told) -> Script[Told]:
    """Recombine the HS of both sides, area by area, until one of each type is left. Rule: 9.6111.

    Of those on the map; ``off_map`` does the others.
    """
    before = state
    for side in state.sides:
        for area in _areas(state, side):
            if not is_off_map(area):
                state = yield from _in_area(state, side, area)
    if state == before:
        yield Note("No HS must Recombine.", topic=IDLE)
    return state


def off_map(state: Told, side: Side) -> Script[Told]:
    """Resolve 9.6101 and 9.611 for what ``side`` Retains off map. Rule: 9.6101, 9.611."""
    state = yield from wounded_leaders(state, side)
    for area in _areas(state, side):
        if is_off_map(area):
            state = yield from _in_area(state, side, area)
    state = yield from heroes(state, side)
    return (yield from leaders(state, side))


def half_squads(state: Campaign, side: Side, area: str) -> list[Piece]:
    """Return the HS of ``side`` Retained in an area; no prisoners, and none that mans a vehicle."""
    return [
        piece
        for piece in personnel_in(state, side, area)
        if piece.kind == "half_squad" and not piece.aboard
    ]


def _areas(state: Campaign, side: Side) -> list[str]:
    """Return the areas in which ``side`` Retains HS: Setup Areas first."""
    found = {piece.area for piece in state.of(side) if piece.kind == "half_squad" and piece.area}
    return sorted(found, key=lambda area: (is_off_map(area), len(area), area))


def alike(state: Campaign, piece: Piece) -> Alike:
    """Return what two HS must have in common to Recombine, Walking Wounded status aside.

    A No Move counter keeps one in its Location.

    Rule: 9.6111, CG4b; ruling C-90, house rules P-51, P-52.
    """
    held = piece.at if is_held_by_no_move(state, piece, state.board) else ""
    isolated = state.plays("P-52", "apart") and is_isolated(state, piece)
    formation = (piece.airborne, piece.ox_and_bucks)
    if state.plays("P-51", "together"):
        formation = (False, False)
    return (piece.type, piece.has(UnitStatus.UNARMED), held, isolated, formation)


def _in_area(state: Told, side: Side, area: str) -> Script[Told]:
    spare = _spare(state, side, area)
    for pool in _pools(state, side, area):
        if len(pool) > 1:
            state, spare = yield from _pairs(state, pool, spare)
    return (yield from _mixed_pairs(state, side, area))


def _pools(state: Campaign, side: Side, area: str) -> list[list[str]]:
    """Return the HS in an area, those together that must Recombine with each other."""
    pools: dict[tuple[Alike, bool], list[str]] = {}
    for piece in half_squads(state, side, area):
        if state.catalogue.squad_of(piece.type, side):
            pools.setdefault((alike(state, piece), piece.has(WW)), []).append(piece.id)
    return list(pools.values())


def _spare(state: Campaign, side: Side, area: str) -> int:
    """Return how many HS SW MTR may still keep in an area, beyond one of each type.

    Counted of the whole side, those on the map come first: what is off map is secret.

    Rule: 9.6111; house rule P-230.
    """
    if state.plays("P-230", "area"):
        return len(mortars(state, side, area))
    held = {piece.area for piece in state.of(side) if piece.area}
    counted = {
        mortar.id
        for each in held
        if is_off_map(area) or not is_off_map(each)
        for mortar in mortars(state, side, each)
    }
    areas = _areas(state, side)
    before = areas[: areas.index(area)]
    kept = sum(len(pool) - 1 for each in before for pool in _pools(state, side, each))
    return max(0, len(counted) - kept)


def mortars(state: Campaign, side: Side, area: str) -> list[Piece]:
    """Return the SW MTR that ``side`` Retains in an area, malfunctioned or not. Rule: 9.6111."""
    found = []
    for piece in state.of(side):
        holder = possessor(state, piece.id) or piece
        maker = side.other if piece.captured else side
        entry = state.catalogue.find(piece.type, maker)
        if (
            isinstance(entry, WeaponType)
            and entry.kind == "sw"
            and entry.what == "mortar"
            and area in (piece.area, holder.area)
        ):
            found.append(piece)
    return found


# -- Pairs that must Recombine ----------------------------------------------------------------


@paragraph(RULE)
def _pairs(state: Told, pool: list[str], spare: int) -> Script[tuple[Told, int]]:
    """Recombine HS that are alike; returns how many SW MTR may still keep an HS. Rule: 9.6111."""
    alone: list[str] = []
    pool = list(pool)
    while len(pool) > 1:
        partner = yield from _partner(state, pool, alone, spare)
        first = pool.pop(0)
        if partner:
            pool.remove(partner)
            state = yield from recombine(state, first, partner)
        else:
            alone.append(first)
    alone += pool
    if len(alone) > 1:
        kept = [state.piece(id) for id in alone]
        yield Note(
            f"{', '.join(name_piece(piece) for piece in kept)} stay HS in "
            f"{area_words(kept[0].area)}: "
            "one is left over, SW MTR keep the rest.",
        )
    if state.plays("C-91", "any-hs"):
        spare -= max(0, len(alone) - 1)
    return state, spare


def _possible(state: Campaign, pool: Sequence[str], alone: Sequence[str], spare: int) -> bool:
    """Return whether no more than one HS need stay beside those that SW MTR keep.

    House rule C-91.
    """
    odd = len(pool) % 2
    if state.plays("C-91", "any-hs"):
        return len(alone) + odd <= 1 + spare
    others = sum(not _has_mortar(state, id) for id in alone)
    return others + (odd and not any(_has_mortar(state, id) for id in pool)) <= 1


def _has_mortar(state: Campaign, id: str) -> bool:
    piece = state.piece(id)
    held = {each.id for each in mortars(state, piece.side, piece.area)}
    return not held.isdisjoint(piece.possesses)


def _partner(state: Campaign, pool: list[str], alone: list[str], spare: int) -> Script[str]:
    """Settle with which HS of ``pool`` its first one Recombines; empty: it stays HS."""
    first = state.piece(pool[0])
    options = _partners(state, pool, alone, spare)
    legal = [option.id for option in options if not option.refused]
    same = all(_looks(state.piece(id)) == _looks(first) for id in pool)
    if len(legal) == 1 or (same and not spare):
        return "" if legal[0] == "alone" else legal[0]
    chosen = yield from ask(
        Prompt(
            state=state,
            id="9.6111.1",
            subject=by_name(first),
            options=tuple(options),
            default="alone" if "alone" in legal and _may_stay(state, first, spare) else legal[0],
            text=f"{name_piece(first)}{_load(state, first)} in {area_words(first.area)}: with "
            "which HS does it Recombine?",
            help="HS of the same class, Strength Factors and Walking Wounded status must Recombine "
            "until one of each type is left in the area; one more may stay for each SW MTR.",
        )
    )
    return "" if chosen == "alone" else str(chosen)


def _may_stay(state: Campaign, piece: Piece, spare: int) -> bool:
    """Return whether a SW MTR lets an HS stay that else must Recombine. House rule C-91."""
    return spare > 0 if state.plays("C-91", "any-hs") else _has_mortar(state, piece.id)


def _partners(state: Campaign, pool: list[str], alone: list[str], spare: int) -> list[Option]:
    """Return with which HS the first of ``pool`` may Recombine, and whether it may stay HS."""
    first = state.piece(pool[0])
    squad = state.catalogue.squad_of(first.type, first.side)
    assert squad
    options = []
    seen = set()
    for id in pool[1:]:
        piece = state.piece(id)
        if _looks(piece) in seen:
            continue
        seen.add(_looks(piece))
        rest = [each for each in pool if each not in (first.id, id)]
        refused = "" if _possible(state, rest, alone, spare) else "Too many HS would be left."
        options.append(
            piece_option(
                piece,
                squad.name,
                text=f"with {name_piece(piece)}{_load(state, piece)}",
                refused=refused,
            )
        )
    refused = f"No more than one {first.type} may stay HS in {area_words(first.area)}."
    if _possible(state, pool[1:], [*alone, first.id], spare):
        refused = ""
    odd = bool(len(pool) % 2) and not alone
    options.append(
        Option(
            "alone",
            "with none: it stays HS",
            "the one that is left over" if odd else "a SW MTR keeps it",
            refused=refused,
        )
    )
    return options


def _looks(piece: Piece) -> tuple[object, ...]:
    """Return what tells two HS of a type apart; one that possesses something is like no other."""
    own = piece.id if piece.possesses else ""
    return (own, piece.rg, piece.formation, piece.status, piece.name)


def _load(state: Campaign, piece: Piece) -> str:
    held = ", ".join(name_piece(state.piece(item)) for item in piece.possesses)
    return f" with {held}" if held else ""


def recombine(state: Told, first: str, second: str) -> Script[Told]:
    """Recombine two HS: the first becomes the squad and possesses what both had.

    It is Walking Wounded, or whatever else hampers, if one of them was; Fanatic or with Freedom of
    Movement only if both were. It is where the Isolated one was.

    Rule: 9.6111, A1.32, CG17; rulings P-126, P-52.
    """
    one, other = state.unit(first), state.unit(second)
    squad = state.catalogue.squad_of(one.type, one.side)
    assert squad
    kept = yield from _formation_kept(state, one, other)
    cut_off = is_isolated(state, other) and not is_isolated(state, one)
    at = other.at if cut_off else one.at
    after = _with_its_own(state, one, other, at)
    after = remove(after, second, "recombined", f"with {first}", RULE)
    hardened = [date for date in (one.hardened, other.hardened) if date]
    lost = [each for each in BENEFITS if not (one.has(each) and other.has(each))]
    after = update(
        after,
        first,
        at=at,
        type=squad.name,
        name=one.name or other.name,
        hardened=max(hardened, key=lambda date: date.number, default=None),
        formation=kept.formation,
        airborne=kept.airborne,
        ox_and_bucks=kept.ox_and_bucks,
        rg=kept.rg,
    )
    after = drop_status(add_status(after, first, *other.status), first, *lost)
    squad_now = after.piece(first)
    event = Recombined(
        piece=one,
        other=other,
        squad=squad_now,
        where=area_words(one.area),
        walking_wounded=squad_now.has(WW),
        rule=RULE,
    )
    return (yield from happen(state, after, event))


def _with_its_own(state: Campaign, one: Piece, other: Piece, at: str) -> Campaign:
    """Return the state in which one HS has in ``at`` what both possessed and guarded."""
    for item in other.possesses:
        state = transfer(state, item, one.id)
    for item in (*one.possesses, *other.possesses):
        state = update(state, item, at=at, area=one.area)
    for ward in wards_of(state, other.id):
        state = update(state, ward.id, guarded_by=one.id)
    for ward in wards_of(state, one.id):
        state = update(state, ward.id, at=at)
    return state


@paragraph(RULE)
def _formation_kept(state: Campaign, one: Piece, other: Piece) -> Script[Piece]:
    """Settle of which formation the squad of two HS is, where a rule asks for formations.

    Else it is of that of the HS with the lower id. Rule: 9.6111; house rule P-51.
    """
    if (one.airborne, one.ox_and_bucks) == (other.airborne, other.ox_and_bucks):
        return min(one, other, key=lambda piece: (len(piece.id), piece.id))
    chosen = yield from ask(
        Prompt(
            state=state,
            id="9.6111.3",
            subject=by_name(one),
            options=tuple(
                piece_option(each, f"as {name_piece(each)}", text=_formation_words(each))
                for each in (one, other)
            ),
            text=f"{name_piece(one)} and {name_piece(other)} Recombine. Of which formation is the "
            "squad?",
            help="9.6111 asks for the same class, Strength Factors and Walking Wounded status "
            "only. Whether the squad is Airborne or of the Ox and Bucks matters in 9.6102, 9.6153 "
            "and PB SSR 14.",
        )
    )
    return state.piece(chosen)


def _formation_words(piece: Piece) -> str:
    kinds = [
        word
        for word, true in (("Airborne", piece.airborne), ("Ox and Bucks", piece.ox_and_bucks))
        if true
    ]
    return ", ".join(filter(None, [piece.formation, *kinds])) or "of no named formation"


# -- Pairs that may Recombine -------------------------------------------------------------------


@paragraph("CG17")
def _mixed_pairs(state: Told, side: Side, area: str) -> Script[Told]:
    """Let the owner Recombine Walking Wounded HS with sound ones. Rule: CG17; ruling C-90."""
    while True:
        here = half_squads(state, side, area)
        pairs = [
            (hurt, sound)
            for hurt in here
            for sound in here
            if hurt.has(WW) and not sound.has(WW) and alike(state, hurt) == alike(state, sound)
        ]
        if not pairs:
            return state
        by_id = {f"{hurt.id}/{sound.id}": (hurt.id, sound.id) for hurt, sound in pairs}
        chosen = yield from ask(
            Prompt(
                state=state,
                id="9.6111.2",
                subject=side_in(side, area),
                options=(
                    Option("no", "no"),
                    *(
                        Option(id, f"{name_piece(hurt)} (Walking Wounded) with {name_piece(sound)}")
                        for id, (hurt, sound) in zip(by_id, pairs, strict=True)
                    ),
                ),
                default="no",
                text=f"Recombine a Walking Wounded HS with a sound one in {area_words(area)}?",
                help="The squad would be Walking Wounded, for good (CG17).",
            )
        )
        if chosen == "no":
            return state
        hurt_id, sound_id = by_id[chosen]
        state = yield from recombine(state, sound_id, hurt_id)


@paragraph("9.6112")
def heroes(state: Told, side: Side | None = None) -> Script[Told]:
    """Eliminate each Hero Retained on the map, for whom an MMC of the same area Battle Hardens.

    With ``side`` instead those that it Retains off map. Rule: 9.6112.
    """
    found = [
        piece
        for piece in state.pieces
        if _is_hero(piece) and side is (piece.side if is_off_map(piece.area) else None)
    ]
    if not found and side is None:
        yield Note("No Hero is Retained on the map.", topic=IDLE)
    for hero in in_board_order(state, found):
        state = yield from _hero(state, hero)
    return state


def _is_hero(piece: Piece) -> bool:
    return piece.kind == "hero" and bool(piece.area) and not piece.is_prisoner


def _hero(state: Told, hero: Piece) -> Script[Told]:
    """Decide who Battle Hardens for one Hero; without an MMC the Hero stays. Rule: 9.6112."""
    mmc = [each for each in personnel_in(state, hero.side, hero.area) if each.kind in MMC]
    options = [_option(state, each) for each in mmc]
    legal = [option.id for option in options if not option.refused]
    if not legal:
        yield Note(
            f"No MMC in {area_words(hero.area)} can Battle Harden: {name_piece(hero)} is Retained.",
            "9.6112",
        )
        return state
    chosen = legal[0]
    if len(legal) > 1:
        chosen = yield from ask(
            Prompt(
                state=state,
                id="9.6112.1",
                subject=by_name(hero),
                options=tuple(options),
                text=f"{name_piece(hero)} in {area_words(hero.area)} is Eliminated. Which MMC "
                "Battle Hardens?",
                help="One non-crew MMC in the same area, none more than once in a RePh. An elite "
                "MMC becomes Fanatic for the next CG scenario.",
            )
        )
    yield Note(f"{name_piece(hero)} is Eliminated.", "9.6112")
    state = yield from guard_lost(state, hero, "9.6112.2")
    for item in hero.possesses:
        yield Note(f"{name_piece(state.piece(item))} is unpossessed now.", "9.6112")
    why = f"{chosen} Battle Hardens"
    after = remove(state, hero.id, "eliminated", why, "9.6112")
    hero = state.piece(hero.id)
    state = yield from happen(state, after, HeroGaveWay(piece=hero, how=None, hardens=chosen))
    return (yield from harden(state, chosen, "9.6112"))


def _option(state: Campaign, piece: Piece) -> Option:
    entry = infantry_type(state, piece)
    better = entry.hardens_to if entry else ""
    refused = ""
    if piece.kind == "crew":
        refused = "A crew cannot be chosen."
    elif isinstance(piece, Infantry) and piece.hardened is state.date:
        refused = "It has Battle Hardened in this RePh."
    return piece_option(
        piece,
        f"becomes {better}" if better else "Fanatic in the next CG scenario",
        refused=refused,
        rule="9.6112",
    )


@paragraph("9.6113")
def leaders(state: Told, side: Side | None = None) -> Script[Told]:
    """Battle Harden each heroic leader Retained on the map, who is heroic no longer.

    With ``side`` instead those that it Retains off map. Rule: 9.6113.
    """
    found = [
        piece
        for piece in state.pieces
        if _is_heroic(state, piece) and side is (None if piece.on_map else piece.side)
    ]
    if not found and side is None:
        yield Note("No heroic leader is Retained on the map.", topic=IDLE)
    for piece in in_board_order(state, found):
        state = yield from _leader(state, piece)
    return state


def _is_heroic(state: Campaign, piece: Piece) -> bool:
    return (
        piece.kind == "leader"
        and piece.has(UnitStatus.HEROIC)
        and is_retained(state, piece)
        and not piece.is_prisoner
    )


def _leader(state: Told, piece: Piece) -> Script[Told]:
    """Battle Harden one heroic leader; a 10-3 only loses the status. Rule: 9.6113."""
    after = drop_status(state, piece.id, UnitStatus.HEROIC)
    state = yield from happen(state, after, HeroicNoLonger(piece=piece, rule="9.6113"))
    entry = infantry_type(state, piece)
    if entry is None or not entry.hardens_to:
        return state
    return (yield from harden(state, piece.id, "9.6113"))
