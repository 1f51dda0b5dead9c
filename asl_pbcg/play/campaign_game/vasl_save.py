"""A VASL save as a position: who answers what it cannot tell is the front end's business."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.campaign.board.board import Board, load_board
from asl_pbcg.campaign.entry.position_changes import CHANGES
from asl_pbcg.campaign.entry.position_check import Checked, check_position
from asl_pbcg.campaign.module.catalogue import Catalogue, load_catalogue
from asl_pbcg.campaign.position import PIECES, Position
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.seen import known_by
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.answers import Answers, Dialogue, Heading, by_default, converse, likeliest
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.play.refusals import NotTaken
from asl_pbcg.vasl.archive import LOG_SUFFIX
from asl_pbcg.vasl.read_scene import read_scene
from asl_pbcg.vasl.review import review
from asl_pbcg.vasl.review_identities import COUNTED
from asl_pbcg.vasl.scene import Scene
from asl_pbcg.vasl.viewer import owners_of

HEADING = Heading("vasl", "")
Asks = Callable[[Dialogue[Any]], Answers]
"""Makes whoever answers the questions about a save or a position by count."""
Review = Dialogue[Position | None]


def open_save(
    path: Path,
    state: Campaign | None = None,
    viewers: Sequence[Side] = (),
    board: Board | None = None,
    catalogue: Catalogue | None = None,
) -> Review:
    """Return the questions about the save ``path``, which ends a scenario of ``state``.

    ``viewers`` sit before it: none is the umpire, who sees all; one side sees of the other's, in
    the save and in the campaign, what is open; both together what is open of either. Raises
    PBCGError if it cannot be read.
    """
    owners = owners_of(state.fortifications if state else ())
    if state is not None:
        state = known_by(state, viewers)
        board, catalogue = state.board, state.catalogue
    board_, catalogue_ = board or load_board(), catalogue or load_catalogue()
    scene: Scene = read_scene(path, board_, catalogue_, viewers, owners)
    return Dialogue(lambda: review(scene, state, board_, catalogue_), HEADING)


def is_log(name: str) -> bool:
    """Return whether a file is a VASL log by its name."""
    return name.lower().endswith(LOG_SUFFIX)


def settle_save(dialogue: Review, answers: Answers) -> Position:
    """Return the position that comes of the answers. Raises NotTaken, FaultsError."""
    finished = converse(dialogue, answers)
    position = dialogue.result if finished else None
    if position is None:
        raise NotTaken("The save has not been taken: nothing was written.")
    return position


def checked_save(path: Path, board: Board, catalogue: Catalogue | None = None) -> Checked:
    """Return the position a save shows by itself, every doubt settled by its likeliest answer.

    What was settled so stands among the remarks: it is for looking, not for a campaign.
    """
    position, asked = by_default(open_save(path, board=board, catalogue=catalogue).begin())
    assert position is not None  # to take it is the default
    checked = check_position(position, board, catalogue, str(path))
    taken = (
        f"{prompt.text} Taken: {prompt.words(likeliest(prompt))}."
        for prompt in asked
        if prompt.id not in _SAID_ELSEWHERE
    )
    return Checked(checked.position, (*taken, *checked.remarks))


def hidden_changes(path: Path, state: Campaign, side: Side, asks: Asks) -> dict[str, Any]:
    """Return the hidden and concealed pieces of ``side`` in a save as a changes file.

    Only what is about them is asked; the rest of the save serves to tell which pieces they are.
    Raises PBCGError, NotTaken.
    """
    dialogue = open_save(path, state, (side,))
    owners = owners_of(state.fortifications)
    scene = read_scene(path, state.board, state.catalogue, (side,), owners)
    keys = {piece.key for piece in scene.pieces if piece.hidden or piece.concealed}
    keys |= {piece.key for piece in scene.pieces if piece.holder in keys}
    keys |= {piece.aboard for piece in scene.pieces if piece.key in keys and piece.aboard}
    position = settle_save(dialogue, _About(keys, asks(dialogue)))
    own = [piece for piece in position.pieces if piece.side is side]
    hidden = {piece.id for piece in own if piece.has(*_SECRET)}
    hidden |= {id for piece in own if piece.id in hidden for id in piece.possesses}
    manned = {piece.aboard for piece in own if piece.id in hidden}
    hidden |= {piece.id for piece in own if piece.id in manned and piece.maker is not side}
    works = tuple(work for work in position.fortifications if work.owner is side and work.hidden)
    secret = position.with_pieces(piece for piece in position.pieces if piece.id in hidden)
    data = msgspec.to_builtins(msgspec.structs.replace(secret, fortifications=works))
    kept = {name: data[name] for name in (*PIECES, "fortifications") if data.get(name)}
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode({"format": CHANGES, **kept}))
    return plain


_SECRET = (UnitStatus.HIDDEN, UnitStatus.CONCEALED, UnitStatus.CLOAKED)


class _About:
    """Asks somebody what is about some counters, and takes the likeliest answer to all else."""

    def __init__(self, keys: set[str], others: Answers) -> None:
        self.keys = keys
        self.others = others
        self.dice = others.dice
        self.hear_refusal = others.hear_refusal

    def answer(self, prompt: Prompt) -> Any:
        """Return the player's answer where it is about one of them, or the end of it."""
        mine = prompt.about in self.keys or prompt.id in ("vasl.take", "vasl.owner")
        return self.others.answer(prompt) if mine else likeliest(prompt)


_SAID_ELSEWHERE = ("vasl.take", "vasl.control.more", "vasl.control.wrong")


def settle_step(dialogue: Review, answers: Sequence[Any]) -> dict[str, Any]:
    """Return where the questions about a save stand after ``answers``, as plain data.

    ``asked`` is the next question or None, ``lines`` what was reported, ``counted`` how many
    counters matched, must be settled or are unknown, ``position`` the position once it is taken,
    ``likeliest`` the likeliest answers to what is asked now and after it. So a page need keep
    nothing but the answers. Raises IllegalAnswer, and NotTaken if it was not taken.
    """
    for answer in answers:
        dialogue.answer(answer)
    notes = dialogue.lines()
    lines = [{"text": line.text, "rule": line.rule} for line in notes]
    counted = next((line.text for line in notes if line.topic == COUNTED), "")
    position = None
    if dialogue.done:
        if dialogue.result is None:
            raise NotTaken("The save has not been taken: nothing was written.")
        position = msgspec.to_builtins(dialogue.result)
    return {
        "asked": dialogue.pending,
        "lines": lines,
        "counted": counted,
        "position": position,
        "likeliest": _likeliest_rest(dialogue, answers),
    }


def _likeliest_rest(dialogue: Review, answers: Sequence[Any]) -> list[Any]:
    """Return the likeliest answers to all that is asked after ``answers``."""
    ahead = Dialogue(dialogue.begin, HEADING)
    for answer in answers:
        ahead.answer(answer)
    added = []
    while ahead.pending is not None:
        added.append(likeliest(ahead.pending))
        ahead.answer(added[-1])
    return added
