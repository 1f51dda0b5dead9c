"""The state of a campaign: what both sides have, at a CG Date, before a step of the RePh."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from asl_pbcg.campaign.catalogue import load_catalogue
from asl_pbcg.campaign.terms import CGDate, Side


class Piece(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A unit, Equipment piece, glider or Fortification of a side's OB. Rule: 9.2 OB."""

    id: str
    side: Side
    type: str
    received: CGDate
    formation: str = ""
    airborne: bool = False
    ox_and_bucks: bool = False
    rg: str = ""
    """The key of its Reinforcement Group, for example ``I5-1``; empty if it has none."""
    area: str = ""
    """Where it is Retained: a Setup Area ID, an Entry Area's arrow hex or an OB group."""
    at: str = ""
    """Its Location if known, for example ``Z15/1``."""
    status: tuple[str, ...] = ()
    captured: bool = False
    hip: bool = False
    notes: str = ""

    @property
    def kind(self) -> str:
        """Its kind in the unit catalogue, for example squad; else glider or fortification."""
        maker = self.side.other if self.captured else self.side
        known = load_catalogue().find(self.type, maker)
        if known:
            return known.kind
        return "glider" if self.type == "Glider" else "fortification"


class ReceivedGroup(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One RG received: a line of the RG Purchase Record. Rule: 9.6178."""

    key: str
    id: str
    date: CGDate
    given: bool = False
    strength: str = ""
    """full, depleted, or empty while not known."""
    area: str = ""
    cost: int = 0
    entry_cost: int = 0
    units: tuple[tuple[int, str], ...] = ()
    sw: dict[str, int] = {}
    leaders: tuple[str, ...] = ()
    settled: bool = False
    """Whether 9.618 is done for it."""


class Bought(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One Fortification (or HIP, "?", SAN or Starshell Increase) bought. Rule: 9.619."""

    key: str
    side: Side
    kind: str
    date: CGDate
    cost: float
    factors: int = 0
    unit: str = ""
    at: str = ""


class DateAccount(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the CG Roster says of one CG Date. Rule: 9.13, 9.617."""

    date: CGDate
    san: dict[Side, int] = {}
    cpp_base: int = 0
    cpp_loss_points: int = 0
    cpp_available: int = 0
    cpp_spent: int = 0
    cpp_left: int = 0
    fpp_received: dict[Side, float] = {}
    fpp_spent: dict[Side, float] = {}
    reinforcements: str = ""
    cvp_lost: dict[Side, int] = {}
    notes: str = ""


class Campaign(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A campaign at one moment; every step takes one and returns the next."""

    campaign: str
    """CG1 or CG2."""
    players: dict[Side, str] = {}
    balance: str = ""
    house_rules: dict[str, str] = {}
    date: CGDate
    at: str
    """The step that comes next, for example ``9.618``; ``scenario`` while one is played."""
    pieces: tuple[Piece, ...] = ()
    groups: tuple[ReceivedGroup, ...] = ()
    bought: tuple[Bought, ...] = ()
    dummies: dict[Side, int] = {}
    san: dict[Side, int] = {}
    cpp: int = 0
    fpp: dict[Side, float] = {}
    accounts: tuple[DateAccount, ...] = ()

    def of(self, side: Side) -> list[Piece]:
        """The pieces of ``side``, in the order they were received."""
        return [piece for piece in self.pieces if piece.side is side]

    def new_groups(self) -> list[ReceivedGroup]:
        """The RG whose Strength, SW and leaders are still to be settled (9.618)."""
        return [group for group in self.groups if not group.settled]

    def purchased(self, id: str, date: CGDate | None = None) -> int:
        """How many RG ``id`` were purchased, in all or on one CG Date; given ones never count.

        Rule: 9.6175, 9.6176.
        """
        return sum(
            group.id == id and not group.given and date in (None, group.date)
            for group in self.groups
        )

    @property
    def account(self) -> DateAccount:
        """The account of the current CG Date."""
        return next(
            (account for account in self.accounts if account.date is self.date),
            DateAccount(date=self.date),
        )


def change(state: Campaign, **fields: Any) -> Campaign:
    """The state with some fields replaced."""
    return msgspec.structs.replace(state, **fields)


def with_account(state: Campaign, **fields: Any) -> Campaign:
    """The state with fields of the current CG Date's account replaced."""
    account = msgspec.structs.replace(state.account, **fields)
    others = tuple(each for each in state.accounts if each.date is not state.date)
    return change(state, accounts=(*others, account))


def with_group(state: Campaign, group: ReceivedGroup) -> Campaign:
    """The state with the RG of the same key replaced, or ``group`` added."""
    if any(each.key == group.key for each in state.groups):
        groups = tuple(group if each.key == group.key else each for each in state.groups)
    else:
        groups = (*state.groups, group)
    return change(state, groups=groups)


def with_piece(state: Campaign, piece: Piece) -> Campaign:
    """The state with the piece of the same id replaced."""
    pieces = tuple(piece if each.id == piece.id else each for each in state.pieces)
    return change(state, pieces=pieces)


def group_key(state: Campaign, id: str) -> str:
    """The key of the next RG ``id``: I5-1, I5-2 and so on."""
    return f"{id}-{sum(group.id == id for group in state.groups) + 1}"


def add_pieces(
    state: Campaign, side: Side, types: Iterable[tuple[str, int]], **fields: Any
) -> Campaign:
    """The state with new pieces of ``side``: ``types`` lists type and count.

    Every piece gets an id of its own that no other piece ever had, for example ``b-648-3``.
    """
    pieces = list(state.pieces)
    used: dict[str, int] = {}
    for piece in pieces:
        stem, _, number = piece.id.rpartition("-")
        used[stem] = max(used.get(stem, 0), int(number))
    for type, count in types:
        stem = f"{side.value[0]}-{_slug(type)}"
        for _ in range(count):
            used[stem] = used.get(stem, 0) + 1
            pieces.append(
                Piece(
                    id=f"{stem}-{used[stem]}", side=side, type=type, received=state.date, **fields
                )
            )
    return change(state, pieces=tuple(pieces))


def _slug(type: str) -> str:
    """A type as the stem of an id: ``6-4-8`` is 648, ``10-2`` is 10-2, ``50L AT`` is 50l-at."""
    if re.fullmatch(r"\d-\d-\d", type):
        return type.replace("-", "")
    return re.sub(r"[^a-z0-9+]+", "-", type.lower()).strip("-")
