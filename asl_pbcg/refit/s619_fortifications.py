"""9.619 Purchasing Fortifications: each side secretly spends its FPP."""

from __future__ import annotations

import msgspec

from asl_pbcg.campaign.module.charts import FortificationPrice
from asl_pbcg.campaign.scenario.scenario_facts import is_gun_of_i_2, on_map
from asl_pbcg.campaign.scenario.snipers import san_in_force
from asl_pbcg.campaign.state.campaign_events import FortificationBought, Paid, happen
from asl_pbcg.campaign.state.campaign_state import (
    Bought,
    Campaign,
    Told,
    change,
    possessor,
    with_account,
)
from asl_pbcg.campaign.state.piece_changes import with_piece
from asl_pbcg.campaign.state.piece_events import Hidden
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.prompts import (
    Note,
    Option,
    Prompt,
    Script,
    ask,
    ask_number,
    paragraph,
)
from asl_pbcg.kernel.wording import is_or_are, number_words, points_words
from asl_pbcg.refit.helpers.subjects import own_part, piece_option, whole_side
from asl_pbcg.refit.setup.setup_rules import area_refusal


def purchase_fortifications(state: Told) -> Script[Told]:
    """Decide what each side buys with its FPP; what is left is forfeit. Rule: 9.619."""
    for side in (Side.GERMAN, Side.BRITISH):  # the German right after 9.617, so nobody need wait
        state = yield from own_part(state, _purchases(state, side), side)
    return state


def _purchases(state: Told, side: Side) -> Script[Told]:
    """Let a side buy until its FPP are spent or it has enough. Rule: 9.619."""
    available = state.fpp.get(side, 0)
    if not available:
        yield Note(f"The {side.people} have no FPP.")
        return state
    while state.fpp[side] > 0:
        kind = yield from ask(_what(state, side))
        if kind == "done":
            break
        state = yield from _buy(state, side, kind)
    spent = available - state.fpp[side]
    words = f"{points_words(spent)} FPP spent, {points_words(state.fpp[side])} forfeit."
    after = with_account(state, fpp_spent={**state.account.fpp_spent, side: spent})
    after = change(after, fpp={**state.fpp, side: 0.0})
    return (yield from happen(state, after, Paid(by=side, text=words)))


def _rest_words(state: Campaign, side: Side) -> str:
    points = state.fpp[side]
    return f"{points_words(points)} {is_or_are(points)} left"


def _cost(state: Campaign, kind: str) -> float:
    if kind == "hip-crew":
        return float(state.ruling("C-46"))
    return state.charts.fortifications.kinds[kind].cost


def _factor_sizes(state: Campaign, kind: str, chart: FortificationPrice) -> tuple[int, ...]:
    """Return the sizes a minefield may have. Rule: 9.619, B28; house rule C-48."""
    if kind == "ap-mines" and state.plays("C-48", "any-size"):
        return tuple(range(1, max(chart.sizes) + 1))
    return chart.sizes


