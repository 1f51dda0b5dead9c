"""Small campaigns for the tests of the Refit Phase, and a way to run one step of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.module.house_rules import campaign_rulings
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.position import Control, Fortification, Glider, Terrain
from asl_pbcg.campaign.position_words import GliderState
from asl_pbcg.campaign.state.campaign_state import Campaign, DateAccount, accounts_balance, change
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.pieces import Piece, new_piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Note, Prompt, Roll, Script
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.refit.helpers.subjects import PASS
from asl_pbcg.refit.sequence import in_its_step

BRITISH, GERMAN = Side.BRITISH, Side.GERMAN


def piece(id: str, side: Side, type: str, at: str = "", **fields: Any) -> Piece:
    """A piece of an OB; ``status`` and ``possesses`` may be given as one text each."""
    for name in ("status", "possesses", "tows", "depleted"):
        if isinstance(fields.get(name), str):
            fields[name] = tuple(fields[name].split())
    return new_piece(load_catalogue(), id, side, type, CGDate.NIGHT_1, at=at, **fields)


def campaign_at(
    step: str,
    *pieces: Piece,
    date: CGDate = CGDate.DAWN,
    british: Iterable[str] = (),
    german: Iterable[str] = (),
    gliders: Mapping[str, str] | None = None,
    fortifications: Iterable[Fortification] = (),
    terrain: Iterable[Terrain] = (),
    campaign: str = "CG1",
    determined: bool = True,
    **fields: Any,
) -> Campaign:
    """A campaign before ``step`` with these pieces; ``british``/``german``: what each Controls.

    ``date`` is the CG Date just played (before 9.6121). With ``determined`` the Setup Areas are
    those of this very position.
    """
    count = {side: sum(each.side is side for each in pieces) for side in Side}
    state = Campaign(
        campaign=campaign,
        readings=campaign_rulings().edition,
        date=date,
        at=step,
        pieces=pieces,
        san=dict(PEGASUS_BRIDGE.charts.initial[campaign].san),
        accounts=tuple(
            DateAccount(date=each)
            for each in PEGASUS_BRIDGE.frame.campaigns[campaign].dates
            if each.number <= date.number
        ),
        received_count=count,
        control=Control(british=tuple(british), german=tuple(german)),
        gliders=tuple(Glider(at=at, state=GliderState(how)) for at, how in (gliders or {}).items()),
        fortifications=tuple(fortifications),
        terrain=tuple(terrain),
    )
    state = change(state, **fields)
    return change(state, determined=to_position(state)) if determined else state


class Log(list[LogLine]):
    """The log of a step, and in ``asked`` every prompt and roll of it."""

    def __init__(self, asked: list[Prompt | Roll] | None = None) -> None:
        super().__init__()
        self.asked: list[Prompt | Roll] = [] if asked is None else asked

    def prompts(self, point: str = "") -> list[Prompt]:
        """Return the prompts of one decision point, or all."""
        return [each for each in self.asked if isinstance(each, Prompt) and point in ("", each.id)]

    def rolls(self, point: str = "") -> list[Roll]:
        """Return the rolls of one decision point, or all."""
        return [each for each in self.asked if isinstance(each, Roll) and point in ("", each.id)]


class Refused(AssertionError):
    """The test's answer was no legal one; ``error`` is what the program said."""


def run_step(
    state: Campaign,
    procedure: Callable[[Campaign], Script[Campaign]],
    answers: Iterable[Any] | Callable[[Prompt], Any] = (),
    dice: Iterable[tuple[int, ...] | int] | Callable[[Roll], tuple[int, ...]] = (),
    asked: list[Prompt | Roll] | None = None,
    balance: bool = True,
) -> tuple[Campaign, Log]:
    """Run one step with answers (in order, or a function) and dice; state after it, and its log.

    Everything asked is added to ``asked`` too, if it is given. Raises IllegalAnswer as the program
    would; fails if answers or dice are left over or the pieces' accounts do not balance.
    """
    given = None if callable(answers) else list(answers)
    listed = () if callable(dice) else dice
    throws = [(each,) if isinstance(each, int) else tuple(each) for each in listed]
    lines = Log(asked)
    script = in_its_step(state, procedure(state))
    sent: Any = None
    while True:
        try:
            item = script.send(sent)
        except StopIteration as finished:
            after = finished.value
            break
        if isinstance(item, Note):
            if item.text:
                lines.append(LogLine.of_note(state.at, item))
            sent = None
            continue
        if item.id == PASS:  # there only so that waiting tells nothing
            sent = item.check("on")  # type: ignore[union-attr]
            continue
        lines.asked.append(item)
        if isinstance(item, Roll) and callable(dice):
            sent = item.resolve(dice(item))
        elif isinstance(item, Roll):
            assert throws, f"no dice left for {item.id}: {item.text}"
            sent = item.resolve(throws.pop(0))
        elif given is None:
            sent = item.check(answers(item))  # type: ignore[operator]
        else:
            assert given, f"no answer left for {item.id}: {item.text}"
            sent = item.check(given.pop(0))
        lines.append(LogLine.of(state.at, item, sent))
    assert not given, f"answers left over: {given}"
    assert not throws, f"dice left over: {throws}"
    if balance:
        assert accounts_balance(after)
    return after, lines


def run_at_random(
    state: Campaign, procedure: Callable[[Campaign], Script[Campaign]], source: random.Random
) -> tuple[Campaign, Log]:
    """Run one step with random legal answers and dice; what is refused says why."""
    given = 0

    def answer(prompt: Prompt) -> Any:
        nonlocal given
        given += 1
        assert given < 3000, "it does not come to an end"
        for option in prompt.options:
            if option.refused:
                assert option.refused in refusal(prompt, option.id)
        return prompt.random_answer(source)

    def faces(roll: Roll) -> tuple[int, ...]:
        return tuple(source.randint(1, 6) for _ in range(roll.spec.count))

    return run_step(state, procedure, answer, faces)


def refusal(prompt: Prompt, answer: Any) -> str:
    """Return the refusal of an illegal ``answer``; fails if it is legal."""
    try:
        prompt.check(answer)
    except IllegalAnswer as error:
        return str(error)
    raise Refused(f"{prompt.id} takes {answer!r}")


def told(lines: Iterable[LogLine]) -> str:
    """The log as one text."""
    return "\n".join(f"{line.text} {line.rule}" for line in lines)


def by_point(answers: Mapping[str, Any]) -> Callable[[Prompt], Any]:
    """Answer prompts by their decision point; a list of answers is used one after the other.

    A point that is not named takes its default, or fails the test. A tuple is one answer to a
    prompt that takes several.
    """
    left = {point: list(given) if isinstance(given, list) else given
            for point, given in answers.items()}  # fmt: skip

    def answer(prompt: Prompt) -> Any:
        if prompt.id not in left:
            assert prompt.default is not None, f"no answer for {prompt.id}: {prompt.text}"
            return prompt.default
        given = left[prompt.id]
        if isinstance(given, list):
            assert given, f"no answer left for {prompt.id}: {prompt.text}"
            given = given.pop(0)
        return list(given) if isinstance(given, tuple) else given

    return answer
