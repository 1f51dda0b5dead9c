"""``pbcg drop``: parachute and glider drops, from sealed orders to platoons on the map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.cli.common import WholeHelp, as_option, default_paper, paper_option
from asl_pbcg.kernel.errors import PBCGError

if TYPE_CHECKING:
    from asl_pbcg.airborne.dropmap import MapSpec
    from asl_pbcg.airborne.game import DropSession
    from asl_pbcg.airborne.orders import Orders
    from asl_pbcg.airborne.settings import Settings

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
_APPLY = typer.Option(
    None, "--apply", metavar="CAMPAIGN", help="Offer what landed as corrections of a campaign."
)
_PIECE = typer.Option(
    [], "--piece", metavar="NAME=ID", help="With --apply: which piece a landed counter is."
)
_YES = typer.Option(False, "--yes", help="With --apply: record them without asking.")
_WIND = typer.Option("", "--wind", metavar="SIDE", help="Hexside the wind blows from: 5 or W.")
_SPEED = typer.Option("", "--speed", help="low, gusty or high.")
_FILE = typer.Argument(..., help="A drop file, for example drop.pbcg.")


@app.callback(epilog=_EPILOG)
def _drop() -> None:
    """Parachute and glider drops: wind, drift, landing, survival, platoons, gliders."""
    import asl_pbcg.play.drop_board  # noqa: F401  (offers the campaign's board to drop on)


# Weather


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
    from asl_pbcg.cli import drop_trial as trial

    if file:
        if orientation or settings:
            raise PBCGError("The settings of a drop file were given when its orders were sealed.")
        return _advance(file, "weather", dice, seed, None, False, json_)
    from asl_pbcg.airborne.settings import name_uncertain
    from asl_pbcg.airborne.tables import table
    from asl_pbcg.airborne.wind import downwind, read_speed, wind_from
    from asl_pbcg.cli.drop_show import as_json

    chosen = trial.with_orientation(settings, orientation)
    rolls: list[tuple[str, dict[str, Any], str]] = [
        ("wind_direction", {}, "wind direction"),
        ("wind_speed", {}, "wind speed"),
    ]
    first, second = trial.one_shot(rolls, dice, seed, chosen)
    wind = wind_from(int(first.result), read_speed(second.result), chosen)
    used = name_uncertain(("orientation", "wind_numbering", "wind_speed_chart"), chosen)
    if json_:
        return as_json(
            {
                "dice": [first.dice[0], second.dice[0]],
                "from": {"hexside": wind.side, "compass": wind.comes_from},
                "to": {"hexside": downwind(wind.side), "compass": wind.blows_to},
                "speed": wind.speed,
                "tables": [first.table, second.table],
                "certainty": {
                    name: table(name, chosen).certainty for name in ("wind_direction", "wind_speed")
                },
            }
        )
    typer.echo(f"Wind direction (I.D) {first}.  Wind speed (I.E) {second}.")
    typer.echo(f"A {wind}.")
    typer.echo(used)
    return None


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
    from asl_pbcg.cli import drop_orders as work

    if template:
        return work.write_template(out)
    if file is None and seal:
        raise PBCGError("Name the drop file to seal them in, for example drop.pbcg.")
    if file is None:
        raise PBCGError("Name an orders file or a drop file, or ask for --template.")
    if seal:
        return work.seal_orders(file, seal, map_, settings, json_)
    if check:
        return work.check_orders(file, check, json_)
    if opened:
        return work.open_orders(file, opened)
    return work.show_orders(file, map_, settings, json_)


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
    undo: str = typer.Option("", "--undo", metavar="REASON", help="Take back the last thing."),
    at: str = typer.Option("", "--at", metavar="HEX", help="Without a file: one drop on this hex."),
    sticks: int = typer.Option(8, "--sticks", help="How many sticks that drop has."),
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
    from asl_pbcg.cli import drop_trial as trial
    from asl_pbcg.cli.drop_files import drop_file, is_drop_file, settings_at, try_out

    if file and is_drop_file(file):
        if at or wind or speed or map_ or settings:
            raise PBCGError(
                "The map, the settings and the orders of a drop file are sealed, and its wind is "
                "rolled: --at, --wind, --speed, --map and --settings are for trying out."
            )
        if undo:
            return _undo(file, undo, json_)
        with drop_file(file) as session:
            _play(session, until, turns, dice, seed, answers, defaults, json_)
            if draw:
                _draw(session.state, draw, None, default_paper())
        return None
    if undo:
        raise PBCGError("--undo needs a drop file.")
    chosen = settings_at(settings)
    found, spec = trial.orders_or_at(file, at, sticks, map_, chosen)
    session = try_out(found, spec, chosen, trial.given_wind(wind, speed, chosen))
    _play(session, until, turns, dice, seed, answers, True, json_)
    if draw:
        _draw(session.state, draw, None, default_paper())
    return None


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
    from asl_pbcg.cli.drop_files import drop_file

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
    """Play on to a part of the turn or for some turns, and tell what came of it."""
    from asl_pbcg.cli import drop_trial as trial
    from asl_pbcg.cli.drop_files import play_on, until_turns
    from asl_pbcg.cli.drop_show import tell

    if session.pending is None:
        raise PBCGError("This drop is over: nothing is left to land or to combine.")
    stop = trial.until_named(session.state, until) if until else until_turns(session.state, turns)
    # A drop that is tried out tells its whole log but for the sealing of orders.
    kept = session.journal.path is not None
    before = sum(kept or line.step == "orders" for line in session.lines())
    if not kept or dice or seed is not None:  # in a file nobody is to know what comes
        seed = trial.fresh_seed(seed, dice)
    defaults = defaults or json_
    finished = play_on(session, stop, dice=dice, seed=seed, answers=answers, defaults=defaults)
    # At the keyboard the log has been told as it happened.
    at_keyboard = not answers and not defaults and dice in ("", "manual")
    tell(session, len(session.lines()) if at_keyboard else before, json_, finished)


def _undo(file: Path, reason: str, json_: bool) -> None:
    from asl_pbcg.cli.drop_files import drop_file
    from asl_pbcg.cli.drop_show import tell

    with drop_file(file) as session:
        entry = session.undo(reason)
        if not json_:
            typer.echo(f"Taken back: {entry.point}. It stays in the log, with the reason.")
        tell(session, len(session.lines()), json_)


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
    from asl_pbcg.cli import drop_trial as trial

    if file:
        if terrain or settings:
            raise PBCGError("A drop file knows its terrain and settings: leave those out.")
        return _advance(file, "survival", dice, seed, answers, defaults, json_)
    from asl_pbcg.cli.drop_files import settings_at
    from asl_pbcg.cli.drop_work import survive_alone

    chosen = settings_at(settings)
    return survive_alone(
        terrain, sticks, chosen, json_, lambda rolls: trial.one_shot(rolls, dice, seed, chosen)
    )


@app.command(short_help="Form platoons of sticks at the start of a turn.")
def regroup(
    file: Path = _FILE,
    dice: str = _DICE,
    seed: int = _SEED,
    answers: Path = _ANSWERS,
    defaults: bool = _DEFAULTS,
    json_: bool = _JSON,
    campaign: Path = _APPLY,
    piece: list[str] = _PIECE,
    yes: bool = _YES,
) -> None:
    """Form platoons of sticks at the start of a turn, after its wind is rolled (II.H)."""
    _need_campaign(campaign, piece, yes)
    _advance(file, "regroup", dice, seed, answers, defaults, json_)
    if campaign:
        from asl_pbcg.cli.drop_apply import offer

        offer(file, campaign, piece, yes)


def _need_campaign(campaign: Path | None, piece: list[str], yes: bool) -> None:
    if (piece or yes) and not campaign:
        raise PBCGError("--piece and --yes go with --apply CAMPAIGN: name the campaign file.")


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
    """Land one glider: short, on target or long, then the wind's shift (III.F)."""
    from asl_pbcg.cli import drop_trial as trial
    from asl_pbcg.cli.drop_files import settings_at
    from asl_pbcg.cli.drop_work import land_glider

    chosen = settings_at(settings)
    blowing = trial.given_wind(wind, speed, chosen)
    assert blowing
    land_glider(
        target,
        flight,
        enters,
        blowing,
        map_,
        chosen,
        json_,
        lambda: trial.one_shot([("glider_landing", {}, "glider landing")], dice, seed, chosen),
    )


