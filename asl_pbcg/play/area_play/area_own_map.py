"""A player's own map of the area game while it is entered: what it begins with, and the check."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection
from typing import Any, Final, get_args

import msgspec

from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError, fault_data
from asl_pbcg.st.board.map import Bank, Colour, Feature, GameMap, LineKind, Look, Shape
from asl_pbcg.st.board.map_check import check_data
from asl_pbcg.st.board.map_compare import compare_maps
from asl_pbcg.st.board.map_geometry import bank_of
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.board.map_new import blank_map
from asl_pbcg.st.board.map_read import WaterItem, WaterItems, count_map, to_data, try_map
from asl_pbcg.st.board.map_rules import map_rules

_WORD: Final = re.compile(r"[\w.-]*\w")
MAX_AREAS: Final = 500
"""A map with more areas is not checked while it is entered; the game has some hundred."""


def start_of_map() -> dict[str, Any]:
    """Return what an owner of the print begins with: a blank map, the reconstruction, the words."""
    blank, rules, shipped = blank_map(), map_rules(), load_map()
    named = {key: blank[key] for key in ("title", "origin")}
    return {
        "blank": blank,
        "reconstruction": {**draft_of(shipped), **named},
        "bridges": [shipped.place(name) for name in ("pegasus_bridge", "ranville_bridge")],
        "choices": {
            "shapes": {
                shape: msgspec.to_builtins(rules.shapes[shape]) for shape in get_args(Shape)
            },
            "banks": get_args(Bank),
            "entries": rules.entries.names,
            "edges": ("north", "south"),
            "features": get_args(Feature),
            "looks": [look for look in get_args(Look) if look],
            "kinds": get_args(LineKind),
            "colours": get_args(Colour),
            "spacing": rules.spacing.bounds,
        },
    }


def draft_of(area_map: GameMap) -> dict[str, Any]:
    """Return a map as data to go on with: a bank that follows from an area's place is left out."""
    data = to_data(area_map)
    for item in data["areas"]:
        area = area_map.areas[item["id"]]
        # Without its waters nothing follows, and "between" is what is read where nothing stands.
        bank = bank_of(area, area_map.water) if area_map.water else "between"
        if item.get("bank") == bank:
            del item["bank"]
    return data


def judge_map(data: Any, source: str) -> dict[str, Any]:
    """Return the faults of a map that is being entered, and what differs from the reconstruction.

    The faults are those of ``pbcg st map check --json``, each with the areas it concerns; ``map``
    is what could be read, in metres, and ``unread`` tells what could not.
    """
    listed = data.get("areas") if isinstance(data, dict) else None
    items = listed if isinstance(listed, list) else []
    if len(items) > MAX_AREAS:
        raise PBCGError(f"{source} has {len(items)} areas; {MAX_AREAS} are the most.")
    area_map, faults = check_data(data)
    ids = {str(item.get("id")) for item in items if isinstance(item, dict)}
    verdict = fault_data(FaultsError(source, faults))
    for item, fault in zip(verdict["faults"], faults, strict=True):
        item |= {"sentence": str(fault), "areas": fault_areas(fault, ids)}
    return {
        **verdict,
        "map": draft_of(area_map) | _begun_waters(data, area_map),
        "unread": [str(fault) for fault in try_map(data).faults],
        "differences": msgspec.to_builtins(compare_maps(area_map, load_map())),
        "counts": None if faults else msgspec.to_builtins(count_map(area_map)),
    }


def _begun_waters(data: Any, area_map: GameMap) -> dict[str, Any]:
    """Return the waters of an unfinished map in metres, one of which has no course yet."""
    if area_map.water or not isinstance(data, dict) or data.get("coordinates"):
        return {}
    waters = data.get("water")
    if not isinstance(waters, dict):
        return {}
    read = {}
    for name in WaterItems.__struct_fields__:
        with contextlib.suppress(msgspec.ValidationError):
            read[name] = msgspec.to_builtins(msgspec.convert(waters.get(name), WaterItem))
    return {"water": read}


def fault_areas(fault: Fault, ids: Collection[str]) -> list[str]:
    """Name the areas that a fault concerns, by the ids in its words."""
    numbered = re.search(r"line \d+ \((.*?)\)", fault.where)
    # Elsewhere an area's name stands in brackets behind its id, and a name may hold any word.
    named = re.sub(r"\([^)]*\)", "", fault.where).partition(",")[2]
    place = numbered[1] if numbered else named
    areas = [word for word in _WORD.findall(place) if word in ids and word not in ("to", "and")]
    if not areas:  # it is about all areas or lines, and names some: "not 2 (B1 and B2)"
        words = _WORD.findall(f"{fault.value} {fault.wrong}")
        areas = [word for word in words if word in ids and not word.islower()]
    return list(dict.fromkeys(areas))
