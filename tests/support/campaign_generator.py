"""Random but legal ends of CG scenarios, made from the campaign as it stands before them.

Forces move towards each other, lose men and weapons, take prisoners, meet in Melee, break, dig in
and leave the map; fires and rubble spread, Control changes. Each position is one that two players
could have written: ``position_check`` and ``end_position`` take it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import msgspec

from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations
from asl_pbcg.campaign.board.board_corrections import FORMAT as BOARD
from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.entry.position_changes import CHANGES
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.catalogue import MMC, SMC, InfantryType, VehicleType
from asl_pbcg.campaign.module.house_rules import campaign_rulings
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.module.zones import east_of_canal
from asl_pbcg.campaign.position import FORMAT, Position
from asl_pbcg.campaign.scenario.victory import is_commando, victory_road
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.answers import RandomAnswers
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.refit.setup.setup_rules import is_level_of, setups

ANCHORS = {Side.BRITISH: ["X18", "Y20", "X22", "Z24"], Side.GERMAN: ["M12", "Z15", "JJ12", "W17"]}
"""Where the sides stand when nothing is Controlled yet."""
BRIDGES = ("Y19", "Y20")
"""They change hands seldom, or most campaigns would end at Dawn."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SPLIT = PEGASUS_BRIDGE.frame.san.building
"""The building that moves the German SAN: sometimes each side Controls a level of it."""
MAX_IN_LOCATION = 3
LASTING = ("walking-wounded", "wounded", "heroic", "captured", "fanatic", "unarmed", "emplaced")
VEHICLE_LASTING = ("captured", "ma-disabled", "bmg-disabled", "cmg-disabled", "aamg-disabled")
UNIT_STATUS = [
    [], [], [], [], ["broken"], ["broken", "dm"], ["pinned"], ["cx"], ["concealed"],
    ["encircled"], ["berserk"], ["no-move"], ["freedom-of-movement"], ["broken", "encircled"],
]  # fmt: skip
VEHICLE_STATUS = [
    [], [], [], ["motion"], ["ce"], ["stunned"], ["stunned", "stun-plus-1"], ["shocked"], ["uk"],
    ["immobilized"], ["immobilized", "ma-malfunctioned"], ["abandoned"], ["bogged"],
    ["bogged", "mired"], ["immobilized", "abandoned"], ["ma-malfunctioned"], ["ma-disabled"],
    ["bmg-malfunctioned"], ["recall"], ["low-ammo"], ["no-move"], ["encircled"], ["concealed"],
]  # fmt: skip
Entry = dict[str, Any]


