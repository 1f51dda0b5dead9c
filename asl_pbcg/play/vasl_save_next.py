"""Makes the save of the next scenario from a campaign and a save of the last one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.scenario_facts import order_of
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.vasl_save_plan import plan_next, recorded_setups
from asl_pbcg.vasl.counter_choice import Reuse
from asl_pbcg.vasl.editor import SaveEditor
from asl_pbcg.vasl.hiders import Hiders
from asl_pbcg.vasl.module_palette import ModulePalette
from asl_pbcg.vasl.next_save import (
    BIN,
    SaveMaker,
    control_piles,
    owners_in,
    report_hiders,
    set_scenario,
)
from asl_pbcg.vasl.next_scenario import NextReport, Pile
from asl_pbcg.vasl.one_side import empty_save
from asl_pbcg.vasl.save_board import Placed, find_board
from asl_pbcg.vasl.stock import Stock, lying_counters
from asl_pbcg.vasl.viewer import owners_of


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
    owners = owners_in(editor, lying, hiders)
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
        owners = {each: owner for each, owner in owners.items() if each is side}
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
