"""Sealed orders: a fingerprint that proves later that they were not changed. Rule: I.H, III.B.

The fingerprint is a SHA-256 of the orders and a random salt, cut to 160 bits. Without the salt
nobody can try out which orders fit it; with the orders and the salt anybody can work it out again.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets

from asl_pbcg.airborne.orders import Orders
from asl_pbcg.kernel.errors import PBCGError

_BYTES = 20


def new_salt() -> str:
    """A salt nobody can guess, for orders that are sealed now."""
    return secrets.token_hex(16)


def fingerprint(orders: Orders, salt: str) -> str:
    """The fingerprint of sealed orders: eight groups of four letters and figures."""
    plain = json.dumps(orders.to_data(), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
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


def fits(orders: Orders, salt: str, written: str) -> bool:
    """Whether the fingerprint somebody wrote down is that of these orders and this salt."""
    return clean(written) == fingerprint(orders, salt)
