"""The state of a campaign: all that both sides have, at a CG Date, before a step of the RePh.

Besides pieces it holds the records: pieces that left, RG received, purchases, a line for each CG
Date. ``position_class`` and ``state_class`` make the classes of a module, with a field for each of
its sides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.module.campaign_module import Module, module_of
from asl_pbcg.campaign.module.catalogue import AnyType, Catalogue
from asl_pbcg.campaign.module.charts import Charts
from asl_pbcg.campaign.module.frame import SCENARIO, Frame, StepChart
from asl_pbcg.campaign.position import (
    Control,
    ControlOfSides,
    Fortification,
    Glider,
    NumberOfSides,
    Position,
    Terrain,
)
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.state.campaign_context import (
    areas_with,
    board_with,
    catalogue_with,
    recent_areas,
)
from asl_pbcg.campaign.state.pieces import Infantry, Piece, Pieces, Stored, Vehicle
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.files import LONGEST_NAME
from asl_pbcg.kernel.wording import cut

if TYPE_CHECKING:
    from asl_pbcg.campaign.areas.area_map import AreaMap


# No annotations as text here: msgspec compiles each one when a file is opened, which takes long.


class Gone(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A piece that left its side's OB, and how. Rule: 9.2 Eliminated."""

    piece: Stored
    date: CGDate
    step: str
    how: str
    """eliminated, withdrawn, replaced, split, recombined, promoted or captured."""
    why: str = ""


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
    paid_again: dict[CGDate, int] = {}
    """CPP paid for an Entry Area on later CG Dates. House rule C-82."""
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
    """The CG Roster's line for one CG Date. Rule: 9.13, 9.617."""

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
    walking_wounded_cvp: int = 0
    """CPP value of the Walking Wounded MMC received in the RePh after it. Rule: 9.6162."""
    ended_by: str = ""
    """How the CG scenario ended: the Game End dr, or by agreement. Rule: CG19."""
    scenario_ended: bool = False
    """Whether CG-Scenario End has come; CVP stand from then on. Rule: 9.2, 9.12."""
    notes: str = ""

    def cvp_counted(self, side: Side) -> int:
        """The CVP a side lost in the CG scenario, for Loss Points.

        Walking Wounded MMC received after it are still lost: the British lost at least what those
        are worth. Rule: 9.6102, 9.6162; ruling P-80.
        """
        lost = self.cvp_lost.get(side, 0)
        return max(lost, self.walking_wounded_cvp) if side is Side.BRITISH else lost


# No annotations as text here: msgspec compiles each one when a file is opened, which takes long.


