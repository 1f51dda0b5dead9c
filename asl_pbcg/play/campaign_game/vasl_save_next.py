"""Make the VASL save of the next scenario from a campaign and a save of the last one.

``plan_next`` decides which counter lies where for a side's or the umpire's eyes; ``next_save``
makes the save. Rule: 9.605, 9.6202.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from asl_pbcg.campaign.location import Area, Location
from asl_pbcg.campaign.position import Fortification, Position, Terrain
from asl_pbcg.campaign.position_words import TerrainKind, UnitStatus
from asl_pbcg.campaign.scenario.scenario_facts import order_of
from asl_pbcg.campaign.scenario.snipers import san_in_force
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.state.seen import seen_fortifications, seen_pieces
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.campaign_game.campaign_facts import SETUP
from asl_pbcg.refit.helpers.retention import still_there
from asl_pbcg.refit.helpers.vehicle_actions import KEPT_IN_PLACE
from asl_pbcg.refit.setup.recorded_setup import newly_bought
from asl_pbcg.refit.setup.setup_rules import setups
from asl_pbcg.vasl.counter_choice import Reuse
from asl_pbcg.vasl.editor import SaveEditor, empty_save
from asl_pbcg.vasl.hiders import Hiders
from asl_pbcg.vasl.likeness import PERIMETER, Likeness, of_fortification, of_glider
from asl_pbcg.vasl.module_palette import ModulePalette
from asl_pbcg.vasl.names import facts
from asl_pbcg.vasl.next_save import (
    BIN,
    SaveMaker,
    control_piles,
    owners_in,
    report_hiders,
    set_scenario,
)
from asl_pbcg.vasl.next_scenario import NextReport, NextScenario, Pile, Want, split_wants
from asl_pbcg.vasl.save_board import Placed, find_board
from asl_pbcg.vasl.stock import Stock, lying_counters
from asl_pbcg.vasl.viewer import owners_of

_HIDDEN = (UnitStatus.HIDDEN, UnitStatus.CLOAKED)
_SORTS = {"units": "unit", "equipment": "equipment", "vehicles": "vehicle"}


def recorded_setups(entries: Iterable[Entry], date: CGDate) -> dict[Side, Position]:
    """Return the setups that were given to the program for a CG Date. Rule: 9.6202."""
    positions: dict[Side, Position] = {}
    for entry in entries:
        if entry.point == SETUP and isinstance(entry.body, Mapping):
            setup = msgspec.convert(entry.body, Position)
            if setup.date is date:
                positions[Side(entry.about)] = setup
    return positions


def plan_next(
    state: Campaign,
    recorded: Mapping[Side, Position],
    side: Side | None = None,
    added: bool = False,
    perimeters: bool = False,
) -> NextScenario:
    """Return what the save of the coming scenario shows to ``side``; None is the umpire.

    With ``added`` it shows no more than what that side adds to a save of the other's, with
    ``perimeters`` the borders of the Setup Areas, which both sides know (9.605). Raises
    PBCGError if no scenario is about to be played, or the first.
    """
    if state.ended:
        raise PBCGError("The CG is over: no scenario follows.")
    if not state.in_scenario or state.scenario_over:
        raise PBCGError("The Refit Phase is not over: finish it, then make the next save.")
    if state.determined is None:
        raise PBCGError(
            "The first scenario is set up from VASL's palette: no save comes before it."
        )
    sides = [side] if side else list(state.sides)
    makers = [_SidePlan(state, planned_side, recorded.get(planned_side)) for planned_side in sides]
    piles = [pile for maker in makers for pile in maker.piles()]
    if side and not added:
        piles += _known_enemies(state, side.other)
    ground = state.fortifications if side is None else seen_fortifications(state, side)
    if added:
        ground = [work for work in ground if work.owner is side and work.hidden]
    new = [work for work in newly_bought(state) if work.owner in sides]
    inside = {pile.hex for pile in piles if pile.at.endswith("/pillbox")}
    for part in (*ground, *new):
        if part.kind != "pillbox" or part.location.hex not in inside:
            piles.append(Pile(at=part.location.hex, wants=(_work(part),)))
    if not added:
        piles += [_terrain_pile(state, terrain) for terrain in state.terrain]
        piles += [
            Pile(at=glider.location.hex, wants=(Want(like=of_glider(glider)),))
            for glider in state.gliders
        ]
    if perimeters:
        piles += _perimeters(state)
    return NextScenario(
        piles=tuple(_with_pillboxes(state, piles, ground)),
        control=_control(state),
        moves_first=order_of(state).first_move,
        san={own_side: san_in_force(state, own_side) for own_side in state.sides},
        nvr=state.frame.night.base_nvr if state.date.is_night else None,
    )


def _control(state: Campaign) -> dict[str, frozenset[Side]]:
    holders: dict[str, frozenset[Side]] = defaultdict(frozenset)
    for side in state.sides:
        for place in state.control.locations(side):
            holders[place.hex] |= {side}
    return dict(holders)


class _SidePlan:
    """Where the pieces of one side lie, and what each says."""

    def __init__(self, state: Campaign, side: Side, recorded: Position | None) -> None:
        self.state, self.side = state, side
        self.pieces = {piece.id: piece for piece in state.of(side) if piece.section}
        self.listed = {entry.id for entry in recorded.pieces} if recorded else set()
        self.setups = {setup.piece.id: setup for setup in setups(state, side)}
        self.formations = {
            formation.name: formation.id for formation in state.catalogue.formations.values()
        }
        self.with_it: dict[str, list[Piece]] = defaultdict(list)
        """By its id all that lies with a piece: possessed, towed, aboard, guarded."""
        holders = {id: piece.id for piece in state.pieces for id in (*piece.possesses, *piece.tows)}
        self.carried = {
            piece.id: holder
            for piece in state.pieces
            if (holder := piece.guarded_by or piece.aboard or holders.get(piece.id, ""))
        }
        for piece in state.pieces:
            if piece.id in self.carried:
                self.with_it[self.carried[piece.id]].append(piece)

    def piles(self) -> Iterator[Pile]:
        """Yield the stacks on the board by Location, then one for each area at the edge."""
        on_board: dict[str, list[Want]] = defaultdict(list)
        at_edge: dict[str, list[list[Want]]] = defaultdict(list)
        near: dict[str, tuple[str, ...]] = {}
        for piece in sorted(self.pieces.values(), key=_order):
            if piece.id in self.carried and self.carried[piece.id] in self.pieces:
                continue
            if piece.is_prisoner and piece.guarded_by:
                continue  # he lies with his Guard
            at = self._place(piece)
            if at:
                on_board[at] += self._wants(piece, at)
            else:
                title, hexes = self._area(piece)
                at_edge[title].append([*self._wants(piece, "")])
                near[title] = hexes
        for at, wants in on_board.items():
            yield Pile(at=at, wants=(*_level(self.state, at), *wants))
        row = self.state.sides.index(self.side)
        works = [
            _work(purchase)
            for purchase in newly_bought(self.state, unplaced=True)
            if not purchase.at and purchase.owner is self.side
        ]
        if works:
            at_edge[f"{self.side.title}, Fortifications"] = [[work] for work in works]
        if dummies := self.state.dummies.get(self.side, 0):
            question = Want(like=Likeness("concealment", "", self.side))
            at_edge[f"{self.side.title}, Dummies"] = [[question]] * dummies
        for title, groups in at_edge.items():
            hexes = near.get(title, ())
            for part, high in enumerate(split_wants(groups)):
                yield Pile(title=title, part=part, wants=high, row=row, hexes=hexes)

    def _place(self, piece: Piece) -> str:
        """Return the Location where a piece stands as the scenario begins; empty if not known.

        What is set up in the program stands there, what must stay stays, and so do Isolated
        pieces and Guns, from whose hex a distance is counted. Rule: 9.62021, 9.6071, CG11.
        """
        setup = self.setups.get(piece.id)
        if piece.id in self.listed or setup is None:
            return piece.at if piece.on_map else ""
        if setup.fixed:
            return setup.fixed
        stays = setup.isolated or (piece.kind == "gun" and setup.rule == "CG11")
        return piece.at if stays and piece.on_map and still_there(self.state, piece) else ""

    def _area(self, piece: Piece) -> tuple[str, tuple[str, ...]]:
        """Return the title of the stack in which a piece waits, and the hexes of its area."""
        setup = self.setups.get(piece.id)
        areas = {area.id: area for area in self.state.areas.areas[self.side]}
        name = (setup.entry if setup else "") or piece.area or piece.location.entry
        if name in areas:
            area = areas[name]
            hexes = [*area.hexes, *(location.hex for location in area.strategic_locations)]
            return f"{self.side.title}, Setup Area {name}", tuple(hexes)
        held = ", held off map" if setup and setup.words == "is held off map" else ""
        words = str(Area.parse(name)) if name else "Off map"
        return f"{self.side.title}, {words}{held}", (name,) if name in self.state.board.grid else ()

    def _wants(self, piece: Piece, at: str) -> Iterator[Want]:
        """Yield the counter of a piece and of all that lies with it, bottom first."""
        yield self._want(piece)
        others = self.with_it.get(piece.id, [])
        for companion in sorted(others, key=lambda item: (not item.is_weapon, *_order(item))):
            yield from self._wants(companion, at)

    def _want(self, piece: Piece) -> Want:
        status = list(map(str, piece.status))
        hidden = bool({*status}.intersection(_HIDDEN)) and piece.id in self.listed
        concealed = not hidden and UnitStatus.CONCEALED in status and piece.id in self.listed
        prisoner = _prisoner_counter(piece)
        return Want(
            like=Likeness("prisoner", prisoner) if prisoner else _like(piece),
            name=f"{piece.side.title} {piece.type}" if piece.is_prisoner else piece.type,
            formation=self.formations.get(piece.own_formation, ""),
            section=piece.section,  # type: ignore[arg-type]
            statuses=() if prisoner else tuple(status),
            depleted=getattr(piece, "depleted", ()),
            arcs={n: v for n in ("ca", "vca", "tca") if (v := getattr(piece, n, "")) and piece.at},
            former=piece.location.hex if piece.at else "",
            hidden_for=self.side if hidden or concealed else None,
            concealed=concealed,
        )


def _order(piece: Piece) -> tuple[object, ...]:
    """Rank pieces in a stack: loose Equipment, vehicles, then units; by type and id."""
    return {"equipment": 0, "vehicles": 1}.get(piece.section, 2), piece.kind, piece.type, piece.id


def _like(piece: Piece) -> Likeness:
    return Likeness(_SORTS[piece.section], piece.type, piece.maker)  # type: ignore[arg-type]


def _prisoner_counter(piece: Piece) -> str:
    """Return VASL's counter of a prisoner or an Unarmed unit; empty for any other."""
    kinds = {}
    if piece.is_prisoner:
        kinds = facts().prisoners
    elif piece.has(UnitStatus.UNARMED):
        kinds = facts().unarmed
    kind = "leader" if piece.kind == "hero" else piece.kind
    kind = "half_squad" if kind == "crew" else kind
    return next((name for name, of in kinds.items() if of == kind), "")


