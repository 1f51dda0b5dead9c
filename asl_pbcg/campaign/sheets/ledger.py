"""From the state of a campaign to the lines of its records. Rule: 9.13, 9.6178."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile

import msgspec

from asl_pbcg.campaign.module.campaign_module import module_of
from asl_pbcg.campaign.module.catalogue import InfantryType
from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.scenario.fortification_control import holder
from asl_pbcg.campaign.scenario.scenario_facts import statuses_that_matter
from asl_pbcg.campaign.scenario.snipers import san_in_force
from asl_pbcg.campaign.sheets.campaign_sheets_content import SheetHeader
from asl_pbcg.campaign.state.campaign_state import Bought, Campaign, DateAccount, ReceivedGroup
from asl_pbcg.campaign.state.piece_names import mark, name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.state.record_lines import (
    UMPIRE,
    ForceLine,
    FortificationLine,
    PurchaseLine,
    RGBought,
    RosterLine,
    UnitsReceived,
    viewer_named,
)
from asl_pbcg.campaign.state.seen import MINES, seen_fortifications, seen_pieces
from asl_pbcg.campaign.terms import DUMMIES, CGDate, Side

_LINE_KINDS = {
    "squad": "MMC",
    "half_squad": "MMC",
    "crew": "MMC",
    "leader": "SMC",
    "hero": "SMC",
    "armor_leader": "SMC",
    "sw": "SW",
    "gun": "Gun",
    "vehicle": "vehicle",
}


def header(state: Campaign) -> SheetHeader:
    """Return the heading of every sheet of the campaign."""
    campaign = state.frame.campaigns[state.campaign]
    return SheetHeader(
        campaign=campaign.title,
        dates=campaign.dates,
        date=state.date,
        players=tuple((side, state.players_of(side)) for side in state.sides),
        balance=Side(state.balance).title if state.balance else "",
    )


def blank_roster_lines(campaign: str) -> list[RosterLine]:
    """A CG Roster with what the charts print for each CG Date. Rule: 9.62023, 9.6161."""
    frame = module_of(campaign).frame
    dates = frame.campaigns[campaign].dates
    return [
        RosterLine(
            date=date,
            first_setup=frame.setup_order[date].first_setup,
            first_move=frame.setup_order[date].first_move,
            cpp_base=frame.cpp_base.get(date) if date is not dates[0] else None,
        )
        for date in dates
    ]


def blank_header(campaign: str) -> SheetHeader:
    """The head of a blank sheet of CG1 or CG2."""
    chosen = module_of(campaign).frame.campaigns[campaign]
    return SheetHeader(campaign=chosen.title, dates=chosen.dates)


def roster_lines(state: Campaign) -> list[RosterLine]:
    """The CG Roster: a line per CG Date reached. Rule: 9.2 CG Roster, 9.617, 9.62022."""
    return [_roster_line(state, account) for account in state.accounts]


def _roster_line(state: Campaign, account: DateAccount) -> RosterLine:
    order = state.frame.setup_order[account.date]
    bought = [
        RGBought(rg=group.id, cpp=group.cost + group.entry_cost)
        for group in state.groups
        if group.date is account.date and not group.given
    ]
    bought += [
        RGBought(rg=f"{group.id} again", cpp=group.paid_again[account.date])
        for group in state.groups
        if group.paid_again.get(account.date)
    ]
    received = account.fpp_received
    cpp = _cpp(state, account, sum(purchase.cpp or 0 for purchase in bought))
    san = account.san
    if san and account.date is state.date and not state.scenario_over:
        san = {side: san_in_force(state, side) for side in state.sides}  # it may be corrected
    return RosterLine(
        date=account.date,
        first_setup=order.first_setup,
        first_move=order.first_move,
        british_san=san.get(Side.BRITISH),
        german_san=san.get(Side.GERMAN),
        british_cvp_lost=account.cvp_lost.get(Side.BRITISH),
        german_cvp_lost=account.cvp_lost.get(Side.GERMAN),
        cpp_base=account.cpp_base or None,
        cpp_loss_points=account.cpp_loss_points or None,
        cpp_available=cpp[0],
        rg_purchased=tuple(bought),
        cpp_spent=cpp[1],
        cpp_left=cpp[2],
        british_fpp_received=received.get(Side.BRITISH),
        british_fpp_spent=account.fpp_spent.get(Side.BRITISH),
        german_fpp_received=_german_fpp(state, account),
        german_fpp_spent=account.fpp_spent.get(Side.GERMAN),
        reinforcements=account.reinforcements,
        fortifications=_fortification_lines(state, account.date),
        notes="; ".join(filter(None, (_end_words(account), account.notes))),
    )


def _cpp(
    state: Campaign, account: DateAccount, spent: int
) -> tuple[int | None, int | None, int | None]:
    """The CPP available, spent and left on a CG Date; blank while 9.617 has not come.

    While RG are purchased they are what stands so far, ``spent`` what these cost, Entry Costs
    with them. Rule: 9.617, 9.61741.
    """
    if account.date.is_night:
        return None, None, None
    if account.date is state.date and state.step and state.step.purchase:
        return state.cpp + spent, spent, state.cpp
    if account.date is state.date and not account.cvp_lost and _before_purchase(state):
        return None, None, None
    return account.cpp_available, account.cpp_spent, account.cpp_left


def _before_purchase(state: Campaign) -> bool:
    """Return whether RG are still to be purchased on a new CG Date. Rule: 9.6121, 9.617."""
    before = takewhile(lambda chart: not chart.purchase, state.frame.steps)
    return state.at in {chart.step for chart in before}


def _end_words(account: DateAccount) -> str:
    """How the CG scenario ended, as the roster's notes say it. Rule: CG19."""
    return f"Ended: {account.ended_by}" if account.ended_by else ""


