"""The end position given by one side, or by both at one screen: no answer tells what one hides.

The twins differ in what the Germans bought, set up and rolled in secret. For every way in which the
British, or both together, may ask or give something about the end position, right or wrong, status,
bytes and all that they see afterwards are the same.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_web_secrets import WatchedTwins
from twin_campaigns import POSITION, Twins, _answer
from web_help import only_game, patient_client, without_clock

from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side

Request = tuple[str, str, dict[str, Any]]
"""Method, path behind the game's, and what is sent."""
_SECRETS = 3
"""So many of the Germans' secret pieces are asked about."""


def _common(folder: Path) -> Twins:
    """Twins of whom the position that both know is asked."""
    made = Twins(folder, 6, Side.GERMAN)
    assert made.reph(False, lambda session: 0)
    for session, answering in zip(made.sessions, made.answers, strict=True):
        while session.pending and session.pending.id != POSITION:
            _answer(session, answering)
    return made


def _hidden(folder: Path) -> Twins:
    """Twins of whom the British are asked what they hide."""
    made = Twins(folder, 12, Side.GERMAN)
    assert made.reph(False, lambda session: 0)
    made.battle(0, hides=True)
    return made


def _probes(date: str, secrets: list[Piece], point: str = POSITION) -> dict[str, Request]:
    """Everything that is asked and given at a decision point, by name."""
    changes = {"format": "pbcg-changes/1", "date": date}
    whole = {"format": "pbcg-position/1", "date": date}
    documents: dict[str, dict[str, Any]] = {
        "nothing has changed": changes,
        "a full box": {**changes, "ww_box": [{"type": "6-4-8", "count": 9}]},
    }
    for at in ("Q10", "M13"):
        counter = {"kind": "minefield", "at": at, "owner": "german"}
        documents |= {
            f"counter in {at}": {**changes, "fortifications": [counter]},
            f"no mines in {at}": {**changes, "removed": [{"kind": "ap-mines", "at": at}]},
            f"in the pillbox of {at}": {
                **changes, "units": [{"id": "b-648-1", "at": f"{at}/pillbox"}]
            },
        }  # fmt: skip
    found: dict[str, Request] = {}
    for piece in secrets:
        id, row = piece.id, {"side": "german", "type": piece.type, "at": "M12"}
        entries = {"id alone": {"id": id}, "id and place": {"id": id, "at": "M12"},
                   "all": {"id": id, **row}, "another type": {"id": id, **row, "type": "7-6-9"},
                   "count": {"count": 1, **row}}  # fmt: skip
        documents |= {
            f"{id}: {words}, {form['format']}": {**form, section: [entry]}
            for words, entry in entries.items()
            for form in (changes, whole)
            for section in ("units", piece.section)
        }
        documents |= {f"{id}: {key}": {**changes, key: [id]} for key in ("removed", "eliminated")}
        for order in (
            {"do": "put", "ids": [id], "at": "M12"},
            {"do": "eliminate", "ids": [id]},
            {"do": "type", "name": f"{piece.type} M12", "side": "german"},
            {"do": "type", "name": f"{piece.type} M12 new", "side": "german"},
            {"do": "type", "name": f"{id} M12", "side": "german"},
            {"do": "type", "name": f"{id} eliminated", "side": "german"},
            {"do": "type", "name": "pillbox M12 german", "side": "german"},
        ):
            sent = {"json": {"number": 0, "orders": [order]}}
            found[f"order {order}"] = ("post", "position/orders", sent)
        found[f"piece {id}"] = ("get", f"pieces/{id}", {})
    for words, document in documents.items():
        answer = {"seq": None, "prompt": point, "value": document}
        held = {"json": {"position": document, "answers": []}}
        file = {"content": json.dumps(document).encode()}
        found[f"answer {words}"] = ("post", "answers", {"json": answer})
        found[f"ahead {words}"] = ("post", "ahead", {"json": {"seq": None, "answers": [document]}})
        found[f"held {words}"] = ("post", "position/held", held)
        found[f"file {words}"] = ("post", "position/file?name=evening.json", file)
        found[f"draft {words}"] = ("put", "position", {"json": {"number": 0, "position": document}})
    return found


