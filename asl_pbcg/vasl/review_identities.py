"""Which piece of the OB a counter of a save is."""

from __future__ import annotations

from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.scenario.scenario_facts import FREE
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_matching import NEW, Identities, Matching, Wanted
from asl_pbcg.campaign.state.piece_names import name_piece, pieces_called, read_piece, short_name
from asl_pbcg.campaign.terms import NOBODY, CGDate, Side
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, ask_some
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.vasl.chosen import OUT, RULE, Chosen, choose, name_some
from asl_pbcg.vasl.scene import Seen

COUNTED = Topic(kind="counted")
"""The topic of the line that says how many counters are matched."""
PARA = ("7th-battalion", "airborne")
"""The formations whose counters do not tell which of them it is."""


def ask_identities(chosen: Chosen, state: Campaign) -> Script[None]:
    """Settle which pieces of the campaign the counters are, all at once."""
    wanted = [_what_is_wanted(chosen, counter) for counter in chosen.all()]
    identities = Identities(wanted, state.pieces, state, groups=True)
    settle = len(identities.doubtful(unmatched=True))
    unknown = len(chosen.scene.unknown) + len(chosen.scene.markers)
    words = f"{len(wanted) - settle} matched, {settle} to settle, {unknown} unknown."
    yield Note(words, RULE, topic=COUNTED)
    while doubtful := identities.doubtful(unmatched=True):
        wanted_piece = doubtful[0]
        answer = yield from _which(chosen, wanted_piece, identities)
        if answer == OUT:
            chosen.drop(wanted_piece.key)
            identities.leave_out(wanted_piece)
        else:
            identities.answer({wanted_piece.key: answer})
    while (others := (yield from _any_other(identities, state))) != NOBODY:
        identities.answer(_pairs(others))
    for key, id in identities.matching.ids.items():
        chosen.change(key, id=id)
    chosen.make_up_ids(state)
    yield from _changes(chosen, identities.matching, state)


def _what_is_wanted(chosen: Chosen, counter: Seen) -> Wanted:
    own = (counter.formation,) if counter.formation else ()
    return Wanted(
        key=counter.key,
        section=counter.section,
        type=counter.type,
        side=counter.side or Side.GERMAN,
        at=counter.at,
        status=counter.status,
        formations=PARA if counter.formation == "para" else own,
        holds=tuple(item.type for item in chosen.all() if item.holder == counter.key),
        kind=counter.kind,
    )


def _which(chosen: Chosen, counter: Wanted, identities: Identities) -> Script[str]:
    """Ask which piece a counter is. It may be new, as an HS Deployed in play."""
    why = "not in the OB of either side"
    if counter.section == "units":
        why = "Deployed, created or never listed"
    return (
        yield from choose(
            "piece",
            f"Which piece is {chosen.pieces[counter.key].words} in {counter.at}?",
            [*identities.options(counter, why), Option(OUT, "leave out")],
            identities.best(counter) or NEW,
            about=counter.key,
            where=Location.parse(counter.at).hex,
            rule="9.2 OB",
            help="A piece keeps its name from CG Date to CG Date. What came into being in play, as "
            "an HS by Deployment or a Hero, is new.",
        )
    )


def _any_other(identities: Identities, state: Campaign) -> Script[str]:
    """Show every match, and take what the players know better."""
    places: dict[str, list[str]] = {}
    for counter in identities.wanted:
        id = identities.best(counter) or NEW
        places.setdefault(counter.at, []).append(
            f"{counter.key} {counter.type or counter.kind}: {short_name(id)}"
        )
    listed = "\n".join(f"  {at}  " + ", ".join(named) for at, named in places.items())
    keys = {counter.key: counter for counter in identities.wanted}
    pieces = {piece.id: piece for piece in state.pieces if piece.section}

    def check(text: str) -> str:
        if text.strip().lower() in ("", "none", NOBODY):
            return NOBODY
        if len(_words(text)) % 2:
            raise IllegalAnswer("Write counter and piece, one after the other: Z15.2 E-3.")
        pairs = {}
        for key, name in _pairs(text).items():
            if key not in keys:
                raise IllegalAnswer(f"{key} is not a counter of the save; ? shows them all.")
            wanted = keys[key]
            if not pieces_called(name, pieces.values(), wanted.side):
                raise IllegalAnswer(f"{name} is not a piece of either side.")
            piece = read_piece(name, pieces.values(), wanted.side)
            pairs[key] = piece.id
            same = wanted.section == piece.section and wanted.side is piece.maker
            if not same or (wanted.section != "units" and wanted.type != piece.type):
                raise IllegalAnswer(
                    f"{short_name(piece.id)} is a {piece.maker.title} {piece.type}, and {key} "
                    "shows a "
                    f"{wanted.side.title} {wanted.type or wanted.kind}."
                )
        if len(set(pairs.values())) < len(pairs):
            raise IllegalAnswer("Two counters cannot be the same piece.")
        return "; ".join(f"{key} {id}" for key, id in pairs.items())

    answer = yield from ask(
        Prompt(
            id="vasl.other",
            rule="9.2 OB",
            kind="text",
            default="none",
            text="Is any counter another piece than the one it was matched to?",
            help="Write counter and piece, as: Z15.2 E-3; Z15.4 LMG-1g\n" + listed,
            verify=check,
        )
    )
    return answer


