"""Answers as people type them: numbers, ids, words on the screen, unique beginnings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, Protocol

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Option
from asl_pbcg.kernel.reader import plain_dashes
from asl_pbcg.kernel.wording import cut, stands_in

ALL, NONE = ("all", "everybody"), ("none", "nobody", "nothing", "-")
SHOWN = 3
"""So many choices are named in a refusal."""
FEW = 2
"""So few choices are all named."""


class Choices(Protocol):
    """The part of a question that reading an answer needs: of a Prompt or an AskedPrompt."""

    @property
    def kind(self) -> Any:
        """The kind of prompt."""

    @property
    def options(self) -> Sequence[Option]:
        """The options in the order they are shown."""

    @property
    def rule(self) -> str:
        """The rule of the prompt."""


def read_words(asked: Choices, typed: str) -> Any:
    """The answer that ``typed`` stands for, in a form the prompt's own check takes.

    Raises IllegalAnswer with what would be right where it stands for nothing, for several choices,
    or for one that is refused.
    """
    if asked.options:
        typed = plain_dashes(typed)
    if asked.kind == "choose":
        return find_option(asked, typed).id
    if asked.kind == "choose-some":
        return _some(asked, typed)
    return typed


def find_option(asked: Choices, typed: str) -> Option:
    """The one legal option that ``typed`` names.

    In this order: its id, its number from 1, a name within its text (B-1), its text, a beginning of
    either, words within it.
    """
    fits = _best_fits(asked.options, typed)
    legal = [option for option in fits if not option.refused]
    if len(legal) == 1:
        return legal[0]
    if len(legal) > 1:
        names = ", ".join(f'"{_short(option)}"' for option in legal[:SHOWN])
        raise IllegalAnswer(f'"{typed}" may be {names}: type more of it.', asked.rule)
    if fits:
        raise IllegalAnswer(fits[0].refused, fits[0].rule or asked.rule)
    raise IllegalAnswer(f'"{typed}" is not a choice here: {_nearest(asked, typed)}', asked.rule)


def _best_fits(options: Sequence[Option], typed: str) -> list[Option]:
    """The options that fit ``typed`` best, all alike."""
    wanted = _plain(typed)
    if not wanted:
        return []
    numbered = not any(option.id.isdigit() for option in options)
    if exact := [option for option in options if _plain(option.id) == wanted]:
        return exact
    if wanted.isdecimal() and len(wanted) < 5 and numbered:
        return [*options[int(wanted) - 1 : int(wanted)]] if int(wanted) else []
    if any(map(str.isdigit, wanted)) and (  # one of several things by its name
        named := [option for option in options if stands_in(wanted, _plain(option.text))]
    ):
        return [option for option in named if not option.refused] or named
    texts = [(option, _plain(option.id), _plain(option.text)) for option in options]
    for fits in (
        lambda id, text: text == wanted,
        lambda id, text: id.startswith(wanted) or text.startswith(wanted),
        lambda id, text: bool(re.search(rf"(?<![\w-]){re.escape(wanted)}", text)),
    ):
        matches = [option for option, id, text in texts if fits(id, text)]
        legal = [option for option in matches if not option.refused]
        if matches:
            return legal or matches
    return []


def _some(asked: Choices, typed: str) -> list[str]:
    """Several options: ``1 3``, ``1-4``, words with commas between, ``all``, ``none``."""
    wanted = _plain(typed)
    ids = {_plain(option.id) for option in asked.options}
    if wanted in ALL and wanted not in ids:
        return [option.id for option in asked.options if not option.refused]
    if wanted in NONE and wanted not in ids:
        return []
    chosen: list[str] = []
    for part in _parts(asked, typed):
        span = re.fullmatch(r"(\d{1,3})\s*-\s*(\d{1,3})", part)
        # A leader's type looks alike: 8-0 is not a span.
        first, last = (int(span[1]), int(span[2])) if span else (0, 0)
        if 1 <= first < last <= len(asked.options) and _plain(part) not in ids:
            chosen += [find_option(asked, str(number)).id for number in range(first, last + 1)]
        else:
            chosen.append(find_option(asked, part).id)
    return list(dict.fromkeys(chosen))


def _parts(asked: Choices, typed: str) -> list[str]:
    """Take apart what was typed: at commas, else at blanks unless it is one choice as it is."""
    if "," in typed:
        return [part.strip() for part in typed.split(",") if part.strip()]
    one = _best_fits(asked.options, typed)
    if len(one) == 1 or " " not in typed.strip():
        return [typed.strip()]
    return re.sub(r"\s*-\s*(?=\d)", "-", typed).split() if "-" in typed else typed.split()


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _short(option: Option) -> str:
    return cut(option.text or option.id, 32)


def _nearest(asked: Choices, typed: str) -> str:
    """Say what to type in place of it: the nearest choices, or how choices are named."""
    legal = [option for option in asked.options if not option.refused]
    if not legal:
        return "nothing can be chosen."
    names = {_plain(text): option for option in legal for text in (option.id, option.text)}
    close = [names[name] for name in get_close_matches(_plain(typed), names, SHOWN, 0.6)]
    near = close or (legal if len(legal) <= FEW else [])
    if near:
        return f"{' or '.join(dict.fromkeys(_short(option) for option in near))}?"
    return "type its number, or how it begins."
