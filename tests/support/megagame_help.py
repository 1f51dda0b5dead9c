"""Lines of the megagame umpire for tests: typed as an umpire types them, dice in a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from asl_pbcg.cli.mega.mega_evening import split_line
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.megagame.call import Outcome
from asl_pbcg.megagame.game_table import Table, TableUnit
from asl_pbcg.megagame.line_content import LineContent
from asl_pbcg.megagame.line_words import read_words
from asl_pbcg.megagame.playing_cards import read_cards
from asl_pbcg.megagame.table_log import LineDice, ListedCards, TableLog
from asl_pbcg.megagame.umpire_lines import settle_line

UMPIRE = ("modifier", "result", "because", "check_now")


def settle(log: TableLog, text: str, thrown: LineDice, cards: str = "", **given: Any) -> Outcome:
    """Settle ``text``; ``given`` is of the umpire, or what options say of the line."""
    do, *words = split_line(text)
    umpire = {key: given.pop(key) for key in UMPIRE if key in given}
    content = LineContent(**given, real=bool(cards))
    read_words(do, words, log.table, content)
    answer = ListedCards(read_cards(cards)) if cards else None
    return log.settle(text, settle_line(do, content, log.table, **umpire), thrown, answer)


class At:
    """A table that lines are tried at; ``turn`` 0 is a line without a table."""

    def __init__(self, own: Mapping[str, Any] | None = None, turn: int = 1) -> None:
        settings = {"title": "test", "own": dict(own or {}), "turn": turn}
        self.log = TableLog(Journal.in_memory({"game": "megagame", "settings": settings}), 1)

    @classmethod
    def having(cls, *units: str, phase: str = "", own: Mapping[str, Any] | None = None) -> At:
        """A table with these units, in the first phase or another."""
        at = cls(own)
        for unit in units:
            at(f"unit {unit}")
        return at.phase(phase) if phase else at

    def __call__(self, text: str, *dice: int, **given: Any) -> Outcome:
        """Settle ``text`` with exactly these dice."""
        return settle(self.log, text, LineDice(1, 0, tuple(dice)), **given)

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.log.table

    def phase(self, phase: str) -> At:
        """Go on to ``phase``."""
        self("next " + phase, because="test")
        return self

    def unit(self, name: str) -> TableUnit:
        """The unit ``name`` as it stands."""
        return self.table.unit(name)


def line(text: str, *dice: int, own: Mapping[str, Any] | None = None, **given: Any) -> Outcome:
    """Settle one line without a table."""
    return At(own, turn=0)(text, *dice, **given)


def refusal(text: str, *dice: int, at: At | None = None, **given: Any) -> str:
    """The sentence with which a line is refused; fails if it is not."""
    table = at or At(turn=0)
    before = table.table
    try:
        outcome = table(text, *dice, **given)
    except IllegalAnswer as error:
        assert table.table == before
        return str(error)
    raise AssertionError(f"not refused: {outcome.line}")


def used(outcome: Outcome) -> set[str]:
    """The names of the values an answer says it rests on."""
    return {value.name for value in outcome.values}


def triggers(outcome: Outcome) -> dict[str, tuple[str, ...]]:
    """Who must check morale, and why."""
    return {check.unit: check.triggers for check in outcome.checks}
