"""Illegal answers for every kind of prompt and roll: each must be refused, and the rule named."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from asl_pbcg.campaign.entry.position_changes import CHANGES
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.position import FORMAT
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import UMPIRE
from asl_pbcg.play.campaign_game.campaign_facts import END_POSITION
from asl_pbcg.play.campaign_game.campaign_plug import CampaignPlug
from asl_pbcg.play.campaign_game.position_document import end_position_of
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.refusals import NotYours
from asl_pbcg.play.seat import Seat

NONSENSE: tuple[Any, ...] = (
    "nonsense", "", " ", "0", "-1", "999999", "\x00", "yes; no", None, [], {}, 3.5, True,
    ["nonsense"], [["done"]], {"id": "done"}, "b-648-1; drop", "x" * 600, "²", "½",
)  # fmt: skip
RULE = re.compile(
    r"9\.\d+\w*( (notes? \w(, \w)*|EXC|CG End|\w+))*(\(\d+\))?"
    r"([ ,.-]+(9\.\d+\w*|[A-Z]+\d[\w.]*|note \w))*"
    r"|CG\d+\w?([ ,]+9\.[\w ]+)*|[A-HJ]\.?\d+(\.\d+)*"
)
"""What a rule number looks like: 9.6142, 9.619 note c, CG14, A20.5."""


def try_illegal(session: Session[Campaign], asked: Prompt | Roll, source: random.Random) -> None:
    """Offer ``asked`` what the rules refuse and some nonsense: it says no and names its rule."""
    before = (session.state, len(session.journal.entries()))
    assert RULE.fullmatch(asked.rule), f"{asked.id} names no rule but {asked.rule!r}"
    if isinstance(asked, Roll):
        try_dice(session, asked)
    else:
        if asked.kind in ("choose", "choose-some"):
            try_options(session, asked, source)
        for answer in illegal(session.state, asked, source):
            error = refused(session, answer)
            assert error is not None, f"{asked.id} takes {answer!r}"
            if asked.kind == "document":
                assert str(error).strip()
            else:
                assert error.rule == asked.rule, f"{asked.id}, {answer!r}: {error.rule!r}"
            assert not error.rule or error.rule in str(error)
    wrong_side(session, asked)
    assert (session.state, len(session.journal.entries())) == before
    assert session.pending is asked


def try_options(session: Session[Campaign], prompt: Prompt, source: random.Random) -> None:
    """Each refused option is refused by its id and number, by its own sentence and rule."""
    assert prompt.legal, f"{prompt.id} offers nothing legal"
    if prompt.kind == "choose":
        assert len(prompt.legal) > 1 or prompt.id in ASKED_ALONE, f"{prompt.id}: one legal option"
    ids = [option.id.lower() for option in prompt.options]
    assert len(ids) == len(set(ids)), f"{prompt.id} offers the same thing twice"
    for number, option in enumerate(prompt.options, 1):
        if not option.refused:
            continue
        rule = option.rule or prompt.rule
        assert RULE.fullmatch(rule), f"{prompt.id}: {option.id} is refused by {rule!r}"
        answers: list[Any] = [option.id, option.id.upper(), f" {option.id} "]
        if str(number) not in ids:
            answers.append(number)
        if prompt.kind == "choose-some":
            legal = [each.id for each in prompt.legal[:1]]
            answers = [[option.id], [*legal, option.id]]
        for answer in answers:
            error = refused(session, answer)
            assert error is not None, f"{prompt.id} takes the refused {answer!r}"
            assert option.refused in str(error)
            assert error.rule == rule, f"{prompt.id}: {option.id} is refused by {error.rule!r}"
    if prompt.kind == "choose-some":
        legal = [option.id for option in prompt.legal]
        for count in (prompt.least - 1, (prompt.most or len(legal)) + 1):
            if 0 <= count <= len(legal) and not prompt.least <= count <= prompt.most:
                error = refused(session, source.sample(legal, count))
                assert error is not None, f"{prompt.id} takes {count} things"
                assert error.rule == prompt.rule


ASKED_ALONE = frozenset({"pass", "9.619.2", "9.619.3"})
"""Asked although one answer alone is legal: so that waiting tells nothing; to agree to a price."""


def illegal(state: Campaign, prompt: Prompt, source: random.Random) -> Iterator[Any]:
    """Answers that ``prompt`` must refuse."""
    if prompt.kind == "document":
        yield from illegal_documents(state, prompt, source)
        return
    if prompt.kind == "number":
        yield from (prompt.least - 1, prompt.most + 1, str(prompt.most + 1), prompt.least + 0.5)
        yield from (f"{prompt.least}x", "one", "", None, [prompt.least], float("nan"), float("inf"))
        return
    if prompt.kind == "text":
        yield from ("A", "ZZ99", "A0", "M12;N12", "\x07", "x" * 600)
        return
    for answer in source.sample(NONSENSE, 6):
        if not may_be_legal(prompt, answer):
            yield answer


def may_be_legal(prompt: Prompt, answer: Any) -> bool:
    """Whether ``answer`` has a meaning for this prompt: an option, its number, none."""
    if prompt.kind == "choose-some":
        parts = answer if isinstance(answer, list) else str(answer).replace(",", " ").split()
        if [str(part).lower() for part in parts] in ([], ["none"]):
            return prompt.least == 0
        return all(_names_option(prompt, part) for part in parts)
    return _names_option(prompt, answer)


def _names_option(prompt: Prompt, answer: Any) -> bool:
    text = str(answer).strip().lower()
    if any(text == option.id.lower() for option in prompt.options):
        return True
    return text.isdecimal() and 1 <= int(text) <= len(prompt.options)


def illegal_documents(state: Campaign, prompt: Prompt, source: random.Random) -> Iterator[Any]:
    """Positions that cannot be: no position at all, wrong ids, hexes, types, dates, keys."""
    yield from ("nonsense", 7, [], ["none"], {"format": "nonsense"}, {"format": FORMAT})
    standing = [piece for piece in state.pieces if piece.is_personnel]
    if not standing:
        return
    piece = source.choice(standing)
    side = Side(prompt.side) if prompt.side else piece.side
    piece = next((each for each in standing if each.side is side), piece)
    unit = {"id": piece.id, "side": piece.side.value, "type": piece.type, "at": "X18"}
    plain = {"format": CHANGES, "units": [unit]}
    if prompt.id != "9.620.2":  # a setup is a whole position
        yield plain | {"units": [unit | {"at": "ZZ99"}]}
        yield plain | {"units": [unit | {"at": "X18/9"}]}
        yield plain | {"units": [unit | {"type": "9-9-9"}]}
        yield plain | {"units": [unit | {"status": ["asleep"]}]}
        yield plain | {"units": [unit | {"possesses": ["nobodys"]}]}
        yield plain | {"units": [unit | {"guarded_by": "nobody"}]}
        yield plain | {"units": [unit | {"aboard": "nothing"}]}
        yield plain | {"units": [unit | {"side": "french"}]}
        yield plain | {"units": [{"id": piece.id}]} | {"equipment": [{"id": piece.id}]}
        yield plain | {"weather": "rain"}
        yield plain | {"date": "christmas"}
        if state.gone:
            gone = state.gone[0].piece
            name = "vehicles" if gone.is_vehicle else "equipment" if gone.is_weapon else "units"
            back = {"id": gone.id, "side": gone.side.value, "type": gone.type, "at": "X18"}
            yield {"format": CHANGES, name: [back]}
    whole = {"format": FORMAT, "date": state.date.value, "units": [unit], "equipment": []}
    yield whole | {"units": [unit | {"at": "ZZ99"}]}
    yield whole | {"units": [unit | {"id": "nobody-knows-him", "type": "9-9-9"}]}
    yield whole | {"units": [unit | {"side": piece.side.other.value}]}
    yield whole | {"units": [unit, unit]}
    yield whole | {"units": {"a": 1}}
    yield whole | {"date": state.date.next.value if state.date.next else "night-1"}


def try_dice(session: Session[Campaign], roll: Roll) -> None:
    """Dice that cannot lie so: too few, too many, out of range, no numbers."""
    count, sides = roll.spec.count, roll.spec.sides
    for faces in ((), (1,) * (count + 1), (0,) * count, (1,) * (count - 1) + (sides + 1,)):
        with pytest.raises(IllegalAnswer):
            session.throw(faces)
    for typed in ("", "nonsense", "0 " * count, f"{sides + 1} " * count, "1 " * (count + 1), "-1"):
        with pytest.raises(IllegalAnswer):
            roll.spec.read(typed)
    with pytest.raises(PBCGError):
        session.answer("yes")


def wrong_side(session: Session[Campaign], asked: Prompt | Roll) -> None:
    """Under --as the other side is neither asked nor shown a question that is not its own."""
    if not asked.side:
        return
    other = Side(asked.side).other.value
    seat = Seat(OpenGame(Path("a.pbcg"), CampaignPlug(PEGASUS_BRIDGE), session, True), other)
    assert seat.question() is None
    assert seat.waiting_for() == asked.side
    with pytest.raises(NotYours):
        seat.roll() if isinstance(asked, Roll) else seat.answer("1")


def refused(session: Session[Campaign], answer: Any) -> IllegalAnswer | None:
    """The refusal of ``answer``; None if it was taken. The end position is asked of an umpire."""
    asked = session.pending
    try:
        if isinstance(asked, Prompt) and asked.id == END_POSITION:
            end_position_of(session.now, asked, UMPIRE).check(answer)
        session.answer(answer)
    except IllegalAnswer as error:
        return error
    return None
