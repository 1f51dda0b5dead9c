"""Lines of the megagame umpire for tests: typed as an umpire types them, dice in a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from asl_pbcg.cli.mega_line import split_line
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.megagame.cards import read_cards
from asl_pbcg.megagame.desk import Desk
from asl_pbcg.megagame.lines import house_words, settle_line
from asl_pbcg.megagame.outcome import Outcome
from asl_pbcg.megagame.settings import Settings
from asl_pbcg.megagame.table import Table, Unit
from asl_pbcg.megagame.typed import LineDice, ListedCards
from asl_pbcg.megagame.upkeep import first_phase
from asl_pbcg.megagame.words import GRAMMARS, Said, read_words


class At:
    """A table that lines are tried at; ``turn`` 0 is a line without a table."""

    def __init__(self, own: Mapping[str, Any] | None = None, turn: int = 1) -> None:
        own = dict(own or {})
        phase = first_phase(Settings(own)) if turn else ""
        self.desk = Desk(Table(title="test", own=own, turn=turn, phase=phase), 1)

    def __call__(self, text: str, *dice: int, cards: str = "", **given: Any) -> Outcome:
        """Settle ``text`` with exactly these dice; ``given`` is of the umpire or of the line."""
        do, *words = split_line(text)
        umpire = {
            key: given.pop(key)
            for key in ("modifier", "result", "because", "check_now")
            if key in given
        }
        said = Said(dict(given))
        answer = None
        if do == "house":
            said.things["attackers"], said.things["defenders"], building = house_words(words)
            said.things["building"] = building
            if cards:
                said.things["real"] = True
                answer = ListedCards(read_cards(cards))
        elif do in GRAMMARS:
            read_words(do, words, self.desk.table, said)
        else:
            said.things[{"next": "to", "note": "text"}[do]] = " ".join(words)
        script = settle_line(do, said, self.desk.table, **umpire)
        typed = LineDice(1, 0, tuple(dice))
        return self.desk.settle(text, script, typed, answer)

    def phase(self, phase: str) -> At:
        """Go on to ``phase``."""
        self("next " + phase, because="test")
        return self

    def unit(self, name: str) -> Unit:
        """The unit ``name`` as it stands."""
        return self.desk.table.unit(name)


def line(text: str, *dice: int, own: Mapping[str, Any] | None = None, **given: Any) -> Outcome:
    """Settle one line without a table."""
    return At(own, turn=0)(text, *dice, **given)


def refusal(text: str, *dice: int, at: At | None = None, **given: Any) -> str:
    """The sentence with which a line is refused; fails if it is not."""
    table = at or At(turn=0)
    before = table.desk.table
    try:
        outcome = table(text, *dice, **given)
    except IllegalAnswer as error:
        assert table.desk.table == before
        return str(error)
    raise AssertionError(f"not refused: {outcome.line}")


def used(outcome: Outcome) -> set[str]:
    """The names of the values an answer says it rests on."""
    return {value.name for value in outcome.values}


def triggers(outcome: Outcome) -> dict[str, tuple[str, ...]]:
    """Who must check morale, and why."""
    return {check.unit: check.triggers for check in outcome.checks}
