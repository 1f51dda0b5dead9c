"""Questions and throws of a turn, as its parts put them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from asl_pbcg.airborne.drop_state import DropState
from asl_pbcg.airborne.drop_tables import table
from asl_pbcg.kernel.prompts import Option, Prompt, Roll, Script, ask, throw
from asl_pbcg.kernel.tables import Rolled


def ask_which(
    id: str, text: str, rule: str, options: Mapping[str, str], help: str, **more: Any
) -> Script[list[str]]:
    """Ask which of some things it is so of, by their ids; the usual answer is none of them."""
    prompt = Prompt(
        id=id,
        text=text,
        rule=rule,
        kind="choose-some",
        options=tuple(Option(*option) for option in options.items()),
        help=help,
        **{"default": "none", **more},
    )
    chosen: list[str] = yield from ask(prompt)
    return chosen


def number_options(texts: Iterable[str]) -> dict[str, str]:
    """Return options that are chosen by their number."""
    return {str(number): text for number, text in enumerate(texts, 1)}


def throw_on(
    state: DropState, name: str, id: str, about: str, at: str, text: str, rule: str, **given: Any
) -> Script[Rolled]:
    """Throw on the table ``name`` for what lands in or is aimed at the hex ``at``."""
    rolled = yield from throw(
        Roll(
            id=id,
            about=about,
            text=f"Turn {state.turn}, {text}",
            rule=rule,
            table=table(name, state.settings),
            given=given,
            side=state.side,
            where=at,
        )
    )
    return rolled
