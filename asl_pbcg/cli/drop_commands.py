"""``pbcg drop``: parachute and glider drops, from sealed orders to platoons on the map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from msgspec import to_builtins

import asl_pbcg.play.drop_board  # noqa: F401  (offers the campaign's board to drop on)
from asl_pbcg.airborne.drop_game import DropSession
from asl_pbcg.airborne.drop_map import BOARD, build_map, read_map, terrain_row
from asl_pbcg.airborne.drop_settings import name_uncertain
from asl_pbcg.airborne.drop_state import DropState
from asl_pbcg.airborne.drop_tables import NUMBERS, PREFIX, table
from asl_pbcg.airborne.glider_landing import GliderResult, glider_landing, shift_words
from asl_pbcg.airborne.landing_orders import FORMAT, read_orders
from asl_pbcg.airborne.wind import downwind, read_speed, wind_from
from asl_pbcg.cli.command_answers import Answer, WrittenFiles, answers
from asl_pbcg.cli.common import WholeHelp, as_option, default_paper, paper_option
from asl_pbcg.cli.drop_playing import (
    Wanted,
    begin_sealed,
    drop_file,
    fresh_seed,
    given_wind,
    is_drop_file,
    orders_or_at,
    play_on,
    settings_at,
    throw_alone,
    until_part,
    until_turns,
)
from asl_pbcg.cli.drop_print import answer, log_lines, show_progress
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.lazy_import import lazy_import
from asl_pbcg.kernel.views import for_side

if TYPE_CHECKING:
    from asl_pbcg.airborne import drop_picture
    from asl_pbcg.cli import drop_apply, drop_lookup, drop_sealing
    from asl_pbcg.records import layout
else:
    drop_picture = lazy_import("asl_pbcg.airborne.drop_picture")
    drop_apply = lazy_import("asl_pbcg.cli.drop_apply")
    drop_lookup = lazy_import("asl_pbcg.cli.drop_lookup")
    drop_sealing = lazy_import("asl_pbcg.cli.drop_sealing")
    layout = lazy_import("asl_pbcg.records.layout")

_EPILOG = """\b
An evening with a drop:
  pbcg drop orders --template -o orders.yaml        write your landings into it
  pbcg drop odds orders.yaml                        what to expect, exactly
  pbcg drop orders drop.pbcg --seal orders.yaml     the fingerprint goes to the enemy
  pbcg drop run drop.pbcg --dice manual             one turn with real dice
  pbcg drop run drop.pbcg                           one turn with the program's dice
  pbcg drop draw drop.pbcg -o drop.pdf              where every stick fell
  pbcg drop orders drop.pbcg --open opened.yaml     show the enemy what was sealed
Dice: the program's (--seed N for the same again), manual, or listed as 3,4,6."""

