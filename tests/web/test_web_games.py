"""Games through the browser's interface: what is asked, answers, rolls, undo, events."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
import pytest
from in_process import run_pbcg
from web_help import Served, answer, app_client, journal_of, only_game, serving

from asl_pbcg.play.area_play.area_game import create_game
from asl_pbcg.play.campaign_game.campaign_plug import create_campaign
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.web.served_game import ServedGame


@pytest.fixture
def client(tmp_path: Path) -> Any:
    with app_client(tmp_path) as found:
        yield found


def begin(client: Any, name: str = "one", **more: Any) -> str:
    wanted = {"kind": "campaign", "name": name, "campaign": "CG2", "seed": 7, **more}
    made = client.post("/api/games", json=wanted)
    assert made.status_code == 200, made.text
    return str(made.json()["id"])


def state(client: Any, id: str, eyes: str = "umpire") -> Any:
    found = client.get(f"/api/games/{id}", params={"eyes": eyes})
    assert found.status_code == 200
    return found.json()


def step(client: Any, id: str, now: Any, source: random.Random) -> Any:
    """One answer or roll, legal and at random."""
    asked = now["asked"]
    if asked["asked"] == "roll":
        body = {"seq": asked["seq"], "roll": asked["id"]}
        return client.post(f"/api/games/{id}/rolls", json=body, params={"eyes": "umpire"})
    value = asked["default"]
    if asked["kind"] == "choose":
        value = source.choice([each["id"] for each in asked["options"] if not each["refused"]])
    elif asked["kind"] == "choose-some":
        legal = [each["id"] for each in asked["options"] if not each["refused"]]
        value = source.sample(legal, max(asked["least"], min(len(legal), asked["most"] or 1, 1)))
    elif asked["kind"] == "number":
        value = source.randint(asked["least"], asked["most"])
    body = {"seq": asked["seq"], "prompt": asked["id"], "value": value}
    return client.post(f"/api/games/{id}/answers", json=body, params={"eyes": "umpire"})


def test_a_campaign_begun_in_the_page_is_the_one_begun_at_the_terminal(
    client: Any, tmp_path: Path
) -> None:
    id = begin(client)
    source = random.Random(3)
    given = []
    now = state(client, id)
    while now["asked"] and now["asked"]["id"] != "0.1":
        made = step(client, id, now, source)
        assert made.status_code == 200, made.text
        given.append((now["asked"]["id"], made.json()["seq"]))
        now = made.json()
    assert len(given) > 10
    served = journal_of_closed(client, tmp_path / "one.pbcg")
    # The same answers and dice given to the session directly, as the terminal does.
    meta = {
        "settings": {"campaign": "CG2", "players": {}, "balance": "", "house_rules": {}},
        "dice": "seeded",
        "seed": 7,
    }
    with create_campaign(tmp_path / "two.pbcg", meta) as game:
        for _, kind, *_, body in served:
            if kind == "answer":
                game.session.answer(json.loads(body))
            else:
                game.session.throw(tuple(json.loads(body)))
    assert journal_of(tmp_path / "two.pbcg") == served


def journal_of_closed(client: Any, file: Path) -> Any:
    """The journal once the server has let the file go."""
    client.portal.call(client.app.state.server.work, client.app.state.server.folder.close)
    return journal_of(file)


def test_an_old_seq_changes_nothing_and_gets_the_present_state(client: Any) -> None:
    id = begin(client)
    first = state(client, id)
    asked = first["asked"]
    body = {"seq": asked["seq"], "prompt": asked["id"], "value": "none"}
    legal = next(each["id"] for each in asked["options"] if not each["refused"])
    body["value"] = legal
    url = f"/api/games/{id}/answers?eyes=umpire"
    assert client.post(url, json=body).status_code == 200
    again = client.post(url, json=body)  # a double click
    assert again.status_code == 409
    assert again.json()["state"] == state(client, id)
    assert again.json()["state"]["seq"] == first["seq"] + 1


def test_an_illegal_answer_gets_the_rule_and_changes_nothing(client: Any) -> None:
    id = begin(client)
    before = state(client, id)
    refused = next(each for each in before["asked"]["options"] if each["refused"])
    for value in (refused["id"], "nonsense", ["a"], {"b": 1}, None, 10**9, "x" * 5000):
        made = answer(client, id, value, eyes="umpire")
        assert made.status_code == 422, value
        assert made.json()["sentence"]
    assert answer(client, id, refused["id"], eyes="umpire").json()["rule"] == "9.6177 note a"
    assert state(client, id) == before


def test_taking_back_a_roll_needs_a_reason(client: Any) -> None:
    id = begin(client)
    source = random.Random(3)
    now = state(client, id)
    while now["asked"]["asked"] != "roll":
        now = step(client, id, now, source).json()
    now = step(client, id, now, source).json()
    url = f"/api/games/{id}/undo?eyes=umpire"
    made = client.post(url, json={"seq": now["seq"]})
    assert made.status_code == 422 and made.json()["needs_reason"]
    assert client.post(url, json={"seq": now["seq"] - 1, "reason": "no"}).status_code == 409
    back = client.post(url, json={"seq": now["seq"], "reason": "cocked die"}).json()
    assert back["asked"]["asked"] == "roll" and back["seq"] == now["seq"] + 1
    assert back["redo"] and not now["redo"]
    redone = client.post(f"/api/games/{id}/redo?eyes=umpire", json={"seq": back["seq"]}).json()
    assert redone["asked"] == {**now["asked"], "seq": redone["seq"]} and not redone["redo"]
    again = client.post(f"/api/games/{id}/redo?eyes=umpire", json={"seq": redone["seq"]})
    assert again.status_code == 422


def test_the_shared_screen_keeps_a_curtain_before_secrets(client: Any) -> None:
    id = begin(client)
    closed = state(client, id, eyes="")
    assert closed["asked"] == {"asked": "curtain", "side": "german", "leaving": ""}
    assert "CPP" not in str(closed["asked"])
    wrong = client.post(
        f"/api/games/{id}/answers", json={"seq": 0, "prompt": "9.617", "value": "none"}
    )
    assert wrong.status_code == 409 and wrong.json()["state"] == closed
    lifted = state(client, id, eyes="german")
    assert lifted["asked"]["asked"] == "prompt" and lifted["asked"]["secret"]
    assert state(client, id, eyes="british")["asked"]["asked"] == "curtain"


def test_a_side_s_key_sees_that_it_waits_and_no_more(tmp_path: Path) -> None:
    with app_client(tmp_path) as client:
        id = begin(client)
        client.headers["Authorization"] = f"Bearer {client.keys['british']}"
        found = client.get(f"/api/games/{id}?eyes=german").json()
        assert found["viewer"] == "british" and found["eyes"] == ""
        assert found["asked"] is None and found["waiting_for"] == "german"
        made = client.post(f"/api/games/{id}/answers", json={"seq": 0, "prompt": "", "value": "V3"})
        assert made.status_code == 409
        assert client.post("/api/games", json={"kind": "sample", "name": "x"}).status_code == 422


@pytest.mark.parametrize("name", ["../up", "a/b", ".hidden", "a:b", "\x07", "   ", 'x"y', "<b>"])
def test_names_that_are_no_file_names_are_refused(client: Any, tmp_path: Path, name: str) -> None:
    before = sorted(tmp_path.parent.rglob("*.pbcg"))
    made = client.post("/api/games", json={"kind": "campaign", "name": name})
    assert made.status_code == 422 and made.json()["sentence"]
    assert sorted(tmp_path.parent.rglob("*.pbcg")) == before


def test_a_name_that_leaves_no_room_for_what_is_kept_beside_it_is_refused(client: Any) -> None:
    refused = client.post("/api/games", json={"kind": "sample", "name": "\N{GRINNING FACE}" * 60})
    assert refused.status_code == 422 and "shorter" in refused.json()["sentence"]
    made = client.post("/api/games", json={"kind": "sample", "name": "\N{GRINNING FACE}" * 40})
    id = made.json()["id"]
    assert answer(client, id, "agreement").json()["asked"]["id"] == "0.2"
    kept = client.put(f"/api/games/{id}/position", json={"number": 0, "position": {}})
    assert kept.status_code == 200


def test_a_name_that_is_taken_is_refused(client: Any) -> None:
    begin(client)
    made = client.post("/api/games", json={"kind": "campaign", "name": "one"})
    assert made.status_code == 422 and "one" in made.json()["sentence"]


def test_a_file_that_is_no_game_is_listed_with_what_is_wrong(client: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.pbcg").write_bytes(b"not a game")
    (card,) = client.get("/api/games").json()["games"]
    assert card["file"] == "bad.pbcg" and "bad.pbcg" in card["fault"]
    assert str(tmp_path) not in card["fault"]
    assert client.get(f"/api/games/{card['id']}").status_code == 422


def test_a_file_put_in_the_place_of_another_is_the_game_that_is_played(evening: Path) -> None:
    """As from a backup: what is answered then stands in it, not in the file that is gone."""
    backup = evening.with_suffix(".backup")
    shutil.copyfile(evening, backup)
    with app_client(evening.parent, "umpire") as client:
        id = only_game(client)
        assert answer(client, id, "agreement").json()["asked"]["id"] == "0.2"
        backup.replace(evening)
        assert client.get(f"/api/games/{id}").json()["asked"]["id"] == "0.1"
        assert answer(client, id, "dr").json()["asked"]["id"] == "0.1.dr"
    assert journal_of(evening)[-1][3] == "0.1"


def test_a_file_that_got_another_name_is_let_go_and_the_page_is_told(evening: Path) -> None:
    other = evening.with_name("other.pbcg")
    heard: list[int] = []
    room = ServedGame(evening, "evening")
    room.seat("umpire", write=True).answer("agreement")
    room.listen(1, "umpire", "", heard.append)
    evening.rename(other)
    for _ in range(2):
        room.tend()
    assert len(heard) == 1  # once, not again and again
    with OpenGame.open(other) as game:
        Seat(game, "umpire").undo()
    other.rename(evening)
    room.tend()
    assert len(heard) == 2 and room.state("umpire")["asked"]["id"] == "0.1"
    room.close()


def test_a_game_whose_name_has_no_ending_is_listed_and_played(client: Any, tmp_path: Path) -> None:
    begin(client, "evening")
    (tmp_path / "evening.pbcg").rename(tmp_path / "evening")
    (tmp_path / "notes").write_text("to buy: minefields")
    (card,) = client.get("/api/games").json()["games"]
    assert (card["file"], card["fault"]) == ("evening", "")
    assert state(client, card["id"])["asked"]["id"] == "9.617.1"


def test_players_names_come_as_they_are(client: Any) -> None:
    name = "<img src=x onerror=alert(1)>"
    id = begin(client, british=name)
    assert client.get(f"/api/games/{id}").headers["content-type"] == "application/json"


def test_the_map_and_its_board(client: Any) -> None:
    id = begin(client)
    drawn = client.get(f"/api/games/{id}/board.svg")
    assert drawn.headers["content-type"].startswith("image/svg+xml") and "<script" not in drawn.text
    geometry = client.get(f"/api/games/{id}/board").json()
    assert len(geometry["hexes"]) > 1200 and "Y20" in geometry["hexes"]
    found = client.get(f"/api/games/{id}/map?eyes=umpire").json()
    assert {each["side"] for each in found["first_setup"]} == {"british", "german"}
    assert client.get(f"/api/games/{id}/hexes/y20").json()["bridge"] is True
    assert client.get(f"/api/games/{id}/hexes/ZZ9").status_code == 422
    assert client.get(f"/api/games/{id}/pieces/nothing").status_code == 404
    assert client.get(f"/api/games/{id}/picture.png").content.startswith(b"\x89PNG")


@pytest.mark.finding("J-65")
def test_letters_without_a_font_are_told_with_each_print(client: Any) -> None:
    id = begin(client, british="山田太郎")
    for name in ("roster.pdf", "roster/pages/1.png"):
        made = client.get(f"/api/games/{id}/sheets/{name}?eyes=umpire")
        assert '"山田太郎"' in unquote(made.headers["x-remark"])
    book = client.get(f"/api/games/{id}/sheets/roster.xlsx?eyes=umpire")
    assert "x-remark" not in book.headers


def test_sheets_are_what_the_command_prints(client: Any) -> None:
    import io

    import openpyxl
    import pypdf

    id = begin(client)
    names = [each["name"] for each in client.get(f"/api/games/{id}/sheets").json()["sheets"]]
    assert "roster" in names
    pdf = client.get(f"/api/games/{id}/sheets/roster.pdf?eyes=umpire")
    assert "CG Roster" in pypdf.PdfReader(io.BytesIO(pdf.content)).pages[0].extract_text()
    book = client.get(f"/api/games/{id}/sheets/all.xlsx?eyes=umpire")
    assert openpyxl.load_workbook(io.BytesIO(book.content)).sheetnames
    page = client.get(f"/api/games/{id}/sheets/roster/pages/1.png?eyes=umpire")
    assert page.content.startswith(b"\x89PNG") and int(page.headers["x-pages"]) >= 1
    assert client.get(f"/api/games/{id}/sheets/nothing.pdf").status_code == 422
    titles = openpyxl.load_workbook(io.BytesIO(book.content)).sheetnames
    assert not [each for each in titles if "Service Record" in each]  # those of the evening


def test_an_event_comes_to_those_alone_who_see_a_change(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        with served.client() as client:
            made = client.post(
                "/games", json={"kind": "campaign", "name": "one", "campaign": "CG2"}
            )
        id = made.json()["id"]
        heard: dict[str, list[str]] = {"british": [], "german": []}
        listening = threading.Semaphore(0)

        def listen(viewer: str, until: int) -> None:
            with (
                served.client(viewer) as own,
                own.stream("GET", f"/games/{id}/events") as stream,
            ):
                for line in stream.iter_lines():
                    if line.startswith("data:"):
                        heard[viewer].append(line)
                        if len(heard[viewer]) == 1:
                            listening.release()
                        if len(heard[viewer]) == until:
                            return

        threads = [
            threading.Thread(target=listen, args=each) for each in (("british", 2), ("german", 3))
        ]
        for thread in threads:
            thread.start()
        assert listening.acquire(timeout=10) and listening.acquire(timeout=10)
        with served.client("german") as german:
            for _ in range(2):
                asked = german.get(f"/games/{id}").json()["asked"]
                value = next(each["id"] for each in asked["options"] if not each["refused"])
                body = {"seq": asked["seq"], "prompt": asked["id"], "value": value}
                assert german.post(f"/games/{id}/answers", json=body).status_code == 200
            threads[1].join(10)
            assert heard == {
                "british": ["data: 0"],
                "german": ["data: 0", "data: 1", "data: 2"],
            }
            # What both see goes to both: a correction made at the shared screen.
            with served.client("umpire") as umpire:
                seq = umpire.get(f"/games/{id}").json()["seq"]
                body = {"seq": seq, "path": "san/british", "value": 4, "reason": "agreed"}
                made = umpire.post(f"/games/{id}/corrections", json=body)
                assert made.status_code == 200, made.text
        threads[0].join(10)
        assert len(heard["british"]) == 2


def test_the_area_game_is_played_in_the_page_by_the_one_who_plays_it(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from asl_pbcg.cli.main import app

    made = CliRunner().invoke(
        app, ["st", "new", str(tmp_path / "area.pbcg"), "--historical", "--seed", "3"]
    )
    assert made.exit_code == 0, made.output
    with app_client(tmp_path) as client:
        (card,) = client.get("/api/games").json()["games"]
        assert card["kind"] == "st" and not card["fault"]
        id = card["id"]
        now = state(client, id, eyes="")
        # Whoever sits at the screen is the British player: German strengths are not his to see.
        assert now["viewer"] == "british" and now["asked"]["asked"] == "prompt"
        drawn = client.get(f"/api/games/{id}/drawing.svg")
        assert drawn.headers["content-type"].startswith("image/svg+xml")
        asked = now["asked"]
        body = {"seq": asked["seq"], "prompt": asked["id"], "value": asked["default"]}
        after = client.post(f"/api/games/{id}/answers", json=body)
        assert after.status_code == 200 and after.json()["seq"] > now["seq"]
        assert client.get(f"/api/games/{id}/board.svg").status_code == 404
        begin(client, name="two")
    with app_client(tmp_path) as client:
        ids = {card["kind"]: card["id"] for card in client.get("/api/games").json()["games"]}
        assert client.get(f"/api/games/{ids['campaign']}/drawing.svg").status_code == 404


def test_the_server_ends_at_once_and_in_silence_while_a_page_listens(tmp_path: Path) -> None:
    create_game(tmp_path / "area.pbcg", {"settings": {"mode": "historical"}}, load_map()).close()
    served = Served(tmp_path)
    assert served.process
    with served.client() as client:
        id = client.get("/games").json()["games"][0]["id"]
        with client.stream("GET", f"/games/{id}/events") as stream:
            assert next(stream.iter_lines()).startswith("data:")
            served.process.terminate()
            _, told = served.process.communicate(timeout=60)
    assert told == ""


BUSY = """
import sys, time
from asl_pbcg.web.folder import Folder
def busy(*_):
    while True:
        try:
            while True: sum(range(1000))
        except BaseException: pass
