"""Everything that an automatic area game asks, tells, rolls and settles, thing by thing."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import msgspec
from fingerprints import Item, asked_words, fields, plain
from st_accounts import between, faults
from st_soak import Task

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Note, Roll
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.st.british.orders import asks_for_counters, read_order, thing_word
from asl_pbcg.st.british.reach import ways
from asl_pbcg.st.british.standing_orders import StandingOrders, TypedOrders, prices, spared_firers
from asl_pbcg.st.many.area_sheets import game_sheets
from asl_pbcg.st.picture.captions import effect_words
from asl_pbcg.st.picture.live_map import live_counters
from asl_pbcg.st.picture.textmap import text_map
from asl_pbcg.st.player.automatic_game import Player, RandomDice
from asl_pbcg.st.player.policy import GoodPlayer, RandomPlayer
from asl_pbcg.st.player.policy_plan import STYLES
from asl_pbcg.st.player.unseen import imagine
from asl_pbcg.st.procedures.gun_fire import Attack
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.scoring import score_now
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.state.player_view import view_for, view_in
from asl_pbcg.st.thinking.choices import choices

Change = Callable[[Rules, State, random.Random], State]
EVERY = 7
"""At every so many questions all that front ends make of one is looked at."""


def told(game: AreaGame, task: Task, change: Change | None = None) -> Iterator[Item]:
    """The game of a task to its end, thing by thing; ``change`` is made before each turn."""
    state = game.begin(task.settings)
    dice = RandomDice(task.number)
    who: Player = RandomPlayer(task.number)
    style = STYLES[task.number % len(STYLES)]
    if task.policy == "good":
        # The careful side of a style is asked beside it, below.
        bold = replace(style, fuse=False, shy=99.0, spare=0, free=-1.0, guns=False)
        who = GoodPlayer(task.number, bold)
    source = random.Random(f"told/{task.number}")
    asked_so_far = 0
    while (step := game.next_step(state)) is not None:
        if change and state.ready and state.phase == 1:
            state = change(game.rules(state.settings), state, source)
        script, sent, before = step.script(state), None, state
        try:
            while True:
                asked = script.send(sent)
                sent = None
                if isinstance(asked, Note):
                    yield step.id, plain(["note", asked.rule, asked.side, asked.secret, asked.text])
                    continue
                yield step.id, asked_words(asked)
                if isinstance(asked, Roll):
                    sent = asked.resolve(dice.throw(asked.spec, 0, ""))
                    yield step.id, _rolled_words(asked, sent)
                    continue
                asked_so_far += 1
                if isinstance(asked, Decision) and asked_so_far % EVERY == 0:
                    for words in looked_at(asked, source):
                        yield step.id, words
                    yield step.id, f"styled: {GoodPlayer(style=style).answer(asked)}"
                sent = who.answer(asked)
                yield step.id, plain(["answer", sent, asked.words(sent)])
        except StopIteration as finished:
            state = finished.value
        rules = game.rules(state.settings)
        for words in _after(rules, before, state, source):
            yield step.id, words
    for sheet in game_sheets(game.rules(state.settings), state, state):
        for table in sheet.layout.tables:
            for row in sheet.rows(table):
                yield "sheets", f"{sheet.heading}: {plain(row)}"


def _rolled_words(asked: Roll, rolled: Rolled) -> str:
    caption = effect_words(asked.id, asked.topic, rolled.result, rolled.says)
    return plain(["rolled", str(rolled), rolled.facts, caption])


def _after(rules: Rules, before: State, state: State, source: random.Random) -> Iterator[str]:
    """What a step changed, what is seen of it, what a damaged account of it shows."""
    old = {unit.id: unit for unit in before.units}
    for unit in state.units:
        if old.get(unit.id) != unit:
            yield f"{unit.id} is {plain(unit)}"
    for field in fields(type(state)):
        now = getattr(state, field.name)
        if field.name != "units" and getattr(before, field.name) != now:
            yield f"{field.name} is {plain(now)}"
    if not state.ready or state.over:
        return
    seen = view_for(state, "british")
    yield f"score: {plain(score_now(rules, state))}"
    if source.random() < 0.3:
        yield f"seen: {plain(seen)}"
        yield f"counters: {plain(live_counters(seen, rules.geo.map))}"
        hidden = [unit.id for unit in state.units if unit.face_down and unit.status == "map"]
        yield f"imagined: {plain(imagine(state, hidden, state.demo_marker != 'none', source))}"
    damaged = damage(state, source)
    with suppress(KeyError):  # what is not a unit of the game at all
        yield f"accounts: {faults(rules, damaged)}"
        yield f"accounts from step to step: {between(rules, before, damaged)}"


def looked_at(decision: Decision, source: random.Random) -> Iterator[str]:
    """What front ends make of a question: orders by words, ways, prices, what a teacher weighs."""
    sit = decision.situation
    if source.random() < 0.2:
        rows = text_map(sit, view_in(sit, "british"))
        yield from (f"map: {[part for part in row if part.text.strip()]}" for row in rows)
    yield f"standing orders: {plain(StandingOrders().answer(decision))}"
    yield f"weighed: {[plain(each) for each in choices(decision).items()]}"
    yield f"counters: {asks_for_counters(decision)}"
    for line in _lines(decision, source):
        try:
            order: Any = read_order(decision, line)
        except PBCGError as error:
            order = str(error)
        yield f"order {line!r}: {order}"
    typed = TypedOrders()
    for line in _lines(decision, source):
        try:
            taken: Any = typed.take(decision, line)
        except PBCGError as error:
            taken = str(error)
        yield f"typed {line!r}: {taken}; waits: {typed.waiting}; said: {typed.said}"
    if decision.id in ("act", "action") and decision.ids:
        unit = sit.units.get(decision.pieces[0] if decision.pieces else decision.ids[0])
        if unit is not None and unit.side == "british":
            yield f"ways of {unit.id}: {ways(sit, [unit])}"
    for attack in decision.choices:
        if isinstance(attack, Attack) and attack.kind == "small-arms":
            yield f"prices of {attack.id}: {prices(sit, list(attack.firers), attack.target)}"
    if decision.id in ("opportunity_fire", "firers"):
        target, firing = decision.choices
        yield f"spared: {spared_firers(sit, target, firing)}"


def _lines(decision: Decision, source: random.Random) -> Iterator[str]:
    """Orders as they may be typed: legal, refused, and words that fit nothing."""
    sit = decision.situation
    units = [unit for unit in sit.units.values() if unit.side == "british"]
    numbers = [str(unit.roster) for unit in units if unit.roster]
    areas = [unit.area for unit in units if unit.area] or ["A1"]
    words = [
        *decision.ids,
        *numbers,
        *areas,
        *["none", "all", "stop", ".", "1", "2", "stack", "x", "e"],
    ]
    words += [*"gbcpktd", *(thing_word(id) for id in sit.weapons)]
    words += [option.id.split()[-1] for option in decision.options if option.id.split()]
    for _ in range(5):
        yield " ".join(source.choices(words, k=source.randint(1, 3)))


_VALUES: dict[str, list[Any]] = {
    "sp": [0, 1, 4, 9], "lost": [0, 1, 3, 9], "grenades": [0, 1, 2, 5],
    "status": ["map", "dead", "pow", "wreck", "absent", "waiting", "pool", "aboard", "left"],
    "inside": [True, False], "suppressed": [True, False], "wounded": [True, False],
    "dummy": [True, False], "face_down": [True, False], "area": ["", "B4", "C3", "ZZ"],
    "engaged": [0, 3, 20], "charges": [0, 1, 9],
    "carrier": ["", "hq-1", "nobody"], "turn": [1, 5, 15], "phase": [1, 4, 8],
    "bridge": ["intact", "damaged", "destroyed"], "demo": ["open", "over", "blown", "malfunction"],
    "demo_marker": ["none", "blank", "wired"], "british_sp": [0, 3], "german_sp": [0, 3],
    "leaders": [0, 1], "tanks": [0, 1], "pows_taken": [0, 2], "triggered": [True, False],
}  # fmt: skip


def damage(state: State, source: random.Random) -> State:
    """The state with a few facts of it changed to something else that may or may not be."""
    for _ in range(source.randint(1, 3)):
        part = source.choice(
            ["units", "units", "units", "weapons", "ledger", "state", "drop", "control", "pows"]
        )
        if part == "state":
            state = _changed(state, source)
        elif part == "ledger":
            state = msgspec.structs.replace(state, ledger=_changed(state.ledger, source))
        elif part == "control":
            place = source.choice([*state.control, "B4", "B4*", "ZZ"])
            side = source.choice(["british", "german"])
            state = msgspec.structs.replace(state, control={**state.control, place: side})
        elif part == "drop":
            name = source.choice(["units", "weapons", "pows", "gliders", "positions", "cleared"])
            found = list(getattr(state, name))
            if found:
                found.pop(source.randrange(len(found)))
            state = msgspec.structs.replace(state, **{name: tuple(found)})
        elif found := list(getattr(state, part)):
            at = source.randrange(len(found))
            found[at] = _changed(found[at], source)
            state = msgspec.structs.replace(state, **{part: tuple(found)})
    return state


def _changed(struct: Any, source: random.Random) -> Any:
    names = [name for name in struct.__struct_fields__ if name in _VALUES]
    if not names:
        return struct
    name = source.choice(names)
    return msgspec.structs.replace(struct, **{name: source.choice(_VALUES[name])})
