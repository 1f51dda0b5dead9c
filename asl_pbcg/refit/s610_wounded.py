"""9.610 Wounded Leaders and Walking Wounded MMC."""

from __future__ import annotations

from typing import Any

from asl_pbcg.campaign.areas.area_map import SetupArea
from asl_pbcg.campaign.module.catalogue import MMC
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state.campaign_events import WalkingWoundedBox, happen, keep_book
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change, with_account
from asl_pbcg.campaign.state.piece_changes import add_pieces
from asl_pbcg.campaign.state.piece_events import Received
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, ask_if_open, paragraph
from asl_pbcg.refit.helpers.subjects import About
from asl_pbcg.refit.helpers.unit_changes import cvp_of, wounded_leaders
from asl_pbcg.refit.setup.stacking import no_room

BRITISH = Side.BRITISH
WW = UnitStatus.WALKING_WOUNDED


def wounded_leaders_and_walking_wounded(state: Told) -> Script[Told]:
    """Go through 9.6101 and 9.6102; a heroic leader is still Heroic for his dr. Rule: 9.610.

    Leaders off map are rolled for in 9.611, when each side settles what the other cannot see.
    """
    state = yield from wounded_leaders(state)
    return (yield from walking_wounded(state))


# -- 9.6102, CG17 -----------------------------------------------------------------------------


def equivalents(state: Campaign) -> dict[str, int]:
    """Return what is in the Walking Wounded box, in HS-equivalents by the MMC it can come back as.

    An HS counts with its squad; what is not a half of a squad counts by itself.

    Rule: CG17; rulings C-33, P-50.
    """
    found: dict[str, int] = {}
    for type, count in state.ww_box.items():
        entry = state.catalogue.infantry(type, BRITISH)
        name = _comes_back_as(state, type)
        found[name] = found.get(name, 0) + count * entry.hs_equivalents
    return found


def _comes_back_as(state: Campaign, type: str) -> str:
    squad = state.catalogue.squad_of(type, BRITISH)
    return squad.name if squad else type


def coming_back(state: Campaign, type: str, halves: int) -> int:
    """Return how many MMC of a type its HS-equivalents bring back. Rule: CG17; house rule P-50."""
    entry = state.catalogue.infantry(type, BRITISH)
    each = 2 if entry.hs_equivalents == 1 and state.plays("P-50", "two-crews") else 1
    return halves // 2 * each


@paragraph("9.6102", side=BRITISH)
def walking_wounded(state: Told) -> Script[Told]:
    """Decide which Walking Wounded MMC the British receive, and place them.

    One MMC for each full squad-equivalent of a type in the box.

    Rule: 9.6102, CG17; house rules C-31, C-32.
    """
    found = equivalents(state)
    if not found:
        yield Note("The Walking Wounded box is empty.")
        return state
    for type, halves in found.items():
        yield Note(
            f"In the Walking Wounded box: {_squads(halves)} "
            f"squad-equivalent{'s' * (halves > 2)} of {type}; "
            f"{coming_back(state, type, halves)} x {type} may come back.",
            "CG17",
        )
    areas = [area for area in state.areas.areas[BRITISH] if not area.isolated]
    count = sum(coming_back(state, type, halves) for type, halves in found.items())
    if count and not areas:
        return (yield from _no_area(state))
    for type, halves in found.items():
        several = coming_back(state, type, halves)
        for number in range(1, several + 1):
            state = yield from _receive(state, type, f"{number} of {several}", areas)
    if count:
        yield Note(
            "They still count as Casualty VP that the British lost: "
            f"{state.account.cvp_counted(BRITISH)}.",
            "9.6102, 9.6162",
        )
        yield Note(_limits(state), "CG17")
    return (yield from _empty(state, {type: halves % 2 for type, halves in found.items()}))


def _squads(halves: int) -> str:
    whole, half = divmod(halves, 2)
    return f"{whole or ''}½" if half else str(whole)


def _limits(state: Campaign) -> str:
    chart = state.frame.walking_wounded
    return (
        f"A Walking Wounded MMC has {chart.mf} MF that nothing raises (a conveyance carries it "
        f"as it moves), IPC {chart.ipc}, {chart.cc_attack_drm:+} on its CC attacks and "
        f"{chart.cc_defence_drm:+} on those against it. It stays Walking Wounded, and so does "
        "every HS made of it."
    )


@paragraph("9.6102")
def _no_area(state: Told) -> Script[Told]:
    """Decide what happens without a non-Isolated Setup Area. House rule C-32."""
    yield Note("The British have no non-Isolated Setup Area.")
    if state.plays("C-32", "kept"):
        yield Note("The Walking Wounded MMC wait for the next RePh.")
        return state
    lost = WalkingWoundedBox(text="The Walking Wounded MMC are lost; the box is emptied.")
    return (yield from happen(state, change(state, ww_box={}), lost))


def _empty(state: Told, halves: dict[str, int]) -> Script[Told]:
    """Empty the box, or let what is less than a squad-equivalent stay. House rule C-31."""
    box = {}
    if state.plays("C-31", "carried"):
        for type, count in halves.items():
            entry = state.catalogue.infantry(type, BRITISH)
            if count:
                box[entry.half_squad or type] = count
    rest = ", ".join(f"{count} x {type}" for type, count in box.items())
    words = (
        f"In the Walking Wounded box stay {rest}." if rest else "The Walking Wounded box is empty."
    )
    return (yield from happen(state, change(state, ww_box=box), WalkingWoundedBox(text=words)))


