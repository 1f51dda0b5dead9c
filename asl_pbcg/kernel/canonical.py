"""The one spelling that a value has in the journal, read and written.

``docs/engineers/journal.md`` says the same exactly enough for another program.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, Protocol

import msgspec

from asl_pbcg.kernel.errors import PBCGError

MAX_DEPTH = 64
"""How deep objects and arrays may be nested."""
_MIN_INT, _MAX_INT = -(2**63), 2**64 - 1
_LONG_NUMBER = re.compile(rb"[0-9]{19}")


class Hash(Protocol):
    """A hash that has been computed."""

    def update(self, content: bytes, /) -> None:
        """Go on with more bytes."""
        ...

    def digest(self) -> bytes:
        """Return its bytes."""
        ...

    def hexdigest(self) -> str:
        """Return its bytes in hexadecimal."""
        ...


class _Maker(Protocol):
    def __call__(self, content: bytes, /) -> Hash: ...


def _smallest_sha256() -> _Maker:
    """Return Python's own SHA-256 where there is one: ``hashlib`` loads all of OpenSSL."""
    for name in ("_sha2", "_sha256"):  # of Python 3.12 and later, and of 3.11
        try:
            maker: _Maker = import_module(name).sha256
            return maker
        except ImportError:
            continue
    from hashlib import sha256 as whole

    return whole


sha256 = _smallest_sha256()


class NotJSON(PBCGError):
    """Bytes that are not JSON in UTF-8."""


class NotCanonical(PBCGError):
    """JSON that is not in its one spelling."""


def _fraction(text: str) -> float:
    value = float(text)
    if repr(value) != text or "e" in text or text == "-0.0":
        raise NotCanonical(f"the fraction {text[:40]} has another spelling")
    return value


_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(float_hook=_fraction)


def canonical(value: Any) -> bytes:
    """Return the stored form of ``value``: JSON, names sorted, nothing between, UTF-8."""
    return _ENCODER.encode(value)


def digest(content: bytes) -> str:
    """Return the SHA-256 of ``content`` in hexadecimal."""
    return sha256(content).hexdigest()


def read_canonical(content: bytes) -> Any:
    """Read JSON that must be in canonical form.

    Raises NotJSON or NotCanonical.
    """
    try:
        value = _DECODER.decode(content)
    except NotCanonical:
        raise
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError) as error:
        raise NotJSON("it cannot be read") from error
    try:
        same = _ENCODER.encode(value) == content
    except (UnicodeError, RecursionError) as error:
        raise NotJSON("it cannot be read") from error
    if not same:
        raise NotCanonical("it is not written as pbcg writes it")
    if content.count(b"[") + content.count(b"{") > MAX_DEPTH or _LONG_NUMBER.search(content):
        _check_bounds(value, 1)
    return value


def _check_bounds(value: Any, depth: int) -> None:
    """Check nesting and whole numbers. Raises NotCanonical."""
    if type(value) is int and not _MIN_INT <= value <= _MAX_INT:
        raise NotCanonical("a whole number is too large")
    if isinstance(value, dict | list):
        if depth > MAX_DEPTH:
            raise NotCanonical(f"it is nested more than {MAX_DEPTH} deep")
        for item in value.values() if isinstance(value, dict) else value:
            _check_bounds(item, depth + 1)
