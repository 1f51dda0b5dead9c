"""A pseudo-translation, for tests alone: every word of the program's sentences is another one.

The words of each JSON answer are changed as it leaves the server: letters are turned by 13, and a
sign stands before each word. Ids, numbers and names that players typed stay. A page that read a
meaning out of words would go wrong. What a test reads off the page has its words back, so that all
tests of the page run so: ``PBCG_PSEUDO_WORDS=1 python -m pytest -n0 tests/web``.
"""

from __future__ import annotations

import codecs
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

EVERYWHERE = "PBCG_PSEUDO_WORDS"
"""Where this is set all tests with a browser run on changed words."""
SIGN = "\u0294"
"""Stands before every word that was changed."""
LETTERS = r"[A-Za-z]+(?:[-'][A-Za-z]+)*"
WORD = re.compile(rf"(?<![\w.-])(?=[A-Za-z]{{2}}){LETTERS}(?![\w-])")
SENTENCES = frozenset(
    [
        *("text", "consequence", "refused", "help", "sentence", "reply", "title", "says", "why"),
        *("beside", "brings", "words", "report", "lines", "effect", "said", "told", "lost"),
        *("stands", "next", "called", "heading", "head", "ground", "part_title", "date_short"),
        *("wrong", "remark", "description", "level", "label", "idle", "say", "strip"),
    ]
)
"""The fields that hold sentences, wherever they stand."""
WITHIN = {
    "": frozenset(["date"]),
    "topic": frozenset(["name", "brings"]),
    "asked": frozenset(["step"]),
    "going": frozenset(["to"]),
}
"""The fields that hold words in one kind of thing alone."""
MAPPED = frozenset(["odds"])
"""The fields whose keys are words."""


def changed(text: str, names: frozenset[str] = frozenset()) -> str:
    """Return ``text`` with every word changed but the ``names`` of players."""

    def turn(match: re.Match[str]) -> str:
        word = match[0]
        return word if word in names else SIGN + codecs.encode(word, "rot13")

    return WORD.sub(turn, text)


def restored(value: Any) -> Any:
    """Return what was read off a page with its own words."""
    if isinstance(value, str):
        return re.sub(f"{SIGN}({LETTERS})", lambda match: codecs.encode(match[1], "rot13"), value)
    if isinstance(value, list):
        return [restored(each) for each in value]
    if isinstance(value, dict):
        return {restored(key): restored(each) for key, each in value.items()}
    return value


def translated(value: Any, names: frozenset[str], within: str = "", key: str = "") -> Any:
    """Return the content of an answer with the words of its sentences changed."""
    if isinstance(value, str):
        is_words = key in SENTENCES or key in WITHIN.get(within, ())
        return changed(value, names) if is_words else value
    if isinstance(value, list):
        return [translated(each, names, within, key) for each in value]
    if isinstance(value, dict):
        keys = (lambda each: changed(each, names)) if key in MAPPED else str
        return {keys(each): translated(inner, names, key, each) for each, inner in value.items()}
    return value


def players_in(value: Any) -> frozenset[str]:
    """Return the words of the names that players have in a state."""
    players = value.get("players") if isinstance(value, dict) else None
    listed = players.values() if isinstance(players, dict) else ()
    return frozenset(word for names in listed for name in names for word in name.split())


class PseudoWords:
    """The layer of an application that changes the words of every JSON answer."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._names: frozenset[str] = frozenset()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun: dict[str, Any] = {}
        body = bytearray()

        async def pass_on(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = dict(message["headers"])
                if headers.get(b"content-type", b"").startswith(b"application/json"):
                    begun.update(message)
                    return
            elif begun and message["type"] == "http.response.body":
                body.extend(message.get("body", b""))
                if message.get("more_body"):
                    return
                message = {**message, "body": self._change(bytes(body))}
                length = (b"content-length", str(len(message["body"])).encode())
                kept = [each for each in begun["headers"] if each[0] != b"content-length"]
                await send({**begun, "headers": [*kept, length]})
            await send(message)

        await self._app(scope, receive, pass_on)

    def _change(self, body: bytes) -> bytes:
        content = json.loads(body)
        self._names |= players_in(content)
        return json.dumps(translated(content, self._names)).encode()


READING = ("inner_text", "text_content", "inner_html", "all_inner_texts", "all_text_contents")
READING += ("get_attribute", "title", "evaluate", "evaluate_all", "input_value")
"""The ways in which a test reads words off a page."""
POINTING = ("click", "fill", "focus", "check", "locator", "is_visible", "wait_for_selector")
"""The ways in which a test names a thing of the page by a selector."""
NAMED = re.compile(r""":(has-text|text-is|text)\((["'])(.*?)\2\)""")
"""A part of a selector that goes by words."""


def either(selector: str) -> str:
    """Return a selector whose words may stand on the page as they are, or changed."""

    def turn(match: re.Match[str]) -> str:
        how, quote, words = match.groups()
        same = f":{how}({quote}{words}{quote})"
        other = f":{how}({quote}{changed(words)}{quote})"
        return f":is({same}, {other})"

    return NAMED.sub(turn, selector)


@contextmanager
def on_changed_words(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Serve changed words within, and give tests the words back that they read off pages.

    What a test looks for by words it finds by either.
    """
    from playwright.sync_api import ElementHandle, JSHandle, Locator, Page

    from asl_pbcg.web import server

    plain_app = server.create_app

    def create_app(*args: Any, **more: Any) -> Any:
        app = plain_app(*args, **more)
        app.add_middleware(PseudoWords)
        return app

    def reading(read: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args, **more: restored(read(*args, **more))

    def pointing(find: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, *args, **more: find(
            self,
            *(either(each) if isinstance(each, str) else each for each in args[:1]),
            *args[1:],
            **more,
        )

    with patch.context() as within:
        within.setattr(server, "create_app", create_app)
        for kind in (Page, Locator, ElementHandle):
            for name in READING:
                if hasattr(kind, name):
                    within.setattr(kind, name, reading(getattr(kind, name)))
            for name in POINTING:
                if hasattr(kind, name):
                    within.setattr(kind, name, pointing(getattr(kind, name)))
        select = Locator.select_option

        def select_option(self: Any, *args: Any, **more: Any) -> Any:
            if isinstance(label := more.get("label"), str):
                options = self.locator("option")
                options.first.wait_for(state="attached")
                more = {"index": options.all_text_contents().index(label)}
            return select(self, *args, **more)

        within.setattr(Locator, "select_option", select_option)
        within.setattr(JSHandle, "json_value", reading(JSHandle.json_value))
        yield


def wanted_everywhere() -> bool:
    """Tell whether all tests of the page run on changed words."""
    return bool(os.environ.get(EVERYWHERE))