def _level(state: Campaign, at: str) -> tuple[Want, ...]:
    """Return the level counter beneath what stands in a Location, where one tells anything."""
    place = Location.parse(at)
    if place.hex not in state.board.upper or place.pillbox:
        return ()
    name = next(name for name, level in facts().levels.items() if level == place.level)
    return (Want(like=Likeness("level", name), optional=not place.level, former=place.hex),)


def _work(part: Fortification) -> Want:
    owner = part.owner if part.hidden else None
    return Want(like=of_fortification(part), hidden_for=owner, former=part.at and part.location.hex)


def _terrain_pile(state: Campaign, change: Terrain) -> Pile:
    """Return the counters of a change of terrain: a wreck with its fire, a blaze upstairs."""
    hex, kind = change.location.hex, change.kind
    if kind in (TerrainKind.WRECK, TerrainKind.BURNING_WRECK):
        makers = [side for side in state.sides if state.catalogue.find(change.type, side)]
        like = Likeness("wreck", change.type, change.side or next(iter(makers), ""))
        wants = [Want(like=like, former=hex)]
        if kind is TerrainKind.BURNING_WRECK:
            wants.append(Want(like=Likeness("terrain", TerrainKind.BLAZE), former=hex))
        if change.scrounged:
            wants.append(Want(like=Likeness("marker", facts().scrounged), former=hex))
        return Pile(at=hex, wants=tuple(wants))
    level = change.location.level
    names = [name for name, of in facts().levels.items() if level and of == level]
    levels = [Want(like=Likeness("level", name), former=hex) for name in names]
    return Pile(at=change.at, wants=(*levels, Want(like=Likeness("terrain", kind), former=hex)))


