"""Which piece of the OB a counter of a save is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asl_pbcg.campaign.catalogue import Catalogue
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.night import FREE
from asl_pbcg.campaign.piece_matching import Matching, Wanted, match
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask, tell
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.vasl.made_position import Chosen
from asl_pbcg.vasl.review_words import NEW, NOBODY, OUT, RULE, name_some, piece_words
from asl_pbcg.vasl.scene import Seen

if TYPE_CHECKING:
    from asl_pbcg.campaign.board import Board


_TOLD = (UnitStatus.WALKING_WOUNDED, UnitStatus.FANATIC)
"""What tells pieces of a type apart for players."""


# -- which piece it is --------------------------------------------------------------------


def ask_identities(
    chosen: Chosen, state: Campaign, board: Board, catalogue: Catalogue
) -> Script[None]:
    """Settle which pieces of the campaign the counters are, all at once."""
    wanted = [_what_is_wanted(chosen, seen) for seen in chosen.pieces()]
    known: dict[str, str] = {}
    named: dict[str, str] = {}
    matching = match(wanted, state.pieces, board, catalogue)
    new = [each for each in wanted if not matching.ids[each.key]]
    settle = [each for each in wanted if each.key in matching.doubts or each in new]
    unknown = len(chosen.scene.unknown) + len(chosen.scene.markers)
    yield from tell(
        f"{len(wanted) - len(settle)} matched, {len(settle)} to settle, {unknown} unknown.", RULE
    )
    while True:
        each = next((one for one in wanted if one.key not in known and _open(one, matching)), None)
        if each is None:
            break
        answer = yield from _which(chosen, each, matching, state)
        if answer == OUT:
            chosen.drop(each.key)
            wanted = [one for one in wanted if one.key != each.key]
        elif answer == NEW:
            known[each.key] = ""
        else:
            known[each.key] = answer
            named[each.key] = answer
        rest = [one for one in wanted if known.get(one.key) != ""]
        matching = match(rest, state.pieces, board, catalogue, named)
        matching.ids.update({key: "" for key, id in known.items() if not id})
    while True:
        answer = yield from _any_other(chosen, wanted, matching, state)
        if answer == NOBODY:
            break
        named |= _pairs(answer)
        known |= named
        rest = [one for one in wanted if known.get(one.key) != ""]
        matching = match(rest, state.pieces, board, catalogue, named)
        matching.ids.update({key: "" for key, id in known.items() if not id})
    chosen.ids = dict(matching.ids)
    chosen.make_up_ids(state)
    yield from _changes(chosen, matching, state)


def _any_other(
    chosen: Chosen, wanted: list[Wanted], matching: Matching, state: Campaign
) -> Script[str]:
    """Show every match, and take what the players know better."""
    places: dict[str, list[str]] = {}
    for each in wanted:
        id = matching.ids.get(each.key) or NEW
        places.setdefault(each.at, []).append(f"{each.key} {each.type or each.kind}: {id}")
    listed = "\n".join(f"  {at}  " + ", ".join(named) for at, named in places.items())
    keys = {each.key: each for each in wanted}
    pieces = {piece.id: piece for piece in state.pieces if piece.section}

    def check(text: str) -> str:
        if text.strip().lower() in ("", "none", NOBODY):
            return NOBODY
        if len(_words(text)) % 2:
            raise IllegalAnswer("Write counter and piece, one after the other: Z15.2 g-447-3.")
        for key, id in _pairs(text).items():
            if key not in keys:
                raise IllegalAnswer(f"{key} is no counter of the save; ? shows them all.")
            if id not in pieces:
                raise IllegalAnswer(f"{id} is no piece of either side.")
            wanted, piece = keys[key], pieces[id]
            same = wanted.section == piece.section and wanted.side is piece.maker
            if not same or (wanted.section != "units" and wanted.type != piece.type):
                raise IllegalAnswer(
                    f"{id} is a {piece.maker.title} {piece.type}, and {key} shows a "
                    f"{wanted.side.title} {wanted.type or wanted.kind}."
                )
        if len(set(_pairs(text).values())) < len(_pairs(text)):
            raise IllegalAnswer("Two counters cannot be the same piece.")
        return text.strip()

    answer: str = yield from ask(
        Prompt(
            id="vasl.other",
            rule="9.2 OB",
            kind="text",
            default="none",
            text="Is any counter another piece than the one it was matched to?",
            help="Write counter and piece, as: Z15.2 g-447-3; Z15.4 g-lmg-1\n" + listed,
            verify=check,
        )
    )
    return answer


def _pairs(text: str) -> dict[str, str]:
    """Counters and pieces as players write them: key and id, one pair after the other."""
    words = _words(text)
    return dict(zip(words[::2], words[1::2], strict=False))


def _words(text: str) -> list[str]:
    return text.replace(";", " ").replace(",", " ").split()


def _open(each: Wanted, matching: Matching) -> bool:
    return each.key in matching.doubts or not matching.ids.get(each.key)


def _what_is_wanted(chosen: Chosen, seen: Seen) -> Wanted:
    seen = chosen.piece(seen.key)
    held = [each.type for each in chosen.pieces() if each.holder == seen.key]
    side = seen.side or Side.GERMAN
    para = ("7th-battalion", "airborne")
    return Wanted(
        key=seen.key,
        section=seen.section,
        type=seen.type,
        side=side,
        at=seen.at,
        status=seen.status,
        formations=para
        if seen.formation == "para"
        else (seen.formation,)
        if seen.formation
        else (),
        holds=tuple(held),
        kind=seen.kind,
    )


def _which(chosen: Chosen, each: Wanted, matching: Matching, state: Campaign) -> Script[str]:
    """Ask which piece a counter is. It may be new, as an HS Deployed in play."""
    seen = chosen.piece(each.key)
    best = matching.ids.get(each.key, "")
    ids = [id for id in (best, *matching.doubts.get(each.key, ())) if id]
    options = [
        Option(id, f"{piece.type} {id}", _about(piece, each))
        for id in ids
        for piece in (state.piece(id),)
    ]
    options.append(Option(NEW, "new", _why_new(each, state)))
    options.append(Option(OUT, "leave out"))
    answer: str = yield from ask(
        Prompt(
            id="vasl.piece",
            about=each.key,
            where=Location.parse(each.at).hex,
            rule="9.2 OB",
            options=tuple(options),
            default=best or NEW,
            text=f"Which piece is {piece_words(seen)} in {each.at}?",
            help="A piece keeps its id from CG Date to CG Date. What came into being in play, as "
            "an HS by Deployment or a Hero, is new.",
        )
    )
    return answer


def _why_new(each: Wanted, state: Campaign) -> str:
    if each.section == "units":
        return "Deployed, created or never listed"
    return "not in the OB of either side"


def _about(piece: Piece, each: Wanted) -> str:
    """What tells a piece from others: what has become of it, formation, last place."""
    parts = []
    if each.type and piece.type != each.type:  # a prisoner counter shows none
        parts.append(f"{each.type} now")
    parts += [
        status
        for status in piece.status
        if status in (UnitStatus.WALKING_WOUNDED, UnitStatus.FANATIC)
    ]
    parts += filter(None, (piece.name, piece.own_rg or piece.own_formation))
    parts.append(f"was in {piece.at}" if piece.at else "")
    return ", ".join(part for part in parts if part)


def _changes(chosen: Chosen, matching: Matching, state: Campaign) -> Script[None]:
    """Tell what has become of pieces, and what the save does not show."""
    for seen in chosen.pieces():
        id = matching.ids.get(seen.key, "")
        if id and state.piece(id).type != seen.type and seen.type:
            yield from tell(f"{id}, a {state.piece(id).type}, is a {seen.type} now.", "9.2 OB")
    taken = set(chosen.ids.values())
    gone = [p for p in state.pieces if p.is_unit_or_equipment and p.id not in taken]
    for side in Side:
        own = [f"{piece.type} {piece.id}" for piece in gone if piece.side is side]
        if own:
            pieces = number_words(len(own), f"{side.title} piece")
            yield from tell(
                f"The save does not show {pieces}: {name_some(own)}. The Refit Phase asks of each "
                "what became of it.",
                "9.2",
            )


def ask_types(chosen: Chosen, state: Campaign | None, catalogue: Catalogue) -> Script[None]:
    """Ask for the type of a prisoner who is no known piece: his counter shows none."""
    known = {piece.id for piece in state.pieces} if state else set()
    for seen in chosen.pieces():
        if seen.type or chosen.ids[seen.key] in known or not seen.side:
            continue
        names = [
            each.name for each in catalogue if each.side is seen.side and each.kind == seen.kind
        ]
        answer = yield from ask(
            Prompt(
                id="vasl.type",
                about=seen.key,
                where=seen.hex,
                rule="A20.5",
                options=tuple(Option(name, name) for name in names),
                default=names[0],
                text=f"Of which type is the {seen.side.title} {seen.name} in {seen.at}?",
            )
        )
        chosen.set_type(seen.key, answer)


def ask_freedom(chosen: Chosen, state: Campaign) -> Script[None]:
    """Settle who has gained Freedom of Movement: a save shows the No Move counters alone.

    Rule: CG4.
    """
    if state.date not in (CGDate.NIGHT_1, CGDate.NIGHT_2):
        return
    before = {piece.id: piece for piece in state.pieces}
    waiting = [
        seen
        for seen in chosen.pieces()
        if seen.side is Side.GERMAN
        and seen.section != "equipment"
        and not {UnitStatus.NO_MOVE, UnitStatus.PRISONER} & set(seen.status)
        and not (chosen.ids[seen.key] in before and before[chosen.ids[seen.key]].has(FREE))
    ]
    if not waiting:
        return
    moved = [
        seen.key
        for seen in waiting
        if chosen.ids[seen.key] in before and before[chosen.ids[seen.key]].at != seen.at
    ]
    free = yield from ask(
        Prompt(
            id="vasl.freedom",
            rule="CG4",
            side=Side.GERMAN,
            kind="choose-some",
            options=tuple(Option(seen.key, chosen.words(seen.key), seen.at) for seen in waiting),
            default=", ".join(moved) or "none",
            text="Which of these Germans have gained Freedom of Movement?",
            help="They lie under no No Move counter; who has moved has it as a rule.",
        )
    )
    for key in free:
        chosen.add_status(key, FREE)
