"""Trying answers that nobody has given yet, on a state of its own: what would be asked then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.play.asked import AskedPrompt, AskedRoll, ask_of
from asl_pbcg.play.refusals import Moved
from asl_pbcg.play.seat import Seat

MAX_ANSWERS: Final = 60
"""So many answers may be tried one after the other."""


class Ahead(msgspec.Struct, frozen=True):
    """The next question to the same side after some answers; None if something else comes.

    ``said`` tells what would follow without a question, where the side acts in secret.
    """

    asked: AskedPrompt | AskedRoll | None
    said: tuple[str, ...] = ()


def look_ahead(seat: Seat, answers: Sequence[Any]) -> Ahead:
    """Return what ``seat`` would be asked after ``answers``; nothing is written.

    Raises IllegalAnswer as the answers themselves would, Moved if nothing is asked of the seat,
    and PBCGError where dice, the other side or the end of the step come before an answer.
    """
    first = seat.pending
    if not isinstance(first, Prompt):
        raise Moved("No decision is asked of you now.")
    if len(answers) > MAX_ANSWERS:
        raise PBCGError(f"{MAX_ANSWERS} answers at most can be tried.")
    session = seat.game.session
    run = session.ahead()
    line_count = len(run.lines)
    for number, value in enumerate(answers):
        asked = run.pending if number else first
        if not isinstance(asked, Prompt) or not _alike(asked, first):
            raise PBCGError("Something else comes before that can be answered.")
        run.feed(asked.check(value), run.seq + 1)
    asked = run.pending
    if run.done or asked is None or not _alike(asked, first):
        return Ahead(None)
    title = run.step.title if run.step else ""
    question = ask_of(
        asked, seat.seq + len(answers), title, seat.game.plug.heading(session),
        seat.game.typed_dice,
    )  # fmt: skip
    remarks = [line.text for line in run.lines[line_count:] if line.kind == "note" and line.secret]
    return Ahead(question, tuple(remarks))


def _alike(asked: Any, first: Prompt) -> bool:
    return bool((asked.side, asked.secret) == (first.side, first.secret))


def legal_places(seat: Seat, names: Iterable[str]) -> dict[str, str]:
    """For each of ``names`` why it is not an answer to what is asked; empty if it is one.

    Raises Moved unless words are asked for that may name a hex.
    """
    asked = seat.pending
    if not isinstance(asked, Prompt) or asked.kind != "text" or asked.verify is None:
        raise Moved("No place is asked of you now.")
    return {name: _refusal(asked, name) for name in names}


def _refusal(asked: Prompt, name: str) -> str:
    try:
        asked.check(name)
    except PBCGError as error:
        return str(error)
    return ""
