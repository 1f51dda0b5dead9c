"""Sections of real campaigns played in order and by two sides at once, and all that is compared.

``python tests/support/two_parts.py --campaigns 50 --first 1`` plays generated campaigns and prints
what was compared; it must say 0 differences. Answers and dice depend on the side, the step, the
decision point, what it is about and how often that was asked.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from campaign_generator import CampaignAnswers, random_settings

from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.side_part import part_of_side
from asl_pbcg.kernel.verification.verify import BareReplay, verify
from asl_pbcg.kernel.views import LogLine, for_side
from asl_pbcg.refit.sequence import CampaignGame
from asl_pbcg.refit.setup.setup_rules import is_level_of, setups

SIDES = ("german", "british")
Asked = dict[str, list[Any]]


class Player:
    """Answers and dice of one side, the same for the same question in whatever order it comes."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._counts: collections.Counter[tuple[str, ...]] = collections.Counter()

    def _source(self, step: str, asked: Prompt | Roll) -> random.Random:
        key = (step, type(asked).__name__, asked.id, asked.about)
        self._counts[key] += 1
        return random.Random(f"{self._seed}/{'/'.join(key)}/{self._counts[key]}")

    def answer(self, step: str, prompt: Prompt) -> Any:
        source = self._source(step, prompt)
        value = self._telling(prompt, source)
        if value is not None:
            try:
                return prompt.check(value)
            except IllegalAnswer:
                pass
        drawn = "none" if prompt.id == "9.620.2" else prompt.random_answer(source)
        return prompt.check(drawn)

    @staticmethod
    def _telling(prompt: Prompt, source: random.Random) -> Any:
        """What may couple the sides: Guards and vehicles Shift, Wrecks are made, setups given."""
        state: Any = prompt.state
        legal = [option.id for option in prompt.legal if option.id != "done"]
        if prompt.id in ("9.613.1", "9.61423"):
            return source.choice(legal) if legal and source.random() < 0.65 else "done"
        if prompt.id == "9.613.1a":
            guards = {piece.guarded_by for piece in state.pieces}
            ids = [id for id in legal if id in guards or state.piece(id).is_vehicle]
            return [source.choice(ids)] if ids and source.random() < 0.6 else None
        if prompt.id == "9.620.2" and state.determined is not None and source.random() < 0.5:
            return _setup(state, Side(prompt.side), source)
        return None

    def throw(self, step: str, roll: Roll) -> tuple[int, ...]:
        source = self._source(step, roll)
        return tuple(source.randint(1, roll.spec.sides) for _ in range(roll.spec.count))


def _setup(state: Campaign, side: Side, source: random.Random) -> dict[str, Any]:
    """A few units where the setup sheet lets them stand."""
    allowed = [
        each
        for each in setups(state, side)
        if each.piece.kind in ("squad", "half_squad", "crew")
        and not each.piece.hip and not each.piece.possesses and each.hexes
    ]  # fmt: skip
    units: list[dict[str, Any]] = []
    for each in source.sample(allowed, min(5, len(allowed))):
        hexes = [hex for hex in each.hexes or () if is_level_of(state, each.piece, Location(hex))]
        at = source.choice(hexes) if hexes else ""
        if at and [unit["at"] for unit in units].count(at) < 3:
            units.append(
                {"id": each.piece.id, "side": side.value, "type": each.piece.type, "at": at}
            )
    return {"format": "pbcg-position/1", "date": state.date.value, "units": units}


def as_shown(asked: Prompt | Roll, step: str) -> tuple[Any, ...]:
    """All that a player is shown of what is asked."""
    head = (step, asked.id, asked.about, asked.text, asked.where, asked.rule, asked.side)
    if isinstance(asked, Roll):
        return ("roll", *head, sorted(map(str, dict(asked.given).items())))
    options = [msgspec.to_builtins(option) for option in asked.options]
    more = (asked.kind, asked.help, asked.default, asked.least, asked.most, asked.fields)
    places: list[Any] = []
    if asked.id == "9.620.2":
        found = setups(asked.state, Side(asked.side))  # type: ignore[arg-type]
        places = [(each.piece.id, tuple(map(str, each.hexes or ()))) for each in found]
    return ("prompt", *head, json.dumps(options), *map(repr, more), repr(places))


def act(session: Session[Campaign], player: Player, asked: Asked) -> None:
    """Let a player answer or throw what is asked, and note how it was."""
    pending, at = session.pending, session.step
    assert pending and at
    step = at.id.partition("/")[2]
    shown = as_shown(pending, step)
    if isinstance(pending, Roll):
        rolled = session.throw(player.throw(step, pending))
        asked[pending.side].append((*shown, rolled.dice, rolled.final, str(rolled.result)))
    else:
        answer = player.answer(step, pending)
        session.answer(answer)
        asked[pending.side].append((*shown, json.dumps(answer)))


def players(seed: str, **other: str) -> dict[str, Player]:
    return {side: Player(f"{seed}/{side}/{other.get(side, '')}") for side in SIDES}


def play_in_order(session: Session[Campaign], by: dict[str, Player]) -> Asked:
    """Play the section at one screen."""
    asked: Asked = {side: [] for side in SIDES}
    while session.apart:
        assert session.pending
        act(session, by[session.pending.side], asked)
    return asked


