"""A seat at a terminal for tests: a script of questions, and a person whose typing is a list."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.cli.evening.refit_command import RefitManner
from asl_pbcg.cli.terminal.manner import Manner
from asl_pbcg.cli.terminal.terminal import Terminal
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Note, Prompt, Roll, Script
from asl_pbcg.kernel.session import Session, Step
from asl_pbcg.play.asked import AskedPrompt, AskedRoll
from asl_pbcg.play.campaign_game.campaign_plug import CampaignPlug, create_campaign
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat
from asl_pbcg.refit.sequence import CampaignGame


class Scripted(CampaignGame):
    """A campaign that asks what a test wants to be asked, and then nothing."""

    def __init__(self, state: Campaign, items: Iterable[Prompt | Roll | Note]) -> None:
        super().__init__()
        self._state = state
        self._items = tuple(items)
        self._left = True

    def begin(self, settings: Mapping[str, Any]) -> Campaign:
        return self._state

    def next_step(self, state: Campaign) -> Step[Campaign] | None:
        step = Step("dawn/9.606", "Escape", self._script, "9.606")
        return step if state.ended != "asked" else None

    def _script(self, state: Campaign) -> Script[Campaign]:
        for item in self._items:
            _ = yield item  # what is answered is sent: no "yield from"
        return msgspec.structs.replace(state, ended="asked")

    def decode(self, stored: bytes) -> Campaign:
        return msgspec.json.decode(stored, type=Campaign)


def scripted(
    state: Campaign, *items: Prompt | Roll | Note, dice: str = "seeded", path: Path = Path("a.pbcg")
) -> OpenGame:
    """A game whose one step asks these questions and rolls these dice."""
    journal = Journal.in_memory({"settings": {}, "dice": dice, "seed": 7})
    return OpenGame(
        path, CampaignPlug(PEGASUS_BRIDGE), Session(Scripted(state, items), journal), True
    )


def play_cg2_to(file: Path, point: str, players: Mapping[str, str] | None = None) -> None:
    """Begin CG II at ``file`` and play it until ``point`` is asked; the British buy mines."""
    settings = {"campaign": "CG2", "players": dict(players or {})}
    with create_campaign(file, {"settings": settings, "dice": "seeded", "seed": 4}) as game:
        seat, mines = Seat(game, "umpire"), False
        while (asked := seat.question()) is not None and asked.id != point:
            if isinstance(asked, AskedRoll):
                seat.roll()
            elif asked.id == "9.619.1" and asked.side == "british" and not mines:
                seat.answer("ap-mines")
                mines = True
            elif isinstance(asked, AskedPrompt) and asked.kind == "choose":
                legal = [each.id for each in asked.options if not each.refused]
                seat.answer("done" if "done" in legal else legal[0])
            else:
                assert isinstance(asked, AskedPrompt)
                seat.answer(asked.default)


class Sitting:
    """A person at a terminal who types ``lines`` and then leaves; ``screen`` is all he saw."""

    def __init__(
        self,
        game: OpenGame,
        *lines: str,
        viewer: str = "both",
        terminal: bool = True,
        width: int = 110,
        height: int = 100,
        manner: Manner | None = None,
    ) -> None:
        self._lines = list(lines)
        self._out = io.StringIO()
        console = Console(
            file=self._out, width=width, height=height, force_terminal=terminal,
            color_system=None, highlight=False, legacy_windows=False,
        )  # fmt: skip
        console.input = self._input  # type: ignore[assignment, method-assign]
        self.game = game
        self.seat = Seat(game, viewer)
        self.manner = manner or RefitManner()
        self.terminal = Terminal(self.seat, self.manner, console)
        self.typed = 0

    def _input(self, mark: Any = "", **_: Any) -> str:
        if not self._lines:
            self._out.write(f"{mark}\n")
            raise EOFError
        self.typed += 1
        line = self._lines.pop(0)
        self._out.write(f"{mark}{line}\n")
        return line

    def play(self) -> str:
        """Play until the lines are used up or nothing is asked; what was seen."""
        self.finished = self.terminal.play()
        return self.screen

    @property
    def left(self) -> list[str]:
        """The lines not typed yet."""
        return self._lines

    @property
    def screen(self) -> str:
        """Everything shown and typed so far."""
        return self._out.getvalue()