def _hip_allowance(state: Campaign, side: Side) -> tuple[int, int]:
    """Return how many squads a side has Retained, and how many of them may use HIP.

    Rule: 9.619 note c; house rule C-47.
    """
    mine = [each for each in state.of(side) if not each.is_prisoner]
    squads = sum(each.kind == "squad" for each in mine)
    if state.plays("C-47", "squad-equivalents"):
        squads += sum(each.kind == "half_squad" for each in mine) // 2
    return squads, -(-squads * state.charts.fortifications.hip_percent // 100)


def _hip_squads_left(state: Campaign, side: Side) -> float:
    """Return how many squads (HS as halves) may still use HIP.

    Rule: 9.619 note c; house rule C-95.
    """
    hidden = [piece for piece in state.of(side) if piece.hip]
    return _hip_allowance(state, side)[1] - sum(_hip_squads(state, piece.kind) for piece in hidden)


def _hip_squads(state: Campaign, kind: str) -> float:
    """Return how much of the squads' allowance a unit of ``kind`` uses. House rule C-95."""
    if kind == "half_squad":
        return 0.5 if state.plays("C-95", "half") else 0.0
    return 1.0 if kind == "squad" else 0.0


def _setting_up(state: Campaign, side: Side, chart: FortificationPrice) -> list[Piece]:
    """Return the pieces for this kind of HIP that set up on map, without the Gun of SSR I-2."""
    return [
        piece
        for piece in state.of(side)
        if piece.kind in chart.hip
        and not piece.is_prisoner
        and on_map(state, piece)
        and not is_gun_of_i_2(state, piece)
    ]


def candidates(state: Campaign, side: Side, chart: FortificationPrice) -> list[Piece]:
    """Return the pieces HIP of this kind may be bought for: they set up on map.

    Rule: 9.619 notes b, c.
    """
    found = []
    remaining = _hip_squads_left(state, side)
    for piece in _setting_up(state, side, chart):
        need = _hip_squads(state, piece.kind)
        if piece.hip:
            continue
        if state.date.is_night or not need or need <= remaining:
            found.append(piece)
    return found


def _refusal(state: Campaign, side: Side, kind: str, chart: FortificationPrice) -> tuple[str, str]:
    if chart.side and chart.side is not side:
        return f"Only the {chart.side.title} may buy {chart.name}.", "9.619"
    fewest = min(_factor_sizes(state, kind, chart) or (1,))
    least = chart.cost * fewest
    if least > state.fpp[side]:
        it = "It costs" if fewest == 1 else f"{fewest} factors, the fewest, cost"
        return f"{it} {points_words(least)} FPP and {_rest_words(state, side)}.", "9.619"
    if chart.size or chart.per == "factor":
        barred, rule = area_refusal(state, side, chart)
        if barred:
            return barred, rule
    bought = [
        purchase
        for purchase in state.bought
        if (purchase.side, purchase.date) == (side, state.date)
    ]
    if chart.most and sum(purchase.kind == kind for purchase in bought) >= chart.most:
        return (
            f"Only {chart.most} {chart.name} may be bought per RePh.",
            f"9.619 note {chart.notes[0]}",
        )
    if kind == "san" and san_in_force(state, side) >= state.frame.san.ii13_most:
        cap = "CG13" if side is Side.GERMAN else "A14.1"
        return f"SAN {san_in_force(state, side)} is the most.", cap
    if chart.hip:
        if side is Side.GERMAN and state.date is CGDate.DUSK:
            return "Germans have no HIP in the Dusk CG scenario.", "9.619 note h"
        able = candidates(state, side, chart)
        if not able:
            return _no_hip(state, side, chart)
        crews_only = all(piece.kind == "crew" for piece in able)
        if crews_only and _cost(state, "hip-crew") > state.fpp[side]:
            price = points_words(_cost(state, "hip-crew"))
            return f"Only crews may still use it, for {price} FPP each.", "9.619"
    return "", ""


def _no_hip(state: Campaign, side: Side, chart: FortificationPrice) -> tuple[str, str]:
    """Return why no piece may use this kind of HIP: none sets up, all do already, or note c."""
    kinds = " or ".join(_KINDS[kind] for kind in chart.hip)
    pieces = _setting_up(state, side, chart)
    if not pieces:
        return f"You have no {kinds} that sets up on map.", "9.619"
    if all(piece.hip for piece in pieces):
        return f"Every {kinds} that sets up on map uses HIP already.", "9.619"
    squads, allowed = _hip_allowance(state, side)
    used = allowed - _hip_squads_left(state, side)
    percent = state.charts.fortifications.hip_percent
    return (
        f"By day {percent}% of {squads} squads may use HIP, that is {allowed}: "
        f"{points_words(used) or 0} used.",
        "9.619 note c",
    )


_KINDS = {
    "gun": "Gun",
    "vehicle": "vehicle",
    "squad": "squad",
    "half_squad": "HS",
    "crew": "crew",
    "leader": "leader",
    "hero": "hero",
}


def _what(state: Campaign, side: Side) -> Prompt:
    options = []
    for kind, chart in state.charts.fortifications.kinds.items():
        refused, rule = _refusal(state, side, kind, chart)
        per = f" per {chart.per}" if chart.per else ""
        price = f"{points_words(chart.cost)} FPP{per}"
        if kind == "starshell" and not state.date.is_night:
            price += "; no use by day: Starshells are fired at night (E1.92)"
        options.append(Option(kind, chart.name, price, refused=refused, rule=rule))
    options.append(Option("done", "buy nothing more", f"loses {points_words(state.fpp[side])} FPP"))
    notes = "; ".join(f"{mark}) {note}" for mark, note in state.charts.fortifications.notes.items())
    return Prompt(
        state=state,
        id="9.619.1",
        subject=whole_side(side, state.date.title),
        options=tuple(options),
        text=f"{points_words(state.fpp[side])} FPP left. Buy a Fortification?",
        help=f"FPP left at the end of this step are lost. {notes}",
    )


def _buy(state: Told, side: Side, kind: str) -> Script[Told]:
    chart = state.charts.fortifications.kinds[kind]
    cost, factors, unit = chart.cost, 0, ""
    sizes = _factor_sizes(state, kind, chart)
    if sizes:
        factors = yield from _ask_factors(state, side, chart, sizes)
        cost *= factors
    if chart.hip:
        unit = yield from _ask_unit(state, side, chart)
        piece = next(piece for piece in state.pieces if piece.id == unit)
        if piece.kind == "crew":
            cost = _cost(state, "hip-crew")
        state = yield from happen(state, _hidden(state, piece), Hidden(piece=piece))
    count = 1
    if not (sizes or chart.hip or chart.most):
        count = yield from _ask_count(state, side, chart)
    after: Campaign = state
    for _ in range(count):
        number = sum(purchase.side is side for purchase in after.bought) + 1
        bought = Bought(
            key=f"{side.value[0]}-fpp-{number}",
            side=side,
            kind=kind,
            date=state.date,
            cost=cost,
            factors=factors,
            unit=unit,
        )
        after = change(after, bought=(*after.bought, bought))
    after = change(after, fpp={**state.fpp, side: state.fpp[side] - cost * count})
    if kind == "dummy":
        dummies = state.dummies.get(side, 0) + count
        after = change(after, dummies={**state.dummies, side: dummies})
    return (yield from happen(state, after, FortificationBought(by=side)))


def _hidden(state: Campaign, piece: Piece) -> Campaign:
    """Return the state with a piece HIP, and with a Gun the Infantry that possesses it.

    Rule: 9.619 note b, A12.34; house rule P-98.
    """
    state = with_piece(state, msgspec.structs.replace(piece, hip=True))
    holder = possessor(state, piece.id) if piece.kind == "gun" else None
    if holder is None or holder.hip or not state.plays("P-98", "with-gun"):
        return state
    if not state.date.is_night and _hip_squads(state, holder.kind) > _hip_squads_left(
        state, holder.side
    ):
        return state
    return with_piece(state, msgspec.structs.replace(holder, hip=True))


def _ask_count(state: Campaign, side: Side, chart: FortificationPrice) -> Script[int]:
    """How many of a kind are bought at once; not asked if one is all that can be paid."""
    most = int(state.fpp[side] // chart.cost)
    if most < 2:
        return 1
    each = f"{points_words(chart.cost)} FPP each"
    answer = yield from ask_number(
        Prompt(
            state=state,
            id="9.619.4",
            about=f"{side.value} {chart.name}",
            kind="number",
            least=1,
            most=most,
            default=1,
            text=f"How many {chart.name}, {each}?",
            help=f"{points_words(state.fpp[side])} FPP left, {each}: {most} at most.",
        )
    )
    return int(answer)


def _ask_factors(
    state: Campaign, side: Side, chart: FortificationPrice, sizes: tuple[int, ...]
) -> Script[int]:
    options = []
    for size in sizes:
        price = chart.cost * size
        refused = ""
        if price > state.fpp[side]:
            refused = f"It costs {points_words(price)} FPP and {_rest_words(state, side)}."
        options.append(
            Option(
                str(size),
                number_words(size, "factor"),
                f"{points_words(price)} FPP",
                refused=refused,
                rule="9.619",
            )
        )
    answer = yield from ask(
        Prompt(
            state=state,
            id="9.619.2",
            about=f"{side.value} {chart.name}",
            options=tuple(options),
            text=f"How strong is the minefield ({chart.name})?",
            help="One minefield in one hex; further ones are bought one by one. Notes: "
            + "; ".join(state.charts.fortifications.notes[mark] for mark in chart.notes)
            + ".",
        )
    )
    return int(answer)


@paragraph("9.619 note b")
def _ask_unit(state: Campaign, side: Side, chart: FortificationPrice) -> Script[str]:
    crew_cost = _cost(state, "hip-crew")
    options = []
    for piece in candidates(state, side, chart):
        refused = ""
        if piece.kind == "crew" and crew_cost > state.fpp[side]:
            refused = f"HIP for a crew costs {points_words(crew_cost)} FPP."
        options.append(
            piece_option(
                piece,
                str(piece.retained_in or piece.own_formation),
                refused=refused,
            )
        )
    answer = yield from ask(
        Prompt(
            state=state,
            id="9.619.3",
            about=f"{side.value} {chart.name}",
            options=tuple(options),
            text=f"Which piece gets {chart.name}?",
            help="SW may go with it up to its IPC (leaders may lend theirs), or one 50* MTR per "
            "MMC.",
        )
    )
    return str(answer)