def _german_fpp(state: Campaign, account: DateAccount) -> float | None:
    """The FPP that RG M1 brought on that CG Date. Rule: 9.617."""
    count = state.count_purchased("M1", account.date)
    return float(count * state.charts.groups.groups["M1"].fpp) or None


def _fortification_lines(state: Campaign, date: CGDate) -> tuple[FortificationLine, ...]:
    lines = []
    for purchase in state.bought:
        if purchase.date is date:
            lines.append(
                FortificationLine(
                    side=purchase.side,
                    kind=purchase.kind,
                    factors=purchase.factors,
                    what=_who_is_hidden(state, purchase),
                    at=(purchase.at,) if purchase.at else (),
                )
            )
    return tuple(lines)


def _who_is_hidden(state: Campaign, bought: Bought) -> str:
    """Return the users of HIP, by the size it was bought for and their lasting names.

    A Gun or vehicle goes by its type, which never changes. Rule: 9.619 note b.
    """
    if not bought.unit:
        return ""
    pieces = (*state.pieces, *(loss.piece for loss in state.gone))
    piece = next((piece for piece in pieces if piece.id == bought.unit), None)
    if piece is not None and (piece.is_weapon or piece.is_vehicle):
        return name_piece(piece)
    size = bought.kind.removeprefix("hip-")
    words = size.upper() if size in ("hs", "smc") else size
    return f"{words} {mark(bought.unit)}"


def purchase_lines(state: Campaign) -> list[PurchaseLine]:
    """The RG Purchase Record: a line per RG received, given ones too. Rule: 9.6178."""
    lines = []
    counts: dict[str, int] = {}
    for group in state.groups:
        if not group.given:
            counts[group.id] = counts.get(group.id, 0) + 1
        lines.append(_purchase_line(state, group, counts.get(group.id, 0)))
    return lines


