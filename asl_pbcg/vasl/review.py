"""The questions about a save: what it cannot tell is asked, what it seems to say is confirmed.

Every question has an id of its own that begins with ``vasl.``, and says what it is about (the key
of a counter, a hex, a name), so that an answers file can answer it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from asl_pbcg.campaign.catalogue import MMC, Catalogue
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.matching import Matching, Wanted, match, sections_of
from asl_pbcg.campaign.night import FREE
from asl_pbcg.campaign.occupation import infer_control
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position import Control, Position
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask, tell
from asl_pbcg.vasl.position import Chosen, make_position
from asl_pbcg.vasl.scene import Scene, Seen, Unknown

if TYPE_CHECKING:
    from asl_pbcg.campaign.board import Board

OUT, NEW, NOBODY = "leave-out", "new", "nobody"
_MOST_NAMED = 12


def review(
    scene: Scene,
    state: Campaign | None,
    board: Board,
    catalogue: Catalogue,
) -> Script[Position | None]:
    """Settle the position that a save shows; None if the players do not take it.

    ``state`` is the campaign whose scenario it ends; without one, ids are made up. Both are what
    whoever answers may see.
    """
    date = state.date if state else (yield from _date())
    chosen = Chosen(scene, date)
    yield from _unknown(chosen, catalogue)
    for seen in chosen.pieces():
        yield from _doubts(chosen, seen, state)
    yield from _armor_leaders(chosen)
    if state is None:
        chosen.make_up_ids()
        yield from tell(f"{len(chosen.pieces())} pieces; their ids are made up.", _RULE)
    else:
        yield from _identities(chosen, state, board, catalogue)
    yield from _types(chosen, state, catalogue)
    yield from _owners(chosen, state)
    if state is not None:
        yield from _freedom(chosen, state)
    position = make_position(chosen, state, catalogue)
    position = yield from _control(position, chosen, state, board, catalogue)
    yield from _told_at_last(chosen, state)
    taken = yield from ask(
        Prompt(
            id="vasl.take",
            rule=_RULE,
            options=(Option("yes", "yes"), Option("no", "no, leave it")),
            default="yes",
            text=f"Take this position: {_count_words(position)}?",
            help="Nothing is written before you say yes. u takes the last answer back.",
        )
    )
    return position if taken == "yes" else None


_RULE = "9.2"


def _count_words(position: Position) -> str:
    counts = (
        (len(position.units), "unit"),
        (len(position.equipment), "piece of Equipment"),
        (len(position.vehicles), "vehicle"),
        (len(position.fortifications), "Fortification"),
    )
    return ", ".join(
        f"{count} {word.replace('piece', 'pieces') if count != 1 and 'piece' in word else word}"
        f"{'s' if count != 1 and 'piece' not in word else ''}"
        for count, word in counts
    )


def _date() -> Script[CGDate]:
    answer = yield from ask(
        Prompt(
            id="vasl.date",
            rule=_RULE,
            options=tuple(Option(date.value, date.title) for date in CGDate),
            text="Which CG Date was played?",
        )
    )
    return CGDate(answer)


# -- counters we do not know --------------------------------------------------------------


def _unknown(chosen: Chosen, catalogue: Catalogue) -> Script[None]:
    """Say every name that is not known; take what its number in VASL's palette stands for."""
    groups: dict[tuple[str, str, Side | None], list[Unknown]] = {}
    for each in chosen.scene.unknown:
        groups.setdefault((each.name, each.meant, each.side), []).append(each)
    for (name, meant, side), alike in groups.items():
        places = ", ".join(dict.fromkeys(one.at for one in alike))
        many = f"{len(alike)} counters" if len(alike) > 1 else "A counter"
        options = [Option(OUT, "leave out", "it is not in the position")]
        if meant and side:
            options.insert(0, Option("take", f"take as {side.title} {meant}"))
        answer = yield from ask(
            Prompt(
                id="vasl.unknown",
                about=name,
                where=places[:60],
                rule=_RULE,
                options=tuple(options),
                default=options[0].id,
                text=f"{many} called {name} at {places} stands for nothing known here.",
                help="It is no counter of this campaign, or VASL calls it otherwise than it did. "
                "What is left out you can add to the position by hand.",
            )
        )
        if answer == "take":
            chosen.take_unknown(alike, meant, catalogue)
    for marker in chosen.scene.markers:
        yield from tell(f"{marker.name} at {marker.at} lies on nothing it can be for.", _RULE)


