"""``pbcg drop``: parachute and glider drops, from sealed orders to platoons on the map."""

from __future__ import annotations

from pathlib import Path

import typer
from msgspec.structs import replace

from asl_pbcg.airborne.drop_game import SEED_POINT, DropSession
from asl_pbcg.airborne.drop_map import BOARD, build_map, read_map, terrain_row
from asl_pbcg.airborne.drop_settings import name_uncertain
from asl_pbcg.airborne.drop_state import DropState
from asl_pbcg.airborne.drop_tables import NUMBERS, PREFIX, table
from asl_pbcg.airborne.landing import GliderResult, glider_landing, shift_words
from asl_pbcg.airborne.landing_orders import FORMAT, read_orders
from asl_pbcg.airborne.wind import downwind, read_speed, wind_from
from asl_pbcg.cli.command_answers import (
    Answer,
    answers,
    refuse_idle,
    wants_json,
    written_files,
    written_words,
)
from asl_pbcg.cli.common import WholeHelp, as_option, default_paper, paper_option
from asl_pbcg.cli.drop.drop_playing import (
    MapOptions,
    PlayOptions,
    SettingsOptions,
    ThrowOptions,
    TryOptions,
    Wanted,
    begin_sealed,
    drop_file,
    given_wind,
    is_drop_file,
    log_lines,
    orders_to_try,
    play_on,
    progress,
    settings_at,
    throw_alone,
    until_part,
    until_turns,
)
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.views import for_side
from asl_pbcg.play.drop_board import offer_campaign_board
from asl_pbcg.records import layout

_EPILOG = """\b
An evening with a drop:
  pbcg drop orders --template -o orders.yaml     write your landings into it
  pbcg drop odds orders.yaml                     what to expect, exactly
  pbcg drop orders drop.pbcg --seal orders.yaml  its eight words to the enemy
  pbcg drop run drop.pbcg --dice manual          one turn with real dice
  pbcg drop run drop.pbcg                        one turn with program dice
  pbcg drop draw drop.pbcg -o drop.pdf           where every stick fell
  pbcg drop orders drop.pbcg --open opened.yaml  shows what was sealed
Dice: the program's (--seed N for the same again), manual, or listed as 3,4,6."""

