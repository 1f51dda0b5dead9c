"""What one side hides of the other's make: captured Guns, SW and vehicles, in every way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vasl_writer import NATION, Chip, Writer, chip_of, marker

from asl_pbcg.campaign.terms import Side

TOKENS = {Side.BRITISH: "tea-at-four", Side.GERMAN: "kartoffel-7"}
PASSWORDS = {NATION[side]: token for side, token in TOKENS.items()}
SQUADS = {Side.BRITISH: "6-4-8", Side.GERMAN: "4-4-7"}
MADE_BY = {
    Side.BRITISH: ("57L AT", "LMG", "Carrier C"),
    Side.GERMAN: ("50L AT", "LMG", "38H 735(f)"),
}
"""A Gun, a SW and a vehicle that each side makes."""
COVERS = ("hidden", "concealed")


def question(side: Side) -> Chip:
    """A "?" of a side's own."""
    return Chip("?", conceals=NATION[side], password=TOKENS[side])


def captures(captor: Side) -> Iterator[tuple[str, list[Chip]]]:
    """Each way in which a captor hides what the other side made, as a stack with its name."""
    token = TOKENS[captor]
    own = chip_of(SQUADS[captor.other], captor.other)
    for type in MADE_BY[captor.other]:
        piece = chip_of(type, captor.other)
        for cover in COVERS:
            taken = replace(piece, **{cover: True}, password=token)  # type: ignore[arg-type]
            unit = replace(chip_of(SQUADS[captor], captor), **{cover: True}, password=token)  # type: ignore[arg-type]
            ways = {
                "alone": [taken],
                "above": [unit, taken],
                "beneath": [taken, unit],
                "marked": [unit, taken, replace(marker("Low Ammo"), hidden=True, password=token)],
            }
            for way, stack in ways.items():
                yield f"{type} {cover} {way}", stack
            yield f"{type} {cover} on an enemy", [own, unit, taken]
            yield f"{type} {cover} beneath an enemy", [taken, unit, own]


def under_question(captor: Side) -> Iterator[tuple[str, list[Chip]]]:
    """Each way in which a captor lays his "?" on what the other side made; first on nothing."""
    top, unit = question(captor), chip_of(SQUADS[captor], captor)
    yield "dummy", [top]
    foreign = replace(top, conceals=NATION[captor.other])
    for type in MADE_BY[captor.other]:
        piece = chip_of(type, captor.other)
        for way, stack in {"above": [unit, piece], "beneath": [piece, unit]}.items():
            yield f"{type} {way}", [*stack, top]
            covered = [replace(each, concealed=True, password=TOKENS[captor]) for each in stack]
            yield f"{type} {way} foreign", [*covered, foreign]


def hide_elsewhere(writer: Writer, side: Side, password: str = "") -> None:
    """Put a hidden unit of a side's own on the map, by which its token is known."""
    token = password or TOKENS[side]
    writer.stack([replace(chip_of(SQUADS[side], side), hidden=True, password=token)], "X20")