# -- what a save cannot tell --------------------------------------------------------------


def _doubts(chosen: Chosen, seen: Seen, state: Campaign | None) -> Script[None]:
    for doubt in seen.doubts:
        if doubt == "hex":
            yield from _hex(chosen, seen)
        elif doubt in ("level", "pillbox"):
            yield from _level(chosen, seen, doubt)
        elif doubt in ("side", "guard"):
            yield from _prisoner(chosen, seen, doubt)
        elif doubt == "holder":
            yield from _holder(chosen, seen)
        elif doubt == "aboard":
            yield from _aboard(chosen, seen, state)


def _hex(chosen: Chosen, seen: Seen) -> Script[None]:
    """Which hex a counter on a hexside belongs to; a vehicle there is in Bypass."""
    answer = yield from ask(
        Prompt(
            id="vasl.hex",
            about=seen.key,
            where=seen.hex,
            rule=_RULE,
            options=(Option(seen.hex, seen.hex), Option(seen.across, seen.across)),
            default=seen.hex,
            text=f"{seen.name} lies between {seen.hex} and {seen.across}. Which hex is it in?",
        )
    )
    chosen.move(seen.key, answer)


def _level(chosen: Chosen, seen: Seen, doubt: str) -> Script[None]:
    """The level of a stack without a level counter; asked once a stack."""
    place = (seen.hex, doubt)
    if place not in chosen.levels:
        stack = [
            other for other in chosen.pieces() if other.hex == seen.hex and doubt in other.doubts
        ]
        words = _names(stack)
        if doubt == "pillbox":
            options = [Option("pillbox", "inside the pillbox"), Option("0", "beneath it, outside")]
            text = f"{words} lie beneath the pillbox in {seen.hex}."
        else:
            names = ("ground level", "first level", "second level")
            options = [Option(str(number), name) for number, name in enumerate(names)]
            text = f"No level counter lies beneath {words} in {seen.hex}. Which level?"
        chosen.levels[place] = yield from ask(
            Prompt(
                id=f"vasl.{doubt}",
                about=seen.hex,
                where=seen.hex,
                rule=_RULE,
                options=tuple(options),
                default=options[0].id,
                text=text,
            )
        )
    level = chosen.levels[place]
    chosen.set_at(seen.key, seen.hex if level == "0" else f"{seen.hex}/{level}")


def _prisoner(chosen: Chosen, seen: Seen, doubt: str) -> Script[None]:
    if doubt == "side":
        guards = [chosen.piece(key) for key in seen.nearby]
        likely = guards[0].side.other if guards and guards[0].side else Side.GERMAN
        if "unarmed" not in seen.status:
            chosen.set_side(seen.key, likely)
            return
        answer = yield from ask(
            Prompt(
                id="vasl.side",
                about=seen.key,
                where=seen.hex,
                rule="A20.5",
                options=tuple(Option(side.value, side.title) for side in Side),
                default=likely.other.value if guards else None,
                text=f"Whose is {seen.name} in {seen.at}?",
            )
        )
        chosen.set_side(seen.key, Side(answer))
        return
    options = [
        Option(key, chosen.words(key), rule="A20.5")
        for key in seen.nearby
        if "prisoner" not in chosen.piece(key).status
    ]
    if not options:
        chosen.drop(seen.key)
        yield from tell(f"{seen.name} in {seen.at} has no Guard there; it is left out.", "A20.5")
        return
    answer = yield from ask(
        Prompt(
            id="vasl.guard",
            about=seen.key,
            where=seen.hex,
            rule="A20.5",
            options=tuple(options),
            default=options[0].id,
            text=f"Who guards {seen.name} in {seen.at}?",
        )
    )
    guard = chosen.piece(answer)
    assert guard.side
    chosen.set_side(seen.key, guard.side.other)
    chosen.guards[seen.key] = answer


def _holder(chosen: Chosen, seen: Seen) -> Script[None]:
    there = [key for key in seen.nearby if chosen.piece(key).at == chosen.piece(seen.key).at]
    if not there:
        return
    options = [Option(key, chosen.words(key)) for key in there]
    options.append(Option(NOBODY, "nobody"))
    crews = [key for key in there if chosen.piece(key).kind in MMC]
    answer = yield from ask(
        Prompt(
            id="vasl.holder",
            about=seen.key,
            where=seen.hex,
            rule="A4.43",
            options=tuple(options),
            default=crews[0] if crews else NOBODY,
            text=f"No unit lies beneath {seen.name} in {chosen.piece(seen.key).at}. "
            "Who possesses it?",
        )
    )
    if answer != NOBODY:
        chosen.set_holder(seen.key, answer)


