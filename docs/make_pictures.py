"""Draws the pictures of the README and the docs. Run: ``python docs/make_pictures.py``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Pen

if TYPE_CHECKING:
    from asl_pbcg.kernel.session import Session
    from asl_pbcg.st.state.game_state import State

DOCS = Path(__file__).resolve().parent
PICTURES = DOCS / "pictures"
INK, PAPER, LINE = "#1c2833", "#fdfcf7", "#5d6d7e"

ROOMS = {
    # room: (x, y, width, what it does, fill)
    "cli": (40, 30, 275, "commands and the terminal", "#dfe7ee"),
    "web": (335, 30, 275, "the page: routes, messages, static files", "#dfe7ee"),
    "play": (40, 110, 570, "what is asked, seen, undone, printed; one front end", "#dfe7ee"),
    "chronicle": (40, 190, 270, "deeds, honours, losses, luck: reads events", "#f6e3c5"),
    "vasl": (330, 190, 280, "reads and writes VASL saves", "#f6e3c5"),
    "refit": (40, 270, 270, "the Refit Phase: steps, helpers below", "#f6e3c5"),
    "campaign": (40, 350, 205, "module, pieces, places, Setup Areas", "#f6e3c5"),
    "st": (262, 350, 85, "area game", "#e3eed9"),
    "airborne": (364, 350, 110, "drops", "#e3eed9"),
    "megagame": (491, 350, 119, "d10 umpire", "#e3eed9"),
    "hexes": (40, 430, 190, "grid, HexSet, one drawing stack", "#e8e0ee"),
    "records": (250, 430, 160, "a table and a layout: PDF, Excel", "#e8e0ee"),
    "kernel": (430, 430, 180, "dice, tables, prompts, journal", "#e8e0ee"),
}


def rooms() -> Drawing:
    """The rooms of the program, each resting on those below it."""
    drawing = Drawing(650, 550, title="The rooms of pbcg")
    drawing.box(0, 0, 650, 550, Pen(fill=PAPER))
    height = 60
    for name, (x, y, width, words, fill) in ROOMS.items():
        drawing.plate(x, y, width, height, Pen(fill=fill, stroke=LINE, width=1.2))
        drawing.text(x + width / 2, y + 26, f"{name}/", 15, colour=INK, anchor="middle", bold=True)
        drawing.text(x + width / 2, y + 45, words, 8.5, colour=INK, anchor="middle")
    drawing.text(
        40, 520, "A room uses only rooms below it. data/ holds every number of the", 10, colour=INK
    )
    drawing.text(
        40, 534, "rules with its rule number; templates/ holds the sheet layouts.", 10, INK
    )
    return drawing


def prompt() -> str:
    """A prompt of the Refit Phase as the terminal shows it, as SVG."""
    import io

    from rich.console import Console

    from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
    from asl_pbcg.cli.evening.refit_command import RefitManner
    from asl_pbcg.cli.terminal.terminal import Terminal
    from asl_pbcg.kernel.journal import Journal
    from asl_pbcg.play.campaign_game.campaign_plug import CampaignPlug
    from asl_pbcg.play.open_game import OpenGame
    from asl_pbcg.play.seat import Seat

    journal = Journal.in_memory({"settings": {"campaign": "CG2"}})
    plug = CampaignPlug(PEGASUS_BRIDGE)
    game = OpenGame(Path("evening.pbcg"), plug, plug.session(journal), True)
    for answer in ("I5", "J0"):
        game.session.answer(answer)
    console = Console(
        record=True, width=96, height=40, file=io.StringIO(), highlight=False, force_terminal=True
    )
    console.input = lambda *_: (_ for _ in ()).throw(EOFError)  # type: ignore[method-assign]
    terminal = Terminal(Seat(game, "german"), RefitManner(), console)
    terminal.skip_told()
    terminal.play()
    svg = console.export_svg(title="pbcg")
    # The picture must not ask the network for a font.
    return re.sub(r"@font-face\s*\{[^}]*\}\s*", "", svg)


def bridge() -> bytes:
    """The worked example of 9.6054 round the bridge, as PNG."""
    from asl_pbcg.campaign.areas.setup_areas import determine_areas
    from asl_pbcg.campaign.board.board import load_board
    from asl_pbcg.campaign.entry.position_files import read_position
    from asl_pbcg.campaign.map.map_layers import position_sheet
    from asl_pbcg.kernel.data import data_path

    board = load_board()
    position = read_position(data_path("pb/samples/worked-example.yaml"), board)
    areas = determine_areas(board, position)
    return position_sheet(areas, around="Y19", radius=7).to_png(dpi=82)


def purchase_record() -> bytes:
    """The German's RG Purchase Record of a campaign, as PNG."""
    import io

    import pypdfium2

    from asl_pbcg.kernel.answers import RandomAnswers, drive
    from asl_pbcg.kernel.dice import SeededDice
    from asl_pbcg.kernel.journal import Journal
    from asl_pbcg.kernel.session import Session
    from asl_pbcg.play.campaign_game.campaign_sheets import campaign_sheets
    from asl_pbcg.records import to_pdf
    from asl_pbcg.refit.sequence import CampaignGame

    journal = Journal.in_memory({"settings": {"campaign": "CG2"}})
    session = Session(CampaignGame(), journal)
    for answer in ("I5", "J0", "V1", "A7", "V5", "A7", "done"):
        session.answer(answer)
    drive(session, RandomAnswers(2), SeededDice(2), until=lambda: session.state.at == "scenario")
    sheets = campaign_sheets(session.state, "german", ["purchases"])
    page = pypdfium2.PdfDocument(to_pdf(sheets, "a4"))[0]
    stream = io.BytesIO()
    page.render(scale=1.1).to_pil().quantize(32).save(stream, "PNG")
    return stream.getvalue()