app = typer.Typer(
    cls=WholeHelp,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_FILE = typer.Argument(..., help="A drop file, for example drop.pbcg.")
_PLAYING = ("--turns", "--until", "--dice", "--seed", "--answers", "--defaults", "--draw")
_NO_SETTINGS = "The settings of a drop file were given when its orders were sealed."


@app.callback(epilog=_EPILOG)
def _drop() -> None:
    """Parachute and glider drops: wind, drift, landing, survival, platoons, gliders."""
    offer_campaign_board()


# One throw, or on to a part of the turn


@app.command()
@answers
def weather(
    throwing: ThrowOptions,
    own: SettingsOptions,
    file: Path = typer.Argument(None, help="A drop file; without one the dice are thrown alone."),
    orientation: str = typer.Option(
        "", help="pointy_top or flat_top: how the hexes stand, north at the top."
    ),
) -> Answer:
    """Roll the wind of a turn: direction, then speed (I.D, I.E)."""
    if file:
        if orientation or own.settings:
            raise PBCGError(_NO_SETTINGS)
        return _advance(file, "weather", PlayOptions(dice=throwing.dice, seed=throwing.seed))
    chosen = settings_at(own.settings, orientation)
    names = ("wind_direction", "wind_speed")
    rolls: list[Wanted] = [(name, {}, name.replace("_", " ")) for name in names]
    first, second = throw_alone(rolls, throwing, chosen)
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
    return Answer.in_lines(data, [rolled, f"A {wind}.", used])


@app.command(short_help="Roll jump survival of a drop file, or of sticks by terrain.")
@answers
def survive(
    playing: PlayOptions,
    own: SettingsOptions,
    file: Path = typer.Argument(None, help="A drop file; without one, give --terrain."),
    terrain: str = typer.Option(
        "", help="Without a file: the terrain of each stick, clear,forest."
    ),
    sticks: int = typer.Option(1, min=1, max=200, help="Sticks in that terrain, if one is given."),
) -> Answer:
    """Roll jump survival: the rest of the landing of a drop file, or sticks by terrain (II.D)."""
    if file:
        if terrain or own.settings:
            raise PBCGError("A drop file knows its terrain and settings: leave those out.")
        refuse_idle("with a drop file", "--sticks")
        return _advance(file, "survival", playing)
    refuse_idle("without a drop file", "--answers", "--defaults")
    chosen = settings_at(own.settings)
    words = [word.strip() for word in terrain.split(",") if word.strip()]
    if not words:
        raise PBCGError("Name a drop file, or the terrain: --terrain clear,forest.")
    words *= sticks if len(words) == 1 else 1
    rows = [terrain_row(word, chosen) for word in words]
    rolls: list[Wanted] = [
        ("jump_survival", {"terrain": row}, f"jump survival of stick {number}, {row}")
        for number, row in enumerate(rows, 1)
    ]
    results = throw_alone(rolls, playing, chosen)
    listed, lines = [], []
    for word, row, rolled in zip(words, rows, results, strict=True):
        die = rolled.dice[0]
        listed.append({"terrain": word, "row": row, "die": die, "result": rolled.result})
        column = word if word == row else f"{word} ({row})"
        lines.append(f"Stick {len(listed)}, {column}: {rolled}  [II.D]")
    used = name_uncertain(["jump_survival", *["terrain_alias"] * (words != rows)], chosen)
    data = {"table": f"{PREFIX}jump_survival", "sticks": listed, "certainty": used}
    return Answer.in_lines(data, [*lines, used])


@app.command(short_help="Form platoons of sticks at the start of a turn.")
@answers
def regroup(playing: PlayOptions, file: Path = _FILE) -> Answer:
    """Form platoons of sticks at the start of a turn, after its wind is rolled (II.H)."""
    return _advance(file, "regroup", playing)


@app.command(short_help="Land one glider, with the wind's shift.")
@answers
def glider(
    on: MapOptions,
    target: str = typer.Option(..., metavar="HEX", help="The hex aimed at."),
    flight: str = typer.Option("", metavar="SIDE", help="The hexside it flies towards: E, NW ..."),
    enters: str = typer.Option("", metavar="HEX", help="Or the map-edge hex it comes in over."),
    wind: str = typer.Option(..., metavar="SIDE", help="Hexside the wind blows from."),
    speed: str = typer.Option(..., help="low, gusty or high."),
    dice: str = typer.Option("", "--die", metavar="DIE", help='The landing die, or "manual".'),
    seed: int = typer.Option(None, help="For a program die: the same seed, the same."),
) -> Answer:
    """Land one glider: short, on target or long, then the wind's shift (III.A, III.F)."""
    chosen = settings_at(on.settings)
    blowing = given_wind(wind, speed, chosen)
    assert blowing
    dropmap = build_map(read_map(on.map_ or BOARD, chosen), chosen)
    line = {"turn": 1, "at": target, "load": "glider", "flight": flight, "enters": enters}
    written = {key: value for key, value in line.items() if value}
    raw = {"format": FORMAT, "gliders": [written]}
    order = read_orders(raw, dropmap, chosen, "The glider").gliders[0]
    roll: Wanted = ("glider_landing", {}, "glider landing")
    (rolled,) = throw_alone([roll], ThrowOptions(dice=dice, seed=seed), chosen)
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
    return Answer.in_lines(data, lines)


# Orders


@app.command()
@answers
def orders(
    on: MapOptions,
    file: Path | None = typer.Argument(None, help="An orders file to check, or a drop file."),
    seal: Path = typer.Option(None, metavar="ORDERS", help="Seal these orders in FILE."),
    opened: Path = typer.Option(
        None, "--open", metavar="OUT", help="Open the sealed orders: write them and their salt."
    ),
    check: str = typer.Option("", metavar="WORDS", help="Prove that the orders are those sealed."),
    template: bool = typer.Option(False, "--template", help="An orders file to fill in."),
    out: Path = typer.Option(None, "-o", "--output", help="Where to write the template."),
) -> Answer:
    """Write, check, seal and open landing orders (I.H, III.B)."""

    from asl_pbcg.cli.drop import drop_sealing

    ways = {"--template": template, "--seal": seal, "--check": check, "--open": opened}
    for way in [name for name, value in ways.items() if value][:1]:
        others = ["--map", "--settings"] if way != "--seal" else []
        refuse_idle(f"with {way}", *(name for name in ways if name != way), *others)
    if not template:
        refuse_idle("without --template", "--output")
    if template:
        return drop_sealing.write_template(out)
    if file is None and seal:
        raise PBCGError("Name the drop file to seal them in, for example drop.pbcg.")
    if file is None:
        raise PBCGError("Name an orders file or a drop file, or ask for --template.")
    if seal:
        return drop_sealing.seal_orders(file, seal, on)
    if check:
        return drop_sealing.check_orders(file, check)
    if opened:
        return drop_sealing.open_orders(file, opened)
    return drop_sealing.look_at_orders(file, on)


# Going on with a drop


@app.command(short_help="Play a turn: wind, drift, gliders, landing, survival.")
@answers
def run(
    playing: PlayOptions,
    tried: TryOptions,
    file: Path = typer.Argument(
        None, help="A drop file to go on with, or an orders file to try out."
    ),
    turns: int = typer.Option(1, min=1, max=60, help="How many turns."),
    until: str = typer.Option(
        "", help="Stop after this part of the turn: weather, air, landing, survival ..."
    ),
    undo: str = typer.Option("", metavar="REASON", help="Undo the last thing."),
    drawing: Path = typer.Option(
        None, "--draw", metavar="FILE", help="And draw it: svg, pdf, png."
    ),
) -> Answer:
    """Play a turn: wind, platoons, anti-aircraft, drift, gliders, survival (I, II, III).

    With an orders file, or --at HEX, nothing is kept: it is tried out with every default.
    """
    if file and is_drop_file(file):
        if tried.at or tried.wind or tried.speed or tried.map_ or tried.settings:
            raise PBCGError(
                "The map, the settings and the orders of a drop file are sealed, and its wind is "
                "rolled: --at, --wind, --speed, --map and --settings are for trying out."
            )
        with drop_file(file) as session:
            if undo:
                refuse_idle("with --undo", *_PLAYING)
                return _undo(session, undo)
            answer = _play(session, until, turns, playing)
    elif undo:
        raise PBCGError("--undo needs a drop file.")
    else:
        chosen = settings_at(tried.settings)
        sheet, spec = orders_to_try(file, tried, chosen)
        wind = given_wind(tried.wind, tried.speed, chosen)
        session = begin_sealed(None, sheet, spec, chosen, wind)
        answer = _play(session, until, turns, replace(playing, defaults=True))
    if not drawing:
        return answer
    drawn = _draw(session.state, drawing, None, default_paper())
    return answer._replace(after=lambda: typer.echo(written_words(*drawn.data.written), err=True))


def _undo(session: DropSession, reason: str) -> Answer:
    entry = session.undo(reason)
    typer.echo(f"Undone: {entry.point}. It stays in the log, with the reason.")
    return progress(session, len(session.lines()))


def _advance(file: Path, until: str, playing: PlayOptions) -> Answer:
    """Go on with a drop file until a part of the turn is done."""
    with drop_file(file) as session:
        return _play(session, until, 1, playing)


def _play(session: DropSession, until: str, turns: int, playing: PlayOptions) -> Answer:
    """Play on to a part of the turn or for some turns, and answer what came of it."""
    if session.pending is None:
        raise PBCGError("This drop is over: nothing is left to land or to combine.")
    stop = until_part(session.state, until) if until else until_turns(session.state, turns)
    # A drop that is tried out prints its whole log but for the sealing of orders.
    kept = session.journal.path is not None
    before = sum(kept or line.step == "orders" for line in session.lines())
    if not kept or playing.dice or playing.seed is not None:  # in a file nobody is to know
        playing = playing.with_seed()
    if kept and playing.seed is not None:
        session.correct(SEED_POINT, playing.seed, f"--seed {playing.seed}")
    playing = replace(playing, defaults=playing.defaults or wants_json())
    finished = play_on(session, stop, playing)
    # At the keyboard the log has been printed as it happened.
    return progress(session, len(session.lines()) if playing.asks else before, finished)


# Odds, tables, pictures, the log


@app.command(short_help="Exact odds: sticks whole, dispersed and lost.")
@answers
def odds(
    tried: TryOptions,
    file: Path = typer.Argument(None, help="An orders file or a drop file."),
    terrain: str = typer.Option(
        "", help="Or no map at all: terrain everywhere, clear,swamp for two tables."
    ),
) -> Answer:
    """Exact odds: how many sticks whole, dispersed and lost, for each drop order (II.C, II.D)."""

    from asl_pbcg.cli.drop import drop_lookup

    return drop_lookup.tell_odds(file, terrain, tried)


@app.command("table")
@answers
def table_(
    on: MapOptions,
    name: str = typer.Argument("", help="drift, wind-speed, jump-survival, settings, night ..."),
    letter: str = typer.Option("", help="One drift diagram, A to R."),
    at: str = typer.Option("", metavar="HEX", help="And where it lies from this hex."),
    wind: str = typer.Option("", metavar="SIDE", help="With the wind from: 5 or W."),
) -> Answer:
    """Any table of the variant, with the certainty of every value."""

    from asl_pbcg.cli.drop import drop_lookup

    chosen = settings_at(on.settings)
    if not at:
        refuse_idle("without --at", "--map")
    if letter:
        if name not in ("", "drift"):
            raise PBCGError(f"--letter names a drift diagram: leave {name} out.")
        return drop_lookup.tell_letter(letter, at, wind, on.map_, chosen)
    if at or wind:
        raise PBCGError("--at and --wind go with --letter.")
    return drop_lookup.tell_table(name, chosen)


@app.command(short_help="What night changes: a range, spotting, a vehicle's move.")
@answers
def night(
    own: SettingsOptions,
    range_: int = typer.Option(None, "--range", min=0, max=99, help="A weapon's range in hexes."),
    spotting: int = typer.Option(None, min=0, max=99, help="Spotting by day."),
    movement: int | None = typer.Option(None, min=0, max=99, help="A vehicle's MP."),
    wagon: bool = typer.Option(False, "--wagon", help="The vehicle is a wagon."),
) -> Answer:
    """Night changes to a range, to spotting or to a vehicle's movement (I.C)."""

    from asl_pbcg.cli.drop import drop_lookup

    changes, chosen = NUMBERS.content.night, settings_at(own.settings)
    changed: dict[str, int] = {}
    if range_ is not None:
        changed["range"] = changes.weapon_range(range_)
    if spotting is not None:
        changed["spotting"] = changes.spotting_range(spotting)
    if movement is None:
        refuse_idle("without --movement", "--wagon")
    else:
        changed["movement"] = changes.movement(movement, chosen.night_mp_floor, wagon)
    return drop_lookup.tell_night(changed, chosen)


@app.command(short_help="Draw the drop zone with every stick where it fell.")
@answers
def draw(
    file: Path = _FILE,
    out: Path = typer.Option(..., "-o", "--output", help="The picture: .svg, .pdf or .png."),
    turn: int = typer.Option(None, min=1, help="Only what landed in this turn."),
    paper: str = paper_option(),
) -> Answer:
    """Draw the drop zone with every stick where it fell, drift lines, gliders and platoons."""
    with drop_file(file, reading=True) as session:
        return _draw(session.state, out, turn, paper)


def _draw(state: DropState, out: Path, turn: int | None, paper: str) -> Answer:
    from asl_pbcg.airborne import drop_picture

    upright = layout.Paper.parse(paper).size
    picture = drop_picture.drop_picture(state, turn=turn, paper=(upright[1], upright[0]))
    picture.write(out)
    return written_files([out])


@app.command(short_help="Print the log of a drop, for one side or whole.")
@answers
def log(
    file: Path = _FILE,
    side: str = as_option("As this side may see it.", "--side"),
    campaign: Path = typer.Option(
        None, "--apply", metavar="CAMPAIGN", help="Offer what landed as corrections of a campaign."
    ),
    piece: list[str] = typer.Option(
        [], metavar="NAME=ID", help="With --apply: which piece a landed counter is."
    ),
    yes: bool = typer.Option(False, "--yes", help="With --apply: record them without asking."),
) -> Answer:
    """Print the whole log of a drop; another side than the owner does not see sealed orders."""
    if campaign:
        from asl_pbcg.cli.drop import drop_apply

        refuse_idle("with --apply", "--as")
        return drop_apply.offer_landings(file, campaign, piece, yes)
    if piece or yes:
        raise PBCGError("--piece and --yes go with --apply CAMPAIGN: name the campaign file.")
    with drop_file(file, reading=True) as session:
        lines = for_side(session.lines(), side.strip().lower())
    return Answer.in_lines({"log": lines}, log_lines(lines))