def _purchase_line(state: Campaign, group: ReceivedGroup, purchased: int) -> PurchaseLine:
    charts = state.charts.groups
    chart = charts.groups[group.id]
    return PurchaseLine(
        date=group.date,
        rg=group.id,
        group_type=chart.name,
        number_purchased=purchased,
        number_remaining=None if chart.cg_max is None else chart.cg_max - purchased,
        strength={"full": "F", "depleted": "D"}.get(group.strength, ""),  # type: ignore[arg-type]
        units=(
            *(UnitsReceived(number=count, type=type) for count, type in group.units),
            *([UnitsReceived(number=chart.fpp, type="FPP")] if chart.fpp else []),
        ),
        hmg=group.sw.get("HMG"),
        mmg=group.sw.get("MMG"),
        lmg=group.sw.get("LMG"),
        mtr=group.sw.get("50* MTR"),
        leaders=group.leaders,
        area=group.area,
        cpp_cost=None if group.given else group.cost,
        entry_cost=None if group.given else group.entry_cost,
        given=group.given,
        strength_given=group.given and group.id in charts.strength_dr_exempt,
    )


def force_lines(state: Campaign, side: Side, viewer: str = UMPIRE) -> list[ForceLine]:
    """The force roster of ``side``: every piece of its OB, for the other side what it has seen.

    Rule: 9.2 OB, 9.613; ruling P-90.
    """
    if viewer_named(viewer) is side.other:
        pieces = sorted(seen_pieces(state, side), key=lambda piece: piece.id)
        by_id = {piece.id: piece for piece in (state.pieces if state.seen is None else state.seen)}
        by_id |= {piece.id: piece for piece in state.of(side.other)}
        # It knows where its Guards are.
        guarded = {piece.id: piece for piece in state.of(side) if piece.is_prisoner}
        lines = [
            msgspec.structs.replace(
                force_line(state, piece),
                location=place_of(state, guarded.get(piece.id, by_id[piece.id]), by_id),
            )
            for piece in pieces
            if not _is_on_ground(state, piece)
        ]
        lines += _gliders(state, side)
        lines += _fortifications(state, side, seen_fortifications(state, side.other))
        return [msgspec.structs.replace(line, known=True) for line in lines]
    lines = [force_line(state, piece) for piece in state.of(side)
             if not _is_on_ground(state, piece)]  # fmt: skip
    own = viewer_named(viewer) is side
    if own:
        lines = [_as_its_side_knows(state, line) for line in lines]
    lines += _gliders(state, side)
    # Of a minefield that it took over it knows the counter.
    works = seen_fortifications(state, side) if own else state.fortifications
    lines += _fortifications(state, side, works)
    count = state.dummies.get(side, 0)
    if count:
        id = f"{side.value[0]}-?"
        lines.append(ForceLine(id=id, side=side, type=DUMMIES, notes=f"x{count}", count=count))
    for bought in fortifications_bought(state, side):
        size = f" x{bought.factors}" if bought.factors else ""
        type = f"{state.charts.fortifications.kinds[bought.kind].name}{size}"
        at, factors = bought.at, bought.factors
        lines.append(ForceLine(id=bought.key, side=side, type=type, location=at, factors=factors))
    return lines


def _as_its_side_knows(state: Campaign, line: ForceLine) -> ForceLine:
    """A line as its own side knows it: a prisoner is where his Guard was last seen. Rule: 9.613."""
    by_id = {piece.id: piece for piece in state.seen or ()}
    if UnitStatus.PRISONER not in line.status or line.id not in by_id:
        return line
    return msgspec.structs.replace(line, location=place_of(state, by_id[line.id], by_id))


def fortifications_bought(state: Campaign, side: Side) -> list[Bought]:
    """Return what ``side`` has bought to set up in the coming scenario.

    Rule: 9.2 OB, 9.619.
    """
    if state.scenario_over or not state.bought:  # a module may have no such chart
        return []
    kinds = state.charts.fortifications.kinds
    return [
        purchase
        for purchase in state.bought
        if purchase.date is state.date
        and purchase.side is side
        and (kinds[purchase.kind].size or purchase.factors)
    ]


def _is_on_ground(state: Campaign, piece: Piece) -> bool:
    """Whether the end position tells of a piece, as gliders and Fortifications of an OB."""
    return state.played and piece.kind in ("glider", "fortification")