def _with_pillboxes(
    state: Campaign, piles: Iterable[Pile], ground: Iterable[Fortification]
) -> Iterator[Pile]:
    """Yield the stacks, those inside a pillbox with it on top."""
    boxes = {part.location.hex: part for part in ground if part.kind == "pillbox"}
    for pile in piles:
        if pile.at.endswith("/pillbox") and pile.hex in boxes:
            pile = msgspec.structs.replace(pile, wants=(*pile.wants, _work(boxes[pile.hex])))
        yield pile


def _perimeters(state: Campaign) -> Iterator[Pile]:
    """Yield a Perimeter counter for each hex in which a Setup Area ends. Rule: 9.605."""
    grid = state.board.grid
    for side in state.sides:
        for area in state.areas.areas[side]:
            inner = set(area.hexes)
            label = f"{side.title} {area.id}"
            for hex in area.hexes:
                if not inner.issuperset(grid.neighbours(hex)):
                    yield Pile(at=hex, wants=(Want(like=PERIMETER, label=label, former=hex),))


def _known_enemies(state: Campaign, enemy: Side) -> Iterator[Pile]:
    """Yield the enemy pieces that are set up already where they were last seen. Rule: 9.62021.

    What became of a piece in secret since, its owner alone knows: nothing of it is asked here.
    """
    guns = state.frame.guns
    standing: dict[str, list[Want]] = defaultdict(list)
    for piece in sorted(seen_pieces(state, enemy), key=_order):
        stays = piece.is_vehicle and piece.has(*KEPT_IN_PLACE)
        stays |= piece.kind == "gun" and guns.is_bound(piece.type, piece.at)
        stays |= state.areas.is_isolated(enemy, piece.location)
        if stays and not piece.is_prisoner:
            standing[piece.at].append(
                Want(
                    like=_like(piece),
                    name=piece.type,
                    section=piece.section,  # type: ignore[arg-type]
                    statuses=tuple(map(str, piece.status)),
                    arcs={n: v for n in ("ca", "vca") if (v := getattr(piece, n, ""))},
                    former=piece.location.hex,
                )
            )
    for at, wants in standing.items():
        yield Pile(at=at, wants=(*_level(state, at), *wants))


