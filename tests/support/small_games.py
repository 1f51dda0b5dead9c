"""Two small games for tests of sessions and journals: a shop, and coins that stay or go."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.kernel.corrections import correct_state
from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Roll, Script, ask, throw, yes_no
from asl_pbcg.kernel.session import Session, Step
from asl_pbcg.kernel.views import LogLine


class Purse(msgspec.Struct, frozen=True):
    step: int = 0
    coins: int = 10
    rolled: tuple[int, ...] = ()


def shop(purse: Purse) -> Script[Purse]:
    yield Note("The shop opens.", rule="1.1")
    coins = purse.coins
    while True:
        options = tuple(
            Option(f"buy-{n}", f"buy for {n}", refused="" if n <= coins else "You lack the coins.")
            for n in (1, 3, 7)
        )
        done = Option("done", "go on")
        answer = yield from ask(
            Prompt(
                id="1.2",
                text="What next?",
                rule="1.2",
                side="red",
                secret=True,
                options=(*options, done),
            )
        )
        if answer == "done":
            break
        coins -= int(answer.split("-")[1])
    return Purse(purse.step + 1, coins, purse.rolled)


def gamble(purse: Purse) -> Script[Purse]:
    found = purse.rolled
    if (yield from yes_no(purse, "2.1", "Roll?", rule="2.1", side="blue")):
        rolled = yield from throw(
            Roll(id="2.2", text="The gamble", rule="2.2", dice=DiceSpec(2, 6))
        )
        found = (*found, rolled.final)
    return Purse(purse.step + 1, purse.coins, found)


def quiet(purse: Purse) -> Script[Purse]:
    yield Note("Nothing to do here.")
    return Purse(purse.step + 1, purse.coins, purse.rolled)


class ShopGame:
    name = "shop"

    def __init__(self, rounds: int = 3) -> None:
        self.rounds = rounds

    def begin(self, settings: Mapping[str, Any]) -> Purse:
        return Purse(coins=settings.get("coins", 10))

    def next_step(self, state: Purse) -> Step[Purse] | None:
        steps = [Step("1", "Shop", shop), Step("2", "Gamble", gamble), Step("3", "Quiet", quiet)]
        return steps[state.step % 3] if state.step < 3 * self.rounds else None

    def encode(self, state: Purse) -> bytes:
        return msgspec.json.encode(state)

    def decode(self, stored: bytes) -> Purse:
        return msgspec.json.decode(stored, type=Purse)

    def correct(self, state: Purse, path: str, value: Any) -> tuple[Purse, LogLine]:
        new, old = correct_state(state, path, value)
        return new, LogLine(kind="correction", step="", text=f"{path}: {old} is now {value}.")


def new_session(path: Path | None = None) -> Session[Purse]:
    meta = {"game": "shop", "settings": {"coins": 10}}
    journal = Journal.create(path, meta, "test") if path else Journal.in_memory(meta)
    return Session(ShopGame(), journal)


def look(session: Session[Purse]) -> tuple[Any, ...]:
    asked = session.pending
    return (
        session.state,
        asked.id if asked else None,
        session.step.id if session.step else None,
        session.rolls,
        [line.text for line in session.lines() if line.kind != "undo"],
    )


LAST = 5


def order(purse: Purse) -> Script[Purse]:
    """One question for each coin from ``purse.coins`` to 5, and a roll if it goes."""
    rolled = purse.rolled
    for coin in range(purse.coins, LAST + 1):
        name = f"coin-{coin}"
        answer = yield from ask(
            Prompt(
                id="1.1", about=name, text=f"{name}?", side="red" if coin % 2 else "blue",
                secret=coin == 3, options=(Option("stay", "stays"), Option("go", "goes")),
            )
        )  # fmt: skip
        if answer == "go":
            dr = yield from throw(
                Roll(id="1.2", about=name, text=f"{name} goes", side="red", secret=coin == 3)
            )
            rolled = (*rolled, dr.final)
    return Purse(1, purse.coins, rolled)


class Coins(ShopGame):
    def next_step(self, state: Purse) -> Step[Purse] | None:
        return Step("1", "Order", order) if state.step == 0 else None


def coins(path: Path | None = None, **meta: Any) -> Session[Purse]:
    settings = {"game": "shop", "settings": {"coins": 1}, **meta}
    return Session(
        Coins(), Journal.create(path, settings, "test") if path else Journal.in_memory(settings)
    )


def given(session: Session[Purse]) -> list[tuple[str, str, Any]]:
    return [
        (each.point, each.about, each.body)
        for each in session.journal.standing()
        if each.kind != "correction"
    ]


def four_answered(session: Session[Purse]) -> None:
    """coin-1 stays, coin-2 goes on a 4, coin-3 stays, coin-4 goes on a 2."""
    session.answer("stay")
    session.answer("go")
    session.throw((4,))
    session.answer("stay")
    session.answer("go")
    session.throw((2,))
