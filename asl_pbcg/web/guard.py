"""The checks of every request before anything answers it: host, origin, key, size, headers.

Each key of a served folder stands for one viewer; a request with a wrong key gets nothing.
"""

from __future__ import annotations

import asyncio
import hmac
import html
import ipaddress
import json
import os
import re
import secrets
import socket
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Literal, get_args

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.textfiles import read_limited
from asl_pbcg.web.served_names import ServedName

Viewer = Literal["both", "british", "german", "umpire"]
VIEWERS: Final[tuple[Viewer, ...]] = get_args(Viewer)
FILE: Final = ".pbcg-keys.json"
"""Beside the games, so that a page goes on with its key after the server was started again."""
MAX_BYTES: Final = 1024 * 1024
"""So many bytes of the file are read; its keys have about 200."""


class KeptKeys(msgspec.Struct, frozen=True):
    """The keys file: a key a viewer, and the names under which the folder is served."""

    both: str = ""
    british: str = ""
    german: str = ""
    umpire: str = ""
    hosts: tuple[ServedName, ...] = ()


class Keys:
    """The keys of the folder ``folder``, one a viewer; kept in a file only its owner can read.

    ``names`` are those of a tunnel or VPN; None leaves the ones that are kept.

    With ``again`` all keys are made new, and pages with an old one are shut out. Keys of a folder
    that cannot be written are kept in memory alone. Raises PBCGError for a keys file that is not
    one (a folder, a pipe, or far too large), and if old keys cannot be replaced ``again``.
    """

    def __init__(
        self, folder: Path, again: bool = False, names: tuple[ServedName, ...] | None = None
    ) -> None:
        self._file = folder / FILE
        kept = _read(self._file)
        self.names = kept.hosts if names is None else names
        old: dict[Viewer, str] = {} if again else _keys_in(kept)
        self._keys: dict[Viewer, str] = {
            viewer: old.get(viewer) or secrets.token_urlsafe(24) for viewer in VIEWERS
        }
        if self._keys != old or self.names != kept.hosts:
            self._write(self._keys)

    def __getitem__(self, viewer: Viewer) -> str:
        return self._keys[viewer]

    def viewer_of(self, key: str) -> Viewer | None:
        """Return the viewer of a key, None for a wrong one; always takes the same time."""
        match: Viewer | None = None
        given = key.encode("utf-8", "replace")
        for viewer, own in self._keys.items():
            if hmac.compare_digest(own.encode(), given):
                match = viewer
        return match

    def renew(self, viewer: Viewer) -> str:
        """Make a new key for ``viewer``; the old one is worth nothing from now on.

        Raises PBCGError where the new one cannot be kept; all keys are then as before.
        """
        changed = {**self._keys, viewer: secrets.token_urlsafe(24)}
        self._write(changed)
        self._keys = changed
        return changed[viewer]

    def _write(self, keys: dict[Viewer, str]) -> None:
        """Write ``keys`` in one move; a folder without a keys file may refuse one.

        Raises PBCGError where older keys stand in the file and stay there.
        """
        content = KeptKeys(**keys, hosts=self.names)
        try:
            write_atomic(self._file, msgspec.json.encode(content), private=True)
        except PBCGError as error:
            if os.path.lexists(self._file):
                raise PBCGError(f"{error} The keys stay as they are.") from error


def _read(file: Path) -> KeptKeys:
    if not file.exists():
        return KeptKeys()
    try:
        return msgspec.json.decode(read_limited(file, MAX_BYTES), type=KeptKeys)
    except (msgspec.DecodeError, RecursionError):
        return KeptKeys()  # damaged: keys are made again
    except PBCGError as error:
        raise PBCGError(f"{error} Keys of pbcg serve are kept there: move it away.") from error


def _keys_in(kept: KeptKeys) -> dict[Viewer, str]:
    return {name: key for name in VIEWERS if 20 <= len(key := getattr(kept, name)) <= 200}


Scope = dict[str, Any]
App = Callable[[Scope, Any, Any], Any]

CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final[list[tuple[bytes, bytes]]] = [
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
]
WITH_BODY: Final = ("POST", "PUT")
"""The methods that carry a body, under ``/api`` alone."""
ORDINARY: Final = 256 * 1024
"""How large the body of a request may be, in bytes."""
LARGE: Final[dict[str, int]] = {
    "/position/vasl": 5 * 1024 * 1024,
    "/position/next-save": 16 * 1024 * 1024 + ORDINARY,
    "/position/file": 20 * 1024 * 1024,
    "/games/file": 20 * 1024 * 1024,
    "/position": 2 * 1024 * 1024,
    "/answers": 2 * 1024 * 1024,
}
"""How large it may be where a path ends so: a save, saves, a workbook, a position, a setup."""
BODY_SECONDS: Final = 30.0
"""So long a body may take to arrive."""
HOST: Final = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^:@/?#\[\]]+))(?::[0-9]{1,5})?")
"""A host, in brackets where it is an IPv6 address, and perhaps a port; nothing else."""
NO_KEY: Final = "This needs a key: open the address that pbcg serve has printed."