Folder.by_time = busy
from asl_pbcg.__main__ import main
sys.argv = ["pbcg", "serve", sys.argv[1], "--no-open"]
main()
"""
"""A server whose list of games never comes, and which cannot be told to give it up."""


@pytest.mark.finding("G-46")
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_the_server_ends_within_two_seconds_whatever_it_does(
    sent: signal.Signals, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", BUSY, str(tmp_path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        address = next(line for line in process.stdout if "http" in line).split()[1]
        while not next(process.stdout).startswith("Ctrl-C"):
            pass
        base, _, key = address.partition("/#key=")
        with pytest.raises(httpx.ReadTimeout):
            headers = {"Authorization": f"Bearer {key}"}
            httpx.get(f"{base}/api/games", headers=headers, timeout=httpx.Timeout(1, connect=60))
        began = time.monotonic()
        process.send_signal(sent)
        _, told = process.communicate(timeout=60)
        took = time.monotonic() - began
    # Two seconds, and what a machine with more to do takes to run it.
    assert took < 4 and told == ""


def test_a_drop_and_a_megagame_table_are_listed_and_nothing_is_thrown_by_looking(
    tmp_path: Path,
) -> None:
    sheet, drop = tmp_path / "orders.yaml", tmp_path / "drop.pbcg"
    assert run_pbcg("drop", "orders", "--template", "-o", sheet).code == 0
    assert run_pbcg("drop", "orders", drop, "--seal", sheet).code == 0
    begun = ("mega", "run", tmp_path / "table.mega", "--title", "Oosterbeek", "--seed", "1")
    assert run_pbcg(*begun, typed="quit\n").code == 0
    before = drop.read_bytes()
    with app_client(tmp_path) as client:
        begin(client)
    for viewer in ("both", "umpire"):
        with app_client(tmp_path, viewer) as client:
            cards = {each["file"]: each for each in client.get("/api/games").json()["games"]}
        assert sorted(cards) == ["drop.pbcg", "one.pbcg", "table.mega"]
        assert not [each["fault"] for each in cards.values() if each["fault"]]
        assert cards["table.mega"]["title"] == "Oosterbeek"
        assert cards["drop.pbcg"]["kind"] == "drop"
        assert "mega run" in cards["table.mega"]["next"]
    with app_client(tmp_path, "german") as client:
        german = client.get("/api/games").json()["games"]
    assert [each["file"] for each in german if not each["fault"]] == ["one.pbcg"]
    assert drop.read_bytes() == before


@pytest.mark.finding("G-32")
def test_the_page_asks_before_it_takes_back_much(client: Any) -> None:
    id = begin(client)
    source = random.Random(3)
    now = state(client, id)
    first = now["steps"][0]["id"]
    for _ in range(25):
        now = step(client, id, now, source).json()
    url = f"/api/games/{id}/undo?eyes=umpire"
    line = next(each for each in now["lines"] if each["kind"] == "answer")
    body = {"seq": now["seq"], "step": line["step"], "reason": "curious"}
    refused = client.post(url, json=body)
    assert refused.status_code == 422 and refused.json()["confirm"], (first, refused.text)
    assert state(client, id) == now
    assert client.post(url, json={**body, "sure": True}).status_code == 200


@pytest.mark.finding("G-40")
def test_a_file_overwritten_underneath_is_read_again(client: Any, tmp_path: Path) -> None:
    id, source = begin(client), random.Random(3)
    now = step(client, id, state(client, id), source).json()
    path = tmp_path / "one.pbcg"
    older = path.read_bytes()
    later = step(client, id, now, source).json()
    with path.open("r+b") as file:  # in place, as a sync client does
        file.truncate(0)
        file.write(older)
    refused = step(client, id, later, source)
    assert refused.status_code == 409
    assert refused.json()["state"]["seq"] == now["seq"]
    assert path.read_bytes() == older
    again = step(client, id, refused.json()["state"], source)
    assert again.status_code == 200, again.text
    assert again.json()["seq"] == later["seq"]