def battalion_drop() -> bytes:
    """The battalion of the orders template, dropped and gathered, as PNG."""
    import io

    from PIL import Image

    from asl_pbcg.airborne.drop_picture import drop_picture
    from asl_pbcg.airborne.drop_settings import default_settings
    from asl_pbcg.cli.drop.drop_playing import (
        PlayOptions,
        begin_sealed,
        play_on,
        read_sheet,
        until_turns,
    )
    from asl_pbcg.kernel.data import data_path
    from asl_pbcg.play.drop_board import offer_campaign_board

    offer_campaign_board()
    settings = default_settings()
    orders, spec = read_sheet(data_path("airborne/orders_template.yaml"), "", settings)
    session = begin_sealed(None, orders, spec, settings)
    answers = DOCS / "examples" / "battalion_answers.yaml"
    until = until_turns(session.state, 5)
    play_on(session, until, PlayOptions(seed=9, answers=answers))
    stream = io.BytesIO()
    picture = Image.open(io.BytesIO(drop_picture(session.state).to_png(dpi=96)))
    picture.convert("RGB").quantize(96).save(stream, "PNG")
    return stream.getvalue()


def next_save() -> bytes:
    """The save of the golden campaign's Night II: what stays, and what waits, as PNG."""
    import io
    import sys
    import tempfile

    from PIL import Image

    sys.path.insert(0, str(DOCS.parent / "tests" / "support"))
    import golden_campaign
    import msgspec
    from vasl_writer import Writer, palette, plain, write_position

    from asl_pbcg.campaign.map.board_sheet import MapHeading
    from asl_pbcg.campaign.map.counter_faces import face_of
    from asl_pbcg.campaign.map.counter_map import counter_map
    from asl_pbcg.campaign.map.map_layers import area_overlay
    from asl_pbcg.campaign.position import Position
    from asl_pbcg.campaign.state.record_lines import ForceLine
    from asl_pbcg.hexes.stacks import stack_pages
    from asl_pbcg.kernel.textfiles import read_yaml_or_json
    from asl_pbcg.play.campaign_game.vasl_save_next import save_of_state
    from asl_pbcg.vasl.editor import SaveEditor
    from asl_pbcg.vasl.read_scene import read_scene
    from asl_pbcg.vasl.save_board import find_board
    from asl_pbcg.vasl.stock import lying_counters

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        played = golden_campaign.play("cg1", place, until="night-1", records=False)
        state = played.states["night-1"]
        end = plain(msgspec.convert(read_yaml_or_json(place / "night-1.position.yaml"), Position))
        base, stock, made = (place / name for name in ("base.vsav", "stock.vsav", "next.vsav"))
        base.write_bytes(write_position(end, Writer(complete=True)).content())
        stock.write_bytes(palette().content())
        made.write_bytes(save_of_state(state, {}, base, palettes=[stock])[0])
        scene = read_scene(made, state.board, state.catalogue)
        editor = SaveEditor.open(made)
        lying = lying_counters(editor, find_board(editor.boards), state.board, state.catalogue)

    kinds = {"units": "MMC", "equipment": "SW", "vehicles": "vehicle"}

    def line(number: int, section: str, side: object, type: str, at: str, status: object) -> object:
        fields = {"id": f"x-{number}", "side": side, "type": type, "status": status}
        return ForceLine(kind=kinds[section], location=at, **fields)  # type: ignore[arg-type]

    pieces = [each for each in scene.pieces if each.side]
    stays = [line(n, e.section, e.side, e.type, e.at, e.status) for n, e in enumerate(pieces)]
    waiting: dict[str, list[object]] = {}
    titles: dict[str, str] = {}
    for each in lying:
        if (stack := editor.stack_of(each.id)) and not each.spot.hex:
            titles[stack] = editor.label_of(each.id) or titles.get(stack, "")
            section = {"unit": "units", "equipment": "equipment", "vehicle": "vehicles"}.get(
                each.sort
            )
            if section:
                like = each.meaning
                made_line = line(0, section, like.side, like.type, "", ())
                waiting.setdefault(stack, []).append((face_of(made_line, state.catalogue), ""))
    heading = MapHeading(title="Night II, from the save")
    board_map = counter_map(state.board, area_overlay(state.areas), stays, state.catalogue,
                            heading=heading, around="Y19", radius=6, terrain=scene.terrain)  # type: ignore[arg-type]  # fmt: skip
    labels = [(titles[stack], faces) for stack, faces in waiting.items()]
    page = stack_pages([("Beside the board", labels)], heading, (620, 440))[0]
    pictures = [Image.open(io.BytesIO(each.to_png(dpi=90))) for each in (board_map, page)]
    wide = sum(each.width for each in pictures)
    whole = Image.new("RGB", (wide, max(each.height for each in pictures)), "white")
    whole.paste(pictures[0], (0, 0))
    whole.paste(pictures[1], (pictures[0].width, 0))
    stream = io.BytesIO()
    whole.quantize(96).save(stream, "PNG")
    return stream.getvalue()


