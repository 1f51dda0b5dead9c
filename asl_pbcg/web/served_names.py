"""Names under which a folder is served beside this machine's own: of a tunnel, or in a VPN."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import plain_dashes

NONE: Final = "none"
"""It stands for no name: those kept are forgotten."""
MAX_NAMES: Final = 8
_TYPED: Final = re.compile(
    r"(?:(https?)://)?((?=[^:/]{1,253}(?:[:/]|$))[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9-]{1,63})*)"
    r"(?::([0-9]{1,5}))?/?"
)


class ServedName(msgspec.Struct, frozen=True):
    """A name as it was typed: ``name``, perhaps with its scheme and port."""

    name: str
    scheme: str = ""
    port: str = ""

    def __str__(self) -> str:
        """Return it as it is typed."""
        scheme = f"{self.scheme}://" if self.scheme else ""
        return f"{scheme}{self._place}"

    @property
    def _place(self) -> str:
        return f"{self.name}:{self.port}" if self.port else self.name

    @property
    def origins(self) -> frozenset[str]:
        """The origins of a page that was opened under it, whatever its Host became on the way."""
        schemes = [self.scheme] if self.scheme else ["https", "http"]
        return frozenset(f"{scheme}://{self._place}" for scheme in schemes)

    def address(self, port: int, lan: bool) -> str:
        """Return where a page is opened: by https through a tunnel, at ``port`` in a network."""
        if self.scheme:
            return f"{self.scheme}://{self._place}"
        if lan:
            return f"http://{self.name}:{self.port or port}"
        return f"https://{self._place}"


def read_names(typed: Iterable[str]) -> tuple[ServedName, ...]:
    """Read names as players type or paste them. Raises PBCGError for what is not one."""
    names = []
    for text in typed:
        match = _TYPED.fullmatch(plain_dashes(text).strip().lower())
        if match is None or int(match[3] or 1) not in range(1, 65_536):
            raise PBCGError(
                f'--host: "{text[:60]}" is not the name of a computer. Give the name alone, as '
                f"evening.example.org, or none to forget those given before."
            )
        names.append(ServedName(match[2], match[1] or "", match[3] or ""))
    names = [name for name in dict.fromkeys(names) if name != ServedName(NONE)]
    if len(names) > MAX_NAMES:
        raise PBCGError(f"--host: {len(names)} names are too many: {MAX_NAMES} at most.")
    return tuple(names)
