"""A file as the answer to what asks for an end position or a setup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.campaign.position_check import check_rows
from asl_pbcg.campaign.position_counts import read_rows
from asl_pbcg.campaign.position_files import read_raw_position
from asl_pbcg.campaign.position_raw import Rows
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.dialogue import Dialogue, Heading, by_default, converse
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.play.vasl_save import Asks, open_save, settle_save


def read_document(
    path: str, state: Campaign, asks: Asks | None = None, side: Side | None = None
) -> Any:
    """Read the position or changes that the file ``path`` holds, as plain data.

    ``asks`` makes whoever answers what a VASL save cannot tell, ``side`` is the only side that
    looks at it. Raises PBCGError.
    """
    place = Path(path.strip().strip('"'))
    if place.suffix.lower() == ".vsav":
        if asks is None:
            raise PBCGError(f"{place} is a VASL save: make a position of it first.")
        dialogue = open_save(place, state, (side,) if side else ())
        return msgspec.to_builtins(settle_save(dialogue, asks(dialogue)))
    if place.suffix in (".yaml", ".yml", ".json"):
        changes = read_yaml_or_json(place)
        if isinstance(changes, dict) and changes.get("format") == "pbcg-changes/1":
            return changes
    raw = read_raw_position(place)

    def script() -> Script[Rows]:
        return read_rows(raw, state, state.board, state.catalogue, ask_places=asks is not None)

    if asks is None:
        rows, _ = by_default(script())
    else:
        questions = Dialogue(script, Heading("position", "Position"))
        if not questions.done and not converse(questions, asks(questions)):
            raise PBCGError(f"{place} has not been taken: questions are left.")
        rows = questions.result
    return msgspec.to_builtins(check_rows(rows).position)