def _receive(state: Told, type: str, count: str, areas: list[SetupArea]) -> Script[Told]:
    """Settle form, area and formation of one Walking Wounded MMC. Rule: 9.6102, CG17."""
    half_squad = state.catalogue.infantry(type, BRITISH).half_squad
    form = yield from _form(state, type, half_squad, count, areas)
    kin = yield from _formation(state, type, count)
    if form == "two-hs":
        for number in (1, 2):
            area = yield from _area(state, half_squad, f"HS {number} of WW MMC {count}", areas)
            state = yield from _place(state, half_squad, area, kin)
        return state
    return (yield from _place(state, type, form.removeprefix("in-"), kin))


def _mmc(type: str, which: str) -> About:
    """One of the Walking Wounded MMC of a type that come back."""
    return About(f"{type} {which}", BRITISH, which)


def _full(state: Campaign, type: str, areas: list[SetupArea]) -> dict[str, str]:
    """Return what each Setup Area without room for one MMC more would have too much of.

    Rule: A5.1; rulings P-16, P-100.
    """
    coming = add_pieces(state, BRITISH, [(type, 1)]).pieces[-1:]
    found = {area.id: no_room(state, area, coming) for area in areas}
    return {id: excess for id, excess in found.items() if excess}


def _no_room(area: str, excess: str) -> str:
    return f"There would be no room in Setup Area {area}: {excess}." if excess else ""


def _form(
    state: Campaign, type: str, half_squad: str, count: str, areas: list[SetupArea]
) -> Script[str]:
    """Decide where an MMC is placed, or that it comes as two HS.

    An area that has no room is refused while another, or two for its HS, have some.

    Rule: 9.6102, CG17 EX, A5.1; ruling P-100.
    """
    full = _full(state, type, areas)
    free = len(areas) - len(full)
    if half_squad and not free:
        free = max(0, len(areas) - len(_full(state, half_squad, areas)) - 1)
    options = [
        Option(
            f"in-{area.id}",
            f"one {type} in Setup Area {area.id}",
            "" if free or area.id not in full else "no room there, unless somebody Shifts",
            refused=_no_room(area.id, full.get(area.id, "")) if free else "",
            rule="A5.1" if free and area.id in full else "",
        )
        for area in areas
    ]
    if half_squad:
        again = "in one area they Recombine in 9.6111, unless a SW MTR is there"
        options.append(Option("two-hs", f"two {half_squad}", again))
    if len(options) == 1:
        return options[0].id
    chosen = yield from ask_if_open(
        Prompt(
            state=state,
            id="9.6102.2",
            subject=_mmc(type, count),
            options=tuple(options),
            default=next(option.id for option in options if not option.refused),
            text=f"Walking Wounded {type}, {count}: where, and as what?",
            help="Walking Wounded MMC may be placed in any non-Isolated Setup Area, never off map "
            "(9.6102), where there is room (A5.1). Two HS may be taken in place of a squad "
            "(CG17 EX).",
        )
    )
    return str(chosen)


def _area(state: Campaign, type: str, what: str, areas: list[SetupArea]) -> Script[str]:
    if len(areas) == 1:
        return areas[0].id
    full = _full(state, type, areas)
    if len(full) == len(areas):
        full = {}
    chosen = yield from ask_if_open(
        Prompt(
            state=state,
            id="9.6102.3",
            subject=_mmc(type, what),
            options=tuple(
                Option(
                    area.id,
                    f"Setup Area {area.id}",
                    refused=_no_room(area.id, full.get(area.id, "")),
                    rule="A5.1" if area.id in full else "",
                )
                for area in areas
            ),
            text=f"Walking Wounded {type}, {what}: where?",
        )
    )
    return str(chosen)


def _place(state: Told, type: str, area: str, kin: dict[str, Any]) -> Script[Told]:
    after = add_pieces(state, BRITISH, [(type, 1)], area=area, status=(WW,), **kin)
    state = yield from happen(state, after, Received(piece=after.pieces[-1]))
    yield Note(f"{name_piece(state.pieces[-1])}, Walking Wounded, is placed in Setup Area {area}.")
    worth = state.account.walking_wounded_cvp + cvp_of(state, state.pieces[-1])
    return keep_book(state, with_account(state, walking_wounded_cvp=worth))


@paragraph("CG17")
def _formation(state: Campaign, type: str, count: str) -> Script[dict[str, Any]]:
    """Resolve the formation a Walking Wounded MMC is of: of one whose MMC were lost. Rule: CG17."""
    names = _formations_lost(state, type)
    known = state.catalogue.formations.values()
    found = [each for each in known if each.airborne and each.name in names]
    if not found:
        return {"airborne": True}
    chosen = found[0].id
    if len(found) > 1:
        chosen = yield from ask(
            Prompt(
                state=state,
                id="9.6102.4",
                subject=_mmc(type, count),
                options=tuple(Option(each.id, each.name) for each in found),
                default=chosen,
                text=f"Walking Wounded {type}, {count}: of which formation?",
                help="Airborne MMC of more than one formation were lost in this scenario.",
            )
        )
    formation = next(each for each in found if each.id == chosen)
    return {
        "formation": formation.name,
        "airborne": True,
        "ox_and_bucks": formation.ox_and_bucks,
    }


def _formations_lost(state: Campaign, type: str) -> set[str]:
    """Return the formations of the Airborne MMC of a type that were lost on this CG Date.

    If none is on record, those of all Airborne units there have been.
    """
    lost = {
        each.piece.formation
        for each in state.gone
        if each.date is state.date
        and not state.frame.is_secret(each.step)
        and each.piece.kind in MMC
        and each.piece.airborne
        and not each.piece.has(WW)
        and _comes_back_as(state, each.piece.type) == type
    }
    if lost - {""}:
        return lost
    everybody = [*state.pieces, *(each.piece for each in state.gone)]
    return {piece.formation for piece in everybody if piece.airborne}
