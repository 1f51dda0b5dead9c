"""A recorded stretch of a game played again, event by event, as the British player saw it.

The film and the living map are made of these events: what was told, the dice, who fired at what,
and the state on the map after it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, Final, NamedTuple

from asl_pbcg.kernel.prompts import Note, Prompt, Roll, Script
from asl_pbcg.kernel.run import Step, held_in
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.picture.captions import decided_words, effect_words
from asl_pbcg.st.record import Given, PlayedOtherwise, Record, settle
from asl_pbcg.st.rules.decision import Decision, TableRoll
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import State
from asl_pbcg.st.terms import BRITISH
from asl_pbcg.st.view import view_for


class Event(NamedTuple):
    """One thing that happened.

    ``kind`` is "answer", "roll" or "note"; ``came_from`` are the areas of those who fired or threw
    at ``at``; ``effect`` says what a roll came to; ``state`` is what the player may see after it.
    """

    step: str
    title: str
    kind: str
    text: str
    rule: str
    point: str
    dice: tuple[int, ...]
    effect: str
    side: str
    came_from: tuple[str, ...]
    at: str
    state: State


OTHERWISE: Final = (
    "This phase was played with another pbcg, in which a rule was read otherwise: the rest of it "
    "is not shown."
)


def follow(game: AreaGame, record: Record, skip: int = 0) -> Iterator[Event]:
    """The events that the entries of ``record`` make from the state on that it begins with.

    That state is one between two steps. The first ``skip`` entries are gone through without a
    word. Nothing secret becomes an event. Of a step that was played under another reading of a
    rule the rest is left out. Raises PlayedOtherwise if the state after such a step is not known.
    Rule: ST-SET-23, ST-SET-26.
    """
    given, state = Given(record), record.begun
    while (step := game.next_step(state)) is not None:
        given.begin(step.id)
        try:
            after = yield from _follow_step(step, state, given, skip)
        except PlayedOtherwise:
            after = given.leave()
            if after is not None and given.taken > skip:
                now = _for_player(after)
                yield Event(
                    step.id, step.title, "note", OTHERWISE, "", "", (), "", BRITISH, (), "", now
                )
        if after is None:
            return
        state = after


def _follow_step(
    step: Step[State], state: State, given: Given, skip: int
) -> Generator[Event, None, State | None]:
    """The events of one step; the state after it, None if the record ends before."""
    script = step.script(state)
    waiting: Event | None = None
    sent: Any = None
    silent = given.taken < skip
    while True:
        try:
            asked = script.send(sent)
        except StopIteration as finished:
            state = given.end(finished.value)
            break
        if not silent:
            now = _look_at(script, state)
            if waiting is not None:
                yield waiting._replace(state=now)
                waiting = None
        sent = None
        if isinstance(asked, Note):
            if not silent and not asked.secret:
                yield _note(step, asked, now)
            continue
        entry = given.next()
        if entry is None:
            return None
        silent = given.taken <= skip
        sent = settle(asked, entry[2])
        if not silent and not asked.secret:
            waiting = _event_of(step, script, asked, sent, state)
    if waiting is not None:
        yield waiting._replace(state=_for_player(state))
    return state


def _for_player(state: State) -> State:
    return state if state.over else view_for(state, BRITISH)


def _look_at(script: Script[State], state: State) -> State:
    """What may be seen in the middle of a step; ``state`` is the one it began with."""
    sit = situation_in(script)
    return _for_player(sit.close() if sit else state)


def situation_in(script: Script[State]) -> Situation | None:
    """The situation that a running step works on.

    Notes and rolls do not carry it as decisions do: it is read off the step itself, which keeps
    the engine free of anything that is of no use to it.
    """
    return held_in(script, Situation)


def _note(step: Step[State], note: Note, now: State) -> Event:
    return Event(
        step.id, step.title, "note", note.text, note.rule, "", (), "", note.side, (), "", now
    )


def _event_of(
    step: Step[State], script: Script[State], asked: Prompt | Roll, sent: Any, state: State
) -> Event:
    """An answer or a roll; the state after it is filled in when the script has gone on."""
    if isinstance(asked, Roll):
        rolled: Rolled = sent
        sit = situation_in(script)
        by = asked.by if isinstance(asked, TableRoll) else ()
        came_from = dict.fromkeys(sit.units[unit].area for unit in by) if sit else ()
        effect = effect_words(asked.id, asked.text, rolled.result, rolled.says)
        return Event(
            step.id, step.title, "roll", asked.text, asked.rule or rolled.rule, asked.id,
            rolled.dice, effect, asked.side, tuple(came_from), asked.where, state,
        )  # fmt: skip
    text = asked.words(sent)
    if isinstance(asked, Decision):
        text = decided_words(asked, text)
    return Event(
        step.id, step.title, "answer", text, asked.rule, asked.id, (), "", asked.side, (), "", state
    )