def area_game(turn: int, about: str) -> Session[State]:
    """The area game that was played by hand, up to a question of ``turn`` about a unit."""
    from asl_pbcg.kernel.answers import ListedAnswers, drive
    from asl_pbcg.kernel.dice import SeededDice
    from asl_pbcg.kernel.journal import Journal
    from asl_pbcg.kernel.session import Session
    from asl_pbcg.st.rules.area_game_steps import AreaGame
    from asl_pbcg.st.state.decision import Decision

    settings = {"mode": "historical", "grenade_wrecks_mercedes": "loss"}
    journal = Journal.in_memory({"settings": settings, "seed": 7})
    session = Session(AreaGame(), journal)

    def there() -> bool:
        asked = session.pending
        return (
            isinstance(asked, Decision)
            and session.state.turn == turn
            and asked.id == "action"
            and asked.pieces[0] == about
        )

    played = DOCS.parent / "tests" / "golden_st" / "historical.answers.yaml"
    drive(session, ListedAnswers.read(played), SeededDice(7), until=there)
    return session


def area_prompt() -> str:
    """A question of the area game as the terminal shows it, as SVG."""
    import io

    from rich.console import Console

    from asl_pbcg.cli.area_commands.st_manner import StManner
    from asl_pbcg.cli.terminal.terminal import Terminal
    from asl_pbcg.play.area_play.area_game import AreaGamePlug
    from asl_pbcg.play.open_game import OpenGame
    from asl_pbcg.play.seat import Seat

    console = Console(
        record=True, width=100, height=40, file=io.StringIO(), highlight=False, force_terminal=True
    )
    console.input = lambda *_: (_ for _ in ()).throw(EOFError)  # type: ignore[method-assign]
    session = area_game(3, "brotheridge-platoon")
    game = OpenGame(Path("game.pbcg"), AreaGamePlug(), session, True)
    terminal = Terminal(Seat(game, "british"), StManner(), console)
    terminal.skip_told()
    terminal.play()
    svg = console.export_svg(title="pbcg st play game.pbcg")
    return re.sub(r"@font-face\s*\{[^}]*\}\s*", "", svg)


def area_map() -> bytes:
    """The map of the area game on turn 4, with the counters the British player sees, as PNG."""
    import io

    from PIL import Image

    from asl_pbcg.play.area_play.area_game import rules_of as game_of
    from asl_pbcg.play.area_play.area_game import seen_state
    from asl_pbcg.st.picture.live_map import draw_game

    session = area_game(4, "hooper-platoon")
    drawing = draw_game(seen_state(session), game_of(session).map)
    stream = io.BytesIO()
    picture = Image.open(io.BytesIO(drawing.to_png(dpi=130))).convert("RGB")
    wide, high = picture.size
    picture.crop((0, int(high * 0.2), int(wide * 0.66), int(high * 0.72))).quantize(128).save(
        stream, "PNG"
    )
    return stream.getvalue()


def main() -> None:
    """Draw them all."""
    PICTURES.mkdir(exist_ok=True)
    rooms().write(PICTURES / "rooms.svg")
    (PICTURES / "bridge.png").write_bytes(bridge())
    (PICTURES / "purchase-record.png").write_bytes(purchase_record())
    (PICTURES / "battalion-drop.png").write_bytes(battalion_drop())
    (PICTURES / "next-save.png").write_bytes(next_save())
    (PICTURES / "prompt.svg").write_text(prompt(), encoding="utf-8")
    (PICTURES / "area-game.png").write_bytes(area_map())
    (PICTURES / "area-prompt.svg").write_text(area_prompt(), encoding="utf-8")


if __name__ == "__main__":
    main()