class Campaign(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A campaign at one moment; every step takes one and returns the next."""

    campaign: str
    """CG1 or CG2."""
    players: dict[Side, str] = {}
    balance: str = ""
    house_rules: dict[str, str] = {}
    readings: int = 1
    """The edition of the register of rulings it began with; its defaults hold to the end."""
    salt: str = ""
    """The seed of the numbers of pieces received in secret."""
    corrections: dict[str, Any] = {}
    """The players' corrections of the board, as their file gave them."""
    catalogue_corrections: dict[str, dict[str, dict[str, Any]]] = {}
    """The players' corrections of the unit catalogue: side, type, field to value."""
    date: CGDate
    at: str
    """The step that comes next, for example ``9.618``; ``scenario`` while one is played."""
    pieces: Pieces = ()
    groups: tuple[ReceivedGroup, ...] = ()
    bought: tuple[Bought, ...] = ()
    dummies: dict[Side, int] = {}
    san: dict[Side, int] = {}
    """The SAN of each side without what II13 does to it. Rule: 9.6122, CG13."""
    ii13: str = ""
    """The side that Controlled building II13 when 9.612 last looked; empty if neither did."""
    cpp: int = 0
    fpp: dict[Side, float] = {}
    accounts: tuple[DateAccount, ...] = ()
    seen: Pieces | None = None
    """The map as both sides saw it when the secret steps began; None while they see it as it is.

    Rule: 9.613.
    """
    part: Side | None = None
    """The side whose part of 9.613-9.620 alone is played on this copy; None where both are."""
    in_turn: bool = False
    """Whether 9.613-9.620 are played one side after the other, for prisoners couple them."""
    answered_in_secret: dict[str, tuple[Side, ...]] = {}
    """The values of the unit catalogue that one side alone was asked for: whom, by value."""
    received_count: dict[Side, int] = {}
    """How many pieces each side ever received; they are in ``pieces`` or in ``gone``."""
    gone: tuple[Gone, ...] = ()
    control: Control = Control()
    occupants: dict[str, Side] | None = None
    """The side that was alone in each Location at the last CG-Scenario End; None before the first.

    Rule: 9.3, A26.11.
    """
    gliders: tuple[Glider, ...] = ()
    fortifications: tuple[Fortification, ...] = ()
    minefield_counters: tuple[tuple[FortificationKind, str], ...] = ()
    """The hidden minefields, by kind and hex, that a Minefield counter shows. Rule: 9.6073."""
    terrain: tuple[Terrain, ...] = ()
    moved_first: Side | None = None
    ww_box: dict[str, int] = {}
    massacre: tuple[Side, ...] = ()
    determined: Position | None = None
    """The position Setup Areas were determined from (9.605); they stay until the next scenario."""
    cut_off: tuple[str, ...] = ()
    """The vehicles that are Isolated where Infantry would not be. Rule: 9.6052; house rule P-26."""
    area_names: dict[str, str] = {}
    """The sides' names for their Setup Areas: ``british/B`` to a name. Rule: 9.6054."""
    ended: str = ""
    """The winner and the reason in words, once CG End has come. Rule: 9.2 CG End."""
    won_by: Side | None = None
    """The side that won the CG. Rule: 9.2 CG End."""

    # -- what it is played with -------------------------------------------------------------

    @property
    def module(self) -> Module:
        """The historical module it is a campaign of."""
        return module_of(self.campaign)

    @property
    def sides(self) -> tuple[Side, Side]:
        """Its two sides in the order of every pair of values."""
        return self.module.sides

    @property
    def charts(self) -> Charts:
        """The charts of the campaign game: Reinforcement Groups, reinforcements, Fortifications."""
        return self.module.charts

    @property
    def frame(self) -> Frame:
        """The frame of the campaign game: CG Dates, steps, setup order, CPP base, SAN, victory."""
        return self.module.frame

    @property
    def step(self) -> StepChart | None:
        """The step of the RePh it stands before; None while a CG scenario is played."""
        return self.frame.step(self.at)

    @property
    def in_scenario(self) -> bool:
        """Whether a CG scenario is played, up to its end position."""
        return self.at == SCENARIO

    @property
    def in_secret(self) -> bool:
        """Whether in its step each side acts without the other seeing it. Rule: 9.613-9.620."""
        return self.frame.is_secret(self.at)

    def plays_part(self, side: Side) -> bool:
        """Return whether what ``side`` does by itself is played on this copy. Rule: 9.613-9.620."""
        return self.part in (None, side)

    @property
    def board(self) -> Board:
        """The board as its players have it: corrections and house rule P-01."""
        return board_with(self.module, self.corrections, self.house_rules)

    @property
    def catalogue(self) -> Catalogue:
        """The unit catalogue with its players' own values."""
        return catalogue_with(self.module, self.catalogue_corrections)

    @property
    def areas(self) -> AreaMap:
        """The Setup Areas as 9.605 determined them; they stay until the next CG scenario starts.

        Rule: 9.605, 9.6054.
        """
        at = self.determined
        assert at, "9.605 comes before anything that asks for Setup Areas"
        what = (at, self.corrections, self.house_rules, self.catalogue_corrections)
        return recent_areas(*what) or areas_with(self.module, *what)

    @property
    def date_played(self) -> CGDate:
        """The CG Date of the CG scenario played last; ``date`` is the new one from 9.612 on.

        The current CG Date while none has been played, and while one is. Rule: 9.6121, 9.6162.
        """
        return self.determined.date if self.determined else self.date

    @property
    def coming_date(self) -> CGDate | None:
        """The CG Date played next after the scenario whose Setup Areas were determined."""
        return self.date_played.next

    @property
    def scenario_over(self) -> bool:
        """Whether the CG scenario of its CG Date has been played: its end position is known.

        So from then to the new CG Date, and after CG End. Rule: 9.2, 9.6121.
        """
        return bool(self.ended or self.account.cvp_lost)

    @property
    def played(self) -> bool:
        """Whether any CG scenario has been played. Rule: 9.3."""
        return any(account.cvp_lost for account in self.accounts) or self.determined is not None

    @property
    def has_no_pieces_yet(self) -> bool:
        """Whether its pieces come with the next end position: a campaign begun on paper."""
        return not self.received_count

    def has_counter(self, mines: Fortification) -> bool:
        """Whether a Minefield counter shows that there is a minefield. Rule: 9.6073."""
        return (mines.kind, mines.at) in self.minefield_counters

    def ruling(self, id: str) -> str:
        """Return the choice played for the house rule ``id``, for example ``C-16``."""
        return str(self.module.rulings.choice(self.house_rules, id))

    def plays(self, id: str, reading: str) -> bool:
        """Whether the house rule ``id`` is played by this one of its readings."""
        return self.ruling(id) == reading

    def type_of(self, piece: Piece) -> AnyType | None:
        """The catalogue entry of a piece, of a captured one under its own side; None if unknown."""
        return self.catalogue.find(piece.type, piece.maker)

    # -- what it holds ----------------------------------------------------------------------

    def piece(self, id: str) -> Piece:
        """The piece ``id``; raises KeyError."""
        for piece in self.pieces:
            if piece.id == id:
                return piece
        raise KeyError(id)

    def unit(self, id: str) -> Infantry:
        """The Infantry unit ``id``; raises KeyError."""
        piece = self.piece(id)
        if not isinstance(piece, Infantry):
            raise KeyError(id)
        return piece

    def vehicle(self, id: str) -> Vehicle:
        """The vehicle ``id``; raises KeyError."""
        piece = self.piece(id)
        if not isinstance(piece, Vehicle):
            raise KeyError(id)
        return piece

    def players_of(self, side: Side) -> str:
        """Return the players of ``side`` for a print; a foreign file may name endless ones."""
        return cut(self.players.get(side, ""), LONGEST_NAME)

    def of(self, side: Side) -> list[Piece]:
        """The pieces of ``side``, in the order they were received."""
        return [piece for piece in self.pieces if piece.side is side]

    def new_groups(self) -> list[ReceivedGroup]:
        """The RG whose Strength, SW and leaders are still to be settled (9.618)."""
        return [group for group in self.groups if not group.settled]

    def count_purchased(self, id: str, date: CGDate | None = None) -> int:
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


if TYPE_CHECKING:

    class Told(Campaign, frozen=True, kw_only=True):
        """A campaign all of whose changes events tell: scripts take and return one.

        Only ``happen`` and ``keep_book`` make one, so no script can forget to say what it did.
        """

else:
    Told = Campaign


def change(state: Campaign, **fields: Any) -> Campaign:
    """The state with some fields replaced."""
    return msgspec.structs.replace(state, **fields)


def with_account(state: Campaign, **fields: Any) -> Campaign:
    """The state with fields of the current CG Date's account replaced."""
    account = msgspec.structs.replace(state.account, **fields)
    others = tuple(line for line in state.accounts if line.date is not state.date)
    return change(state, accounts=(*others, account))


def with_group(state: Campaign, group: ReceivedGroup) -> Campaign:
    """The state with the RG of the same key replaced, or ``group`` added."""
    if any(entry.key == group.key for entry in state.groups):
        groups = tuple(group if entry.key == group.key else entry for entry in state.groups)
    else:
        groups = (*state.groups, group)
    return change(state, groups=groups)


def group_key(state: Campaign, id: str) -> str:
    """The key of the next RG ``id``: I5-1, I5-2 and so on."""
    return f"{id}-{sum(group.id == id for group in state.groups) + 1}"


def accounts_balance(state: Campaign) -> bool:
    """Whether all pieces either side ever received are in its OB or have left it.

    The identity of bookkeeping: received = held now + eliminated, withdrawn, recombined ...
    """
    return all(
        state.received_count.get(side, 0)
        == len(state.of(side)) + sum(loss.piece.side is side for loss in state.gone)
        for side in state.sides
    )


def possessor(state: Campaign, equipment: str) -> Piece | None:
    """The unit that possesses the piece ``equipment``, or None."""
    return next((piece for piece in state.pieces if equipment in piece.possesses), None)


T = TypeVar("T")
Sides = tuple[Side, Side]


def position_class(sides: Sides) -> type[Position]:
    """Return the class of positions with these sides."""
    names = tuple(side.value for side in sides)
    if names == Control.__struct_fields__:
        return Position
    control = _derive(ControlOfSides, dict.fromkeys(names, (tuple[str, ...], ())))
    numbers = _derive(NumberOfSides, dict.fromkeys(names, (int, 0)))
    fields = {"control": (control, control()), "casualty_vp": (numbers, numbers())}
    return _derive(Position, fields)


def state_class(sides: Sides, position: type[Position]) -> type[Campaign]:
    """Return the class of states with these sides, whose positions are of class ``position``."""
    if position is Position:
        return Campaign
    control = position.__annotations__["control"]
    fields = {"control": (control, control()), "determined": (position | None, None)}
    return _derive(Campaign, fields)


def _derive(base: type[T], fields: dict[str, tuple[Any, Any]]) -> type[T]:
    made: Any = msgspec.defstruct(
        base.__name__,
        [(name, kind, default) for name, (kind, default) in fields.items()],
        bases=(base,),
        frozen=True,
        kw_only=True,
        omit_defaults=True,
    )
    derived: type[T] = made
    return derived
