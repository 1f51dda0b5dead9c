"""Portage and the preparation for Escape or Shift. Rule: 9.606, 9.613, A4.4.

Portage limits of units come first. Then units that leave a Location or an area are prepared:
squads Deploy, and each unit keeps, drops, transfers or dismantles Equipment within its limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from asl_pbcg.campaign.module.catalogue import SMC, WeaponType
from asl_pbcg.campaign.position_words import EquipmentStatus, UnitStatus
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told
from asl_pbcg.campaign.state.piece_changes import add_status, transfer, update
from asl_pbcg.campaign.state.piece_events import Dropped, Transferred
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, ask_some
from asl_pbcg.refit.helpers.retention import still_there
from asl_pbcg.refit.helpers.situation import area_words, at_location, pieces_retained_in
from asl_pbcg.refit.helpers.subjects import by_name, piece_option, stack_of
from asl_pbcg.refit.helpers.unit_changes import can_deploy, deploy, eliminate, infantry_type


def pp(state: Campaign, item: Piece) -> int | None:
    """Return the PP of a SW, or of a dm Gun; None for what cannot be portaged.

    Rule: 9.606, A4.4.
    """
    side = item.side.other if item.captured else item.side
    entry = state.catalogue.find(item.type, side)
    if not isinstance(entry, WeaponType):
        return None
    return entry.dm_pp if item.has(EquipmentStatus.DM) else entry.pp


def load(state: Campaign, unit: Piece) -> int:
    """Return the PP a unit carries."""
    return sum(pp(state, state.piece(item)) or 0 for item in unit.possesses)


def ipc(state: Campaign, unit: Piece) -> int:
    """Return the IPC of a unit; a Walking Wounded MMC has less, a wounded SMC none.

    Rule: A4.42, CG17.
    """
    if unit.has(UnitStatus.WALKING_WOUNDED):
        return state.frame.portage.walking_wounded_ipc
    if unit.kind in SMC and unit.has(UnitStatus.WOUNDED):
        return 0
    entry = infantry_type(state, unit)
    return entry.ipc or 0 if entry else 0


def portage_limit(state: Campaign, unit: Piece) -> int:
    """Return the most PP a unit may portage on Escape or Shift. Rule: 9.606, 9.613."""
    limits = state.frame.portage
    if unit.kind in SMC:
        return limits.wounded_smc if unit.has(UnitStatus.WOUNDED) else limits.smc
    return limits.walking_wounded_mmc if unit.has(UnitStatus.WALKING_WOUNDED) else limits.mmc


def excess_pp(state: Campaign, units: Sequence[Piece]) -> tuple[int, list[tuple[str, str]]]:
    """Return the most PP above IPC any unit of a stack carries, and which leader helps which MMC.

    A leader combines the IPC he does not need himself with that of the MMC that needs it most.

    Rule: 9.606, A4.42.
    """
    over = {unit.id: load(state, unit) - ipc(state, unit) for unit in units}
    mmc = [unit.id for unit in units if unit.kind not in SMC]
    lent = []
    for leader in units:
        spare = -over[leader.id] if leader.kind == "leader" and len(units) > 1 else 0
        needy = max(mmc, key=lambda id: over[id], default="")
        if spare > 0 and needy and over[needy] > 0:
            over[needy] -= spare
            over[leader.id] = 0
            lent.append((leader.id, needy))
    return max(0, *over.values()), lent


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """An Escape out of a Location or a Shift out of a whole area, for which units prepare."""

    word: str
    rule: str
    deploy: str
    """The decision point of Deploying."""
    equipment: str
    """The decision point of seeing to Equipment."""
    guns: str
    """The sentence that refuses Guns."""
    from_location: bool
    """Whether all are in one Location; else in one Setup/Entry Area."""


ESCAPE = Occasion(
    word="Escape",
    rule="9.606",
    deploy="9.606.3",
    equipment="9.606.4",
    guns="A Gun that is not dm can never Escape.",
    from_location=True,
)


# -- Deploy -----------------------------------------------------------------------------------


def settle_deployment(
    state: Told, ids: Sequence[str], occasion: Occasion = ESCAPE
) -> Script[tuple[Told, list[str]]]:
    """Decide which squads among ``ids`` Deploy; returns all ids, the new HS among them.

    A squad may Deploy if a leader is stacked with it, whether he goes along or not.

    Rule: 9.606, 9.613; ruling C-60.
    """
    units = [state.piece(id) for id in ids]
    squads = [unit for unit in units if can_deploy(state, unit)]
    leaders = [each for each in _company(state, units[0], occasion) if each.kind == "leader"]
    if not squads or not leaders:
        return state, list(ids)
    place = units[0].at if occasion.from_location else area_words(units[0].area)
    chosen = yield from ask_some(
        Prompt(
            state=state,
            id=occasion.deploy,
            subject=stack_of(units, place),
            kind="choose-some",
            options=tuple(piece_option(squad, "becomes two HS") for squad in squads),
            default="none",
            text=f"Which squads in {place} Deploy? {name_piece(leaders[0])} is with them.",
            help="Each squad stacked with a leader may freely Deploy before the attempt "
            f"({occasion.rule}). Two HS may then try on their own.",
        )
    )
    found = []
    for id in ids:
        found.append(id)
        if id in chosen:
            state, second = yield from deploy(state, id)
            found.append(second)
    return state, found


# -- Equipment --------------------------------------------------------------------------------


def equipment(state: Told, ids: Sequence[str], occasion: Occasion = ESCAPE) -> Script[Told]:
    """Decide what each of the units ``ids`` takes along, within its limit.

    Rule: 9.606, 9.613, CG17.
    """
    settled: set[str] = set()
    while True:
        units = [state.piece(id) for id in ids if id not in settled]
        unit = next((unit for unit in units if unit.possesses), None)
        if unit is None:
            return state
        answer = yield from ask(_what(state, unit, occasion))
        if answer == "keep":
            settled.add(unit.id)
            continue
        what, item, to = (*answer.split(":"), "")[:3]
        state = yield from _carry_out(state, unit, what, item, to, occasion)
        settled.discard(to)  # it may carry too much now


def _what(state: Campaign, unit: Piece, occasion: Occasion) -> Prompt:
    """Return the question what becomes of all that a unit possesses."""
    items = [state.piece(item) for item in unit.possesses]
    carried, limit = load(state, unit), portage_limit(state, unit)
    refused = _too_much(state, unit, occasion)
    above = carried - ipc(state, unit) if occasion is ESCAPE else 0
    drm = f"+{above} Escape DRM, unless a leader helps" if above > 0 else ""
    keep = Option("keep", "go with all of it", drm, refused=refused, rule=occasion.rule)
    others = [
        each
        for each in _company(state, unit, occasion)
        if each.id != unit.id and portage_limit(state, each)
    ]
    listed = ", ".join(f"{name_piece(item)} ({_pp_words(state, item)})" for item in items)
    return Prompt(
        state=state,
        id=occasion.equipment,
        subject=unit if occasion.from_location else by_name(unit),
        options=(
            keep,
            *(each for item in items for each in _handling(state, item, others, occasion)),
        ),
        default=None if refused else "keep",
        text=f"{name_piece(unit)} possesses {listed}: {carried} PP of {limit} it may portage.",
        help="An MMC may portage at most five PP, a Walking Wounded MMC three, an SMC two, a "
        "wounded SMC none. SW and Guns may be dropped, Eliminated, Transferred or, if possible, "
        f"dismantled. {occasion.guns}",
    )


def _handling(
    state: Campaign, item: Piece, others: Sequence[Piece], occasion: Occasion
) -> Iterator[Option]:
    """Yield what may be done with an item: ``drop:lmg``, ``transfer:lmg:g2`` and so on."""
    yield Option(
        f"drop:{item.id}", f"drop {name_piece(item)}", _rest_words(item, occasion), topic=item.topic
    )
    yield Option(f"eliminate:{item.id}", f"Eliminate {name_piece(item)}", topic=item.topic)
    if _can_dismantle(state, item):
        light = pp(state, add_status(state, item.id, EquipmentStatus.DM).piece(item.id))
        now = f"{light} PP in place of {pp(state, item)}"
        text = f"dismantle {name_piece(item)}"
        yield Option(f"dismantle:{item.id}", text, now, topic=item.topic)
    for other in others:
        room = f"carries {load(state, other)} of {portage_limit(state, other)} PP"
        text = f"{name_piece(item)} to {name_piece(other)}"
        yield Option(f"transfer:{item.id}:{other.id}", text, room, topic=other.topic)


def _company(state: Campaign, unit: Piece, occasion: Occasion) -> list[Piece]:
    """Return the Personnel of a unit's side in its Location or, for a Shift, in its area."""
    if occasion.from_location:
        here = [each for each in at_location(state, unit.at) if still_there(state, each)]
    else:
        here = pieces_retained_in(state, unit.side, unit.area)
    return [
        each
        for each in here
        if each.side is unit.side and each.is_personnel and not each.is_prisoner and not each.aboard
    ]