def _armor_leaders(chosen: Chosen) -> Script[None]:
    """Put every Armor Leader into a vehicle of his hex: he is part of its crew. Rule: D3.4."""
    for seen in chosen.pieces():
        if seen.kind != "armor_leader" or seen.aboard:
            continue
        there = [
            each
            for each in chosen.pieces()
            if each.section == "vehicles" and (each.hex, each.side) == (seen.hex, seen.side)
        ]
        if there:
            chosen.set_aboard(seen.key, there[0].key)
        else:
            chosen.drop(seen.key)
            yield from tell(f"{seen.name} in {seen.at} is in no vehicle; it is left out.", "D3.4")


def _aboard(chosen: Chosen, seen: Seen, state: Campaign | None) -> Script[None]:
    vehicle = chosen.piece(seen.aboard)
    was = {piece.id: piece.type for piece in state.pieces} if state else {}
    before = state is not None and any(
        (piece.type, piece.side) == (seen.type, seen.side) and was.get(piece.aboard) == vehicle.type
        for piece in state.pieces
    )
    if vehicle.side is not seen.side:
        chosen.set_aboard(seen.key, "")
        return
    answer = yield from ask(
        Prompt(
            id="vasl.aboard",
            about=seen.key,
            where=seen.hex,
            rule="D6.1",
            options=(Option("no", "no"), Option("yes", "yes")),
            default="yes" if before else "no",
            text=f"Is {seen.name} in {seen.at} aboard {vehicle.type}?",
        )
    )
    if answer == "no":
        chosen.set_aboard(seen.key, "")


# -- which piece it is --------------------------------------------------------------------


def _identities(
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
        f"{len(wanted) - len(settle)} matched, {len(settle)} to settle, {unknown} unknown.", _RULE
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
    ids = {piece.id for piece in state.pieces if sections_of(piece)}

    def checked(text: str) -> str:
        if text.strip().lower() in ("", "none", NOBODY):
            return NOBODY
        for key, id in _pairs(text).items():
            if key not in keys:
                raise IllegalAnswer(f"{key} is no counter of the save; x shows them all.")
            if id not in ids:
                raise IllegalAnswer(f"{id} is no piece of either side.")
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
            verify=checked,
        )
    )
    return answer


def _pairs(text: str) -> dict[str, str]:
    """Counters and pieces as players write them: key and id, one pair after the other."""
    words = text.replace(";", " ").replace(",", " ").split()
    return dict(zip(words[::2], words[1::2], strict=False))


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
            text=f"Which piece is {_value_words(seen)} in {each.at}?",
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
    if piece.type != each.type:
        parts.append(f"{each.type} now")
    parts += [status for status in piece.status if status in ("walking-wounded", "fanatic")]
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
            yield from tell(
                f"The save does not show {len(own)} {side.title} pieces: {_some(own)}. The Refit "
                "Phase asks what became of them.",
                "9.2",
            )


def _types(chosen: Chosen, state: Campaign | None, catalogue: Catalogue) -> Script[None]:
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


def _freedom(chosen: Chosen, state: Campaign) -> Script[None]:
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
        and not {"no-move", "prisoner"} & set(seen.status)
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


# -- Fortifications, Control and the rest ----------------------------------------------------


def _owners(chosen: Chosen, state: Campaign | None) -> Script[None]:
    """Ask whose a Fortification is that no record tells, if it is hidden."""
    for number, part in enumerate(chosen.fortifications):
        known = state and [
            each for each in state.fortifications if (each.kind, each.at) == (part.kind, part.at)
        ]
        if known:
            old = known[0]
            chosen.fortifications[number] = msgspec.structs.replace(
                part,
                owner=old.owner,
                notes=old.notes,
                strength=part.strength or old.strength,
                ca=part.ca or old.ca,
                size=part.size if part.size is not None else old.size,
            )
        elif part.hidden:
            answer = yield from ask(
                Prompt(
                    id="vasl.owner",
                    about=part.at,
                    where=part.at,
                    rule="9.619",
                    options=tuple(Option(side.value, side.title) for side in Side),
                    text=f"Whose is the hidden {part.kind} in {part.at}?",
                )
            )
            chosen.fortifications[number] = msgspec.structs.replace(part, owner=Side(answer))


