"""Whole campaigns played at random, with the books, replay and undo checked on the way."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from campaign_books import StepBooks, wrong_in_books
from campaign_fuzz import try_illegal
from campaign_generator import CampaignAnswers, random_settings
from campaign_points import Seen

from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.journal import Entry, Journal
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.verification.verify import BareReplay
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.refit.sequence import CampaignGame


@dataclass(frozen=True, slots=True)
class Kept:
    """The end of a step: its name, the last entry it includes, the state and the step's log."""

    step: str
    seq: int
    state: Campaign
    lines: list[LogLine]


class Watched(Session[Campaign]):
    """A session that remembers the state at the end of each step."""

    def __init__(self, journal: Journal) -> None:
        self.kept: list[Kept] = []
        super().__init__(CampaignGame(), journal)

    def _keep(self, seq: int, step: str, state: Campaign, lines: list[LogLine]) -> None:
        super()._keep(seq, step, state, lines)
        self.kept.append(Kept(step, seq, state, list(lines)))


def begin(seed: int, **settings: Any) -> Watched:
    """A random campaign before its first prompt, on a journal in memory."""
    meta = {"settings": random_settings(seed) | settings, "seed": seed}
    return Watched(Journal.in_memory(meta))


def play(
    session: Watched,
    seed: int,
    check: bool = True,
    fuzz: Callable[[str], bool] | None = None,
    seen: Seen | None = None,
) -> Watched:
    """Play ``session`` at random until nothing waits.

    With ``check`` the books are looked at after each step. A prompt whose id ``fuzz`` picks is
    offered illegal answers. ``seen`` notes what happened.
    """
    answers = CampaignAnswers(seed, session)
    source = random.Random(f"fuzz/{seed}")
    books = Books(session)

    def between() -> bool:
        if check:
            books.look()
        asked = session.pending
        if seen and asked is not None:
            seen.note(asked)
        if isinstance(asked, Prompt) and asked.id.startswith("9.606."):
            assert len(asked.legal) > 1 or asked.kind == "choose-some"
        if fuzz and asked is not None and fuzz(asked.id):
            try_illegal(session, asked, source)
        return False

    assert drive(session, answers, SeededDice(seed), until=between)
    between()
    if seen:
        seen.note_end(session.state, session.lines())
    return session


class Books:
    """The books of a campaign in play; each step is looked at once."""

    def __init__(self, session: Watched) -> None:
        self.session = session
        self.done = 0
        self.before = CampaignGame().begin(session.journal.meta("settings"))
        self.seq = 0

    def look(self) -> None:
        """Look at the steps that have ended since the last time; raises AssertionError."""
        for kept in self.session.kept[self.done :]:
            entries = [
                entry
                for entry in self.session.journal.standing(self.seq)
                if entry.seq <= kept.seq
            ]  # fmt: skip
            faults = [
                *wrong_in_books(kept.state),
                *StepBooks(self.before, kept.state, entries, kept.lines).wrong(),
            ]
            assert not faults, f"after {kept.step}: {faults}"
            self.before, self.seq = kept.state, kept.seq
        self.done = len(self.session.kept)


def at_end(session: Session[Campaign]) -> bool:
    """Whether CG End has come."""
    return (
        bool(session.state.ended)
        and session.pending is None
        and session.state.at in PEGASUS_BRIDGE.procedures
    )


# -- replay ------------------------------------------------------------------------------


def replay_bare(session: Watched) -> None:
    """The bare journal gives the same state and the same log at the end of every step."""
    bare = BareReplay(session.game, session.journal)
    for again, kept in zip(ended_steps(bare), session.kept, strict=True):
        assert again == kept, f"the bare journal gives another {kept.step}"
    assert bare.run.state == session.state


def ended_steps(bare: BareReplay[Campaign]) -> list[Kept]:
    """The steps that a bare replay came by."""
    return [Kept(step, seq, *kept) for (seq, step), kept in bare.ended.items()]


