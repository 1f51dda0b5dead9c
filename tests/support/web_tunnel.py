"""A tunnel of our own before ``pbcg serve``: TLS, Host kept or rewritten, slow, and cut at will."""

from __future__ import annotations

import asyncio
import contextlib
import re
import ssl
import subprocess
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

NAME = "evening.localhost"
"""A name that browsers resolve to the loopback address by themselves."""


class Tunnel:
    """Listens with TLS on the loopback address and hands on to ``port``, a connection a request."""

    def __init__(
        self, folder: Path, *, rewrite: bool, delay: float = 0, hold_events: bool = False
    ) -> None:
        self.inner = 0
        self.rewrite = rewrite
        self.delay = delay
        self.hold_events = hold_events
        self.cut = False
        self.away = False
        """Whether the tunnel stands and the server behind it is away."""
        self.held = 0
        self._tasks: set[asyncio.Task[None]] = set()
        key, cert = folder / "key.pem", folder / "cert.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(key),
             "-out", str(cert), "-days", "2", "-subj", f"/CN={NAME}"],
            check=True, capture_output=True,
        )  # fmt: skip
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=context))
        self.port = int(self._server.sockets[0].getsockname()[1])
        self.place = f"{NAME}:{self.port}"

    def _run(self, job: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(job, self._loop).result(30)

    def drop(self) -> None:
        """Cut every connection, and every one that comes."""
        self.cut = True
        self._loop.call_soon_threadsafe(lambda: [task.cancel() for task in self._tasks])

    def close(self) -> None:
        self.cut = True
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.1)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                if not self.cut:
                    await self._hand_on(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.transport.abort() if self.cut else writer.close()

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", head)
        body = await reader.readexactly(int(length[1])) if length else b""
        await asyncio.sleep(self.delay)
        if self.away:
            writer.write(b"HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n<h1>502</h1>")
            await writer.drain()
            return
        head = re.sub(rb"(?i)\r\nconnection: [^\r]*", b"", head)
        if self.rewrite:
            head = re.sub(rb"(?i)\r\nhost: [^\r]*", b"\r\nHost: 127.0.0.1:%d" % self.inner, head)
        head = head[:-2] + b"X-Forwarded-Proto: https\r\nConnection: close\r\n\r\n"
        behind, before = await asyncio.open_connection("127.0.0.1", self.inner)
        try:
            before.write(head + body)
            answer = await behind.readuntil(b"\r\n\r\n")
            writer.write(answer)
            hold = self.hold_events and b"text/event-stream" in answer
            while part := await behind.read(65536):
                if hold:
                    self.held += 1
                    continue
                writer.write(part)
                await writer.drain()
            await writer.drain()
        finally:
            before.close()
