"""Whole campaigns played at random, with the bookkeeping checked after every step."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from campaign_generator import CampaignAnswers, random_settings

from asl_pbcg.campaign.charts import fortifications, initial_scenarios, reinforcement_groups
from asl_pbcg.campaign.state import Campaign, DateAccount, accounts_balance
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.refit.sequence import PROCEDURES, PegasusBridge

NONSENSE: tuple[Any, ...] = (
    "nonsense",
    "",
    " ",
    "0",
    "-1",
    "999999",
    "\x00",
    None,
    [],
    {},
    3.5,
    "b-648-1; drop",
)


def begin(seed: int, **settings: Any) -> Session[Campaign]:
    """A random campaign before its first prompt, on a journal in memory."""
    meta = {"settings": random_settings(seed) | settings, "seed": seed}
    return Session(PegasusBridge(), Journal.in_memory(meta))


def play(
    session: Session[Campaign], seed: int, check: bool = True, fuzz: bool = False
) -> Session[Campaign]:
    """Play ``session`` at random until nothing waits; the books are looked at after each step."""
    answers = CampaignAnswers(seed, session)
    source = random.Random(f"fuzz/{seed}")
    seen: Campaign | None = None

    def between() -> bool:
        nonlocal seen
        if check and session.state is not seen:
            seen = session.state
            faults = list(wrong_in_books(seen))
            assert not faults, f"seed {seed}, before {seen.date} {seen.at}: {faults}"
        if fuzz and isinstance(session.pending, Prompt):
            try_illegal(session, session.pending, source)
        return False

    assert drive(session, answers, SeededDice(seed), until=between)
    between()
    return session


def at_end(session: Session[Campaign]) -> bool:
    """Whether CG End has come."""
    return bool(session.state.ended) and session.pending is None and session.state.at in PROCEDURES


# -- the books ---------------------------------------------------------------------------


def wrong_in_books(state: Campaign) -> Iterator[str]:
    """What does not add up in ``state``: pieces, who has what, CPP, FPP."""
    if not accounts_balance(state):
        yield f"pieces received {state.received_count} are not those held or gone"
    yield from _wrong_pieces(state)
    yield from _wrong_cpp(state)
    for account in state.accounts:
        for side in Side:
            yield from _wrong_fpp(state, account, side)


def _wrong_pieces(state: Campaign) -> Iterator[str]:
    pieces = {piece.id: piece for piece in state.pieces}
    ids = [*(piece.id for piece in state.pieces), *(each.piece.id for each in state.gone)]
    if len(ids) != len(set(ids)):
        yield f"ids used twice: {sorted({id for id in ids if ids.count(id) > 1})}"
    holders: dict[str, str] = {}
    for piece in state.pieces:
        for held in (*piece.possesses, *piece.tows):
            if held not in pieces:
                yield f"{piece.id} has {held}, which is not there"
                continue
            if pieces[held].side is not piece.side:
                yield f"{piece.id} has {held} of the other side"
            if held in holders:
                yield f"{held} is had by {holders[held]} and {piece.id}"
            holders[held] = piece.id
        if piece.aboard and piece.aboard not in pieces:
            yield f"{piece.id} is aboard {piece.aboard}, which is not there"
        if piece.is_prisoner and piece.guarded_by not in pieces:
            yield f"{piece.id} is the prisoner of {piece.guarded_by or 'nobody'}"
        if piece.guarded_by and not piece.is_prisoner:
            yield f"{piece.id} is guarded by {piece.guarded_by} but no prisoner"
        if piece.catalogue_type is None and piece.kind not in ("glider", "fortification"):
            yield f"{piece.id} is a {piece.type}, which is no type"


def _wrong_cpp(state: Campaign) -> Iterator[str]:
    """CPP at the start and replenished, less what RG cost, are those left. Rule: 9.616, 9.617."""
    received = initial_scenarios()[state.campaign].cpp
    for account in state.accounts:
        received += account.cpp_base + account.cpp_loss_points
        paid = sum(
            group.cost + group.entry_cost for group in state.groups if group.date is account.date
        )
        if account.cpp_spent != paid and not (account.date is state.date and not account.cpp_spent):
            yield f"{account.date}: {account.cpp_spent} CPP spent, but RG cost {paid}"
        settled = account.cpp_available or account.cpp_spent or account.cpp_left
        if settled and account.cpp_available - account.cpp_spent != account.cpp_left:
            yield f"{account.date}: the CPP account does not add up"
    spent = sum(group.cost + group.entry_cost for group in state.groups)
    if state.cpp != received - spent:
        yield f"{state.cpp} CPP, but {received} received and {spent} spent"


def _wrong_fpp(state: Campaign, account: DateAccount, side: Side) -> Iterator[str]:
    """FPP spent are those that Fortifications cost, at most those received. Rule: 9.619."""
    bought = [each for each in state.bought if (each.date, each.side) == (account.date, side)]
    cost = sum(each.cost for each in bought)
    if side in account.fpp_spent and account.fpp_spent[side] != cost:
        yield f"{account.date}: {side} spent {account.fpp_spent[side]} FPP, things cost {cost}"
    charts = reinforcement_groups().groups
    by_rg = sum(
        charts[group.id].fpp
        for group in state.groups
        if group.date is account.date and side is Side.GERMAN
    )
    received = account.fpp_received.get(side, 0.0) + by_rg
    if cost > received:
        yield f"{account.date}: {side} spent {cost} FPP of {received}"
    for each in bought:
        if each.kind not in fortifications().kinds:
            yield f"{each.key} is a {each.kind}, which cannot be bought"


# -- illegal answers ---------------------------------------------------------------------


def try_illegal(session: Session[Campaign], prompt: Prompt, source: random.Random) -> None:
    """Offer ``prompt`` what the rules refuse and some nonsense: it says no and names the rule."""
    before = (session.state, len(session.journal.standing()))
    for option in prompt.options:
        if option.refused:
            error = refused(session, option.id)
            assert error is not None, f"{prompt.id} takes the refused {option.id}"
            assert option.refused in str(error)
            assert error.rule, f"{prompt.id}: the refusal of {option.id} names no rule"
    if prompt.kind in ("choose", "choose-some", "number"):
        for answer in source.sample(NONSENSE, 4):
            if may_be_legal(prompt, answer):
                continue
            error = refused(session, answer)
            assert error is not None, f"{prompt.id} takes {answer!r}"
            assert error.rule, f"{prompt.id}: the refusal of {answer!r} names no rule"
    if prompt.kind == "number":
        for number in (prompt.least - 1, prompt.most + 1):
            assert refused(session, number), f"{prompt.id} takes {number}"
    if prompt.kind == "document":
        for answer in ("nonsense", 7, [], {"format": "nonsense"}):
            error = refused(session, answer)
            assert error is not None, f"{prompt.id} takes {answer!r}"
    assert (session.state, len(session.journal.standing())) == before
    assert session.pending is prompt


def may_be_legal(prompt: Prompt, answer: Any) -> bool:
    """Whether ``answer`` has a meaning for this prompt: a number of an option, none, a number."""
    text = str(answer).strip()
    if prompt.kind == "choose-some" and (not text or answer in ([], {}) or text.lower() == "none"):
        return True
    if prompt.kind == "number":
        return text.lstrip("-").isdigit() and prompt.least <= int(text) <= prompt.most
    return any(text.lower() == option.id.lower() for option in prompt.options)


def refused(session: Session[Campaign], answer: Any) -> IllegalAnswer | None:
    """The refusal of ``answer``; None if it was taken."""
    try:
        session.answer(answer)
    except IllegalAnswer as error:
        return error
    return None


# -- replay and undo ---------------------------------------------------------------------


def undo_and_forward(session: Session[Campaign], back: int) -> None:
    """Take back ``back`` answers and give them again: the same state, the same log."""
    state, lines = session.state, session.lines()
    taken = [session.undo("a test") for _ in range(back)]
    assert session.lines() != lines
    for entry in reversed(taken):
        if entry.kind == "roll":
            session.throw(tuple(entry.body))
        else:
            session.answer(entry.body)
    assert session.state == state
    assert session.lines() == lines
