"""The address of each viewer: on this machine, in its network, or under a name that is served."""

from __future__ import annotations

import contextlib
import socket
from typing import Final

from asl_pbcg.web.guard import VIEWERS, Keys, Viewer

HERE: Final = "127.0.0.1"


def own_address() -> str:
    """The address of this machine in its network; the loopback address where it has none."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent
        return str(probe.getsockname()[0])
    return HERE


def addresses(keys: Keys, port: int, lan: bool, game: str = "") -> dict[Viewer, str]:
    """Return an address for each viewer, that of the shared screen first.

    The others' have the first name that is served, else this machine's address in its network.
    """
    away = keys.names[0].address(port, lan) if keys.names else ""
    away = away or f"http://{own_address() if lan else HERE}:{port}"
    more = f"&game={game}" if game else ""
    places = dict.fromkeys(VIEWERS, away) | {"both": f"http://{HERE}:{port}"}
    return {viewer: f"{place}/#key={keys[viewer]}{more}" for viewer, place in places.items()}