app = typer.Typer(
    cls=WholeHelp,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_SETTINGS = typer.Option(
    None, "--settings", metavar="FILE", help="Your own values in place of the shipped ones."
)
_JSON = typer.Option(False, "--json", help="Answer as JSON.")
_DICE = typer.Option(
    "", "--dice", metavar="DICE", help='Dice in the order they are thrown, 3,4,6, or "manual".'
)
_SEED = typer.Option(None, "--seed", help="For program dice: the same seed, the same rolls.")
_MAP = typer.Option("", "--map", metavar="MAP", help="pegasus-bridge or a map file.")
_ANSWERS = typer.Option(None, "--answers", metavar="FILE", help="Answer the questions from a file.")
_DEFAULTS = typer.Option(
    False, "--defaults", help="Ask nothing: nothing is shot down, no enemy, all platoons form."
)
_WIND = typer.Option("", "--wind", metavar="SIDE", help="Hexside the wind blows from: 5 or W.")
_SPEED = typer.Option("", "--speed", help="low, gusty or high.")
_FILE = typer.Argument(..., help="A drop file, for example drop.pbcg.")
_AT = typer.Option("", "--at", metavar="HEX", help="Without a file: one drop on this hex.")
_STICKS = typer.Option(8, "--sticks", help="How many sticks that drop has.")


@app.callback(epilog=_EPILOG)
def _drop() -> None:
    """Parachute and glider drops: wind, drift, landing, survival, platoons, gliders."""


# One throw, or on to a part of the turn


@app.command()
def weather(
    file: Path = typer.Argument(None, help="A drop file; without one the dice are thrown alone."),
    dice: str = _DICE,
    seed: int = _SEED,
    orientation: str = typer.Option(
        "", "--orientation", help="pointy_top or flat_top: how the hexes stand, north at the top."
    ),
    settings: Path = _SETTINGS,
    json_: bool = _JSON,
) -> None:
    """Roll the wind of a turn: direction, then speed (I.D, I.E)."""
    if file:
        if orientation or settings:
            raise PBCGError("The settings of a drop file were given when its orders were sealed.")
        return _advance(file, "weather", dice, seed, None, False, json_)
    chosen = settings_at(settings, orientation)
    names = ("wind_direction", "wind_speed")
    rolls: list[Wanted] = [(name, {}, name.replace("_", " ")) for name in names]
    first, second = throw_alone(rolls, dice, seed, chosen)
    wind = wind_from(int(first.result), read_speed(second.result), chosen)
    data = {
        "dice": [first.dice[0], second.dice[0]],
        "from": {"hexside": wind.side, "compass": wind.comes_from},
        "to": {"hexside": downwind(wind.side), "compass": wind.blows_to},
        "speed": wind.speed,
        "tables": [first.table, second.table],
        "certainty": {name: table(name, chosen).certainty for name in names},
    }
    used = name_uncertain(("orientation", "wind_numbering", "wind_speed_chart"), chosen)
    rolled = f"Wind direction (I.D) {first}.  Wind speed (I.E) {second}."
    return answer(json_, data, [rolled, f"A {wind}.", used])


@app.command(short_help="Roll jump survival of a drop file, or of sticks by terrain.")
def survive(
    file: Path = typer.Argument(None, help="A drop file; without one, give --terrain."),
    terrain: str = typer.Option(
        "", "--terrain", help="Without a file: the terrain of each stick, clear,forest."
    ),
    sticks: int = typer.Option(
        1, "--sticks", min=1, max=200, help="Sticks in that terrain, if one is given."
    ),
    dice: str = _DICE,
    seed: int = _SEED,
    answers: Path = _ANSWERS,
    defaults: bool = _DEFAULTS,
    settings: Path = _SETTINGS,
    json_: bool = _JSON,
) -> None:
    """Roll jump survival: the rest of the landing of a drop file, or sticks by terrain (II.D)."""
    if file:
        if terrain or settings:
            raise PBCGError("A drop file knows its terrain and settings: leave those out.")
        return _advance(file, "survival", dice, seed, answers, defaults, json_)
    chosen = settings_at(settings)
    words = [word.strip() for word in terrain.split(",") if word.strip()]
    if not words:
        raise PBCGError("Name a drop file, or the terrain: --terrain clear,forest.")
    words *= sticks if len(words) == 1 else 1
    rows = [terrain_row(word, chosen) for word in words]
    rolls: list[Wanted] = [
        ("jump_survival", {"terrain": row}, f"jump survival of stick {number}, {row}")
        for number, row in enumerate(rows, 1)
    ]
    results = throw_alone(rolls, dice, seed, chosen)
    listed, lines = [], []
    for word, row, rolled in zip(words, rows, results, strict=True):
        die = rolled.dice[0]
        listed.append({"terrain": word, "row": row, "die": die, "result": rolled.result})
        column = word if word == row else f"{word} ({row})"
        lines.append(f"Stick {len(listed)}, {column}: {rolled}  [II.D]")
    used = name_uncertain(["jump_survival", *["terrain_alias"] * (words != rows)], chosen)
    data = {"table": f"{PREFIX}jump_survival", "sticks": listed, "certainty": used}
    return answer(json_, data, [*lines, used])


@app.command(short_help="Form platoons of sticks at the start of a turn.")
def regroup(
    file: Path = _FILE,
    dice: str = _DICE,
    seed: int = _SEED,
    answers: Path = _ANSWERS,
    defaults: bool = _DEFAULTS,
    json_: bool = _JSON,
) -> None:
    """Form platoons of sticks at the start of a turn, after its wind is rolled (II.H)."""
    _advance(file, "regroup", dice, seed, answers, defaults, json_)


@app.command(short_help="Land one glider, with the wind's shift.")
def glider(
    target: str = typer.Option(..., "--target", metavar="HEX", help="The hex aimed at."),
    flight: str = typer.Option(
        "", "--flight", metavar="SIDE", help="The hexside it flies towards: E, NW ..."
    ),
    enters: str = typer.Option(
        "", "--enters", metavar="HEX", help="Or the map-edge hex it comes in over."
    ),
    wind: str = typer.Option(..., "--wind", metavar="SIDE", help="Hexside the wind blows from."),
    speed: str = typer.Option(..., "--speed", help="low, gusty or high."),
    dice: str = typer.Option(
        "", "--dice", "--die", metavar="DIE", help='The landing die, or "manual".'
    ),
    seed: int = _SEED,
    map_: str = _MAP,
    settings: Path = _SETTINGS,
    json_: bool = _JSON,
) -> None:
    """Land one glider: short, on target or long, then the wind's shift (III.A, III.F)."""
    chosen = settings_at(settings)
    blowing = given_wind(wind, speed, chosen)
    assert blowing
    dropmap = build_map(read_map(map_ or BOARD, chosen), chosen)
    line = {"turn": 1, "at": target, "load": "glider", "flight": flight, "enters": enters}
    written = {key: value for key, value in line.items() if value}
    raw = {"format": FORMAT, "gliders": [written]}
    order = read_orders(raw, dropmap, chosen, "The glider").gliders[0]
    (rolled,) = throw_alone([("glider_landing", {}, "glider landing")], dice, seed, chosen)
    result: GliderResult = rolled.result  # type: ignore[assignment]
    landed = glider_landing(order.at, order.flight, result, blowing, dropmap, chosen)
    used = name_uncertain(landed.used, chosen)
    die = rolled.dice[0]
    data = {
        "target": order.at,
        "flight": order.flight,
        "enters": order.enters,
        "die": die,
        "result": result,
        "shift": NUMBERS.content.glider_shift[blowing.speed],
        "at": landed.at,
        "certainty": used,
    }
    lines = [
        f"Aimed at {order.at}, flying {order.flight} from {order.enters}; {blowing}.  [III.A]",
        f"Glider landing (III.F.1) {die}: {result.replace('_', ' ')}.",
        f"The wind shifts it {shift_words(landed, blowing, chosen)}.  [III.F.2]",
        used,
    ]
    answer(json_, data, lines)


# Orders


@app.command()
def orders(
    file: Path | None = typer.Argument(None, help="An orders file to check, or a drop file."),
    seal: Path = typer.Option(None, "--seal", metavar="ORDERS", help="Seal these orders in FILE."),
    opened: Path = typer.Option(
        None, "--open", metavar="OUT", help="Open the sealed orders: write them and their salt."
    ),
    check: str = typer.Option(
        "", "--check", metavar="FINGERPRINT", help="Prove that the orders are those sealed."
    ),
    template: bool = typer.Option(False, "--template", help="An orders file to fill in."),
    out: Path = typer.Option(None, "-o", "--output", help="Where to write the template."),
    map_: str = _MAP,
    settings: Path = _SETTINGS,
    json_: bool = _JSON,
) -> None:
    """Write, check, seal and open landing orders (I.H, III.B)."""
    if template:
        return drop_sealing.write_template(out)
    if file is None and seal:
        raise PBCGError("Name the drop file to seal them in, for example drop.pbcg.")
    if file is None:
        raise PBCGError("Name an orders file or a drop file, or ask for --template.")
    if seal:
        return drop_sealing.seal_orders(file, seal, map_, settings, json_)
    if check:
        return drop_sealing.check_orders(file, check, json_)
    if opened:
        return drop_sealing.open_orders(file, opened)
    return drop_sealing.show_orders(file, map_, settings, json_)


# Going on with a drop


@app.command(short_help="Play a turn: wind, drift, gliders, landing, survival.")
def run(
    file: Path = typer.Argument(
        None, help="A drop file to go on with, or an orders file to try out."
    ),
    turns: int = typer.Option(1, "--turns", min=1, max=60, help="How many turns."),
    until: str = typer.Option(
        "", "--until", help="Stop after this part of the turn: weather, air, landing, survival ..."
    ),
    dice: str = _DICE,
    seed: int = _SEED,
    answers: Path = _ANSWERS,
    defaults: bool = _DEFAULTS,
    undo: str = typer.Option("", "--undo", metavar="REASON", help="Undo the last thing."),
    at: str = _AT,
    sticks: int = _STICKS,
    wind: str = _WIND,
    speed: str = _SPEED,
    map_: str = _MAP,
    settings: Path = _SETTINGS,
    draw: Path = typer.Option(None, "--draw", metavar="FILE", help="And draw it: svg, pdf, png."),
    json_: bool = _JSON,
) -> None:
    """Play a turn: wind, platoons, anti-aircraft, drift, gliders, survival (I, II, III).

    With an orders file, or --at HEX, nothing is kept: it is tried out with every default.
    """
    if file and is_drop_file(file):
        if at or wind or speed or map_ or settings:
            raise PBCGError(
                "The map, the settings and the orders of a drop file are sealed, and its wind is "
                "rolled: --at, --wind, --speed, --map and --settings are for trying out."
            )
        with drop_file(file) as session:
            if undo:
                return _undo(session, undo, json_)
            _play(session, until, turns, dice, seed, answers, defaults, json_)
            state = session.state
    elif undo:
        raise PBCGError("--undo needs a drop file.")
    else:
        chosen = settings_at(settings)
        sheet, spec = orders_or_at(file, at, sticks, map_, chosen)
        session = begin_sealed(None, sheet, spec, chosen, given_wind(wind, speed, chosen))
        _play(session, until, turns, dice, seed, answers, True, json_)
        state = session.state
    if draw:
        _draw(state, draw, None, default_paper())
    return None


def _undo(session: DropSession, reason: str, json_: bool) -> None:
    entry = session.undo(reason)
    if not json_:
        typer.echo(f"Undone: {entry.point}. It stays in the log, with the reason.")
    show_progress(session, len(session.lines()), json_)


def _advance(
    file: Path,
    until: str,
    dice: str,
    seed: int | None,
    answers: Path | None,
    defaults: bool,
    json_: bool,
) -> None:
    """Go on with a drop file until a part of the turn is done."""
    with drop_file(file) as session:
        _play(session, until, 1, dice, seed, answers, defaults, json_)


def _play(
    session: DropSession,
    until: str,
    turns: int,
    dice: str,
    seed: int | None,
    answers: Path | None,
    defaults: bool,
    json_: bool,
) -> None:
    """Play on to a part of the turn or for some turns, and print what came of it."""
    if session.pending is None:
        raise PBCGError("This drop is over: nothing is left to land or to combine.")
    stop = until_part(session.state, until) if until else until_turns(session.state, turns)
    # A drop that is tried out prints its whole log but for the sealing of orders.
    kept = session.journal.path is not None
    before = sum(kept or line.step == "orders" for line in session.lines())
    if not kept or dice or seed is not None:  # in a file nobody is to know what comes
        seed = fresh_seed(seed, dice)
    defaults = defaults or json_
    finished = play_on(session, stop, dice, seed, answers, defaults)
    # At the keyboard the log has been printed as it happened.
    at_keyboard = not answers and not defaults and dice in ("", "manual")
    show_progress(session, len(session.lines()) if at_keyboard else before, json_, finished)


# Odds, tables, pictures, the log


@app.command(short_help="Exact odds: sticks whole, dispersed and lost.")
def odds(
    file: Path = typer.Argument(None, help="An orders file or a drop file."),
    at: str = _AT,
    sticks: int = _STICKS,
    terrain: str = typer.Option(
        "", "--terrain", help="Or no map at all: terrain everywhere, clear,swamp for two tables."
    ),
    wind: str = typer.Option("", "--wind", metavar="SIDE", help="If known: 5 or W."),
    speed: str = typer.Option("", "--speed", help="If known: low, gusty or high."),
    map_: str = _MAP,
    settings: Path = _SETTINGS,
    json_: bool = _JSON,
) -> None:
    """Exact odds: how many sticks whole, dispersed and lost, for each drop order (II.C, II.D)."""
    drop_lookup.show_odds(file, at, sticks, terrain, wind, speed, map_, settings, json_)


@app.command("table")
def table_(
    name: str = typer.Argument("", help="drift, wind-speed, jump-survival, settings, night ..."),
    letter: str = typer.Option("", "--letter", help="One drift diagram, A to R."),
    at: str = typer.Option("", "--at", metavar="HEX", help="And where it lies from this hex."),
    wind: str = typer.Option("", "--wind", metavar="SIDE", help="With the wind from: 5 or W."),
    map_: str = _MAP,
    settings: Path = _SETTINGS,
    json_: bool = _JSON,
) -> None:
    """Any table of the variant, with the certainty of every value."""
    chosen = settings_at(settings)
    if letter:
        return drop_lookup.show_letter(letter, at, wind, map_, chosen, json_)
    if at or wind:
        raise PBCGError("--at and --wind go with --letter.")
    return drop_lookup.show_table(name, chosen, json_)


@app.command(short_help="What night changes: a range, spotting, a vehicle's move.")
def night(
    range_: int = typer.Option(None, "--range", min=0, max=99, help="A weapon's range in hexes."),
    spotting: int = typer.Option(None, "--spotting", min=0, max=99, help="Spotting by day."),
    movement: int = typer.Option(None, "--movement", min=0, max=99, help="A vehicle's MP."),
    wagon: bool = typer.Option(False, "--wagon", help="The vehicle is a wagon."),
    settings: Path = _SETTINGS,
    json_: bool = _JSON,
) -> None:
    """Night changes to a range, to spotting or to a vehicle's movement (I.C)."""
    changes, chosen = NUMBERS.content.night, settings_at(settings)
    changed: dict[str, int] = {}
    if range_ is not None:
        changed["range"] = changes.weapon_range(range_)
    if spotting is not None:
        changed["spotting"] = changes.spotting_range(spotting)
    if movement is not None:
        changed["movement"] = changes.movement(movement, chosen.night_mp_floor, wagon)
    drop_lookup.show_night(changed, chosen, json_)


@app.command(short_help="Draw the drop zone with every stick where it fell.")
@answers
def draw(
    file: Path = _FILE,
    out: Path = typer.Option(..., "-o", "--output", help="The picture: .svg, .pdf or .png."),
    turn: int = typer.Option(None, "--turn", min=1, help="Only what landed in this turn."),
    paper: str = paper_option(),
) -> Answer:
    """Draw the drop zone with every stick where it fell, drift lines, gliders and platoons."""
    with drop_file(file, reading=True) as session:
        _draw(session.state, out, turn, paper)
    return Answer(WrittenFiles([str(out)]), lambda _: None)


def _draw(state: DropState, out: Path, turn: int | None, paper: str) -> None:
    upright = layout.Paper.parse(paper).size
    picture = drop_picture.drop_picture(state, turn=turn, paper=(upright[1], upright[0]))
    picture.write(out)
    typer.echo(f"{out} is drawn.", err=True)


@app.command(short_help="Print the log of a drop, for one side or whole.")
def log(
    file: Path = _FILE,
    side: str = as_option("As this side may see it.", "--side"),
    json_: bool = _JSON,
    campaign: Path = typer.Option(
        None, "--apply", metavar="CAMPAIGN", help="Offer what landed as corrections of a campaign."
    ),
    piece: list[str] = typer.Option(
        [], "--piece", metavar="NAME=ID", help="With --apply: which piece a landed counter is."
    ),
    yes: bool = typer.Option(False, "--yes", help="With --apply: record them without asking."),
) -> None:
    """Print the whole log of a drop; another side than the owner does not see sealed orders."""
    if campaign:
        return drop_apply.offer_landings(file, campaign, piece, yes)
    if piece or yes:
        raise PBCGError("--piece and --yes go with --apply CAMPAIGN: name the campaign file.")
    with drop_file(file, reading=True) as session:
        lines = for_side(session.lines(), side.strip().lower())
    return answer(json_, {"log": to_builtins(lines)}, log_lines(lines))