def _received(
    file: Path, requests: dict[str, Request], folder: Path, point: str, viewer: str = "british"
) -> dict[str, list[Any]]:
    """What a browser receives for each request, and what it sees after it."""
    games, found = folder / "games", dict[str, list[Any]]()
    games.mkdir(parents=True)
    kept = shutil.copyfile(file, games / file.name).read_bytes()
    with patient_client(games, viewer) as client:
        base = f"/api/games/{only_game(client)}"
        looks = [base, f"{base}/position", f"{base}/log", f"{base}/map"]
        for name, (method, path, sent) in requests.items():
            if "seq" in sent.get("json", {}):
                sent["json"]["seq"] = client.get(base).json()["seq"]
            if "number" in sent.get("json", {}):
                sent["json"]["number"] = client.get(f"{base}/position").json()["number"]
            reply = getattr(client, method)(f"{base}/{path}", **sent)
            headers = [each for each in reply.headers.items() if each[0] != "date"]
            after = [without_clock(client.get(each).content) for each in looks]
            found[name] = [reply.status_code, headers, without_clock(reply.content), *after]
            if viewer == "both":  # at one screen it knows how many entries there are
                headers = [each for each in headers if each[0] != "content-length"]
                told = (re.sub(rb'"seq":\d+', b"", each) for each in found[name][2:])
                found[name] = [reply.status_code, headers, *told]
            assert reply.status_code < 500, name
            if path == "answers" and reply.status_code == 200:  # taken: ask again
                seen = client.get(base).json()["seq"]
                back = client.post(f"{base}/undo", json={"seq": seen, "reason": "a probe"})
                assert back.status_code == 200, (viewer, point, back.text)
        if point == POSITION and viewer != "both":
            assert (games / file.name).read_bytes() == kept  # a proposal alone changes nothing
    return found


@pytest.mark.parametrize(
    ("make", "point", "viewer"),
    [(_common, POSITION, "british"), (_common, POSITION, "both"), (_hidden, "0.2.0", "british")],
)
def test_what_is_given_of_the_end_position_is_answered_from_what_its_givers_know(
    make: Callable[[Path], Twins], point: str, viewer: str, tmp_path: Path
) -> None:
    twins = make(tmp_path)
    assert [session.pending.id for session in twins.sessions if session.pending] == [point] * 2
    own = [{piece.id: piece for piece in each.state.of(twins.side)} for each in twins.sessions]
    only = [own[n][id] for n in (0, 1) for id in sorted(own[n].keys() - own[1 - n].keys())]
    assert len(only) >= 2
    date = twins.date.value
    files = twins.close()
    received = [
        _received(
            file,
            _probes(date, only[:_SECRETS], point),
            tmp_path / f"received {number}",
            point,
            viewer,
        )
        for number, file in enumerate(files)
    ]
    differing = [name for name in received[0] if received[0][name] != received[1][name]]
    assert not differing, [(name, received[0][name][2], received[1][name][2]) for name in differing]
    taken = received[0]["answer nothing has changed"]
    if point == POSITION and viewer != "both":
        assert b"must agree" in taken[2]
    assert not [piece.id for piece in only if piece.id.encode() in taken[3]]  # what it proposes


@pytest.mark.parametrize(("side", "seed"), [(Side.GERMAN, 12), (Side.BRITISH, 4)])
def test_what_is_hidden_at_the_end_tells_nothing_until_it_is_placed(
    side: Side, seed: int, tmp_path: Path
) -> None:
    """Hidden elsewhere, and with an HS more, in the other campaign. Rule: 9.602(6)."""
    twins = WatchedTwins(tmp_path, seed, side)
    twins.watch()
    assert twins.reph(False, lambda session: 0)
    twins.battle(0, hides=True)
    hidden = [answering.hidden[side]["units"] for answering in twins.answers]
    assert hidden[0] != hidden[1] and len(hidden[1]) == len(hidden[0]) + 1
    looks = 0
    while twins.sessions[0].step and twins.sessions[0].step.id.endswith(("scenario", "9.601")):
        for session, answering in zip(twins.sessions, twins.answers, strict=True):
            twins._own_turn(session, answering)
        seen = [watched.look() for watched in twins.watched]
        assert seen[0] == seen[1]
        looks += 1
        for session, answering in zip(twins.sessions, twins.answers, strict=True):
            _answer(session, answering)
    assert looks > 5
    twins.close()
