"""Which hexsides can be crossed: floods and paths that stop at those that cannot."""

from __future__ import annotations

from collections.abc import Iterable

from asl_pbcg.hexes.lattice import DIRECTIONS, OPPOSITE, Lattice


class Passage:
    """The hexsides of a map that can be crossed, as one mask of bits per direction.

    ``barred`` lists hexsides as (hex, direction); each is barred both ways. A bit of
    ``masks[direction]`` is set where the hex can be left in that direction.
    """

    __slots__ = ("_barred", "_doors", "_knot_hexes", "_knots", "_masks", "grid", "masks")

    def __init__(self, grid: Lattice, barred: Iterable[tuple[str, str]] = ()) -> None:
        self.grid = grid
        shut = dict.fromkeys(DIRECTIONS, 0)
        pairs = set()
        barred = list(barred)
        for name, direction in barred:
            pairs.add((name, direction))
            shut[direction] |= grid.bit(name)
            neighbour = grid.neighbour(name, direction)
            if neighbour is not None:
                pairs.add((neighbour, OPPOSITE[direction]))
                shut[OPPOSITE[direction]] |= grid.bit(neighbour)
        self._barred = frozenset(pairs)
        self.masks = {direction: grid.valid & ~bits for direction, bits in shut.items()}
        self._masks = tuple(self.masks[direction] for direction in DIRECTIONS)
        # Every barred hexside has a knot on one side at least, so that elsewhere all are open.
        knots = sorted({name for name, _ in barred}, key=grid.index)
        self._knot_hexes = grid.bits(knots)
        self._knots = [(grid.bit(name), self.step(grid.bit(name))) for name in knots]
        self._doors = 0
        """The hexes from which a knot can be entered."""
        for _, across in self._knots:
            self._doors |= across

    @property
    def barred(self) -> frozenset[tuple[str, str]]:
        """Return the hexsides that cannot be crossed, each from both sides, as (hex, direction)."""
        return self._barred

    def crossable(self, start: str, end: str) -> bool:
        """Say whether two hexes touch and their common hexside can be crossed."""
        direction = self.grid.direction(start, end)
        return direction is not None and (start, direction) not in self._barred

    def step(self, bits: int) -> int:
        """Give the hexes that can be entered in one step from ``bits`` (and may be part of it)."""
        north, northeast, southeast, south, southwest, northwest = self._masks
        step = self.grid.step
        return (
            (bits & south) << 1
            | (bits & north) >> 1
            | (bits & northeast) << step
            | (bits & southeast) << step + 1
            | (bits & southwest) >> step
            | (bits & northwest) >> step + 1
        ) & self.grid.valid

    def flood(self, start: int, within: int) -> int:
        """Give every hex of ``within`` that ``start`` reaches inside it, bits to bits."""
        knots = within & self._knot_hexes
        if not knots:
            return self.grid.flood(start, within)
        step = self.grid.step
        doors = self._doors
        new = start & within & ~knots
        unreached = within & ~knots & ~new
        opened = start & knots
        while new or opened:
            both = new | new << 1
            ahead = (both | new >> 1 | both << step | both >> step + 1) & unreached
            if opened or new & doors:
                for knot, across in self._knots:
                    if new & across:
                        opened |= knot & knots
                knots &= ~opened
                beyond = 0
                for knot, across in self._knots:
                    if opened & knot:
                        beyond |= across
                ahead |= beyond & unreached
                opened = beyond & knots
            unreached ^= ahead
            new = ahead
        return within & ~unreached & ~knots

    def path(self, starts: int, goals: int, within: int) -> list[str] | None:
        """Find a shortest path from ``starts`` to ``goals``, or None; bits in, hex names out.

        Every hex after the first lies in ``within``. Among equally short paths the one whose
        hexes come first in board order, read from its end, is given.
        """
        if starts & goals:
            return [self.grid.lowest(starts & goals)]
        goals &= within
        layers = [starts]
        reached = starts
        while not layers[-1] & goals:
            layer = self.step(layers[-1]) & within & ~reached
            if not layer:
                return None
            reached |= layer
            layers.append(layer)
        hexes = layers[-1] & goals
        hexes &= -hexes
        trail = [hexes]
        for layer in reversed(layers[:-1]):
            hexes = self.step(hexes) & layer
            hexes &= -hexes
            trail.append(hexes)
        return [self.grid.lowest(bits) for bits in reversed(trail)]
