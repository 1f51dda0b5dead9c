"""The ground of the shipped map as it was drawn once: shapely need not be asked for it again.

``data/st/ground.txt`` holds the ground of the A4 sheet in hundredths of a point. It is used only
for the very map and sheet it was made for; any other ground is reckoned when it is drawn. After a
change of the map or of how ground is drawn write it again with :func:`pack_ground`; a test
compares the two.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from asl_pbcg.hexes.items import Circles, Clip, Item, Pen, Point, Shape
from asl_pbcg.kernel.data import data_path
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.board.map_read import to_data
from asl_pbcg.st.picture.map_frame import MapFrame

FILE: Final = "st/ground.txt"
_FINE: Final = 100


def stored_ground(area_map: GameMap, frame: MapFrame) -> tuple[Item, ...] | None:
    """Return the ground of ``area_map`` on ``frame`` as it is stored; None if another is stored."""
    try:
        stored = data_path(FILE).read_bytes()
    except OSError:
        return None
    mark, _, packed = stored.partition(b"\n")
    if mark != _mark(area_map, frame):
        return None
    found: list[Any] = msgspec.msgpack.decode(zlib.decompress(base64.b64decode(packed.strip())))
    return tuple(_item(each) for each in found)


def pack_ground(area_map: GameMap, frame: MapFrame, items: Iterable[Item]) -> bytes:
    """Return the contents of ``data/st/ground.txt`` for this ground."""
    plain = msgspec.msgpack.encode([_plain(item) for item in items])
    packed = base64.b64encode(zlib.compress(plain, 9))
    return _mark(area_map, frame) + b"\n" + packed + b"\n"


def _mark(area_map: GameMap, frame: MapFrame) -> bytes:
    """Return a short mark of everything that the ground depends on."""
    window = [round(number, 6) for number in (*frame.window, frame.scale, frame.left, frame.top)]
    about = msgspec.json.encode([to_data(area_map), window])
    return hashlib.sha256(about).hexdigest().encode()


def _flat(points: Iterable[Sequence[float]]) -> list[int]:
    return [round(number * _FINE) for point in points for number in point]


def _plain(item: Item) -> list[Any]:
    if isinstance(item, Shape):
        return ["s", [_flat(part) for part in item.parts], item.closed, item.pen]
    if isinstance(item, Circles):
        return ["c", _flat(item.circles), item.pen]
    assert isinstance(item, Clip)
    return ["k", _flat(item.inside), [_plain(each) for each in item.items]]


def _points(flat: Sequence[int]) -> tuple[Point, ...]:
    numbers = iter([number / _FINE for number in flat])
    return tuple(zip(numbers, numbers, strict=True))


def _item(plain: list[Any]) -> Item:
    kind = plain[0]
    if kind == "s":
        return Shape(tuple(_points(part) for part in plain[1]), plain[2], _pen(plain[3]))
    if kind == "c":
        numbers = iter([number / _FINE for number in plain[1]])
        return Circles(tuple(zip(numbers, numbers, numbers, strict=True)), _pen(plain[2]))
    return Clip(_points(plain[1]), [_item(each) for each in plain[2]])


def _pen(plain: dict[str, Any]) -> Pen:
    return Pen(**{**plain, "dash": tuple(plain["dash"])})