def _pairs(text: str) -> dict[str, str]:
    """Return counters and pieces as players write them: key and id, one pair after the other."""
    words = _words(text)
    return dict(zip(words[::2], words[1::2], strict=False))


def _words(text: str) -> list[str]:
    return text.replace(";", " ").replace(",", " ").split()


def _changes(chosen: Chosen, matching: Matching, state: Campaign) -> Script[None]:
    """Tell what has become of pieces, and what the save does not show."""
    for counter in chosen.all():
        id = matching.ids.get(counter.key, "")
        if id and state.piece(id).type != counter.type and counter.type:
            yield Note(f"{name_piece(state.piece(id))} is a {counter.type} now.", "9.2 OB")
    taken = {counter.id for counter in chosen.all()}
    for side in Side:
        own = [
            name_piece(piece) for piece in state.of(side) if piece.section and piece.id not in taken
        ]
        if own:
            pieces = number_words(len(own), f"{side.title} piece")
            yield Note(
                f"The save does not show {pieces}: {name_some(own)}. The Refit Phase asks of each "
                "what became of it.",
                "9.2",
            )


def ask_types(chosen: Chosen, state: Campaign | None, catalogue: Catalogue) -> Script[None]:
    """Ask for the type of a prisoner who is not a known piece: his counter shows none."""
    campaign_ids = {piece.id for piece in state.pieces} if state else set()
    for counter in chosen.all():
        if counter.type or counter.id in campaign_ids or not counter.side:
            continue
        names = [
            unit.name
            for unit in catalogue
            if unit.side is counter.side and unit.kind == counter.kind
        ]
        text = f"Of which type is the {counter.side.title} {counter.name} in {counter.at}?"
        options = [Option(name, name) for name in names]
        answer = yield from choose(
            "type", text, options, names[0], about=counter.key, where=counter.hex, rule="A20.5"
        )
        chosen.change(counter.key, type=answer)


def ask_freedom(chosen: Chosen, state: Campaign) -> Script[None]:
    """Settle who has gained Freedom of Movement: a save shows the No Move counters alone.

    Rule: CG4.
    """
    if state.date not in (CGDate.NIGHT_1, CGDate.NIGHT_2):
        return
    before = {piece.id: piece for piece in state.pieces}
    bound = {UnitStatus.NO_MOVE, UnitStatus.PRISONER}
    waiting = [
        unit
        for unit in chosen.all()
        if unit.side is Side.GERMAN
        and unit.section != "equipment"
        and bound.isdisjoint(unit.status)
        and not (unit.id in before and before[unit.id].has(FREE))
    ]
    if not waiting:
        return
    moved = [unit.key for unit in waiting if unit.id in before and before[unit.id].at != unit.at]
    free = yield from ask_some(
        Prompt(
            id="vasl.freedom",
            rule="CG4",
            side=Side.GERMAN,
            kind="choose-some",
            options=tuple(Option(unit.key, unit.side_words, unit.at) for unit in waiting),
            default=", ".join(moved) or "none",
            text="Which of these Germans have gained Freedom of Movement?",
            help="They lie under no No Move counter; who has moved has it as a rule.",
        )
    )
    for key in free:
        status = (*chosen.pieces[key].status, FREE)
        chosen.change(key, status=tuple(dict.fromkeys(status)))
