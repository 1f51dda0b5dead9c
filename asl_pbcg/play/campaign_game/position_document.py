"""A file as the answer to what asks for an end position or a setup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.campaign.entry.end_position import settle_position
from asl_pbcg.campaign.entry.position_changes import CHANGES
from asl_pbcg.campaign.entry.position_check import check_rows
from asl_pbcg.campaign.entry.position_counts import read_rows
from asl_pbcg.campaign.entry.position_files import read_raw_position
from asl_pbcg.campaign.entry.position_raw import Rows
from asl_pbcg.campaign.position import PIECES, Position
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import pieces_called
from asl_pbcg.campaign.state.seen import PLACE_UNSEEN, known_by, open_part, sides_that_look
from asl_pbcg.campaign.terms import Side
from asl_pbcg.chronicle.difference import Difference, end_position_difference
from asl_pbcg.kernel.answers import Dialogue, Heading, by_default, converse
from asl_pbcg.kernel.errors import FaultsError, IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt, Script
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.kernel.views import UMPIRE
from asl_pbcg.play.campaign_game.vasl_save import Asks, open_save, settle_save


def read_document(path: str, state: Campaign, asks: Asks | None = None, sees: str = UMPIRE) -> Any:
    """Read the position or changes that the file ``path`` holds, as plain data.

    ``asks`` makes whoever answers what a VASL save cannot tell. Which pieces its rows are depends
    on what those who look at it know: ``sees`` is a side, ``umpire`` or empty for both together.
    Raises PBCGError.
    """
    viewers = sides_that_look(sees)
    place = Path(path.strip().strip('"'))
    if place.suffix.lower() == ".vsav":
        if asks is None:
            raise PBCGError(f"{place} is a VASL save: make a position of it first.")
        dialogue = open_save(place, state, viewers)
        return msgspec.to_builtins(settle_save(dialogue, asks(dialogue)))
    if place.suffix in (".yaml", ".yml", ".json"):
        changes = read_yaml_or_json(place)
        if isinstance(changes, dict) and changes.get("format") == "pbcg-changes/1":
            return changes
    raw = read_raw_position(place)
    view = known_by(state, viewers)

    def script() -> Script[Rows]:
        return read_rows(raw, view, view.board, view.catalogue, ask_places=asks is not None)

    if asks is None:
        rows, _ = by_default(script())
    else:
        questions = Dialogue(script, Heading("position", "Position"))
        if not questions.done and not converse(questions, asks(questions)):
            raise PBCGError(f"{place} has not been taken: questions are left.")
        rows = questions.result
    return msgspec.to_builtins(check_rows(rows).position)


def without_hip(state: Campaign, position: Position, document: Any, side: Side) -> Position:
    """Return a position without the HIP of ``side`` that a file of changes says nothing of."""
    if not isinstance(document, dict) or document.get("format") != CHANGES:
        return position
    entries = [entry for section in PIECES for entry in document.get(section) or ()]
    names = [str(entry.get("id")) for entry in entries if isinstance(entry, dict)]
    own = state.of(side)
    named = {piece.id for name in names for piece in pieces_called(name, own, side)}
    hip = {piece.id for piece in own if piece.hip} - named
    kept = (piece.without(*hip) for piece in position.pieces if piece.id not in hip)
    return position.with_pieces(kept)


def difference_of(state: Campaign, value: Any, sees: str) -> Difference | None:
    """Return what the position ``value`` changes of the campaign as ``sees`` knows it.

    None if it is none.
    """
    try:
        position = msgspec.convert(value, Position)
    except msgspec.ValidationError:
        return None
    viewers = sides_that_look(sees)
    return end_position_difference(known_by(state, viewers), position, viewers)


def end_position_of(state: Campaign, prompt: Prompt, sees: str) -> Prompt:
    """Return the question for the end position as ``sees`` is asked it.

    Its answers are checked by what ``sees`` knows: a side no more than its own and what it has seen
    of the other's, both together (empty) what both have seen. What is kept is a whole position;
    what a side alone knows is not in it, for the other reads what is proposed.
    Rule: 9.2 OB, 9.602(6).
    """
    viewers = sides_that_look(sees)
    view = known_by(state, viewers)

    def settle(answer: Any) -> Any:
        try:
            position = settle_position(view, answer, viewers=viewers)
            if len(viewers) == 1:
                position = without_hip(view, position, answer, viewers[0])
                position = open_part(position, PLACE_UNSEEN)
        except FaultsError as error:
            raise IllegalAnswer(str(error)) from error
        return prompt.check(msgspec.to_builtins(position))

    return msgspec.structs.replace(prompt, verify=settle)
