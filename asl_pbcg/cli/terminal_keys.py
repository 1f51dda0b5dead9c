"""Keys at a prompt: what may be typed besides an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from asl_pbcg.play.asked import AskedPrompt, AskedRoll

Shown = AskedPrompt | AskedRoll


@dataclass(frozen=True)
class Key:
    """One key: its names (the letter first), what the line of keys says, what help says of it.

    ``run`` gets what stands after the key and what is asked; a key that ``takes`` nothing is only
    one if nothing stands after it.
    """

    names: tuple[str, ...]
    words: str
    help: str
    run: Callable[[str, Shown], None]
    takes: bool = False


def find_key(keys: Sequence[Key], typed: str) -> tuple[Key, str] | None:
    """The key that was typed and what stands after it; None if it is none."""
    name, _, rest = typed.strip().partition(" ")
    whole = " ".join(typed.lower().split())
    for key in keys:
        if whole in key.names:
            return key, ""
        if name.lower() in key.names and key.takes and rest.strip():
            return key, rest.strip()
    return None
