"""An independent list of what the British may do, written from the rules alone.

It asks the map and the counters and nothing of the engine's own action code; slow and plain.
"""

from __future__ import annotations

from asl_pbcg.st.state.game_state import AreaWeapon, Unit
from asl_pbcg.st.state.phase_situation import Situation


def germans(sit: Situation, area: str, inside: bool | None = None) -> list[Unit]:
    return [
        u
        for u in sit.units.values()
        if u.side == "german"
        and u.status == "map"
        and u.area == area
        and (inside is None or u.inside == inside)
    ]


def british(sit: Situation, area: str, inside: bool) -> list[Unit]:
    return [
        u
        for u in sit.units.values()
        if u.side == "british" and u.status == "map" and u.area == area and u.inside == inside
    ]


def combat(unit: Unit) -> bool:
    return unit.kind in ("platoon", "squad", "sapper", "hq", "garrison", "infantry")


def ours(sit: Situation, weapon: AreaWeapon) -> bool:
    if weapon.carrier:
        return True
    if weapon.held:
        return weapon.held == "british"
    place = weapon.area + ("*" if weapon.inside else "")
    return sit.control.get(place) == "british"


def mp(sit: Situation, unit: Unit) -> int:
    total = 2 if unit.wounded else 4
    if unit.id in sit.slowed or any(p.escort == unit.id for p in sit.pows.values()):
        total = min(total, 2)
    if unit.id in sit.carried_mg or any(
        w.carrier == unit.id and w.kind == "mg" for w in sit.weapons.values()
    ):
        total -= 1
    return total - sit.spent.get(unit.id, 0)


def moves(sit: Situation, unit: Unit) -> dict[str, int]:
    left = mp(sit, unit)
    found: dict[str, int] = {}
    if left < 0:
        return found
    area_map = sit.geo.map
    if unit.inside:
        cost = 1 if germans(sit, unit.area, inside=False) else 0
        return {"leave-bunker": cost} if cost <= left else {}
    area = area_map.areas[unit.area]
    if "bunker" in area.features and not germans(sit, unit.area, inside=True) and left >= 1:
        found["enter-bunker"] = 1
    if unit.engaged >= sit.turn:
        return found
    reach = left
    for pow in sit.pows.values():
        if pow.escort == unit.id:
            reach = min(reach, 2 - sit.pow_moved.get(pow.id, 0))
    pegasus = area_map.place("pegasus_bridge")
    ferry = any(
        u.kind == "sapper" and u.came < sit.turn for u in british(sit, pegasus, inside=False)
    )
    for line in area_map.lines:
        if unit.area not in (line.a, line.b) or line.kind == "dashed":
            continue
        there = line.b if line.a == unit.area else line.a
        cost = {"single": 1, "double": 2}[line.kind] + (1 if germans(sit, there) else 0)
        if there == pegasus and sit.bridge != "intact":
            if unit.kind == "sapper":
                cost = max(cost, reach)
            elif sit.bridge == "destroyed":
                if not ferry:
                    continue
                cost = 2 + (1 if germans(sit, there) else 0)
        if unit.area == pegasus and sit.bridge == "destroyed" and unit.bank:
            bank = "west" if area_map.areas[there].bank == "west" else "east"
            if bank != unit.bank and (unit.kind == "sapper" or not ferry):
                continue
        if cost <= reach and reach > 0:
            found[f"move {there}"] = cost
    if area.kind == "flight" and sit.settings.flight_area_exit == "arrows":
        walked = {k.removeprefix("move ") for k in found}
        lines = {
            line.b if line.a == unit.area else line.a
            for line in area_map.lines
            if unit.area in (line.a, line.b) and line.kind != "dashed"
        }
        for arrow in area_map.arrows:
            cost = 1 + (1 if germans(sit, arrow.end) else 0)
            if arrow.start == unit.area and cost <= reach and arrow.end not in lines | walked:
                found[f"arrow {arrow.end}"] = cost
    return found


