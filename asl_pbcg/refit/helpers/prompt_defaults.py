"""The answer that Enter gives to every question of the campaign game, by its decision point.

The register says of each whether its rule commands, leaves the choice, or asks for a fact. The
procedures hold the defaults themselves; a test holds them against the register.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

import msgspec

from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.typed_data import data_file

RECORDS: Final = "records"
"""A default that is worked out from the file."""


class PromptDefault(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A decision point: its question, what its rule says, and the answer of Enter."""

    asks: str
    rule: str
    says: Literal["must", "may", "fact"]
    why: str
    default: str | int = ""
    """The answer; ``records`` is worked out, empty is none: Enter alone is not an answer."""
    unless: str = ""
    """The case in which ``otherwise`` is the default, in words."""
    otherwise: str = ""

    def allows(self, prompt: Prompt) -> bool:
        """Whether a prompt has a default that the register gives it."""
        allowed = [self.default, *([self.otherwise] if self.unless else ())]
        return any(_is_default(prompt, each) for each in allowed)

    @property
    def answer(self) -> str:
        """The answer of Enter in words."""
        words = _ANSWERS.get(self.default, str(self.default))
        if not self.unless:
            return words
        return f"{words}; {_ANSWERS.get(self.otherwise, self.otherwise)} if {self.unless}"


_ANSWERS: Final[dict[Any, str]] = {"": "no answer", RECORDS: "what the records say"}


def _is_default(prompt: Prompt, default: str | int) -> bool:
    if default == RECORDS:
        return prompt.default is not None
    return bool(prompt.default == (None if default == "" else default))


def _faults(register: dict[str, PromptDefault]) -> Iterator[tuple[str, str]]:
    for point, each in register.items():
        if each.otherwise and not each.unless:
            yield f"{point}, otherwise", "unless must say when"


PROMPT_DEFAULTS: Final = data_file("pb/defaults.yaml", dict[str, PromptDefault], _faults)
