"""Texts whose letters no font of the program draws, gathered while a sheet or map is printed.

Whoever asks for a print listens; a print speaks of these texts before anything is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from asl_pbcg.kernel.wording import cut

MAX_NAMED = 6
MAX_LETTERS = 30


class _Listener:
    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.texts: dict[str, None] = {}
        self.named: set[str] = set()


_LISTENER: ContextVar[_Listener | None] = ContextVar("listener", default=None)


@contextmanager
def hear_missing_letters(say: Callable[[str], None]) -> Iterator[None]:
    """Within it ``say`` is called before each print that shows some texts in other letters."""
    token = _LISTENER.set(_Listener(say))
    try:
        yield
    finally:
        _LISTENER.reset(token)


def note_missing(text: str) -> None:
    """Note a text that has letters without a font of the program."""
    listener = _LISTENER.get()
    if listener:
        listener.texts[cut(text, MAX_LETTERS)] = None


def say_missing() -> None:
    """Say which texts of the print that was just made have such letters, each text once."""
    listener = _LISTENER.get()
    if listener is None:
        return
    texts = [text for text in listener.texts if text not in listener.named]
    listener.named.update(texts)
    listener.texts.clear()
    if texts:
        listener.say(missing_words(texts))


def missing_words(texts: list[str]) -> str:
    """Return what a print shows of these texts, and what to do about them."""
    named = ", ".join(f'"{text}"' for text in texts[:MAX_NAMED])
    more = f" and {len(texts) - MAX_NAMED} more" if len(texts) > MAX_NAMED else ""
    return (
        f"No font of this program has all letters of {named}{more}. On paper Chinese, Japanese "
        "and Korean letters are blank where the PDF reader brings no font for them; others are "
        "counted in brackets, as [5 Thai letters]. Write the text in Latin letters, or print the "
        "Excel workbook."
    )
