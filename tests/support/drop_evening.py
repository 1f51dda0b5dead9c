"""``pbcg drop`` in an empty folder, and a drop file with the orders of the template."""

from __future__ import annotations

from collections.abc import Callable

Pbcg = Callable[..., str]


def sealed(pbcg: Pbcg, *options: str) -> str:
    """A drop file ``drop.pbcg`` with the orders of the template; returns its fingerprint."""
    pbcg("drop", "orders", "--template", "-o", "orders.yaml")
    told = pbcg("drop", "orders", "drop.pbcg", "--seal", "orders.yaml", *options)
    return told.strip().splitlines()[-1].strip()