class Guard:
    """Lets through what comes from this page, under a name of this machine, with a key.

    No body is read before the key is checked, and none at all where none belongs.
    ``viewer_of`` tells whose key it is; ``lan`` lets other machines of the network in, and
    ``names`` are those of a tunnel or VPN, which may keep the Host of a request or rewrite it. What
    the guard refuses it refuses in the same words everywhere under ``/api``, so that nothing is
    told.
    """

    def __init__(
        self,
        app: App,
        viewer_of: Callable[[str], Viewer | None],
        lan: bool,
        names: Sequence[ServedName] = (),
    ) -> None:
        self._app = app
        self._viewer_of = viewer_of
        self._lan = lan
        self._names = frozenset(each.name for each in names)
        self._origins = frozenset[str]().union(*(each.origins for each in names))

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Answer a refused request; hand any other on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            headers[name.decode("latin-1")] = value.decode("latin-1")
        send = _with_headers(send, _is_api(scope["path"]))
        refused = self._refuse(scope, headers)
        if refused:
            if is_navigation(scope["method"], headers):
                await _show(send, *refused)
            else:
                await _answer(send, *refused)
            return
        limit = _limit(scope["method"], scope["path"])
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 12 or int(length) > limit:
            await _answer(send, 413, _too_large(limit))
            return
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _body(receive, limit)
        except TimeoutError:
            await _answer(send, 408, "The request did not arrive whole in time: send it again.")
            return
        if body is None:
            await _answer(send, 413, _too_large(limit))
            return
        await self._app(scope, _again(body, receive), send)

    def _refuse(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if not is_own_host(host, self._lan) and host_name(host) not in self._names:
            return 421, "This address is not served here."
        origin = headers.get("origin")
        own = {f"{scope.get('scheme', 'http')}://{host}", *self._origins}
        if origin is not None and origin not in own:
            return 403, "Requests from other pages are refused."
        is_page = is_navigation(scope["method"], headers) and not scope["path"].startswith("/api")
        fetched_by = headers.get("sec-fetch-site", "same-origin")
        if fetched_by not in ("same-origin", "none") and not is_page:
            return 403, "Requests from other pages are refused."
        if _is_api(scope["path"]):
            word, _, key = headers.get("authorization", "").partition(" ")
            viewer = self._viewer_of(key.strip()) if word.lower() == "bearer" else None
            if viewer is None:
                return 401, NO_KEY
            scope["viewer"] = viewer
        return None


async def _body(receive: Any, limit: int) -> bytes | None:
    """The whole body of a request; None if it goes beyond ``limit`` bytes."""
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            break
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > limit:
            return None
    return body


def _again(body: bytes, receive: Any) -> Any:
    """Receives ``body``, and then whatever else comes."""
    given = False

    async def receiving() -> Any:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receiving


def host_name(host: str) -> str:
    """Return the name in a Host header, without its port; empty for what is not one."""
    written = HOST.fullmatch(host.strip().lower())
    return (written[1] or written[2]) if written else ""


def is_own_host(host: str, lan: bool) -> bool:
    """Whether a Host header names this machine, so that no other site's name leads here.

    An address in numbers cannot be another site's name; ``lan`` allows any of these.
    """
    name = host_name(host)
    if name == "localhost":
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        own = socket.gethostname().lower()
        return lan and name in {own, f"{own.partition('.')[0]}.local"}
    return address.is_loopback or lan


def is_navigation(method: str, headers: dict[str, str]) -> bool:
    """Whether a browser opens an address for a person to read, rather than a page asking for data.

    Only a page of its own counts: what another page would show in a frame does not.
    """
    return (
        method == "GET"
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
    )


def _is_api(path: str) -> bool:
    return path == "/api" or path.startswith("/api/")


def _limit(method: str, path: str) -> int:
    """Return the size that the body of a request may have: 0 where no body belongs."""
    if method not in WITH_BODY or not _is_api(path):
        return 0
    ends = (size for end, size in LARGE.items() if path.endswith(end))
    return next(ends, ORDINARY)


def _too_large(limit: int) -> str:
    if not limit:
        return "Nothing can be sent to this address."
    size = f"{limit // 1024 // 1024} MB" if limit >= 1024 * 1024 else f"{limit // 1024} KB"
    return f"That is too large: {size} at most."


def _with_headers(send: Any, private: bool) -> Any:
    more: Iterable[tuple[bytes, bytes]] = HEADERS
    cache = (b"cache-control", b"no-store" if private else b"no-cache")

    async def sending(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            kept = [(n, v) for n, v in message.get("headers", []) if n.lower() != b"cache-control"]
            message = {**message, "headers": [*kept, *more, cache]}
        await send(message)

    return sending


async def _answer(send: Any, status: int, sentence: str) -> None:
    body = json.dumps({"sentence": sentence, "rule": ""}).encode()
    headers = [(b"content-type", b"application/json")]
    if status == 408:
        headers.append((b"connection", b"close"))
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await _send_whole(send, status, headers, body)


async def _show(send: Any, status: int, sentence: str) -> None:
    """Lead a person to the page; who came by a name that is not served reads why."""
    if status != 421:
        # The browser keeps what stands behind the "#", and with it the key.
        await _send_whole(send, 303, [(b"location", b"/")], b"")
        return
    words = f"<!doctype html><title>pbcg</title><p>{html.escape(sentence)}</p>"
    await _send_whole(
        send, status, [(b"content-type", b"text/html; charset=utf-8")], words.encode()
    )


async def _send_whole(
    send: Any, status: int, headers: list[tuple[bytes, bytes]], body: bytes
) -> None:
    length = (b"content-length", str(len(body)).encode())
    start = {"type": "http.response.start", "status": status, "headers": [*headers, length]}
    await send(start)
    await send({"type": "http.response.body", "body": body})