# Odds, tables, pictures, the log


@app.command(short_help="Exact odds: sticks whole, dispersed and lost.")
def odds(
    file: Path = typer.Argument(None, help="An orders file or a drop file."),
    at: str = typer.Option("", "--at", metavar="HEX", help="Without a file: one drop on this hex."),
    sticks: int = typer.Option(8, "--sticks", help="How many sticks that drop has."),
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
    from asl_pbcg.cli import drop_trial as trial
    from asl_pbcg.cli.drop_work import show_all_odds

    def find(chosen: Settings) -> tuple[Orders, MapSpec]:
        return trial.orders_or_at(file, at, sticks, map_, chosen)

    show_all_odds(file, terrain, sticks, wind, speed, settings, json_, find)


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
    from asl_pbcg.cli.drop_work import show_any_table

    show_any_table(name, letter, at, wind, map_, settings, json_)


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
    from asl_pbcg.cli.drop_work import show_night

    show_night(range_, spotting, movement, wagon, settings, json_)


@app.command(short_help="Draw the drop zone with every stick where it fell.")
def draw(
    file: Path = _FILE,
    out: Path = typer.Option(..., "-o", "--output", help="The picture: .svg, .pdf or .png."),
    turn: int = typer.Option(None, "--turn", min=1, help="Only what landed in this turn."),
    paper: str = paper_option(),
) -> None:
    """Draw the drop zone with every stick where it fell, drift lines, gliders and platoons."""
    from asl_pbcg.cli.drop_files import drop_file

    with drop_file(file, reading=True) as session:
        _draw(session.state, out, turn, paper)


def _draw(state: Any, out: Path, turn: int | None, paper: str) -> None:
    from asl_pbcg.airborne.picture import drop_picture
    from asl_pbcg.records.layout import Paper

    upright = Paper.parse(paper).size
    drop_picture(state, turn=turn, paper=(upright[1], upright[0])).write(out)
    typer.echo(f"{out} is drawn.", err=True)


@app.command(short_help="Print the log of a drop, for one side or whole.")
def log(
    file: Path = _FILE,
    side: str = as_option("As this side may see it.", "--side"),
    json_: bool = _JSON,
    campaign: Path = _APPLY,
    piece: list[str] = _PIECE,
    yes: bool = _YES,
) -> None:
    """Print the whole log of a drop; another side than the owner does not see sealed orders."""
    _need_campaign(campaign, piece, yes)
    if campaign:
        from asl_pbcg.cli.drop_apply import offer

        return offer(file, campaign, piece, yes)
    from asl_pbcg.cli.drop_files import drop_file
    from asl_pbcg.cli.drop_show import as_json, line_data, log_lines
    from asl_pbcg.kernel.views import for_side

    with drop_file(file, reading=True) as session:
        lines = for_side(session.lines(), side.strip().lower())
        if json_:
            as_json({"log": line_data(lines)})
        else:
            log_lines(lines)
    return None