class Battle:
    """One random CG scenario: from the campaign's state to what the map looks like at its end."""

    def __init__(self, state: Campaign, source: random.Random) -> None:
        self.state = state
        self.source = source
        self.board = state.board
        self.catalogue = state.catalogue
        self.ground = list(self.board.enterable & self.board.in_play)
        self.units: dict[str, Entry] = {}
        self.equipment: dict[str, Entry] = {}
        self.vehicles: dict[str, Entry] = {}
        self.lost: list[Piece] = []
        self.gliders: list[Entry] = []
        self.fortifications: list[Entry] = []
        self.terrain: list[Entry] = []
        self.centres = {side: self._centres(side) for side in Side}
        self.commandos_hold = source.random() < 0.8
        """Whether the Day II commandos get across the Canal, or the CG ends there."""
        self.pushed_west = state.date is CGDate.NIGHT_3 and source.random() < 0.2
        """Whether the British hold nothing in the east, so that 9.6152 note 3 finds no area."""
        self.road_is_clear = source.random() < 0.5
        """Whether the Germans are away from the road at Dusk, or they win by it."""

    def play(self) -> tuple[dict[str, Any], dict[Side, dict[str, Any]]]:
        """The end position that both sides write, and what each adds in secret."""
        for piece in self.state.pieces:
            if piece.is_vehicle:
                self._vehicle(piece)
            elif piece.kind in MMC or piece.kind in (*SMC, "armor_leader"):
                self._unit(piece)
        self._passengers()
        self._armor_leaders()
        self._crowds()
        self._melees()
        self._prisoners()
        self._friends_of_guards()
        for piece in self.state.pieces:
            if piece.is_weapon:
                self._weapon(piece)
        self._newcomers()
        self._towing()
        self._follow()
        self._ground_changes()
        self._levels()
        self._follow()
        self._climbers()
        self._captured_vehicles()
        hidden = {side: self._hide(side) for side in Side}
        return self._document(), hidden

    # -- where things are ----------------------------------------------------------------

    def _centres(self, side: Side) -> list[str]:
        control = self.state.control.of(side)
        if not (self.state.control.british or self.state.control.german):
            return ANCHORS[side]
        held = sorted({Location.parse(text).hex for text in control})
        if not held:
            return ANCHORS[side]
        # A few places that matter, so that forces are not spread over the whole map.
        return self.source.sample(held, min(6, len(held)))

    def _near(self, hex: str, most: int) -> str:
        """A hex that can be entered, at most ``most`` hexes from ``hex``."""
        around = [
            each for each in self.board.grid.set([hex]).spread(most) if each in self._enterable()
        ]
        return self.source.choice(around) if around else hex

    def _enterable(self) -> frozenset[str]:
        if not hasattr(self, "_entered"):
            self._entered = frozenset(self.ground)
        return self._entered

    def _place(self, piece: Piece) -> str:
        """Where a piece that moved ends the scenario; without overstacking."""
        start = Location.parse(piece.at).hex if piece.on_map else ""
        wanted = self._must_end_in(piece)
        place = ""
        for _ in range(20):
            if wanted:
                place = self.source.choice(wanted)
            elif start and self.source.random() < 0.6:
                place = self._near(start, 2)
            else:
                place = self._near(self.source.choice(self.centres[piece.side]), 3)
            there = [
                each for each in (*self.units.values(), *self.vehicles.values())
                if each["at"] == place
            ]  # fmt: skip
            alone = all(each["side"] == piece.side.value for each in there)
            if alone and len(there) < MAX_IN_LOCATION:
                return place
        return place

    def _must_end_in(self, piece: Piece) -> list[str]:
        """Where a piece that decides the CG stands; empty if it may stand anywhere."""
        if self.pushed_west and piece.side is Side.BRITISH:
            return [each for each in self.ground if each in self._west and self._is_near(each)]
        if self._is_commando(piece):
            return self._east
        dusk = self.state.date is CGDate.DUSK and piece.side is Side.GERMAN
        if dusk and self.road_is_clear and piece.kind in MMC:
            return self._off_the_road
        return []

    @cached_property
    def _off_the_road(self) -> list[str]:
        reach: int = PEGASUS_BRIDGE.frame.victory.road_range
        return list(
            self.board.grid.set(self.ground)
            - victory_road(self.board, PEGASUS_BRIDGE.frame).spread(reach)
        )

    @cached_property
    def _east(self) -> list[str]:
        east = east_of_canal(self.board)
        return [each for each in self.ground if each in east]

    @cached_property
    def _west(self) -> frozenset[str]:
        """The hexes numbered so low that no Gun of 9.6152 note 3 can set up there."""
        least = PEGASUS_BRIDGE.charts.reinforcements.gun_hex_number_least
        return frozenset(each for each in self.ground if int(each.lstrip(LETTERS)) < least - 2)

    def _is_near(self, hex: str) -> bool:
        return any(self.board.distance(hex, each) <= 6 for each in ("X18", "Y18"))

    def _is_commando(self, piece: Piece) -> bool:
        return (
            self.commandos_hold
            and self.state.date is CGDate.DAY_2
            and is_commando(self.state, self.catalogue, piece)
        )

    def _off_map(self, side: Side) -> str:
        own = [arrow for arrow, area in entry_areas().items() if area.side == side.value]
        return f"off-map {self.source.choice(own)}"

    def _entry_area(self, piece: Piece) -> str:
        """The friendly Entry Area it waits at; empty if it is on the map."""
        areas = entry_areas()
        for place in (piece.area, piece.at.removeprefix("off-map ")):
            if place in areas and areas[place].side == piece.side.value:
                return f"off-map {place}"
        return ""

    # -- units and vehicles --------------------------------------------------------------

    def _entry(self, piece: Piece, at: str, status: Iterable[str]) -> Entry:
        return {
            "id": piece.id, "side": piece.side.value, "type": piece.type, "at": at,
            "status": list(dict.fromkeys(status)),
        }  # fmt: skip

    def _fate(self, piece: Piece, loss: float) -> str:
        """``lost``, ``unlisted`` (never entered), ``waiting``, ``exited`` or ``on-map``."""
        waits = self._entry_area(piece)
        roll = self.source.random()
        if self._is_commando(piece):
            return "lost" if roll > 0.95 else "on-map"
        if waits and roll < 0.3:
            return "waiting" if roll < 0.15 else "unlisted"
        if roll > 1 - loss:
            return "lost"
        if piece.side is Side.GERMAN and not waits and roll < 0.03 and not piece.is_prisoner:
            return "exited"
        return "on-map"

    def _unit(self, piece: Piece) -> None:
        source = self.source
        fate = self._fate(piece, 0.1)
        if fate in ("lost", "unlisted"):
            if fate == "lost":
                self.lost.append(piece)
            return
        kept = [each for each in piece.status if each in LASTING]
        if fate == "waiting":
            self.units[piece.id] = self._entry(piece, self._entry_area(piece), kept)
            return
        status = [*kept, *source.choice(UNIT_STATUS)]
        if piece.kind in SMC:
            status = [each for each in status if each != "berserk"]
            if source.random() < 0.08:
                status.append("wounded")
        if piece.kind == "armor_leader":
            status = kept
        if piece.kind == "squad" and source.random() < 0.03:
            status.append("unarmed")
        at = self._place(piece)
        if fate == "exited":
            at, status = self._off_map(piece.side), [*kept, "exited"]
            if source.random() < 0.4:
                status.append("broken")
        entry = self._entry(piece, at, status)
        known = self.catalogue.find(piece.type, piece.side)
        if isinstance(known, InfantryType) and piece.kind in ("squad", "half_squad"):
            reduced = source.random() * (4 if self._is_commando(piece) else 1)
            if reduced < 0.12 and known.half_squad:
                entry["type"] = known.half_squad
                self.lost.append(msgspec.structs.replace(piece, type=known.half_squad))
            elif reduced < 0.17 and self._same_size(known):
                entry["type"] = known.replaced_by
        self.units[piece.id] = entry

    def _same_size(self, known: InfantryType) -> bool:
        new = self.catalogue.find(known.replaced_by, known.side)
        return new is not None and new.kind == known.kind

    def _vehicle(self, piece: Piece) -> None:
        fate = self._fate(piece, 0.12)
        if fate == "unlisted":
            return
        known = self.catalogue.find(piece.type, piece.side.other if piece.captured else piece.side)
        fixed = piece.on_map and piece.has("immobilized", "bogged", "mired", "abandoned")
        at = piece.location.hex if fixed else self._place(piece)
        if fate == "lost":
            if isinstance(known, VehicleType) and known.wreck:
                kind = self.source.choice(["wreck", "burnt-out-wreck", "burning-wreck"])
                counter = piece.side.other if piece.captured else piece.side
                self.terrain.append(
                    {"kind": kind, "at": at, "type": piece.type, "side": counter.value}
                )
            return
        kept = [each for each in piece.status if each in VEHICLE_LASTING]
        if fixed:
            kept += [each for each in piece.status if each in ("immobilized", "abandoned")]
        status = [*kept, *self.source.choice(VEHICLE_STATUS)]
        if fate == "waiting":
            at, status = self._entry_area(piece), kept
        elif fate == "exited" and not fixed:
            at, status = self._off_map(piece.side), [*kept, "exited"]
        if "motion" in status and {"immobilized", "abandoned"} & set(status):
            status.remove("motion")
        entry = self._entry(piece, at, self._of_its_weapons(known, status))
        self.vehicles[piece.id] = entry
        if self.source.random() < 0.08 and fate == "on-map":
            entry["side"] = piece.side.other.value
            status = [each for each in entry["status"] if each != "captured"]
            status += [] if piece.captured else ["captured"]
            hurt = self._of_its_weapons(known, ["immobilized", "bmg-malfunctioned"])
            status += hurt if self.source.random() < 0.5 else []
            entry["status"] = [each for each in dict.fromkeys(status) if each != "motion"]
        if piece.depleted or self.source.random() < 0.1:
            entry["depleted"] = list(piece.depleted or ["A5"])
        if piece.aamg is not None:
            self.vehicles[piece.id]["aamg"] = piece.aamg

    def _of_its_weapons(self, known: Any, status: list[str]) -> list[str]:
        """Only what can be true of a vehicle with those weapons."""
        if not isinstance(known, VehicleType):
            return status
        fitted = {weapon.lower() for weapon in known.mg} | (
            {"ma"} if known.main_armament else set()
        )
        return [
            each for each in status
            if not each.endswith(("malfunctioned", "disabled"))
            or each.partition("-")[0] in fitted
        ]  # fmt: skip

    def _passengers(self) -> None:
        for vehicle in self.vehicles.values():
            old = [
                unit for unit in self.units.values()
                if self._old(unit["id"], "aboard") == vehicle["id"]
            ]  # fmt: skip
            able = [
                unit for unit in self.units.values()
                if unit["side"] == vehicle["side"] and "prisoner" not in unit["status"]
                and not unit.get("aboard") and "off-map" not in unit["at"]
                and not {"broken", "berserk"} & set(unit["status"])
            ]  # fmt: skip
            off_map = "off-map" in vehicle["at"]
            old = [unit for unit in old if unit["side"] == vehicle["side"]]
            likely = 0.6 if "captured" in vehicle["status"] else 0.15
            if old and self.source.random() < 0.7:
                for unit in old:
                    unit["aboard"] = vehicle["id"]
                    unit["status"] = [each for each in unit["status"] if each in LASTING]
            elif able and not off_map and self.source.random() < likely:
                unit = self.source.choice(able)
                unit["aboard"] = vehicle["id"]
                unit["status"] = [each for each in unit["status"] if each in LASTING]

    def _captured_vehicles(self) -> None:
        """Abandon captured vehicles that nobody mans. Rule: A21.22."""
        manned = {
            unit["aboard"] for unit in self.units.values()
            if unit.get("aboard") and self._kind(unit) in MMC and "prisoner" not in unit["status"]
        }  # fmt: skip
        for vehicle in self.vehicles.values():
            status = vehicle["status"]
            known = self.catalogue.find(vehicle["type"], Side(vehicle["side"]).other)
            needs = isinstance(known, VehicleType) and known.crew and vehicle["id"] not in manned
            if needs and "captured" in status and "abandoned" not in status:
                kept = [each for each in status if each not in ("motion", "ce")]
                vehicle["status"] = [*kept, "abandoned"]

    def _armor_leaders(self) -> None:
        """An Armor Leader is part of a vehicle's crew, or gone. Rule: D3.4."""
        for unit in list(self.units.values()):
            if self._kind(unit) != "armor_leader" or unit.get("aboard"):
                continue
            own = [
                each for each in self.vehicles.values()
                if each["side"] == unit["side"] and "abandoned" not in each["status"]
                and ("off-map" in each["at"]) == ("off-map" in unit["at"])
            ]  # fmt: skip
            if own:
                unit["aboard"] = self.source.choice(own)["id"]
            else:
                del self.units[unit["id"]]

    def _old(self, id: str, field: str) -> Any:
        piece = next((each for each in self.state.pieces if each.id == id), None)
        return getattr(piece, field) if piece else ""

    def _free(self, side: Side | None = None, on_map: bool = True) -> list[Entry]:
        """Personnel who are nobody's prisoners and not aboard anything."""
        return [
            unit for unit in self.units.values()
            if (side is None or unit["side"] == side.value)
            and not unit.get("guarded_by") and not unit.get("aboard")
            and "prisoner" not in unit["status"]
            and not (on_map and "off-map" in unit["at"])
            and self._kind(unit) != "armor_leader"
        ]  # fmt: skip

    def _kind(self, unit: Entry) -> str:
        known = self.catalogue.find(unit["type"], Side(unit["side"]))
        return known.kind if known else ""

    def _crowds(self) -> None:
        """Sometimes too many of a side stand in one Location."""
        side = self.source.choice(list(Side))
        free = [unit for unit in self._free(side) if self._kind(unit) in MMC]
        if len(free) > 6 and self.source.random() < 0.25:
            place = self.source.choice(free)["at"]
            for unit in self.source.sample(free, 6):
                unit["at"] = place

    def _melees(self) -> None:
        for _ in range(self.source.choice([0, 0, 1, 1, 2, 3])):
            mine, others = self._free(Side.BRITISH), self._free(Side.GERMAN)
            if mine and others:
                comer, there = self.source.choice(mine), self.source.choice(others)
                if self.source.random() < 0.5:
                    comer, there = there, comer
                comer["at"] = there["at"]
                for unit in (comer, there):
                    unit["status"] = [each for each in unit["status"] if each in LASTING]
        foes = self._free()
        for vehicle in self.vehicles.values():
            foes_of = [unit for unit in foes if unit["side"] != vehicle["side"]]
            stuck = {"abandoned", "immobilized", "bogged", "mired", "exited"}
            fixed = "off-map" in vehicle["at"] or stuck & set(vehicle["status"])
            if foes_of and not fixed and self.source.random() < 0.06:
                vehicle["at"] = self.source.choice(foes_of)["at"]
                vehicle["status"] = [*vehicle["status"], "stunned"]
                keep = ("stun-plus-1", "motion", "concealed")
                vehicle["status"] = [
                    each for each in dict.fromkeys(vehicle["status"]) if each not in keep
                ]

    def _prisoners(self) -> None:
        for unit in list(self.units.values()):
            if unit.get("aboard") or self._kind(unit) == "armor_leader":
                continue
            held = self._old(unit["id"], "is_prisoner")
            if not held and (self.source.random() > 0.03 or "off-map" in unit["at"]):
                continue
            captor = Side(unit["side"]).other
            guards = [
                each for each in self._free(captor)
                if not {"broken", "berserk", "unarmed"} & set(each["status"])
                and not any(ward.get("guarded_by") == unit["id"] for ward in self.units.values())
            ]  # fmt: skip
            old = [each for each in guards if each["id"] == self._old(unit["id"], "guarded_by")]
            guards = old or guards
            guarding = any(each.get("guarded_by") == unit["id"] for each in self.units.values())
            if not guards or guarding:
                if held:  # set free in play
                    kept = [each for each in unit["status"] if each in LASTING]
                    unit["status"] = [*kept, "unarmed"] if self._kind(unit) in MMC else kept
                continue
            unit["guarded_by"] = self.source.choice(guards)["id"]
            kept = [each for each in unit["status"] if each in ("walking-wounded", "wounded")]
            unit["status"] = [*kept, "prisoner"]

    def _friends_of_guards(self) -> None:
        """Sometimes others are with a Guard: friends who could claim his prisoner, or an enemy."""
        units = self.units
        guards = {ward["guarded_by"] for ward in units.values() if ward.get("guarded_by")}
        for id in sorted(guards):
            guard = units[id]
            side = Side(guard["side"])
            free = [unit for unit in self._free(side) if unit["id"] not in guards]
            if len(free) > 2 and self.source.random() < 0.5:
                for unit in self.source.sample(free, 2):
                    unit["at"] = guard["at"]
                    unit["status"] = [each for each in unit["status"] if each in LASTING]
            foes = self._free(side.other)
            roll = self.source.random()
            if roll < 0.2 and "encircled" not in guard["status"]:
                guard["status"] = [*guard["status"], "encircled"]
            elif roll < 0.4 and foes:
                foe = self.source.choice(foes)
                foe["at"] = guard["at"]
                foe["status"] = [each for each in foe["status"] if each in LASTING]

    # -- Equipment -----------------------------------------------------------------------

    def _weapon(self, piece: Piece) -> None:
        source = self.source
        never_moves = (piece.type, piece.at) == (
            PEGASUS_BRIDGE.frame.guns.never_moves_type,
            PEGASUS_BRIDGE.frame.guns.never_moves,
        )
        status = [each for each in piece.status if each in ("captured", "emplaced")]
        fate = self._fate(piece, 0.1)
        if fate == "unlisted":
            return
        if fate == "lost":
            return
        holder = next((unit for unit in self.units.values()
                       if piece.id in (self._old(unit["id"], "possesses") or ())
                       and unit["side"] == piece.side.value
                       and not {"prisoner", "unarmed"} & set(unit["status"])), None)  # fmt: skip
        able = [
            unit for unit in self._free(piece.side)
            if not {"unarmed", "berserk"} & set(unit["status"]) and self._kind(unit) in MMC
        ]  # fmt: skip
        if holder is None and able and source.random() < 0.8:
            holder = source.choice(able)
        if piece.has("malfunctioned") or source.random() < 0.12:
            status.append("malfunctioned")
        if piece.kind == "gun":
            self._gun(piece, status, never_moves)
            return
        if source.random() < 0.06:
            takers = self._free(piece.side.other)
            if takers:
                holder = source.choice(takers)
                status = [each for each in status if each != "captured"]
                status += [] if piece.captured else ["captured"]
        entry = self._entry(piece, "", status)
        if piece.depleted or source.random() < 0.05:
            entry["depleted"] = list(piece.depleted or source.sample(["s5", "HE", "sD"], 2))
        if holder:
            entry |= {"side": holder["side"], "at": holder["at"]}
            holder.setdefault("possesses", []).append(piece.id)
            if "exited" in holder["status"]:
                entry["status"] = [*entry["status"], "exited"]
        else:
            entry["at"] = self._place(piece)
        self.equipment[piece.id] = entry

    def _gun(self, piece: Piece, status: list[str], never_moves: bool) -> None:
        on_map = piece.on_map
        at = piece.location.hex if on_map else self._place(piece)
        if not (on_map or self.source.random() < 0.7):
            at = self._entry_area(piece) or at
        if "off-map" not in at and "emplaced" not in status and self.source.random() < 0.5:
            status.append("emplaced")
        if "off-map" in at:
            status = [each for each in status if each != "emplaced"]
        entry = self._entry(piece, at, status)
        crews = [
            unit for unit in self._free(piece.side)
            if self._kind(unit) in ("crew", "half_squad", "squad")
            and not {"unarmed", "berserk"} & set(unit["status"])
        ]  # fmt: skip
        crews = [unit for unit in crews if self._kind(unit) == "crew"] or crews
        if crews and "off-map" not in at and self.source.random() < 0.8:
            crew = self.source.choice(crews)
            enemy = any(
                unit["at"] == at and unit["side"] != crew["side"] for unit in self.units.values()
            )
            if not enemy and not crew.get("possesses"):
                crew["at"] = at
                crew["possesses"] = [piece.id]
        self.equipment[piece.id] = entry

    def _towing(self) -> None:
        for vehicle in self.vehicles.values():
            if self.source.random() > 0.08 or "off-map" in vehicle["at"]:
                continue
            held = {id for unit in self.units.values() for id in unit.get("possesses", ())}
            held |= {id for each in self.vehicles.values() for id in each.get("tows", ())}
            never = PEGASUS_BRIDGE.frame.guns.never_moves_type
            guns = [
                gun for gun in self.equipment.values()
                if gun["side"] == vehicle["side"] and gun["id"] not in held
                and self._old(gun["id"], "kind") == "gun" and gun["type"] != never
                and "off-map" not in gun["at"]
            ]  # fmt: skip
            if guns:
                gun = self.source.choice(guns)
                vehicle["tows"] = [gun["id"]]
                status = [each for each in gun["status"] if each != "emplaced"]
                gun["status"] = [*status, "hooked"]

    def _newcomers(self) -> None:
        """HS that Deployed in play, crews of Abandoned vehicles, Heroes."""
        used = {*self.units, *(each.id for each in self.state.pieces)}
        used |= {each.piece.id for each in self.state.gone}

        def new(side: str, type: str, at: str, **more: Any) -> None:
            stem = f"{side[0]}-new-{type.replace('-', '')}"
            number = next(n for n in range(1, 1000) if f"{stem}-{n}" not in used)
            used.add(f"{stem}-{number}")
            entry: Entry = {
                "id": f"{stem}-{number}",
                "side": side,
                "type": type,
                "at": at,
                "status": [],
            }
            self.units[f"{stem}-{number}"] = entry | more

        for unit in list(self.units.values()):
            known = self.catalogue.find(unit["type"], Side(unit["side"]))
            plain = not unit.get("aboard") and not unit.get("guarded_by")
            plain = plain and not unit["status"] and "off-map" not in unit["at"]
            if isinstance(known, InfantryType) and known.half_squad and plain:
                if self.source.random() < 0.05:
                    old = next(each for each in self.state.pieces if each.id == unit["id"])
                    formation = self._formation(old)
                    unit["type"] = known.half_squad
                    new(unit["side"], known.half_squad, unit["at"], **formation)
                elif self.source.random() < 0.01:
                    hero = next(
                        each.name for each in self.catalogue
                        if each.kind == "hero" and each.side.value == unit["side"]
                    )  # fmt: skip
                    new(unit["side"], hero, unit["at"])

    def _formation(self, piece: Piece) -> dict[str, str]:
        for each in self.catalogue.formations.values():
            if each.name == piece.formation and each.side is piece.side:
                return {"formation": each.id}
        return {}

    def _follow(self) -> None:
        """What is aboard, towed, guarded or possessed is where its holder is."""
        for unit in self.units.values():
            if unit.get("aboard"):
                vehicle = self.vehicles[unit["aboard"]]
                unit["at"] = vehicle["at"]
        for unit in self.units.values():
            if unit.get("guarded_by"):
                unit["at"] = self.units[unit["guarded_by"]]["at"]
        for unit in self.units.values():
            for id in unit.get("possesses", ()):
                self.equipment[id]["at"] = unit["at"]
        for vehicle in self.vehicles.values():
            for id in vehicle.get("tows", ()):
                self.equipment[id]["at"] = vehicle["at"]

    # -- the ground ----------------------------------------------------------------------

    def _ground_changes(self) -> None:
        source, state = self.source, self.state
        for old in state.terrain:
            if source.random() < 0.9:
                entry = {
                    name: value for name, value in msgspec.to_builtins(old).items() if value
                }  # fmt: skip
                if entry["kind"] == "blaze" and source.random() < 0.5:
                    continue
                if entry["kind"] == "wreck" and source.random() < 0.2:
                    entry["scrounged"] = True
                self.terrain.append(entry)
        taken = {each["at"] for each in self.terrain}
        for _ in range(source.choice([0, 0, 1, 1, 2, 4])):
            kind = source.choice(["blaze", "flame", "rubble", "shellhole", "breach", "wreck"])
            if kind in ("rubble", "breach"):
                at = source.choice(list(self.board.buildings))
                kind = f"rubble-{self.board[at].building}" if kind == "rubble" else kind
            else:
                woods = list(self.board.buildings | self.board.terrain("woods", "orchard", "grain"))
                open_ground = [each for each in self.ground if each not in self.board.buildings]
                some = open_ground if kind in ("shellhole", "wreck") else woods
                at = source.choice(some)
                if kind == "wreck" and self.units:  # of a type that nobody wrote down
                    held = [each for each in self._free() if each["at"] in open_ground]
                    at = source.choice(held)["at"] if held else at
            if at not in taken:
                taken.add(at)
                self.terrain.append({"kind": kind, "at": at})
        self._gliders()
        self._works()

    def _gliders(self) -> None:
        for old in self.state.gliders:
            wrecked = old.state.value == "wrecked" or self.source.random() < 0.1
            self.gliders.append({"at": old.at, "state": "wrecked" if wrecked else "landed"})
        waiting = [piece for piece in self.state.pieces if piece.kind == "glider"]
        for _ in waiting[len(self.state.gliders) :]:
            at = self._near(self.source.choice(["X22", "Y23", "X21", "Z24"]), 2)
            if at not in self.board.buildings and all(each["at"] != at for each in self.gliders):
                state = self.source.choice(["landed", "landed", "wrecked"])
                self.gliders.append({"at": at, "state": state})

    def _works(self) -> None:
        for old in self.state.fortifications:
            if not old.hidden and self.source.random() < 0.93:
                entry = msgspec.to_builtins(old)
                self.fortifications.append({k: v for k, v in entry.items() if v})
        first = not self.state.fortifications
        for piece in self.state.pieces:
            if piece.kind == "fortification" and first:
                name = piece.type.lower()
                kind = next(each for each in ("trench", "wire", "pillbox") if each in name)
                at = piece.at or self._near(self.source.choice(self.centres[piece.side]), 2)
                entry = {"kind": kind, "at": at, "owner": piece.side.value}
                if kind == "pillbox":
                    entry |= {"strength": "1+3+5", "ca": "Y22/Z22"}
                self.fortifications.append(entry)
        self._mines()
        for unit in self.units.values():
            at = unit["at"]
            if (
                self.source.random() < 0.04
                and self._kind(unit) in MMC
                and "off-map" not in at
                and at not in self.board.buildings
                and not any(each["at"] == at for each in self.fortifications)
            ):
                size = self.source.choice([1, 2, 3])
                entry = {"kind": "foxhole", "at": at, "owner": unit["side"], "size": size}
                self.fortifications.append(entry)

    def _mines(self) -> None:
        """Now and then a minefield where somebody stands: its factors known or not."""
        there = [*self._free(), *(v for v in self.vehicles.values() if "off-map" not in v["at"])]
        crowded = Counter(each["at"] for each in there)
        for _ in range(self.source.choice([0, 0, 1, 2])):
            if not there:
                return
            many = [each for each in there if crowded[each["at"]] > 1] or there
            at = self.source.choice(self.source.choice([there, many]))["at"]
            if at in self.board.buildings or any(each["at"] == at for each in self.fortifications):
                continue
            entry = {
                "kind": self.source.choice(["ap-mines", "ap-mines", "at-mines"]), "at": at,
                "owner": self.source.choice(list(Side)).value,
            }  # fmt: skip
            if self.source.random() < 0.5:
                entry["size"] = self.source.choice([2, 3, 5]) if "at" in entry["kind"] else 6
            self.fortifications.append(entry)

    def _climbers(self) -> None:
        """One or two who are alone in a building are on a Climb marker."""
        busy = {each.get("guarded_by") for each in self.units.values()}
        crowded = Counter(each["at"] for each in self.units.values())
        for unit in self.units.values():
            hex, _, level = unit["at"].partition("/")
            free = not unit.get("aboard") and not unit.get("guarded_by") and unit["id"] not in busy
            guns = [id for id in unit.get("possesses", ()) if self._old(id, "kind") == "gun"]
            if (
                hex in self.board.upper
                and free
                and not guns
                and crowded[unit["at"]] == 1
                and "prisoner" not in unit["status"]
                and not any(each["at"] == hex for each in self.terrain)
                and self.source.random() < 0.1
            ):
                unit["climbing_to"] = hex if level else f"{hex}/1"

    def _levels(self) -> None:
        """Some who are in a building with a level above stand there."""
        fallen = {
            each["at"] for each in self.terrain if each["kind"].startswith(("rubble", "shell"))
        }
        for unit in self.units.values():
            busy = unit.get("aboard") or unit.get("guarded_by")
            guns = [id for id in unit.get("possesses", ()) if self._old(id, "kind") == "gun"]
            here = unit["at"]
            high = here in self.board.upper and here not in fallen
            if high and not busy and not guns and self.source.random() < 0.4:
                unit["at"] = f"{here}/1"

    def _control(self, position: Position) -> dict[str, list[str]]:
        """Who Controls what: who stands there alone, else who did, else perhaps who is near."""
        strategic = StrategicLocations(position, self.board, self.catalogue)
        pillboxes = {each["at"] for each in self.fortifications if each["kind"] == "pillbox"}
        places = [
            place for hex in strategic.hexes
            for place in (hex, *([f"{hex}/1"] if hex in self.board.upper else ()))
            if strategic.why(Location.parse(place)) or hex in pillboxes
        ]  # fmt: skip
        before = {
            text: side for side in Side for text in self.state.control.of(side)
        }  # fmt: skip
        masters: dict[str, set[Side]] = {}
        for unit in self.units.values():
            if "prisoner" not in unit["status"] and self._kind(unit) in MMC:
                masters.setdefault(unit["at"], set()).add(Side(unit["side"]))
        found: dict[str, list[str]] = {side.value: [] for side in Side}
        for place in places:
            there = masters.get(place, set())
            if len(there) == 1 and (place not in BRIDGES or self.source.random() < 0.1):
                side: Side | None = next(iter(there))
            elif place in before or place in BRIDGES:
                side = before.get(place, Side.BRITISH)
                if self.source.random() < 0.04:
                    side = self.source.choice([side.other, None])
            else:
                side = self._nearest(Location.parse(place).hex)
            if place == SPLIT and side and f"{SPLIT}/1" in places and self.source.random() < 0.15:
                upper = masters.get(f"{SPLIT}/1")
                before[f"{SPLIT}/1"] = side.other if not upper else side
            east = self.pushed_west and Location.parse(place).hex not in self._west
            if side and not (east and side is Side.BRITISH):
                found[side.value].append(place)
        return found

    def _nearest(self, hex: str) -> Side | None:
        """The side that is nearer to a Location nobody stands in; nobody if both are far away."""

        def away(side: Side) -> int:
            held = [Location.parse(unit["at"]).hex for unit in self._free(side)]
            return min((self.board.distance(hex, each) for each in held), default=99)

        british, german = away(Side.BRITISH), away(Side.GERMAN)
        if min(british, german) > 8 or british == german:
            return None
        return Side.BRITISH if british < german else Side.GERMAN

    # -- secrets and the document --------------------------------------------------------

    def _hide(self, side: Side) -> dict[str, Any]:
        """Take a few units of a side out of the common position, for its own secret file."""
        if self.source.random() < 0.6:
            return {}
        lone = [
            unit for unit in self._free(side)
            if unit["id"] in {piece.id for piece in self.state.pieces}
            and not {"broken", "encircled", "berserk", "cx"} & set(unit["status"])
            and all(ward.get("guarded_by") != unit["id"] for ward in self.units.values())
            and all(
                each is unit or each["at"] != unit["at"] for each in self.units.values()
            )
        ]  # fmt: skip
        if not lone:
            return {}
        hidden: dict[str, Any] = {"format": CHANGES, "units": [], "equipment": []}
        for unit in self.source.sample(lone, min(2, len(lone))):
            self.units.pop(unit["id"])
            unit = {
                "possesses": [], "aboard": "", "guarded_by": "", "climbing_to": "", **unit,
                "status": [*(s for s in unit["status"] if s != "concealed"), "hidden"],
            }  # fmt: skip
            hidden["units"].append(unit)
            for id in unit["possesses"]:
                weapon = self.equipment.pop(id)
                hidden["equipment"].append({**weapon, "status": [*weapon["status"], "hidden"]})
        return hidden

    def _ww_box(self) -> list[dict[str, Any]]:
        box = dict(self.state.ww_box)
        for piece in self.lost:
            able = piece.airborne and not piece.has("walking-wounded")
            if able and piece.kind in ("squad", "half_squad") and self.source.random() < 0.5:
                box[piece.type] = box.get(piece.type, 0) + 1
        return [{"type": type, "count": count} for type, count in box.items() if count]

    def _document(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "format": FORMAT, "date": self.state.date.value,
            "gliders": self.gliders, "fortifications": self.fortifications,
            "terrain": self.terrain, "units": list(self.units.values()),
            "equipment": list(self.equipment.values()), "vehicles": list(self.vehicles.values()),
            "ww_box": self._ww_box(),
            "casualty_vp": {side.value: self.source.randint(0, 30) for side in Side},
            "turn": self.source.randint(5, 9),
        }  # fmt: skip
        plain = msgspec.convert(document, Position)
        control = self._control(plain)
        if self.source.random() < 0.15:
            document["moved_first"] = self.source.choice(list(Side)).value
        if self.source.random() < 0.03:
            document["massacre"] = [self.source.choice(list(Side)).value]
        return document | {"control": control}


