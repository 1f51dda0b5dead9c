"""Before 9.601: how the CG scenario ended, and its end position taken in.

No script ran during play, so two states are all there is. ``table_events`` is the one place that
compares them and makes events of the differences, piece by piece; readers get events, as they do
from the steps. Each side then says in one go what it alone knows, so nobody need wait.
Rule: 9.2, 9.3, CG16.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Set
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.catalogue import InfantryType
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.state.campaign_events import (
    CampaignEnded,
    ChangedInPlay,
    FirstMover,
    MassacreCommitted,
    PieceChange,
    PieceEvent,
    changes_between,
    gone_between,
    happen,
    keep_book,
)
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change, with_account
from asl_pbcg.campaign.state.ob_merge import kept_control, pieces_left_out, take_position
from asl_pbcg.campaign.state.piece_changes import update
from asl_pbcg.campaign.state.piece_events import (
    BattleHardened,
    CameInPlay,
    CapturedInPlay,
    Deployed,
    Eliminated,
    EndedAt,
    Reduced,
    Replaced,
    TakenFromPaper,
)
from asl_pbcg.campaign.state.piece_names import name_pieces
from asl_pbcg.campaign.state.pieces import Piece, retype
from asl_pbcg.campaign.state.seen import PLACE_UNSEEN, known_by
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import FaultsError, IllegalAnswer
from asl_pbcg.kernel.prompts import (
    Note,
    NumberField,
    Option,
    Prompt,
    Script,
    ask,
    ask_document,
    paragraph,
)
from asl_pbcg.refit.helpers.subjects import own_turn, whole_side
from asl_pbcg.refit.s600_ground import (
    Unlisted,
    ground_that_stays,
    hidden_ground,
    places_of_purchases,
    wrecks,
)
from asl_pbcg.refit.s600_losses import (
    casualty_vp,
    exits,
    hidden_newcomers,
    newcomers,
    settle_unentered,
    ww_box,
)

RULE = "CG19"
NOT_KEPT = "not kept"
MIN_CIRCLED: Final = 2
MAX_CIRCLED: Final = 7


def scenario_end(state: Told) -> Script[Told]:
    """Decide how the CG scenario ended and take in its end position; a concession is CG End.

    Rule: CG19, 9.2 CG End, 9.12, CG3, CG14-CG17.
    """
    state = yield from game_end(state)
    if state.ended:
        return state
    return (yield from end_position(state))


@paragraph(RULE)
def game_end(state: Told) -> Script[Told]:
    """Decide how the CG scenario ended: by Game End dr, by agreement or by a concession.

    Rule: CG19, 9.2 CG End.
    """
    ways = (
        Option("dr", "by a Game End dr", "from the end of each Player Turn of Turn 5"),
        Option("agreement", "by agreement", "ATTACKER and DEFENDER both consent"),
        Option("british-concede", "the British concede the CG", "CG End", rule="9.2"),
        Option("german-concede", "the Germans concede the CG", "CG End", rule="9.2"),
    )
    how = yield from ask(
        Prompt(
            state=state,
            id="0.1",
            text=f"How did the {state.date.title} CG scenario end?",
            options=ways,
            draw=lambda source: source.choices([way.id for way in ways], [60, 38, 1, 1])[0],
            help="From the end of each Player Turn of Turn 5 on, the ATTACKER makes a Game End "
            "dr: below the circled number of the turn it ends the scenario at once. It also "
            "ends when both agree (CG19). A concession ends the whole CG (9.2).",
        )
    )
    if how == "dr":
        return (yield from _game_end_dr(state))
    if how.endswith("-concede"):
        from asl_pbcg.campaign.scenario.victory import concede

        loser = Side(how.removesuffix("-concede"))
        after = concede(state, loser)
        told = CampaignEnded(text=after.ended, rule="9.2 CG End")
        return (yield from happen(state, after, told))
    return _ended_by(state, "by agreement")


def _ended_by(state: Told, words: str) -> Told:
    return keep_book(state, with_account(state, ended_by=words))


@paragraph(RULE)
def _game_end_dr(state: Told) -> Script[Told]:
    """Keep the Game End dr with its Turn and circled number, in one line, if the players want.

    Nothing follows from them. Rule: CG19; house rule C-76.
    """
    if state.plays("C-76", "unused"):
        return _ended_by(state, "by Game End dr")
    chart = state.frame.game_end

    def verify(typed: str) -> str:
        if typed == NOT_KEPT:
            return typed
        turn, circled, dr = _three_numbers(typed)
        if not chart.first_turn <= turn <= chart.most_turns:
            raise IllegalAnswer(
                f"No Game End dr is made in Turn {turn}: from the end of the first Player Turn of "
                f"Turn {chart.first_turn} on.",
                RULE,
            )
        if not MIN_CIRCLED <= circled <= MAX_CIRCLED:
            raise IllegalAnswer(
                f"{circled} is not a circled number; {MIN_CIRCLED} to {MAX_CIRCLED} are.", RULE
            )
        if not 1 <= dr <= 6:
            raise IllegalAnswer(f"A dr cannot be {dr}.", RULE)
        if dr >= circled:
            raise IllegalAnswer(f"A dr of {dr} is not below {circled}: the scenario goes on.", RULE)
        return f"{turn} {circled} {dr}"

    typed = yield from ask(
        Prompt(
            state=state,
            id="0.1.dr",
            kind="text",
            widget="numbers",
            fields=(
                NumberField("Turn", chart.first_turn, chart.most_turns),
                NumberField("Circled number", MIN_CIRCLED, MAX_CIRCLED),
                NumberField("Game End dr", 1, 6, die=True),
            ),
            default=NOT_KEPT,
            text="Turn, circled number and Game End dr, as 7 5 3?",
            help="For the record alone: the Turn, the number circled there on the CG Turn Record "
            "Chart, and the ATTACKER's dr, which must be below it.",
            verify=verify,
            draw=lambda source: _draw_numbers(source, chart.first_turn),
        )
    )
    if typed == NOT_KEPT:
        return _ended_by(state, "by Game End dr")
    turn, circled, dr = _three_numbers(typed)
    words = f"Turn {turn}, Game End dr {dr} below {circled}"
    yield Note(f"The scenario ended in {words}.")
    return _ended_by(state, words)


def _three_numbers(typed: str) -> tuple[int, int, int]:
    parts = typed.replace(",", " ").split()
    digits = "".join(parts)
    if len(parts) != 3 or not (digits.isascii() and digits.isdigit()):
        raise IllegalAnswer(
            f'"{typed}" is not a Turn, a circled number and a dr: give three numbers, as 7 5 3.',
            RULE,
        )
    turn, circled, dr = (int(part[:4]) for part in parts)
    return turn, circled, dr


def _draw_numbers(source: random.Random, first_turn: int) -> str:
    circled = source.randint(MIN_CIRCLED, MAX_CIRCLED)
    return f"{source.randint(first_turn, 9)} {circled} {source.randint(1, circled - 1)}"


def end_position(state: Told) -> Script[Told]:
    """Resolve the end position and what follows from it at once.

    Rule: 9.2, 9.12, CG3, CG14-CG17.
    """

    from asl_pbcg.campaign.entry import end_position as end_position_checks

    position = msgspec.convert((yield from ask_document(_document(state))), state.module.position)
    common = position = end_position_checks.without_clashes(state, position)
    before: Campaign = state
    off_map, ground = dict[str, str](), list[Unlisted]()
    for side in before.sides:
        taken = take_as_open(before, position, off_map)
        own = _of_one_side(taken, before, common, position, side)
        before, position, found, lost, hidden = yield from own_turn(state, own, side, "9.602(6)")
        off_map |= found
        ground.append(hidden)
        if lost:
            yield Note(f"Eliminated in play: {name_pieces(lost)}.", "9.2 Eliminated", side=side)
    taken = take_as_open(before, position, off_map)
    for side, places in kept_control(before, position).items():
        if places:
            yield Note(
                f"The position does not say who Controls {', '.join(places)}: as before, the "
                f"{side.people} do.",
                "A26.11",
            )
    open_ids = {piece.id for piece in common.pieces}
    taken = yield from newcomers(before, taken, open_ids)
    state = yield from tell_what_happened(state, taken, open_ids)
    state = yield from exits(state)
    state = yield from ground_that_stays(before, state, ground)
    state = yield from wrecks(state)
    state = yield from ww_box(before, state, position)
    state = yield from casualty_vp(before, state, common)
    state = yield from _massacre(before, state)
    return (yield from _settle_first_move(state))


def _of_one_side(
    state: Campaign, before: Campaign, common: Position, position: Position, side: Side
) -> Script[tuple[Campaign, Position, dict[str, str], list[Piece], Unlisted]]:
    """Decide what one side alone knows of the end position: all in one go, so nobody need wait.

    Gives the campaign with the hexes of what it bought, the position with its hidden pieces, what
    never entered, what was lost in play, and its hidden Fortifications that the position does not
    list. While the side is asked the map shows ``state``: the position as both know it, which is
    ``common``; ``position`` has what the other side hides, too.

    Rule: 9.602(6), 9.62022, CG14, CG16.
    """
    position = yield from _settle_hidden(state, before, common, position, side)
    taken = take_as_open(before, position, {})
    position = yield from hidden_newcomers(taken, before, common, position, side)
    off_map, lost = yield from settle_unentered(state, before, position, side)
    before = yield from places_of_purchases(state, before, position, side)
    ground = yield from hidden_ground(state, before, position, side)
    return before, position, off_map, lost, ground


def _document(state: Campaign) -> Prompt:
    """Return the question for the end position. Its stored answer is the position as plain data."""

    def settle(answer: Any) -> Any:
        try:
            from asl_pbcg.campaign.entry import end_position as end_position_checks

            position = end_position_checks.open_position(state, answer)
        except FaultsError as error:
            raise IllegalAnswer(str(error)) from error  # each fault names its own rule
        return msgspec.to_builtins(position)

    return Prompt(
        state=state,
        id="0.2",
        rule="9.2",
        kind="document",
        widget="position",
        text=f"The end position of {state.date.title}?",
        help="The whole position (format: pbcg-position/1), or only what changed since the last "
        "one (format: pbcg-changes/1). What neither lists is asked for next.",
        verify=settle,
    )


def _settle_hidden(
    state: Campaign, before: Campaign, common: Position, position: Position, side: Side
) -> Script[Position]:
    """Decide what one side alone knows: pieces that the common position leaves out.

    Asked only if something of that side is not listed, or nothing is on record yet. What is
    answered depends on nothing that the other side hides. Rule: 9.602(6).
    """

    from asl_pbcg.campaign.entry import hidden_list

    unlisted = [piece for piece in pieces_left_out(before, position) if piece.side is side]
    if not unlisted and not before.has_no_pieces_yet:
        return position
    hidden = [piece for piece in unlisted if piece.hip or piece.has(*PLACE_UNSEEN)]
    on_record = f" On record as hidden: {name_pieces(hidden)}." if hidden else ""
    known = known_by(before, (side,))

    def settle(answer: Any) -> Any:
        if answer in (None, "", "none"):
            return None
        try:
            from asl_pbcg.campaign.entry import hidden_list

            found = hidden_list.add_hidden(known, common, side, answer)
        except FaultsError as error:
            raise IllegalAnswer(str(error)) from error
        return msgspec.to_builtins(found)

    answer = yield from ask_document(
        Prompt(
            state=state,
            id="0.2.0",
            subject=whole_side(side),
            kind="document",
            widget="hidden",
            default="none",
            text=f"Have the {side.people} hidden or Cloaked pieces that the position leaves out?"
            f"{on_record}",
            help="Give a workbook, YAML or JSON with your hidden pieces and Fortifications only (a "
            "position or changes), or none.",
            verify=settle,
        )
    )
    if not answer:
        return position
    found = msgspec.convert(answer, Position)
    return hidden_list.join_hidden(before, position, found, side)


def take_as_open(state: Campaign, position: Position, off_map: dict[str, str]) -> Campaign:
    """Return the state with the position taken in, nothing Retained yet. Rule: 9.3, CG16.

    ``off_map`` gives the Entry Area of each piece that never entered; what the other side has in
    its hands, hidden until now, is not among them.
    """
    listed = {piece.id for piece in position.pieces}
    off_map = {id: area for id, area in off_map.items() if id not in listed}
    state = take_position(state, position, off_map)
    for piece in state.pieces:
        area = ""
        if piece.id in off_map:
            area = off_map[piece.id]
            state = update(state, piece.id, area=area, at=str(Location.off_map(area)))
            continue
        if not piece.is_unit_or_equipment:
            continue
        if piece.off_map:
            area = piece.location.entry
        if area != piece.area:
            state = update(state, piece.id, area=area)
    return change(state, determined=None, seen=None)


def tell_what_happened(before: Told, state: Campaign, open_ids: Set[str]) -> Script[Told]:
    """Yield what happened in play; both sides see it of ``open_ids`` and of what is gone.

    Of the other pieces only the side that has them now does. Rule: 9.2, 9.602(6).
    """
    for event in table_events(before, state):
        holder = event.changes[0].after
        secret = holder is not None and not open_ids >= {*event.ids}
        yield event.kept_by(holder.side.value) if holder and secret else event
    ground = change(before, pieces=state.pieces, gone=state.gone)
    return (yield from happen(ground, state, ChangedInPlay(in_play=True)))


def table_events(before: Campaign, state: Campaign) -> Iterator[PieceEvent]:
    """Yield an event for each piece that differs between two states. Rule: 9.2 OB, A1.31."""
    changes = {each.id: each for each in changes_between(before, state)}
    halves = _second_halves(state, changes.values())
    for id, each in changes.items():
        old, new = each.before, each.after
        if new is None:
            assert old
            gone = gone_between(before, state, id)
            yield Eliminated(piece=old, changes=(each,), gone=gone, how=None, in_play=True)
        elif old is None:
            if id not in halves.values():
                kind = TakenFromPaper if before.has_no_pieces_yet else CameInPlay
                yield kind(piece=new, changes=(each,), in_play=True)
        else:
            second = changes[halves[id]] if id in halves else None
            event = _of_another_type(state, old, new, second) if old.type != new.type else None
            if event is not None:
                yield event
                old = event.changes[0].after
                assert old
            if old != new:
                prisoner = new.is_prisoner and not old.is_prisoner
                how = CapturedInPlay if old.side is not new.side or prisoner else EndedAt
                yield how(piece=old, changes=(PieceChange(old, new),), in_play=True)


def _of_another_type(
    state: Campaign, old: Piece, new: Piece, second: PieceChange | None
) -> PieceEvent:
    """Return how the counter of a piece became another; the rest of what it did is told apart.

    ``second`` is the new HS if it is a squad that Deployed. Rule: A1.31, A7.302, A15.3, A19.13.
    """
    turned = retype(state.catalogue, old, new.type)
    own = PieceChange(old, turned)
    if second is not None:
        assert second.after
        into = (turned, second.after)
        return Deployed(piece=old, changes=(own, second), into=into, in_play=True)
    if _is_halved(state, old, new):
        return Reduced(piece=old, changes=(own,), to=turned, in_play=True)
    entry = state.catalogue.find(old.type, old.maker)
    if isinstance(entry, InfantryType) and entry.hardens_to == new.type:
        return BattleHardened(piece=old, changes=(own,), to=new.type, in_play=True)
    if old.kind == "squad" and new.kind == "half_squad":  # Reduced, and of another quality, too
        return Reduced(piece=old, changes=(own,), to=turned, in_play=True)
    return Replaced(piece=old, changes=(own,), by=(turned,), in_play=True)


def _second_halves(state: Campaign, changes: Collection[PieceChange]) -> Mapping[str, str]:
    """Return for each squad that Deployed the new HS that is its second half.

    A new HS belongs to one squad of its side at most: to one in its Location before others, then to
    one of its formation. Squads that no new HS belongs to were Reduced. Rule: A1.31.
    """
    squads = [
        each
        for each in changes
        if each.before and each.after and _is_halved(state, each.before, each.after)
    ]
    new = [each.after for each in changes if each.before is None and each.after]
    pairs = sorted(
        (half.at != squad.after.at, half.formation != squad.after.formation, squad.id, half.id)
        for squad in squads
        for half in new
        if squad.after and (half.side, half.type) == (squad.after.side, squad.after.type)
    )
    found: dict[str, str] = {}
    for *_, squad_id, half_id in pairs:
        if squad_id not in found and half_id not in found.values():
            found[squad_id] = half_id
    return found


def _is_halved(state: Campaign, old: Piece, new: Piece) -> bool:
    entry = state.catalogue.find(old.type, old.maker)
    return isinstance(entry, InfantryType) and entry.half_squad == new.type != old.type


def _massacre(before: Campaign, state: Told) -> Script[Told]:
    """Keep every Massacre for the rest of the CG. Rule: CG3, A20.3-.4."""
    sides = tuple(side for side in state.sides if side in before.massacre or side in state.massacre)
    for side in sides:
        if side not in before.massacre:
            yield Note(
                f"The {side.people} have committed a Massacre: all effects of A20.3-.4 last for "
                "the rest of the CG.",
                "CG3",
            )
    return (yield from happen(state, change(state, massacre=sides), MassacreCommitted()))


def _settle_first_move(state: Told) -> Script[Told]:
    """Decide who moved first, as 9.62023 says unless the position says otherwise.

    That side is the ATTACKER in the Melees of 9.601. Rule: 9.62023, 9.601.
    """
    order = state.frame.setup_order[state.date]
    first = state.charts.initial[state.campaign].setup
    if state.date is state.frame.campaigns[state.campaign].dates[0]:
        order = first
    moved = state.moved_first or order.first_move
    if moved is not order.first_move:
        yield Note(
            f"The position says that the {moved.people} moved first, not the "
            f"{order.first_move.people} as the table has it; it is taken.",
            "9.62023",
        )
    return (yield from happen(state, change(state, moved_first=moved), FirstMover()))