def _control(
    position: Position,
    chosen: Chosen,
    state: Campaign | None,
    board: Board,
    catalogue: Catalogue,
) -> Script[Position]:
    """Confirm Control as the map, its markers and the last Control tell it."""
    last = state.control if state else Control()
    inferred = infer_control(position, last, board, catalogue, chosen.scene.control)
    control = inferred.control
    for side in Side:
        gained = inferred.gained[side]
        if gained:
            yield from tell(f"The {side.people} Control now: {', '.join(gained)}.", "9.605")
    if inferred.contested:
        places = ", ".join(inferred.contested)
        yield from tell(f"Both sides are in {places}: Control stays as it was.", "9.605")
    for place in inferred.open:
        answer = yield from ask(
            Prompt(
                id="vasl.control",
                about=place,
                where=place,
                rule="9.605",
                options=(
                    *(Option(side.value, side.title) for side in Side),
                    Option(NOBODY, "nobody"),
                ),
                default=next((s.value for s in Side if place in control.of(s)), NOBODY),
                text=f"Who Controls {place}? No Good Order MMC is there.",
            )
        )
        control = _with(control, {place: None if answer == NOBODY else Side(answer)})
    changed = [place for side in Side for place in inferred.gained[side]]
    if changed:
        wrong = yield from ask(
            Prompt(
                id="vasl.control.wrong",
                rule="9.605",
                kind="choose-some",
                options=tuple(
                    Option(place, place, f"{side.title} now")
                    for side in Side
                    for place in inferred.gained[side]
                ),
                default="none",
                text="Which of these changes of Control are wrong?",
                help="Control goes to the side that alone has armed units in the Location, one of "
                "them a Good Order MMC (A26.11). What is wrong stays as it was before.",
            )
        )
        before = {place: side for side in Side for place in last.of(side)}
        control = _with(control, {place: before.get(place) for place in wrong})
    more = yield from ask(
        Prompt(
            id="vasl.control.more",
            rule="9.605",
            kind="text",
            default="none",
            text="Any other change of Control?",
            help="Write a side or nobody and Locations, as: british X17 X18; nobody L9",
            verify=lambda text: _check(text, board),
        )
    )
    control = _with(control, dict(_read(more)))
    return msgspec.structs.replace(position, control=control)


def _with(control: Control, changes: dict[str, Side | None]) -> Control:
    found = {side: [p for p in control.of(side) if p not in changes] for side in Side}
    for place, side in changes.items():
        if side:
            found[side].append(place)
    return Control(british=tuple(found[Side.BRITISH]), german=tuple(found[Side.GERMAN]))


def _read(text: str) -> Iterable[tuple[str, Side | None]]:
    for part in text.split(";"):
        word, *places = part.replace(",", " ").split() or [""]
        side = Side(word.lower()) if word.lower() in list(Side) else None
        for place in places:
            yield place, side


def _check(text: str, board: Board) -> str:
    """The changes as they are kept. Raises IllegalAnswer with what would be right."""
    from asl_pbcg.campaign.position_fields import read_place
    from asl_pbcg.kernel.reader import Wrong

    if text.strip().lower() in ("none", ""):
        return "none"
    for part in text.split(";"):
        word, *places = part.replace(",", " ").split() or [""]
        if word.lower() not in (*Side, NOBODY) or not places:
            raise IllegalAnswer("Write a side and Locations, as: british X17 X18; nobody L9.")
        for place in places:
            try:
                read_place(place, board, off_map=False)
            except Wrong as error:
                raise IllegalAnswer(f"{place} {error.wrong}.") from error
    return text.strip()


def _told_at_last(chosen: Chosen, state: Campaign | None) -> Script[None]:
    beside = [f"{each.name}" for each in chosen.scene.beside]
    if beside:
        yield from tell(
            f"Beside the map lie {len(beside)} counters that are not taken: {_some(beside)}.", _RULE
        )
    if chosen.scene.dummies:
        hexes = ", ".join(sorted({name for name, _ in chosen.scene.dummies}))
        yield from tell(f'"?" with nothing beneath, not taken: {hexes}.', _RULE)


def _some(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _names(stack: list[Seen]) -> str:
    return _some([seen.name for seen in stack])


def _value_words(seen: Seen) -> str:
    status = f" ({', '.join(seen.status)})" if seen.status else ""
    return f"{seen.type or seen.name}{status}"