class CampaignAnswers(RandomAnswers):
    """Legal random answers for a whole campaign, with a random battle on every CG Date."""

    def __init__(
        self, seed: int | str, session: Session[Campaign], battle: type[Battle] = Battle
    ) -> None:
        super().__init__(seed)
        self.session = session
        self._battle = battle
        self._battles = random.Random(f"battles/{seed}")
        self._hidden: dict[Side, dict[str, Any]] = {}

    def answer(self, prompt: Prompt) -> Any:
        """A battle's end and each side's secret part of it where asked for, else at random."""
        if prompt.id == "0.2":
            document, self._hidden = self._battle(self.session.state, self._battles).play()
            return document
        if prompt.id == "0.2.0":
            return self._hidden.get(Side(prompt.side)) or "none"
        if prompt.id == "0.1":  # more concessions would end most campaigns before Dusk
            ways = ["dr", "agreement", "british-concede", "german-concede"]
            return self._battles.choices(ways, [60, 39, 0.5, 0.5])[0]
        later = self.session.state.determined is not None  # at first SSR I-2 limits it further
        if prompt.id == "9.613.1a" and (telling := self._who_shifts(prompt)):
            return telling
        if prompt.id == "9.620.2" and later and self._battles.random() < 0.3:
            return self._setup(Side(prompt.side))
        return super().answer(prompt)

    def _who_shifts(self, prompt: Prompt) -> list[str]:
        """Often a vehicle, or a Guard, by itself; nobody in particular if there is none."""
        pieces = self.session.state.pieces
        telling = {piece.guarded_by for piece in pieces}
        telling |= {piece.id for piece in pieces if piece.is_vehicle}
        ids = [option.id for option in prompt.legal if option.id in telling]
        return [self._battles.choice(ids)] if ids and self._battles.random() < 0.6 else []

    def _setup(self, side: Side) -> dict[str, Any]:
        """A few pieces of ``side`` set up where the setup sheet lets them."""
        state = self.session.state
        allowed = [
            each
            for each in setups(state, side)
            if each.piece.kind in ("squad", "half_squad", "crew") and not each.piece.hip
            and not each.piece.possesses and each.hexes
        ]  # fmt: skip
        places = {
            each.piece.id: [
                hex for hex in each.hexes or () if is_level_of(state, each.piece, Location(hex))
            ]
            for each in allowed
        }
        units = [
            {
                "id": each.piece.id, "side": side.value, "type": each.piece.type,
                "at": self._battles.choice(places[each.piece.id]),
            }
            for each in self._battles.sample(allowed, min(5, len(allowed)))
            if places[each.piece.id]
        ]  # fmt: skip
        fits = [unit for n, unit in enumerate(units)
                if [each["at"] for each in units[:n]].count(unit["at"]) < 3]  # fmt: skip
        return {"format": FORMAT, "date": state.date.value, "units": fits}


def random_settings(seed: int) -> dict[str, Any]:
    """The settings of a random campaign: CG1 or CG2, balance, house rules.

    Each is drawn from a stream of its own, so that a new one leaves the others as they were.
    """

    def stream(name: str) -> random.Random:
        return random.Random(f"settings/{seed}/{name}")

    house_rules: dict[str, str] = {}
    for id, ruling in campaign_rulings().items():
        source = stream(id)
        if ruling.is_settable and source.random() < 0.3:
            house_rules[id] = source.choice(list(ruling.choices))
    corrections: dict[str, Any] = {}
    if stream("corrections").random() < 0.2:  # so that each side can Control a level of it
        corrections = {"format": BOARD, "hexes": {SPLIT: {"stairs": "square"}}}
    return {
        "corrections": corrections,
        "campaign": "CG1" if seed % 2 else "CG2",
        "balance": stream("balance").choice(["", "british", "german"]),
        "house_rules": house_rules,
    }
