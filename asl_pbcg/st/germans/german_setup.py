"""German set-up by chit. Rule: ST-SET-14 to ST-SET-34."""

from __future__ import annotations

from asl_pbcg.kernel.prompts import Note, Script
from asl_pbcg.st.area_terms import GERMAN, Kind, WeaponKind
from asl_pbcg.st.procedures.losses import HICKMAN, MERCEDES, SCHMIDT
from asl_pbcg.st.state.area_tables import TANK_ENTRY
from asl_pbcg.st.state.decision import note, pick, throw_on
from asl_pbcg.st.state.game_rules import Chit, german_order
from asl_pbcg.st.state.game_state import AreaWeapon, DemoMarker, Unit
from asl_pbcg.st.state.phase_situation import Situation


def german_setup(sit: Situation, difficulty: str) -> Script[str]:
    """Draw the chit and set up what it says; returns the chit. Rule: ST-SET-18, ST-SET-22."""
    order = german_order()
    if sit.settings.historical:
        name = order.historical.chit
    else:
        name = yield from pick(
            sit,
            order.difficulties[difficulty],
            "The German set-up chit",
            rule="ST-SET-18",
            side=GERMAN,
            secret=True,
        )
        if not sit.settings.hidden_chit:
            yield note(sit, f"The German set-up chit is {name}.", "ST-SET-18")
    chit = order.chits[name]
    place_weapons(sit)
    yield from place_counters(sit, chit)
    place_units(sit, chit)
    yield from place_tanks(sit, chit)
    yield from draw_wiring(sit, chit)
    return name


def place_weapons(sit: Situation) -> None:
    """The AT gun and the MGs in their labelled areas, inside the bunkers. ST-SET-14, ST-SET-16."""
    order = german_order()
    geo = sit.geo
    mgs = dict(zip(order.mgs, (geo.pillbox, *geo.mg_areas), strict=True))
    guns = {mg: (f"MG {mg.rsplit('-', 1)[1]}", area) for mg, area in mgs.items()}
    guns[order.at_gun] = ("AT gun", geo.at_area)
    for id, (name, area) in guns.items():
        kind: WeaponKind = "at" if id == order.at_gun else "mg"
        inside = area in geo.has_bunker
        weapon = AreaWeapon(id=id, name=name, kind=kind, status="map", area=area, inside=inside)
        sit.weapons = sit.weapons.having(weapon)


def place_counters(sit: Situation, chit: Chit) -> Script[None]:
    """Garrisons and dummies face down, one in each set-up area. Rule: ST-SET-23, ST-SET-16."""
    areas = list(sit.geo.setup_areas)
    dummies = set()
    for number in range(chit.dummies):
        area = yield from pick(
            sit,
            [area for area in areas if area not in dummies],
            f"Where dummy {number + 1} lies",
            rule="ST-SET-23",
            side=GERMAN,
            secret=True,
        )
        dummies.add(area)
    for area in areas:
        add_german(
            sit,
            f"garrison-{area.lower()}",
            f"garrison squad of {area}",
            "garrison",
            sp=sit.settings.garrison_sp,
            face_down=True,
            dummy=area in dummies,
        )
        sit.put(f"garrison-{area.lower()}", area, inside=area in sit.geo.has_bunker)


def add_german(
    sit: Situation,
    id: str,
    name: str,
    kind: Kind,
    *,
    sp: int = 0,
    face_down: bool = False,
    dummy: bool = False,
) -> None:
    """Add a German counter to the game, in the pool."""
    sit.units[id] = Unit(
        id=id, name=name, side=GERMAN, kind=kind, sp=sp, face_down=face_down, dummy=dummy
    )


def place_units(sit: Situation, chit: Chit) -> None:
    """Schmidt, Hickman and the infantry of the chit; the rest of the mix stays in the pool.

    Rule: ST-SET-22, ST-SET-24, ST-SET-25, ST-MER-01, ST-MER-02.
    """
    settings = sit.settings
    order = german_order()
    add_german(sit, SCHMIDT, "Mjr Schmidt", "leader", sp=sit.n.leader_sp)
    if chit.schmidt == "pillbox":
        sit.put(SCHMIDT, sit.geo.pillbox)
    else:
        add_german(sit, MERCEDES, "Mercedes", "mercedes")
        for id, status in ((MERCEDES, "waiting"), (SCHMIDT, "aboard")):
            sit.change(
                id, status=status, enters=order.schmidt_entry, enters_turn=sit.n.mercedes_turn
            )
    if chit.hickman:
        add_german(sit, HICKMAN, "Lt Hickman", "leader", sp=sit.n.leader_sp)
        sit.put(HICKMAN, sit.geo.entry(chit.hickman))
    entries = [entry for entry, count in chit.infantry.items() for _ in range(count)]
    for number in range(1, settings.german_infantry + 1):
        id = f"infantry-{number:02d}"
        add_german(sit, id, f"infantry {number}", "infantry", sp=settings.infantry_sp)
        if number <= len(entries):
            sit.put(id, sit.geo.entry(entries[number - 1]))


def place_tanks(sit: Situation, chit: Chit) -> Script[None]:
    """The tanks of the mix; those of chits G and H roll where and when they come. ST-SET-34."""
    for number in range(1, sit.settings.german_tanks + 1):
        id = f"tank-{number}"
        add_german(sit, id, f"tank {number}", "tank")
        if number > chit.tanks:
            continue
        rolled = yield from throw_on(
            sit, "tank_entry", f"Entry of tank {number}", side=GERMAN, secret=True
        )
        sit.change(
            id,
            status="waiting",
            enters=TANK_ENTRY.facts(rolled).entry,
            enters_turn=TANK_ENTRY.facts(rolled).turn,
            stack=number,
            force=sit.settings.chit_tanks_march,
        )


def draw_wiring(sit: Situation, chit: Chit) -> Script[None]:
    """Draw the Demo Bridge marker and keep it hidden. Rule: ST-SET-26, ST-DEM-01."""
    if not chit.wiring:
        return
    cup = [*(["blank"] * chit.wiring["blank"]), *(["wired"] * chit.wiring["wired"])]
    drawn = yield from pick(
        sit,
        list(enumerate(cup)),
        "The Demo Bridge marker",
        rule="ST-SET-26",
        side=GERMAN,
        secret=True,
        called=lambda marker: marker[1],
    )
    marker: DemoMarker = "wired" if drawn[1] == "wired" else "blank"
    sit.demo_marker = marker
    sit.demo = "open"
    yield Note(
        state=sit,
        text=f"The Demo Bridge marker is {marker}.",
        rule="ST-SET-26",
        side=GERMAN,
        secret=True,
    )