def next_save(
    session: Session[Campaign],
    base: Path,
    side: Side | None = None,
    onto: Path | None = None,
    palettes: Sequence[Path] = (),
    module: Path | None = None,
    perimeters: bool = False,
) -> tuple[bytes, NextReport]:
    """Return the save of the coming scenario and what was done for it.

    ``side`` alone may see it; None is the umpire. ``onto`` is the save of the other side's setup,
    to which the side that sets up second adds its own. What the base has not is copied from other
    saves (``palettes``), then from the player's own ``module``. Raises PBCGError.
    """
    state = session.state
    if onto and side is None:
        side = order_of(state).first_setup.other
    recorded = recorded_setups(session.journal.standing(), state.date)
    return save_of_state(state, recorded, base, side, onto, palettes, module, perimeters)


def save_of_state(
    state: Campaign,
    recorded: Mapping[Side, Position],
    base: Path,
    side: Side | None = None,
    onto: Path | None = None,
    palettes: Sequence[Path] = (),
    module: Path | None = None,
    perimeters: bool = False,
) -> tuple[bytes, NextReport]:
    """Return the save of a scenario that ``state`` stands before, as ``next_save``."""
    scenario = plan_next(state, recorded, side, onto is not None, perimeters)
    board, catalogue = state.board, state.catalogue
    editor = SaveEditor.open(base)
    placed = _board_of(editor, base)
    owned = owners_of(state.fortifications)
    hiders = Hiders.of(editor.counters().values(), catalogue)
    lying = lying_counters(editor, placed, board, catalogue, hiders, side, owned)
    owners = owners_in(editor, lying, hiders, catalogue)
    report = NextReport(viewer=side or "")
    report_hiders(hiders, side, report)
    stock = Stock(catalogue, ModulePalette(module).find if module else None)
    stock.add_lying(editor, lying)
    if side is None:
        stock.add_ids(editor, editor.ids_on(BIN))
    for palette in palettes:
        stock.add_save(palette)
    reuse = Reuse.ALL
    if side and not onto:
        piles = sorted((*scenario.piles, *control_piles(lying, scenario)), key=_canonical)
        scenario = msgspec.structs.replace(scenario, piles=tuple(piles))
    if side:
        owners = {owner_side: owner for owner_side, owner in owners.items() if owner_side is side}
        reuse = Reuse.THERE
        editor = SaveEditor.open(onto) if onto else empty_save(editor)
        if onto:
            placed = _board_of(editor, onto)
        hiders = Hiders.of(editor.counters().values(), catalogue)
        lying = lying_counters(editor, placed, board, catalogue, hiders, side, owned)
    SaveMaker(editor, scenario, lying, stock, owners, placed, board, reuse, report).make()
    if not onto:
        set_scenario(editor, scenario, report)
    return editor.content(), report


def _board_of(editor: SaveEditor, path: Path) -> Placed:
    """Return where board PB lies in the save ``path``. Raises PBCGError, with its name."""
    try:
        return find_board(editor.boards)
    except PBCGError as error:
        raise PBCGError(f"{path.name}: {error}") from error


def _canonical(pile: Pile) -> tuple[object, ...]:
    """Rank stacks by place and contents alone."""
    return not pile.at, pile.at, pile.title, [want.like for want in pile.wants]