def replay_part(session: Watched, count: int) -> None:
    """The first ``count`` entries alone lead to the question that the next entry answers."""
    standing = session.journal.standing()
    journal = Journal.in_memory({key: session.journal.meta(key) for key in ("settings", "seed")})
    for entry in standing[:count]:
        journal.append(entry)
    part = BareReplay(session.game, journal)
    ended = [kept for kept in session.kept if kept.seq <= (standing[count - 1].seq if count else 0)]
    # Checkpoints are entries too, so that those of the part have other numbers.
    found, wanted = (
        [(kept.step, kept.state, unnumbered(kept.lines)) for kept in each]
        for each in (ended_steps(part)[: len(ended)], ended)
    )
    assert found == wanted
    if count < len(standing):
        assert part.run.pending is not None
        assert part.run.pending.id == standing[count].point
        assert part.run.pending.side == standing[count].side


# -- undo --------------------------------------------------------------------------------


def unnumbered(lines: Sequence[LogLine]) -> list[LogLine]:
    """Lines as they read, without what was undone."""
    return [msgspec.structs.replace(line, seq=0) for line in lines if line.kind != "undo"]


def look(session: Session[Campaign]) -> tuple[Any, ...]:
    """All that a session shows: state, log, what is asked."""
    asked = session.pending
    text = asked.text if asked else ""
    options = asked.options if isinstance(asked, Prompt) else ()
    return session.state, unnumbered(session.lines()), text, options, session.rolls


def numbered_anew(session: Watched, kept: list[Kept]) -> None:
    """What was kept, with the numbers that the entries have since they were given again."""
    again = {each.step: each for each in session.kept}
    session.kept[:] = [again.get(each.step, each) for each in kept]


def undo_and_forward(session: Watched, back: int) -> None:
    """Undo ``back`` answers one by one and give them again: the same state, the same log."""
    before, kept = look(session), list(session.kept)
    taken = [session.undo("a test") for _ in range(back)]
    assert session.lines() != before[1]
    for entry in reversed(taken):
        give(session, entry)
    assert look(session) == before
    numbered_anew(session, kept)


def undo_to_step_and_forward(session: Watched, step: str) -> None:
    """Go back to the first question of ``step`` and forward again to where the session stood."""
    before, kept = look(session), list(session.kept)
    taken = session.undo_to(step, "a test")
    assert session.step
    assert session.step.id == step
    assert session.state == start_of(kept, step, session)
    for entry in taken:
        give(session, entry)
    assert look(session) == before
    numbered_anew(session, kept)


def undo_step_by_step(session: Watched, steps: list[str]) -> None:
    """Go back from step to step, each earlier than the last, and then forward all the way."""
    before, kept = look(session), list(session.kept)
    taken: list[Entry] = []
    for step in steps:
        taken = [*session.undo_to(step, "a test"), *taken]
        assert session.step
        assert session.step.id == step
        assert session.state == start_of(kept, step, session)
    session.kept.clear()
    for entry in taken:
        give(session, entry)
    assert look(session) == before
    again = [(each.step, each.state, unnumbered(each.lines)) for each in session.kept]
    assert again == [
        (each.step, each.state, unnumbered(each.lines)) for each in kept[-len(again) :]
    ]
    numbered_anew(session, kept)


def start_of(kept: list[Kept], step: str, session: Watched) -> Campaign:
    """The state a step began with when it was played."""
    for before, each in zip([None, *kept], kept, strict=False):
        if each.step == step:
            return before.state if before else session.game.begin(session.journal.meta("settings"))
    return kept[-1].state


def asked_steps(session: Session[Campaign]) -> list[str]:
    """The steps that asked something, oldest first."""
    return list(dict.fromkeys(entry.step for entry in session.journal.standing()))


def kind_of(step: str) -> str:
    """``dawn/9.606`` is a 9.606."""
    return step.partition("/")[2]


def one_of_each_kind(session: Session[Campaign], source: random.Random) -> list[str]:
    """A random step of each kind that asked something, the latest first."""
    steps = asked_steps(session)
    chosen = {kind_of(step): step for step in source.sample(steps, len(steps))}
    return sorted(chosen.values(), key=steps.index, reverse=True)


def give(session: Session[Campaign], entry: Entry) -> None:
    """Give an answer or roll once more."""
    if entry.kind == "roll":
        session.throw(tuple(entry.body))
    else:
        session.answer(entry.body)
