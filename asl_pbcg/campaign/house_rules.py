"""The house rules of a campaign: ``data/pb/rulings.yaml``, and another module's own over it.

A campaign stores the choices its players made; ``kernel/rulings.py`` says what is played for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from asl_pbcg.campaign.terms import SHIPPED
from asl_pbcg.kernel.rulings import Register


@cache
def campaign_rulings(folder: str = SHIPPED) -> Register[Any]:
    """Return the register of a module; a ruling it does not have is that of the shipped one."""
    return Register(folder, base=None if folder == SHIPPED else campaign_rulings())


def replaced_choices(chosen: Mapping[str, str], folder: str = SHIPPED) -> Iterator[str]:
    """Say of each stored choice that is no longer offered which one is played in its place."""
    register = campaign_rulings(folder)
    for id, stored, now in register.replaced_choices(chosen):
        meaning = register[id].choices[now]
        yield f"House rule {id}={stored} is no longer offered: {id}={now} is played ({meaning})."


def default_words(id: str) -> str:
    """Say what is played of a house rule unless the players choose another reading."""
    ruling = campaign_rulings()[id]
    return (
        f"House rule {id}, unless the players choose otherwise: {ruling.choices[ruling.default]}."
    )
