"""The module object: everything that makes a campaign the historical one it is.

A campaign stores which of a module's campaigns it is (``CG1``); from that follow its sides, CG
Dates, board, charts, unit catalogue, house rules, steps and sheets. The rules of the Refit Phase
ask the module of the campaign at hand and load nothing themselves. ``pegasus_bridge.py`` is the one
that is shipped; ``docs/engineers/second-module.md`` says what another would bring.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec

from asl_pbcg.campaign.board.board import Board, load_board
from asl_pbcg.campaign.board.entry_areas import EntryArea, entry_areas
from asl_pbcg.campaign.module.campaign_tables import campaign_tables
from asl_pbcg.campaign.module.catalogue import Catalogue, load_catalogue
from asl_pbcg.campaign.module.charts import Charts
from asl_pbcg.campaign.module.frame import Frame
from asl_pbcg.campaign.module.house_rules import campaign_rulings
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.rulings import Register

if TYPE_CHECKING:
    from asl_pbcg.kernel.table_set import TableSet


_CLASSES = "asl_pbcg.campaign.state.campaign_state"


class Module(msgspec.Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """A historical module. Where a place in the program is named it is ``file.module:name``."""

    name: str
    """The name of the game in its campaign files, for example ``pegasus-bridge``."""
    title: str
    folder: str
    """Its folder of ``data/``; every number of its rules stands there."""
    campaigns: tuple[str, ...]
    """Its campaigns as a file names them: CG1, CG2."""
    sides: tuple[Side, Side]
    """Its sides in the order of every pair of values."""
    dates: tuple[CGDate, ...]
    initial: str
    """The step that settles an Initial Scenario's order of battle."""
    scenario: str
    """Where a campaign stands while a CG scenario is played, and the step that ends it."""
    from_paper: str = ""
    """The step that takes in the records of a campaign begun on paper; empty if there is none."""
    procedures: Mapping[str, str]
    """Of each step, in order, the procedure that settles it."""
    sheets: tuple[str, ...]
    """Which records it prints: roster, purchases, forces, setup, report, map."""

    @cached_property
    def charts(self) -> Charts:
        """Its charts: frame, Reinforcement Groups, reinforcements, Fortifications."""
        return Charts(self.folder)

    @property
    def frame(self) -> Frame:
        """Its CG Dates, steps, setup order, CPP base, SAN, victory."""
        return self.charts.frame

    @cached_property
    def board(self) -> Board:
        """Its board as printed."""
        return load_board(folder=self.folder)

    @property
    def entry_areas(self) -> dict[str, EntryArea]:
        """Its Entry Areas by arrow hex."""
        return entry_areas(self.board)

    @cached_property
    def catalogue(self) -> Catalogue:
        """Its units and Equipment."""
        return load_catalogue(self.folder)

    @cached_property
    def tables(self) -> TableSet:
        """Its roll tables."""
        return campaign_tables(self.folder)

    @property
    def rulings(self) -> Register[Any]:
        """How its doubtful rules are read, and the house rules among them."""
        return campaign_rulings(self.folder)

    @cached_property
    def state(self) -> type[Any]:
        """The class of its state."""
        made: type[Any] = _find(f"{_CLASSES}:state_class")(self.sides, self.position)
        return made

    @cached_property
    def position(self) -> type[Any]:
        """The class of its positions."""
        made: type[Any] = _find(f"{_CLASSES}:position_class")(self.sides)
        return made

    def order(self, initial: bool) -> list[str]:
        """The steps to go through: all, or before an Initial Scenario those marked "!".

        Rule: 9.5, 9.6.
        """
        steps = self.frame.steps
        if initial:
            return [self.initial, *(step.step for step in steps if step.initial), self.scenario]
        return [self.scenario, *(step.step for step in steps), self.scenario]

    @cached_property
    def step_titles(self) -> dict[str, str]:
        """Return the title of each step."""
        titles = {step.step: step.title for step in self.frame.steps}
        return titles | {
            self.initial: "Initial Scenario",
            self.scenario: "End of the CG scenario",
            self.from_paper: "A campaign from paper",
        }

    def procedure(self, step: str) -> Any:
        """The procedure of a step; its file is imported when it is first due."""
        return _find(self.procedures[step])


def _find(place: str) -> Any:
    file, _, name = place.partition(":")
    return getattr(import_module(file), name)


_MODULES: dict[str, Module | str] = {
    "CG1": "asl_pbcg.campaign.module.pegasus_bridge:PEGASUS_BRIDGE",
    "CG2": "asl_pbcg.campaign.module.pegasus_bridge:PEGASUS_BRIDGE",
}
"""Of each campaign its module; one that is named is imported when a campaign of it is opened."""


def register(module: Module) -> None:
    """Make a module known, so that its campaigns can be begun and opened."""
    _MODULES.update(dict.fromkeys(module.campaigns, module))


def module_of(campaign: str) -> Module:
    """The module that a campaign (``CG1``) belongs to; raises PBCGError if there is none."""
    module = _MODULES.get(campaign)
    if type(module) is Module:  # asked for again and again
        return module
    if module is None:
        raise PBCGError(f'"{campaign}" is not a campaign: {" or ".join(_MODULES)}.')
    if isinstance(module, str):
        module = _MODULES[campaign] = _find(module)
    assert isinstance(module, Module)
    return module


def named_module(game: str) -> Module | None:
    """The module whose campaign files call their game so, or None."""
    return next((module for module in map(module_of, _MODULES) if module.name == game), None)
