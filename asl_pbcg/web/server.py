"""Running the server: a port, an address for each viewer, the browser opened, Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final

import msgspec
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.web.addresses import addresses
from asl_pbcg.web.app import create_app
from asl_pbcg.web.folder import Folder, game_id
from asl_pbcg.web.guard import Keys, Viewer
from asl_pbcg.web.served_names import read_names

WORDS: dict[Viewer, str] = {
    "both": "one screen for both, handed over",
    "british": "the British player's",
    "german": "the German player's",
    "umpire": "the umpire's, who sees all",
}

HEADER_SECONDS: Final = 10.0
"""So long the headers of a request may take to arrive."""
OWN_PORTS: Final = range(20_000, 30_000)
"""The ports on which folders are served: systems give none of these to anyone by themselves."""
END_SECONDS: Final = 1.2
"""So long after Ctrl-C the server waits for what is under way."""


def port_of(folder: Path) -> int:
    """Return the port on which a folder is served if it is free.

    What a browser keeps for a page it keeps by its address, so that has to stay the same.
    """
    mark = hashlib.sha256(str(folder).encode("utf-8", "surrogatepass")).digest()
    return OWN_PORTS.start + int.from_bytes(mark[:4], "big") % len(OWN_PORTS)


def socket_of(folder: Path, port: int | None, lan: bool) -> socket.socket:
    """A socket on ``port``; without one on that of the folder, or any where that is taken.

    Raises PBCGError if a port that was asked for is taken.
    """
    if port is not None:
        return listening_socket(port, lan)
    try:
        return listening_socket(port_of(folder), lan)
    except PBCGError:
        return listening_socket(0, lan)


def listening_socket(port: int, lan: bool) -> socket.socket:
    """A socket on ``port`` (0: any that is free), on this machine alone unless ``lan``.

    Raises PBCGError if the port is taken.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name != "nt":  # there it would let two servers listen at one port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("0.0.0.0" if lan else "127.0.0.1", port))
    except OSError as error:
        listening.close()
        raise PBCGError(
            f"Port {port} is taken or may not be used: choose another with --port, or none."
        ) from error
    return listening


class Ready(msgspec.Struct, frozen=True):
    """A page that can be opened: the folder it serves and an address a viewer."""

    folder: str
    port: int
    lan: bool
    addresses: dict[Viewer, str]
    hosts: tuple[str, ...] = ()


def ready_lines(ready: Ready) -> Iterator[str]:
    """Yield what is said of a page that can be opened."""
    for viewer, address in ready.addresses.items():
        yield f"{viewer:8} {address}   ({WORDS[viewer]})"
    if ready.lan:
        yield (
            "--lan: plain HTTP, for a network you trust. Whoever has an address sees what its "
            "viewer sees. Elsewhere use a VPN or tunnel of your own."
        )
    if ready.hosts:
        yield (
            f"Also under {', '.join(ready.hosts)}, until --host names others or none. Whoever has "
            "an address sees what its viewer sees."
        )
    yield "Ctrl-C ends it; everything answered is kept."


class PatientProtocol(H11Protocol):
    """HTTP whose requests must begin to be answered in time: slow headers hold no connection."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Expect a first request."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Stop the clock once headers are whole; start it with the first part of some."""
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._stop_clock()
        elif self._deadline is None and before.response_complete:
            self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_clock()
        super().connection_lost(exc)

    def _expect(self) -> None:
        self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class PageServer(uvicorn.Server):
    """One that lets the pages go that listen for news before it waits for all to be done.

    It ends in time whatever is under way: each answer was on the disk before it was acknowledged.
    """

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End, and let the pages go."""
        super().handle_exit(sig, frame)
        self.config.app.state.server.stop()  # type: ignore[union-attr]
        last = threading.Timer(END_SECONDS, os._exit, [0])
        last.daemon = True
        last.start()


def _is_fault(record: logging.LogRecord) -> bool:
    """Whether a line of the log tells of a fault of the program, not of a request broken off."""
    fault = record.exc_info[1] if record.exc_info else None
    return fault is not None and not isinstance(fault, asyncio.CancelledError)


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that already listens, and what is said of it; ``run`` answers until it is ended."""

    ready: Ready
    server: PageServer
    listening: socket.socket

    def run(self) -> None:
        """Answer until Ctrl-C, or until the server ``should_exit``."""
        self.server.run(sockets=[self.listening])


def prepare(
    path: Path, port: int | None, lan: bool, new_keys: bool, hosts: Sequence[str] = ()
) -> Serving:
    """Listen for the folder or the one game file at ``path``.

    ``hosts`` are names of a tunnel or VPN; without any the folder's own go on. Who comes before it
    runs waits a moment. Raises PBCGError for a path, port or name that cannot be.
    """
    names = read_names(hosts) if hosts else None
    only = path.resolve() if path.is_file() else None
    folder = (only.parent if only else path).resolve()
    if not folder.is_dir():
        raise PBCGError(f"{path} is neither a folder nor a game file.")
    keys = Keys(folder, new_keys, names)
    listening = socket_of(folder, port, lan)
    listening.listen()
    at = listening.getsockname()[1]
    opened = addresses(keys, at, lan, game_id(only) if only else "")
    config = uvicorn.Config(
        create_app(Folder(folder, only), keys, lan, at),
        log_level="warning", access_log=False, server_header=False, date_header=False,
        timeout_graceful_shutdown=1, lifespan="on", http=PatientProtocol,
    )  # fmt: skip
    ready = Ready(str(folder), at, lan, opened, tuple(map(str, keys.names)))
    return Serving(ready, PageServer(config), listening)


def serve(
    path: Path,
    port: int | None,
    lan: bool,
    open_browser: bool,
    new_keys: bool,
    tell: Callable[[Ready], None],
    hosts: Sequence[str] = (),
) -> None:
    """Serve the folder or the one game file at ``path`` until Ctrl-C; ``tell`` when it is ready."""
    serving = prepare(path, port, lan, new_keys, hosts)
    tell(serving.ready)
    if open_browser:
        threading.Timer(0.6, webbrowser.open, [serving.ready.addresses["both"]]).start()
    # What a stranger sends or a page breaks off is no news; a fault of the program is.
    logging.getLogger("uvicorn.error").addFilter(_is_fault)
    # Who ends in time leaves semaphores for Python's own process to remove: that is no news either.
    os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker")
    with contextlib.suppress(KeyboardInterrupt):
        serving.run()
