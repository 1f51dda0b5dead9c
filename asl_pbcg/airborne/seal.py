"""Sealed orders: a fingerprint that proves later that they were not changed. Rule: I.H, III.B.

The fingerprint is a SHA-256 of the orders, the map, the settings that are not the shipped ones and
a random salt, cut to 160 bits. Without the salt nobody can try out what fits it; with all of them
anybody can work it out again. Drops of older forms were sealed without map and settings.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from typing import Any

import msgspec

from asl_pbcg.airborne.dropmap import MapSpec
from asl_pbcg.airborne.orders import Orders
from asl_pbcg.airborne.settings import Settings
from asl_pbcg.kernel.errors import PBCGError

_BYTES = 20


def new_salt() -> str:
    """A salt nobody can guess, for orders that are sealed now."""
    return secrets.token_hex(16)


def fingerprint(
    orders: Orders, salt: str, settings: Settings | None = None, spec: MapSpec | None = None
) -> str:
    """The fingerprint of sealed orders: eight groups of four letters and figures.

    Without ``settings`` it is that of older forms, which covers the orders alone.
    """
    sealed: dict[str, Any] = orders.to_data()
    if settings is not None:
        data = settings.to_data()
        sealed = {
            "map": msgspec.to_builtins(spec),
            "orders": sealed,
            "settings": {key: data[key] for key in settings.changed},
        }
    plain = json.dumps(sealed, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    digest = hashlib.sha256(f"{salt}\n{plain}".encode()).digest()[:_BYTES]
    text = base64.b32encode(digest).decode("ascii")
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))


def clean(typed: str) -> str:
    """A fingerprint as players type it, in its written form. Raises PBCGError if it is none."""
    text = "".join(letter for letter in typed.upper() if letter.isalnum())
    # 0, 1 and 8 do not occur; they are what people write for O, I and B.
    text = text.translate(str.maketrans("018", "OIB"))
    if len(text) != _BYTES * 8 // 5 or not all(
        letter.isalpha() or letter in "234567" for letter in text
    ):
        raise PBCGError(
            f'"{typed[:60]}" is no fingerprint: it has eight groups of four letters and figures.'
        )
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))


def fits(
    orders: Orders,
    salt: str,
    written: str,
    settings: Settings | None = None,
    spec: MapSpec | None = None,
) -> bool:
    """Whether the fingerprint somebody wrote down is that of these orders and this salt.

    With ``settings`` and ``spec`` they must be those that were sealed, too.
    """
    return clean(written) == fingerprint(orders, salt, settings, spec)
