"""``pbcg demo``: a sample campaign, built in a new folder, with everything it prints."""

from __future__ import annotations

from pathlib import Path

import typer

from asl_pbcg.campaign.areas.setup_areas import determine_areas
from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.entry.position_files import read_position, write_position
from asl_pbcg.campaign.map.map_layers import position_sheet
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.command_answers import Answer, WrittenFiles, answers
from asl_pbcg.cli.common import command, paper_option
from asl_pbcg.cli.evening.new import at_scenario
from asl_pbcg.cli.evening.records import blank_sheets
from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import reason
from asl_pbcg.play.campaign_game.campaign_plug import create_campaign
from asl_pbcg.play.campaign_game.campaign_sheets import campaign_sheets
from asl_pbcg.play.campaign_game.to_fill_in import position_to_fill_in, with_pieces_of
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.records.layout import Paper
from asl_pbcg.records.output import save
from asl_pbcg.refit.s618_strength import title

app = typer.Typer(add_completion=False)

SEED = 60644
SAMPLE = "night-1-end.yaml"


@app.command()
@answers
def demo(
    folder: Path = typer.Argument(Path("pbcg-demo"), help="A folder to make; it must not exist."),
    paper: str = paper_option(),
) -> Answer:
    """Build the sample campaign in a new folder and tell what was done."""
    size = Paper.parse(paper)
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise PBCGError(
            f"{folder} exists already: name another folder, as pbcg demo mine."
        ) from None
    except OSError as error:
        raise PBCGError(f"{folder} could not be made: {reason(error)}.") from error
    _say("The sample: Campaign Game I, Coup de Main, 6 June 1944.", head=True)
    with _begin(folder / "coup-de-main.pbcg") as game:
        state = game.session.state
        _tell_beginning(state)
        _print_records(state, folder, size)
        write_position(position_to_fill_in(state), folder / "night-1-to-fill-in.xlsx")
        _write_end(state, folder)
    _map_of_night_1(folder, size)
    files = [str(path) for path in sorted(folder.iterdir()) if not path.name.startswith(".")]
    return Answer(WrittenFiles(files), lambda _: _print_next(folder))


def _print_next(folder: Path) -> None:
    _say(f"\nIn {folder} you find", head=True)
    width = max(map(len, FILES))
    for name, words in FILES.items():
        _say(f"  {name:{width}}  {words}")
    file, end = folder / "coup-de-main.pbcg", folder / SAMPLE
    _say("\nNext, the Refit Phase after Night I (? helps at any question, q leaves):", head=True)
    _say(f"  {command('refit', file, '--position', end)}")
    _say("Then the sheets for the next evening, for each side its own:", head=True)
    for side in ("german", "british"):
        _say(f"  {command('records', file, '--as', side, '-o', f'{side}.pdf')}")
    _say("Or all of it in the browser:", head=True)
    _say(f"  {command('serve', folder)}")
    _say("Later, a campaign of your own:", head=True)
    _say(f"  {command('new', 'evening.pbcg', '--campaign', 'CG1')}")


FILES = {
    "coup-de-main.pbcg": "the campaign, ready for Night I",
    "records.pdf, .xlsx": "CG Roster, RG Purchase Record, force rosters",
    "blank-forms.pdf": "the same forms, empty, for play on paper",
    "night-1-to-fill-in.xlsx": "every piece: fill in where each one ended",
    "night-1-end.yaml": "a believable end of Night I, filled in",
    "night-1-map.pdf, .png": "its Setup Areas, No Man's Land, who is Isolated",
    "bridge.svg": "the same, eight hexes round the bridge",
}


def _say(words: str, head: bool = False) -> None:
    typer.secho(words, bold=head)


def _begin(path: Path) -> OpenGame:
    players = {"british": "the British player", "german": "the German player"}
    settings = {"campaign": "CG1", "players": players}
    game = create_campaign(path, {"settings": settings, "dice": "seeded", "seed": SEED})
    session = game.session
    drive(session, RandomAnswers(SEED), session.program_dice, until=lambda: at_scenario(session))
    return game


def _tell_beginning(state: Campaign) -> None:
    for side in state.sides:
        kinds: dict[str, int] = {}
        for piece in state.of(side):
            kinds[piece.kind] = kinds.get(piece.kind, 0) + 1
        words = ", ".join(
            f"{count} {name}{'s' if count != 1 else ''}"
            for kind, name in (
                ("squad", "squad"),
                ("half_squad", "half-squad"),
                ("leader", "leader"),
                ("vehicle", "vehicle"),
                ("glider", "glider"),
            )
            if (count := kinds.get(kind, 0))
        )
        _say(f"The {side.title} order of battle has {words} (9.51).")
    for group in state.groups:
        sw = ", ".join(f"{count} {weapon}" for weapon, count in group.sw.items()) or "no SW"
        leaders = ", ".join(group.leaders) or "no leader"
        _say(f"  {title(state, group)}, {group.strength}: {sw}; {leaders} (9.618)")
    order = state.frame.setup_order[state.date]
    _say(
        f"{state.date.title}: {order.first_setup.title} set up first, "
        f"{order.first_move.title} move first (9.62023)."
    )


def _print_records(state: Campaign, folder: Path, paper: Paper) -> None:
    sheets = campaign_sheets(state, "umpire")
    for name in ("records.pdf", "records.xlsx"):
        save(sheets, folder / name, paper)
    save(blank_sheets("CG1", size=paper), folder / "blank-forms.pdf", paper)


def _write_end(state: Campaign, folder: Path) -> None:
    """Put the sample's end of Night I into the folder, played by this campaign's own pieces."""

    sample = read_position(data_path(f"pb/samples/{SAMPLE}"), state.board, state.catalogue)
    write_position(with_pieces_of(sample, state), folder / SAMPLE)


def _map_of_night_1(folder: Path, paper: Paper) -> None:
    board = load_board()
    areas = determine_areas(board, read_position(folder / SAMPLE, board))
    _say("\nNight I has been fought. From the end position (9.605-9.6057):", head=True)
    for side in Side:
        for area in areas.areas[side]:
            places = " ".join(str(place) for place in area.strategic_locations[:6])
            more = len(area.strategic_locations) - 6
            tail = f" and {more} more" if more > 0 else ""
            isolated = ", Isolated" if area.isolated else ""
            _say(f"  {side.title} Setup Area {area.id}: {places}{tail}{isolated}")
    _say(f"  {len(areas.no_mans_land)} hexes are No Man's Land.")
    sheet = position_sheet(areas, paper=paper, campaign="Campaign Game I")
    for name in ("night-1-map.pdf", "night-1-map.png"):
        sheet.write(folder / name)
    close = position_sheet(areas, paper=paper, around="Y20", campaign="Campaign Game I")
    close.write(folder / "bridge.svg")