def _pp_words(state: Campaign, item: Piece) -> str:
    known = pp(state, item)
    dm = "dm, " if item.has(EquipmentStatus.DM) else ""
    return f"{dm}{known} PP" if known is not None else "no portage"


def _rest_words(item: Piece, occasion: Occasion) -> str:
    if item.kind == "gun":
        return "stays where it is"
    if occasion.from_location:
        return "stays there unpossessed (9.6071, 9.6072)"
    return f"stays in {area_words(item.area)} unpossessed"


def _too_much(state: Campaign, unit: Piece, occasion: Occasion) -> str:
    """Return why a unit may not take along all that it possesses; empty if it may.

    Rule: 9.606, 9.613.
    """
    for held in unit.possesses:
        item = state.piece(held)
        if item.kind == "gun" and not (item.has(EquipmentStatus.DM) and occasion is ESCAPE):
            return f"{name_piece(item)}: {occasion.guns}"
        if pp(state, item) is None:
            return f"{name_piece(item)} cannot be portaged."
    carried, limit = load(state, unit), portage_limit(state, unit)
    if carried > limit:
        return f"{name_piece(unit)} may portage {limit} PP on {occasion.word}, not {carried}."
    return ""


def _can_dismantle(state: Campaign, item: Piece) -> bool:
    side = item.side.other if item.captured else item.side
    entry = state.catalogue.find(item.type, side)
    return isinstance(entry, WeaponType) and entry.dm and not item.has(EquipmentStatus.DM)


def _carry_out(
    state: Told, unit: Piece, what: str, id: str, to: str, occasion: Occasion
) -> Script[Told]:
    item = state.piece(id)
    if what == "drop":
        after = transfer(state, id)
        if occasion.from_location:
            after, place = update(after, id, at=unit.at, area=""), unit.at
        else:
            after, place = update(after, id, area=unit.area), area_words(unit.area)
        yield Note(f"{name_piece(unit)} drops {name_piece(item)} in {place}.")
        return (yield from happen(state, after, Dropped(piece=item)))
    if what == "eliminate":
        yield Note(f"{name_piece(unit)} Eliminates {name_piece(item)}.")
        why = f"by its possessor before {occasion.word}"
        return (yield from eliminate(state, id, why, how=None))
    if what == "dismantle":
        yield Note(f"{name_piece(unit)} dismantles {name_piece(item)}.")
        return (
            yield from happen(state, add_status(state, id, UnitStatus.DM), Transferred(piece=item))
        )
    other = state.piece(to)
    yield Note(f"{name_piece(unit)} Transfers {name_piece(item)} to {name_piece(other)}.")
    after = update(transfer(state, id, to), id, at=other.at, area=other.area)
    return (yield from happen(state, after, Transferred(piece=item)))
