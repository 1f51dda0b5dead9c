"""Placing answers given before where the same is asked: by decision point and what it is about."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from asl_pbcg.kernel.entries import Entry, faces_of
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.run import Game, Run

S = TypeVar("S")


def fits(entry: Entry, asked: Prompt | Roll, step: str) -> bool:
    """Return whether an entry answers ``asked``: by its decision point and what it is about.

    Entries of older forms do not say what they are about.
    """
    return (
        entry.step == step
        and entry.point == asked.id
        and (entry.kind == "roll") == isinstance(asked, Roll)
        and (not entry.about or entry.about == asked.about)
    )


def fitting(pool: list[Entry], asked: Prompt | Roll, step: str) -> Entry | None:
    """Return the first entry of ``pool`` that answers ``asked``.

    One that does not say what it is about does so only where it is the next.
    """
    for at, entry in enumerate(pool):
        if fits(entry, asked, step) and (entry.about or not asked.about or at == 0):
            return entry
    return None


def without(pool: list[Entry], given: Entry) -> list[Entry]:
    """``pool`` without the first entry that answers the same as ``given``."""
    for at, entry in enumerate(pool):
        same = (entry.step, entry.point, entry.kind) == (given.step, given.point, given.kind)
        if same and entry.about in ("", given.about):
            return pool[:at] + pool[at + 1 :]
    return pool


def check_entry(asked: Prompt | Roll, entry: Entry) -> tuple[Any, Any]:
    """Return what is stored and sent if ``entry`` answers ``asked``. Raises IllegalAnswer."""
    if isinstance(asked, Roll):
        return entry.body, asked.resolve(faces_of(entry.body))
    stored = asked.check(asked.in_present_words(entry.body))
    return stored, stored


def place(
    game: Game[S],
    state: S,
    seq: int,
    pool: list[Entry],
    finished: Any = lambda *_: None,
) -> tuple[Run[S], list[Entry]]:
    """Run from ``state`` on with answers out of ``pool``, up to the first that nobody gave.

    Returns the run and the entries placed, in the order in which they were asked for.
    """
    barred: set[int] = set()
    while True:
        kept: list[Any] = []
        run: Run[S] = Run(game, state, seq, lambda *step, kept=kept: kept.append(step))
        left, placed = list(pool), []
        failed = False
        while run.pending is not None and run.step:
            found = fitting(left, run.pending, run.step.id)
            if found is None or found.seq in barred:
                break
            try:
                stored, sent = check_entry(run.pending, found)
            except PBCGError:
                break
            try:
                run.feed(sent, found.seq)
                run.close()
            except Exception:  # the script is of no use any more: once more, without this answer
                barred.add(found.seq)
                failed = True
                break
            left.remove(found)
            placed.append(msgspec.structs.replace(found, body=stored))
        if not failed:
            for step in kept:
                finished(*step)
            run._finished = finished
            return run, placed
