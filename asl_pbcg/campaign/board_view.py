"""A window on a campaign's board: which hexes it shows and what is printed in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.hexinfo import HexInfo
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.hex_view import HexView, Window
from asl_pbcg.hexes.hexset import HexSet


@dataclass(frozen=True)
class BoardView(HexView):
    """A window on a board, drawn on a sheet."""

    board: Board

    @cached_property
    def infos(self) -> list[HexInfo]:
        """Draw the contents of the visible hexes."""
        return [self.board[name] for name in self.hexes]

    def holding(self, *kinds: str) -> HexSet:
        """Give the hexes in or next to the picture that hold one of these kinds of terrain."""
        return self.board.terrain(*kinds) & self.near


def board_view(
    board: Board, drawing: Drawing, window: Window, scale: float, left: float, top: float
) -> BoardView:
    """Lay a window of the board on a sheet; arguments as of ``View``."""
    return BoardView(drawing, window, scale, left, top, board.grid, board)