def _fortifications(
    state: Campaign, side: Side, standing: Iterable[Fortification]
) -> list[ForceLine]:
    """Return the lines of the ``standing`` Fortifications that are of ``side`` now.

    One that neither side holds, as Wire of an SSR after CG End, stands on the first side's roster.

    Rule: 9.2 OB, CG14, 9.6073.
    """
    if not state.played:
        return []
    lines = []
    holders = [(work, holder(state, work)) for work in standing]
    own = [pair for pair in holders if (pair[1] or state.sides[0]) is side]
    for number, (work, controller) in enumerate(own, 1):
        area = state.areas.area_of(side, work.location) if state.determined else None
        lines.append(
            ForceLine(
                id=f"{side.value} fortification {number}",
                side=side,
                type=_fortification_type(state, work),
                location=work.at,
                area=area.id if area else "",
                status=("hidden",) if work.hidden else (),
                factors=(work.size or 0) if work.kind in MINES else 0,
                notes="" if controller else "uncontrolled",
            )
        )
    return lines


def _fortification_type(state: Campaign, work: Fortification) -> str:
    """Return the name of a Fortification: ``1+3+5 Pillbox``, ``A-P Mine Factor x6``."""
    kinds = state.charts.fortifications.kinds
    sized = kinds.get(f"{work.kind}-{work.size}s")
    if sized is not None:
        return sized.name
    factors = kinds.get(work.kind)
    if factors is not None:
        size = f" x{work.size}" if work.size else "s"  # how many is not known
        return f"{factors.name}{size}"
    return f"{work.strength} {work.kind.value.capitalize()}".strip()


def _gliders(state: Campaign, side: Side) -> list[ForceLine]:
    """The gliders of ``side`` where they landed, once they have: both sides see them.

    Rule: 9.2 Strategic Location.
    """
    if not state.played or side is not Side.BRITISH:
        return []
    return [
        ForceLine(
            id=f"glider {number}",
            side=Side.BRITISH,
            type="Glider",
            kind="other",
            location=glider.at,
            status=(glider.state.value,),
            known=True,
        )
        for number, glider in enumerate(state.gliders, 1)
    ]


def force_line(state: Campaign, piece: Piece) -> ForceLine:
    """The line of one piece, all that its own side knows of it. Rule: 9.2 OB."""
    type = state.type_of(piece)
    status = [*statuses_that_matter(piece, state.date), *(["HIP"] if piece.hip else [])]
    return ForceLine(
        id=piece.id,
        side=piece.side,
        type=piece.type,
        kind=_LINE_KINDS.get(piece.kind, "other"),  # type: ignore[arg-type]
        unit_class=type.unit_class if isinstance(type, InfantryType) else "",
        formation=piece.own_formation,
        status=tuple(status),
        possesses=piece.possesses,
        location=place_of(state, piece),
        area=piece.area,
        rg=piece.own_rg,
        notes="; ".join(piece.remarks),
        name=piece.name,
    )


def place_of(state: Campaign, piece: Piece, by_id: Mapping[str, Piece] | None = None) -> str:
    """Return the place of a piece; empty if it has been Retained elsewhere since it stood there.

    A prisoner is where his Guard is. ``by_id`` are the pieces as a side last saw them; without it
    those of the campaign. Rule: 9.6053, 9.6061, 9.608, 9.613.
    """
    if piece.guarded_by:
        pieces = by_id or {entry.id: entry for entry in state.pieces}
        if guard := pieces.get(piece.guarded_by):
            return place_of(state, guard, by_id)
    if not piece.on_map or not piece.area or state.determined is None:
        return piece.at
    area = state.areas.area_of(piece.side, piece.location)
    return piece.at if area is not None and area.id == piece.area else ""


def area_names(state: Campaign, side: Side) -> dict[str, str]:
    """Return the meaning of the Setup Area IDs of an Initial Scenario. Rule: 9.51, 9.52."""
    if any(map(state.control.of, state.sides)):
        return {}  # a scenario has been played: the areas are those of 9.605
    groups = state.charts.initial[state.campaign].groups
    return {group.area: group.place for group in groups if group.side is side}
