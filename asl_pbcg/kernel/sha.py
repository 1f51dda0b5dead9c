"""SHA-256, by the small module of Python's own where there is one.

``hashlib`` loads all of OpenSSL, which takes as long as reading a campaign does; the standard
library's ``random`` goes round it in the same way.
"""

from __future__ import annotations

from importlib import import_module
from typing import Protocol


class Hash(Protocol):
    """A hash that has been made."""

    def digest(self) -> bytes:
        """Its bytes."""
        ...

    def hexdigest(self) -> str:
        """Its bytes in hexadecimal."""
        ...


class _Maker(Protocol):
    def __call__(self, content: bytes, /) -> Hash: ...


def _smallest() -> _Maker:
    for name in ("_sha2", "_sha256"):  # of Python 3.12 and later, and of 3.11
        try:
            found: _Maker = import_module(name).sha256
            return found
        except ImportError:
            continue
    from hashlib import sha256 as whole

    return whole


sha256 = _smallest()
