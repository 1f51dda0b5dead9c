"""Upper building levels and pillboxes: whose they are, and what ground they hang on. Rule: 9.605,
9.6054 EX, 9.6057.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.ground import ByHex, Ground, height
from asl_pbcg.campaign.location import Location


class Levels:
    """The hexes in which both sides Control a Location, shared out by level. Rule: 9.605.

    Such a hex belongs to the side that Controls the lowest Location in it. A Location of the other
    side is a Setup Area of its own while a unit of that side is in it (with those that touch it:
    P-40), and else joins the area around it. Pairs are (British, German).
    """

    __slots__ = ("alone", "joined", "listed", "to_british", "to_german")

    to_british: int
    """Hexes, as bits, that belong to the British."""
    to_german: int
    """Hexes, as bits, that belong to the Germans."""
    listed: tuple[ByHex, ByHex]
    """The Locations that the Setup Areas of each side hold in their hexes."""
    alone: tuple[list[Location], list[Location]]
    """The Locations that make Setup Areas of their own."""
    joined: tuple[list[Location], list[Location]]
    """The Locations of each side that join an area of the other, as nobody is in them."""

    def __init__(self, ground: Ground, contested: int) -> None:
        self.to_british = self.to_german = 0
        self.listed = ground.control
        self.alone = ([], [])
        self.joined = ([], [])
        if contested:
            self._share(ground, contested)

    def _share(self, ground: Ground, contested: int) -> None:
        self.listed = (dict(ground.control[0]), dict(ground.control[1]))
        while contested:
            bit = contested & -contested
            contested ^= bit
            number = bit.bit_length() - 1
            british, german = (control[number] for control in ground.control)
            owner = int(height(german[0]) < height(british[0]))
            if owner:
                self.to_german |= bit
            else:
                self.to_british |= bit
            joins = []
            for location in self.listed[1 - owner].pop(number):
                if ground.occupies(1 - owner, location):
                    self.alone[1 - owner].append(location)
                else:
                    joins.append(location)
            self.joined[1 - owner].extend(joins)
            self.listed[owner][number] = sorted(self.listed[owner][number] + joins, key=height)


def ground_reached(ground: Ground, side: int, start: Location, supplied: int) -> Location | None:
    """Find the ground level that keeps an upper-level Location from being Isolated.

    The path runs over Enterable building Locations that the side (0 British, 1 German) Controls,
    to a ground level it Controls that does not blaze and is not Isolated; ``supplied`` are the
    hexes, as bits, whose ground level is not Isolated. Levels change where the building shows a
    stairway, or anywhere in a building that shows none.

    Rule: 9.6057.
    """
    bit_of = ground.board.grid.position
    control = ground.control[side]
    seen = {start}
    waiting = deque([start])
    while waiting:
        for step in _next_to(ground, waiting.popleft()):
            number = bit_of[step.hex]
            if step in seen or step in ground.blazes or step not in control.get(number, ()):
                continue
            if step.ground and supplied >> number & 1:
                return step
            seen.add(step)
            waiting.append(step)
    return None


def touching(ground: Ground, locations: Sequence[Location]) -> list[list[Location]]:
    """Share out Locations above or within the enemy's ground: those that touch go together.

    Two touch if Infantry can go from one to the other inside the building, at least one way: a
    burning Location can be left, not entered. Rule: 9.2 Setup Area; house rule P-40.
    """
    found: list[list[Location]] = []
    left = list(locations)
    while left:
        group = [left.pop(0)]
        for here in group:
            beside = () if here.pillbox else tuple(_next_to(ground, here))
            for other in [each for each in left if each in beside]:
                if not {here, other} <= ground.blazes:
                    left.remove(other)
                    group.append(other)
        found.append(sorted(group, key=lambda each: _order(ground, each)))
    return found


def stairways(board: Board, name: str) -> list[str]:
    """List the hexes with a stairway symbol in the building of a hex. Rule: B23.2; ruling P-21."""
    return [each for each in board.building(name) if board[each].stairs in ("square", "circle")]


def highest_level(board: Board, name: str) -> int:
    """Return the highest level of the building in a hex that its stairway symbol tells of.

    A circle, and any symbol of a one-hex house, stands for a first level, a square in a larger
    building for a second one too. 0 when no symbol tells of a level. Rule: B23.2.
    """
    marks = {board[each].stairs for each in stairways(board, name)}
    if not marks:
        return 0
    return 2 if "square" in marks and len(board.building(name)) > 1 else 1


def _order(ground: Ground, location: Location) -> tuple[int, tuple[int, bool]]:
    return ground.board.grid.position[location.hex], height(location)


def _next_to(ground: Ground, here: Location) -> Iterator[Location]:
    """The building Locations next to one: up and down a stairway, or across a hexside."""
    board = ground.board
    footprint = board.building(here.hex)
    marked = stairways(board, here.hex)
    if here.hex in marked or not marked:
        yield Location(here.hex, here.level + 1)
        if here.level:
            yield Location(here.hex, here.level - 1)
    for name in board.grid.neighbours(here.hex):
        if name in footprint and board.crossable(here.hex, name):
            yield Location(name, here.level)