def play_at_once(
    session: Session[Campaign], by: dict[str, Player], turns: random.Random, undo: float = 0.06
) -> Asked:
    """Play the section by both sides in random turns, with undone answers given again."""
    asked: Asked = {side: [] for side in SIDES}
    bias = turns.choice((0.0, 0.2, 0.5, 0.8, 1.0))  # 0 and 1: one side wholly before the other
    while session.apart:
        parts = {side: part_of_side(session, side) for side in SIDES}
        due = [side for side in SIDES if parts[side].pending]
        assert due, "both have done their part, yet the section is not over"
        side = due[0] if len(due) == 1 or turns.random() < bias else due[1]
        act(parts[side], by[side], asked)
        if session.apart and turns.random() < undo and parts[side].undoable():
            part = part_of_side(session, side)
            part.undo("again")
            part.redo()
    return asked


def log_of(session: Session[Campaign], sees: str) -> list[LogLine]:
    """The log but for numbers and for what was undone."""
    lines = for_side(session.lines(), sees)
    return [
        msgspec.structs.replace(line, seq=0) for line in lines if line.kind not in ("undo", "redo")
    ]


def new(path: Path | None, settings: dict[str, Any]) -> Session[Campaign]:
    meta = {"settings": settings, "game": "pegasus-bridge"}
    journal = Journal.create(path, meta, "test") if path else Journal.in_memory(meta)
    return Session(CampaignGame(), journal)


def go_to_section(session: Session[Campaign], seed: int) -> bool:
    """Play up to the next step in which both act at once; False where the campaign ends first."""
    at = f"{seed}/{session.state.date}/{session.state.at}"
    answers, source = CampaignAnswers(at, session), random.Random(at)
    while session.pending is not None and not session.apart:
        if isinstance(roll := session.pending, Roll):
            session.throw(tuple(source.randint(1, roll.spec.sides) for _ in range(roll.spec.count)))
        else:
            session.answer(answers.answer(session.pending))
    return session.apart


class Comparison:
    """What was compared, and what was not the same."""

    def __init__(self) -> None:
        self.counts: collections.Counter[str] = collections.Counter()
        self.differences: list[str] = []

    def hold(self, what: str, one: Any, other: Any, where: str) -> None:
        self.counts[f"same: {what}"] += one == other
        if one != other:
            self.differences.append(f"{where}: {what}: {_first(one, other)}")

    def section(self, one: Session[Campaign], two: Session[Campaign], seed: int) -> None:
        """Play the section that both sessions are at, in order and at once."""
        where = f"{seed} {one.state.date}"
        turns = random.Random(f"turns/{where}")
        third = Session(CampaignGame(), _copy(one))
        in_order = play_in_order(one, players(where))
        at_once = play_at_once(two, players(where), turns)
        self.counts["sections"] += 1
        self.counts["answers and rolls"] += sum(map(len, in_order.values()))
        for side in SIDES:
            self.hold("asked of a side", in_order[side], at_once[side], f"{where} {side}")
            self.hold("log of a side", log_of(one, side), log_of(two, side), f"{where} {side}")
        self.hold("state", one.state, two.state, where)
        other = turns.choice(SIDES)
        again = play_in_order(third, players(where, **{other: "another"}))
        kept = SIDES[1 - SIDES.index(other)]
        self.hold("asked with another opponent", again[kept], at_once[kept], f"{where} {kept}")


def _copy(session: Session[Campaign]) -> Journal:
    """A journal that goes on from where a session stands."""
    meta = session.journal.text.meta()
    journal = Journal.in_memory(meta)
    with journal.transaction():
        for entry in session.journal.entries():
            journal.append(entry)
    for kept in session.journal.states:
        journal.keep(kept)
    return journal


def _first(one: Any, other: Any) -> str:
    """The first thing in which two lists differ."""
    if isinstance(one, list):
        pairs = [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]]
        return str(pairs[0])[:2000] if pairs else f"{len(one)} and {len(other)}"
    return "states differ" if isinstance(one, Campaign) else f"{one} and {other}"


def compare_campaign(seed: int, folder: Path | None = None, most: int = 99) -> Comparison:
    """Play a generated campaign twice, and hold its first ``most`` sections against each other."""
    found, settings = Comparison(), random_settings(seed)
    path = folder / f"{seed}.pbcg" if folder else None
    one, two = new(None, settings), new(None, settings)
    two = new(path, one.journal.text.meta()["settings"])
    found.counts["campaigns"] += 1
    while found.counts["sections"] < most:
        if not go_to_section(one, seed) or not go_to_section(two, seed):
            go_to_section(two, seed)
            break
        found.hold("state before", one.state, two.state, f"{seed} {one.state.date}")
        found.section(one, two, seed)
    bare = BareReplay(CampaignGame(), two.journal)
    found.hold("replay from its entries", bare.error, None, str(seed))
    found.hold("state of that replay", bare.run.state, one.state, str(seed))
    found.hold("faults told by verify", verify(two.journal, CampaignGame()).faults, [], str(seed))
    two.journal.close()
    return found


def compare_campaigns(seeds: Iterator[int]) -> Comparison:
    whole = Comparison()
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            found = compare_campaign(seed, Path(folder))
            whole.counts += found.counts
            whole.differences += found.differences
            for words in found.differences:
                print("DIFFERENT", words, flush=True)
    return whole


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--campaigns", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    given = parser.parse_args()
    total = compare_campaigns(iter(range(given.first, given.first + given.campaigns)))
    for name, count in sorted(total.counts.items()):
        print(f"{count:9,} {name}")
    print(f"{len(total.differences):9,} differences")
    sys.exit(bool(total.differences))
