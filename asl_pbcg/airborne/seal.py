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
from typing import Any, Final

import msgspec

from asl_pbcg.airborne.drop_map import MapSpec
from asl_pbcg.airborne.drop_settings import DropSettings
from asl_pbcg.airborne.landing_orders import Orders
from asl_pbcg.kernel.errors import PBCGError

_BYTES: Final = 20
_LETTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")


def new_salt() -> str:
    """Return a salt nobody can guess, for orders that are sealed now."""
    return secrets.token_hex(16)


def fingerprint(
    orders: Orders, salt: str, settings: DropSettings | None = None, spec: MapSpec | None = None
) -> str:
    """Return the fingerprint of sealed orders: eight groups of four letters and figures.

    Without ``settings`` it is that of older forms, which covers the orders alone.
    """
    sealed: dict[str, Any] = orders.to_data()
    if settings is not None:
        spec_data = msgspec.to_builtins(spec)
        sealed = {"map": spec_data, "orders": sealed, "settings": settings.chosen_values()}
    plain = json.dumps(sealed, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    digest = hashlib.sha256(f"{salt}\n{plain}".encode()).digest()[:_BYTES]
    return _in_groups(base64.b32encode(digest).decode("ascii"))


def read_fingerprint(typed: str) -> str:
    """Return a fingerprint as players type it, in its written form. Raises PBCGError."""
    text = "".join(letter for letter in typed.upper() if letter.isalnum())
    # 0, 1 and 8 do not occur; they are what people write for O, I and B.
    text = text.translate(str.maketrans("018", "OIB"))
    if len(text) != _BYTES * 8 // 5 or not _LETTERS.issuperset(text):
        raise PBCGError(
            f'"{typed[:60]}" is not a fingerprint: it has eight groups of four letters and figures.'
        )
    return _in_groups(text)


def _in_groups(text: str) -> str:
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))