def brute_actions(sit: Situation, id: str) -> set[str]:
    unit = sit.units[id]
    if unit.status != "map" or unit.suppressed:
        return set()
    found = set(moves(sit, unit))
    if not combat(unit):
        return found
    left = mp(sit, unit)
    area = sit.geo.map.areas[unit.area]
    if unit.kind in ("platoon", "squad") and unit.grenades > 0 and left >= 1:
        if germans(sit, unit.area, inside=False):
            found.add(f"grenade {unit.area}")
        if not unit.inside and germans(sit, unit.area, inside=True):
            found.add(f"grenade-bunker {unit.area}")
        for line in sit.geo.map.lines:
            if line.kind != "dashed" and unit.area in (line.a, line.b):
                there = line.b if line.a == unit.area else line.a
                if germans(sit, there, inside=False):
                    found.add(f"grenade {there}")
    here = [
        w
        for w in sit.weapons.values()
        if w.status == "map" and w.area == unit.area and w.inside == unit.inside
    ]
    if left >= 1 and not unit.inside and any(w.kind == "gammon" and ours(sit, w) for w in here):
        for enemy in germans(sit, unit.area, inside=False):
            if enemy.kind in ("tank", "mercedes"):
                found.add(f"gammon {enemy.id}")
    if unit.inside and left >= 2 and unit.area not in sit.cleared:
        found.add("clear-bunker")
    fresh = left >= 4 and not sit.spent.get(id, 0)
    if not unit.inside and fresh and unit.area not in sit.positions:
        found.add("prepare-position")
    mine = [w for w in sit.weapons.values() if w.carrier == id]
    for weapon in here:
        if weapon.kind == "at":
            continue
        if weapon.carrier == id:
            if (id, "leave", weapon.id) not in sit.handled:
                found.add(f"leave {weapon.id}")
        elif (
            ours(sit, weapon)
            and not any(w.kind == weapon.kind for w in mine)
            and (id, "take", weapon.id) not in sit.handled
        ):
            burdened = id in sit.carried_mg
            if weapon.kind != "mg" or burdened or left - 1 >= 0:
                found.add(f"take {weapon.id}")
    for pow in sit.pows.values():
        if pow.escort == id:
            if (id, "leave", pow.id) not in sit.handled:
                found.add(f"leave {pow.id}")
        elif sit.units[pow.escort].area == unit.area and (id, "take", pow.id) not in sit.handled:
            found.add(f"take {pow.id}")
    assert area
    return found


def brute_group_moves(sit: Situation, ids: tuple[str, ...]) -> set[str]:
    shared: set[str] | None = None
    for id in ids:
        each = set(moves(sit, sit.units[id]))
        shared = each if shared is None else shared & each
    return shared or set()


def brute_attacks(sit: Situation) -> set[str]:
    """Every attack of the British Fire Phase as long as nobody has fired."""
    found: set[str] = set()
    area_map = sit.geo.map

    def near(a: str, b: str) -> bool:
        if a == b:
            return True
        line = area_map.crossing(a, b)
        return line is not None and (line.kind != "dashed" or sit.settings.dashed_lines_adjacent)

    firers: list[Unit] = []
    for unit in sit.units.values():
        if unit.side != "british" or unit.status != "map" or unit.suppressed:
            continue
        beside = british(sit, unit.area, unit.inside)
        if combat(unit) or (unit.kind == "leader" and not any(combat(u) for u in beside)):
            firers.append(unit)
    for enemy in sit.units.values():
        if enemy.side != "german" or enemy.status != "map":
            continue
        beside = germans(sit, enemy.area, enemy.inside)
        alone = not any(combat(u) for u in beside)
        first = min((u.id for u in beside if u.kind == "leader"), default="")
        target = combat(enemy) or enemy.kind == "mercedes" or (alone and enemy.id == first)
        if target and any(near(firer.area, enemy.area) for firer in firers):
            found.add(f"small-arms {enemy.id}")
    for weapon in sit.weapons.values():
        if weapon.status != "map" or not ours(sit, weapon):
            continue
        served = any(
            combat(f) and f.area == weapon.area and f.inside == weapon.inside for f in firers
        )
        if weapon.kind == "piat" and served:
            for enemy in sit.units.values():
                if enemy.kind == "tank" and enemy.status == "map" and near(weapon.area, enemy.area):
                    found.add(f"{weapon.id} {enemy.id}")
        if weapon.kind == "at" and served:
            found |= brute_at_gun(sit, weapon)
    return found


def brute_at_gun(sit: Situation, gun: AreaWeapon) -> set[str]:
    found = set()
    area_map = sit.geo.map

    def near(area: str) -> bool:
        line = area_map.crossing(gun.area, area)
        return area == gun.area or (
            line is not None and (line.kind != "dashed" or sit.settings.dashed_lines_adjacent)
        )

    for enemy in sit.units.values():
        if enemy.side != "german" or enemy.status != "map":
            continue
        beside = germans(sit, enemy.area, enemy.inside)
        if enemy.kind == "leader":
            first = min(u.id for u in beside if u.kind == "leader")
            if any(combat(u) for u in beside) or enemy.id != first:
                continue
        fired_at = any(id == gun.id and turn >= sit.turn - 1 for id, turn in enemy.fired_at)
        away = area_map.range(gun.area, enemy.area)
        sees = area_map.line_of_sight(gun.area, enemy.area, set(sit.vehicles)).clear
        if near(enemy.area) or (
            (enemy.fired == sit.turn or fired_at) and away is not None and away <= 5 and sees
        ):
            found.add(f"{gun.id} {enemy.id}")
            if near(enemy.area):
                for weapon in sit.weapons.values():
                    if (
                        weapon.kind in ("mg", "at")
                        and weapon.status == "map"
                        and weapon.area == enemy.area
                        and weapon.inside == enemy.inside
                        and not ours(sit, weapon)
                    ):
                        found.add(f"{gun.id} {weapon.id}")
    return found
