"""A recorded stretch of a game played again, event by event, as the British player saw it.

``replayed`` plays a record again for anyone who reads games; the film and the living map are made
of the events of ``follow``: what was told, the dice, who fired at what, and the state after it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

from asl_pbcg.kernel.prompts import Note, Prompt, Roll
from asl_pbcg.kernel.run import Step
from asl_pbcg.st.area_terms import BRITISH
from asl_pbcg.st.picture.captions import decided_words, effect_words
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.game_record import Entry, Given, PlayedOtherwise, Record, settle
from asl_pbcg.st.state.decision import Decision, TableRoll
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.state.phase_situation import Situation
from asl_pbcg.st.state.player_view import view_for


class Replayed(NamedTuple):
    """One moment of a recorded game: a step begins, asks, rolls or tells something, or ends.

    ``state`` is the one in which the step began, at its end the one after it. A step that was
    played under another reading of a rule ends ``otherwise``, with the state that was kept; what
    it asks before that is None.
    """

    kind: Literal["begin", "asked", "end", "otherwise"]
    step: Step[State]
    state: State | None
    taken: int
    """How many entries of the record were given before."""
    asked: Prompt | Roll | Note | None = None
    situation: Situation | None = None
    sent: Any = None
    """The answer or the result of the roll; None where the record ends."""
    coming: Sequence[Entry] = ()
    """The entries that follow, the answer first."""


def replay_record(game: AreaGame, record: Record) -> Iterator[Replayed]:
    """Play a record again, moment by moment, up to where it ends.

    Raises PlayedOtherwise if the state after a step played otherwise is not known.
    """
    given, state = Given(record), record.begun
    while (step := game.next_step(state)) is not None:
        given.begin(step.id)
        yield Replayed("begin", step, state, given.taken)
        try:
            after = yield from _replayed_step(step, state, given)
        except PlayedOtherwise:
            after = given.leave()
            yield Replayed("otherwise", step, after, given.taken)
        if after is None:
            return
        state = after


def _replayed_step(
    step: Step[State], state: State, given: Given
) -> Generator[Replayed, None, State | None]:
    """Play one step again; returns the state after it, None if the record ends before."""
    script, sent = step.script(state), None
    try:
        while True:
            asked, taken, coming = script.send(sent), given.taken, given.coming
            sent, sit = None, asked.state if isinstance(asked.state, Situation) else None
            try:
                if not isinstance(asked, Note) and (entry := given.next()):
                    sent = settle(asked, entry[2])
            except PlayedOtherwise:
                yield Replayed("asked", step, state, taken, None, sit)
                raise
            yield Replayed("asked", step, state, taken, asked, sit, sent, coming)
            if not coming and not isinstance(asked, Note):
                return None
    except StopIteration as finished:
        after = given.end(finished.value)
    yield Replayed("end", step, after, given.taken)
    return after


class Event(NamedTuple):
    """One thing that happened.

    ``kind`` is "answer", "roll" or "note"; ``came_from`` are the areas of those who fired or threw
    at ``at``; ``effect`` says what a roll came to; ``state`` is what the player may see after it.
    """

    step: str
    title: str
    kind: str
    text: str
    state: State
    rule: str = ""
    point: str = ""
    dice: tuple[int, ...] = ()
    effect: str = ""
    side: str = BRITISH
    came_from: tuple[str, ...] = ()
    at: str = ""
    entries: int = 0
    """How many answers and rolls there had been after it, secret ones too: not to be shown."""


OTHERWISE: Final = (
    "This phase was played with another pbcg, in which a rule was read otherwise: the rest of it "
    "is not shown."
)


def follow(game: AreaGame, record: Record, skip: int = 0) -> Iterator[Event]:
    """Yield the events that the entries of ``record`` make from the state on that it begins with.

    That state is one between two steps. The first ``skip`` entries make no event, and nothing
    secret does. Of a step that was played under another reading of a rule the rest is left out.
    Raises PlayedOtherwise if the state after such a step is not known. Rule: ST-SET-23, ST-SET-26.
    """
    waiting: Event | None = None
    shown: State | None = None
    silent = False
    for moment in replay_record(game, record):
        step, state, asked = moment.step, moment.state, moment.asked
        if moment.kind == "begin":
            silent = moment.taken < skip
            continue
        if waiting is not None and state is not None and moment.kind != "otherwise":
            shown = _visible(moment)
            yield waiting._replace(state=shown)
        elif waiting is not None and waiting.kind == "note":
            yield waiting
        waiting = None
        if moment.kind == "otherwise" and state is not None and moment.taken > skip:
            yield Event(step.id, step.title, "note", OTHERWISE, _visible(moment))
        if asked is None:
            continue
        if isinstance(asked, Note):
            if not silent and not asked.secret:
                now = _visible(moment)
                event = Event(
                    step.id, step.title, "note", asked.text, now, asked.rule, side=asked.side,
                    entries=moment.taken,
                )  # fmt: skip
                # Most things are told before they are done: they show what follows.
                if now == shown:
                    waiting = event
                else:
                    shown = now
                    yield event
            continue
        silent = moment.taken < skip
        if moment.sent is not None and not silent and not asked.secret:
            waiting = _event_of(moment, asked)._replace(entries=moment.taken + 1)


def _visible(moment: Replayed) -> State:
    """Return what the player may see at a moment."""
    state = moment.situation.close() if moment.situation else moment.state
    assert state
    return state if state.over else view_for(state, BRITISH)


def _event_of(moment: Replayed, asked: Prompt | Roll) -> Event:
    """Return an answer or a roll; the state after it is filled in when the script has gone on."""
    step, sent = moment.step, moment.sent
    assert moment.state
    if isinstance(asked, Roll):
        sit = moment.situation
        by = asked.by if isinstance(asked, TableRoll) and sit else ()
        came_from = dict.fromkeys(sit.units[unit].area for unit in by) if sit else ()
        return Event(
            step.id, step.title, "roll", asked.text, moment.state, asked.rule or sent.rule,
            asked.id, sent.dice, effect_words(asked.id, asked.topic, sent.result, sent.says),
            asked.side, tuple(came_from), asked.where,
        )  # fmt: skip
    text = asked.words(sent)
    if isinstance(asked, Decision):
        text = decided_words(asked, text)
    return Event(
        step.id, step.title, "answer", text, moment.state, asked.rule, asked.id, side=asked.side
    )
