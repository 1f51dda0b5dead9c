"""Questions to the umpire within a line: the throws of real dice, the cards of a house fight."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any, Final

import typer

from asl_pbcg.kernel.dice import TypedDice
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.megagame.playing_cards import read_card, read_cards
from asl_pbcg.megagame.table_log import Answers, ListedCards

LEAVE: Final = ("quit", "q", "exit", "leave")
_BOTH: Final = ("attackers", "defenders")


def typed_dice(typed: list[str], zero_is_ten: bool) -> tuple[int, ...] | None:
    """Read dice as they are typed (``7,9,3`` or several options); None when none are."""
    if not typed:
        return None
    parts = re.split(r"[\s,;+]+", " ".join(typed))
    wrong = next((part for part in parts if not re.fullmatch(r"\d{1,4}", part)), None)
    if wrong is not None:
        raise IllegalAnswer(f'"{wrong}" is not a die: type numbers from 1 to 10, as 7,9,3.')
    return tuple(10 if zero_is_ten and int(part) == 0 else int(part) for part in parts)


def asked_dice(zero_is_ten: bool) -> TypedDice:
    """Return dice that are asked for throw by throw; several may be typed in a row."""

    def read(question: str) -> str:
        typed = ask(f"{question}: ")
        return re.sub(r"\b0\b", "10", typed) if zero_is_ten else typed

    return TypedDice(ask=read, complain=_complain)


def ask(question: str) -> str:
    """Ask at the terminal; ``q`` or the end of the input leaves the line unsettled."""
    typer.echo(question, nl=False, err=True)
    typed = sys.stdin.readline()
    if not typed:
        raise PBCGError("The answer is missing, so the line was not settled; all else is kept.")
    if typed.strip().lower() in LEAVE:
        raise PBCGError("The line was not settled; all else is kept.")
    return typed.strip()


def _complain(sentence: str) -> None:
    text = f"{sentence} q leaves the line as if it had not been typed."
    typer.secho(text, fg=typer.colors.RED, err=True)


def card_answers(cards: str, real: bool, play: bool, side: str) -> Answers | None:
    """Return who plays the cards of a house fight; None for the program on both sides.

    ``cards`` are those that fell on a real table; with ``real`` each is asked for, with ``play``
    those of ``side``. Raises IllegalAnswer.
    """
    found = [name for name in (*_BOTH, "both") if name.startswith(side.lower())]
    if len(found) != 1:
        raise IllegalAnswer(f'"{side}" is not a side: attackers, defenders or both.')
    if cards:
        return ListedCards(read_cards(cards))
    if real or play:
        return _asked_cards(_BOTH if real or found == ["both"] else tuple(found))
    return None


def _asked_cards(human: tuple[str, ...]) -> Callable[[Prompt], Any]:
    def answer(prompt: Prompt) -> Any:
        if prompt.kind != "text" and prompt.side not in human:
            shown = prompt.option(prompt.default).text
            typer.secho(f"The program plays for the {prompt.side}: {shown}.", err=True)
            return prompt.default
        if prompt.options:
            hand = "  ".join(
                typer.style(option.text, dim=bool(option.refused), bold=not option.refused)
                for option in prompt.options
            )
            typer.echo(f"{prompt.text}.  {prompt.side.capitalize()} hold  {hand}", err=True)
        while True:
            typed = ask(f"{prompt.side} play: " if prompt.options else f"{prompt.text}: ")
            try:
                prompt.check(_card_id(typed))
            except IllegalAnswer as error:
                _complain(str(error))
            else:
                return _card_id(typed)

    return answer


def _card_id(typed: str) -> str:
    try:
        return read_card(typed).id
    except IllegalAnswer:
        return typed
