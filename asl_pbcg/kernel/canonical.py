"""The one spelling that a value has in the journal, read and written.

``docs/engineers/journal.md`` says the same exactly enough for another program.
"""

from __future__ import annotations

import decimal
import re
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec

from asl_pbcg.kernel.errors import PBCGError

MAX_DEPTH = 64
"""How deep objects and arrays may be nested."""
_MIN_INT, _MAX_INT = -(2**63), 2**64 - 1
_LONG_NUMBER = re.compile(rb"[:,\[]-?[0-9]{19}")


def _smallest_sha256() -> Any:
    """Return Python's own SHA-256 where there is one: ``hashlib`` loads all of OpenSSL."""
    for name in ("_sha2", "_sha256"):  # of Python 3.12 and later, and of 3.11
        try:
            return import_module(name).sha256
        except ImportError:
            continue
    return import_module("hashlib").sha256


if TYPE_CHECKING:
    import hashlib

    sha256 = hashlib.sha256
else:
    sha256 = _smallest_sha256()


class Unreadable(PBCGError):
    """Bytes that are not JSON in its one spelling."""


class NotText(Unreadable):
    """Bytes that are not UTF-8."""


class NotCanonical(Unreadable):
    """Text that is not JSON, or has another spelling."""


class TooDeep(Unreadable):
    """A value whose objects and arrays are nested too deep."""


def fraction(text: str) -> Any:
    """Read a fraction; one that Python writes with an exponent stays as it is written."""
    value = float(text)
    shortest = repr(value)
    if "e" in shortest:
        plain = format(decimal.Decimal(shortest), "f")
        if text == plain + ("" if "." in plain else ".0"):
            return msgspec.Raw(text.encode())
    if shortest != text or text == "-0.0":
        raise NotCanonical(f"the fraction {text[:40]} has another spelling")
    return value


_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(float_hook=fraction)


def canonical(value: Any) -> bytes:
    """Return the stored form of ``value``: JSON, names sorted, nothing between, UTF-8."""
    return _ENCODER.encode(value)


def digest(content: bytes) -> str:
    """Return the SHA-256 of ``content`` in hexadecimal."""
    return sha256(content).hexdigest()


def read_canonical(content: bytes) -> Any:
    """Read JSON that must be in canonical form. Raises Unreadable."""
    try:
        value = _DECODER.decode(content)
        same = _ENCODER.encode(value) == content
    except RecursionError as error:
        raise TooDeep(f"it is nested more than {MAX_DEPTH} deep") from error
    except NotCanonical:
        _check_text(content)
        raise
    except (msgspec.DecodeError, UnicodeError, ValueError) as error:
        _check_text(content)
        raise NotCanonical("it is not JSON") from error
    if not same:
        _check_text(content)
        raise NotCanonical("it is not written as pbcg writes it")
    if content.count(b"[") + content.count(b"{") > MAX_DEPTH or _LONG_NUMBER.search(content):
        nested = list(_walk_values(value))
        if any(type(item) is int and not _MIN_INT <= item <= _MAX_INT for item, _ in nested):
            raise NotCanonical("a whole number is too large")
        if any(isinstance(item, dict | list) and depth > MAX_DEPTH for item, depth in nested):
            raise TooDeep(f"it is nested more than {MAX_DEPTH} deep")
    return value


def _walk_values(value: Any, depth: int = 1) -> Iterator[tuple[Any, int]]:
    """Yield a value and all within it, each with how deep it stands."""
    yield value, depth
    if isinstance(value, dict | list) and depth <= MAX_DEPTH:
        for item in value.values() if isinstance(value, dict) else value:
            yield from _walk_values(item, depth + 1)


def _check_text(content: bytes) -> None:
    """Check that bytes are UTF-8. Raises NotText."""
    try:
        content.decode()
    except UnicodeError as error:
        raise NotText("it is not UTF-8") from error
