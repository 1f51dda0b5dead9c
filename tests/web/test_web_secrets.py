"""What one side's browser receives is byte for byte the same when only the other's secrets differ.

At every moment, also in the middle of what the other side does in secret: bodies, log, map,
pieces, sheets, the draft of the end position, refusals, and whether an event comes at all.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from twin_campaigns import Twins
from web_help import app_client, only_game, without_clock

from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.plug import plug_for
from asl_pbcg.web.served_game import ServedGame

KINDS = {
    Side.GERMAN: {
        "purchases", "CPP", "strength", "Fortifications", "HIP", "Shift", "status", "CG9",
    },
    Side.BRITISH: {"Fortifications"},
}  # fmt: skip
"""The secrets in which the twins differ on the way."""


class Watched:
    """A campaign as the other side's browser sees it, while it is being played."""

    def __init__(self, file: Path, session: Session[Campaign], viewer: str) -> None:
        self.viewer = viewer
        self.room = ServedGame(file, "game")
        self.game = OpenGame(file, plug_for("pegasus-bridge", file.name), session, True)
        self.room._game = self.game
        self.events: list[int] = []
        self.room.listen(1, viewer, "", self.events.append)

    def look(self) -> bytes:
        """Everything that the page asks for as long as it stands open."""
        self.game.note_change()
        self.room.tell()
        seat = self.room.seat(self.viewer)
        seen = msgspec.json.encode(
            [
                self.room.state(self.viewer),
                seat.layers(),
                len(seat.lines()),
                msgspec.to_builtins(seat.sheets()),
                len(self.events),
            ]
        )
        return without_clock(seen)


class WatchedTwins(Twins):
    """Twins whose secret turns are looked at answer by answer."""

    watched: list[Watched]

    def watch(self) -> None:
        self.watched = [
            Watched(file, session, self.side.other.value)
            for file, session in zip(self.files, self.sessions, strict=True)
        ]
        self.moments = 0

    def _own_turn(self, session: Session[Campaign], answering: Any) -> bool:
        number = self.sessions.index(session)
        watched = self.watched[number]
        waited = False
        seen: list[bytes] = []
        while answering.is_own(session.pending):
            if self.moments % 3 == 0 or not seen:  # often enough, and quick
                seen.append(watched.look())
            self.moments += 1
            assert seen[0] == seen[-1], f"{session.step}: {_difference(seen[0], seen[-1])}"
            _step(session, answering)
            waited = True
        self.first_seen = getattr(self, "first_seen", {})
        self.first_seen[number] = seen[:1]
        return waited


def _step(session: Session[Campaign], answering: Any) -> None:
    from twin_campaigns import _answer

    _answer(session, answering)


def _difference(one: bytes, two: bytes) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), 0)
    return f"{one[max(0, at - 120) : at + 80]!r} … {two[max(0, at - 120) : at + 80]!r}"


@pytest.mark.parametrize(("side", "seed"), [(Side.GERMAN, 6), (Side.BRITISH, 2)])
def test_the_other_side_s_browser_receives_the_same_bytes(
    side: Side, seed: int, tmp_path: Path
) -> None:
    twins = WatchedTwins(tmp_path / "play", seed, side)
    twins.watch()

    def look(session: Session[Campaign]) -> bytes:
        number = twins.sessions.index(session)
        if number:
            assert twins.first_seen[0] == twins.first_seen[1]  # what was seen while it waited
        return twins.watched[number].look()

    kinds: set[str] = set()
    for date in range(2):
        assert twins.reph(date == 1, look)
        kinds |= twins.kinds()
        if not date:
            twins.battle(date)
    print(sorted(kinds))
    assert twins.moments > 10 and kinds >= KINDS[side], KINDS[side] - kinds
    events = [watched.events for watched in twins.watched]
    assert events[0] == events[1] and events[0]
    twins.close()
    own = [{piece.id for piece in session.state.of(side)} for session in twins.sessions]
    secret = sorted(own[0] ^ own[1])[:2]
    bodies = [_all_bodies(file, side.other.value, secret) for file in twins.files]
    assert bodies[0].keys() == bodies[1].keys() and len(bodies[0]) > 100
    for request, body in bodies[0].items():
        assert body == bodies[1][request], request
    theirs = [_log(file, side.value) for file in twins.files]
    assert theirs[0] != theirs[1]  # the twins do differ


TABLES = ("dates", "dice", "log", "losses", "luck")
"""The tables that the page gives as data; others are those of the sheets."""


def _log(file: Path, viewer: str) -> bytes:
    """The log as a viewer may read it, without the clock."""
    with app_client(file.parent, viewer) as client:
        return without_clock(client.get(f"/api/games/{only_game(client)}/log").content)


def _all_bodies(
    file: Path, viewer: str, secret: list[str]
) -> dict[str, tuple[int, bytes, list[Any]]]:
    """Status, body and headers of everything a viewer can ask for; ``secret`` names pieces."""
    folder = file.parent / viewer / "games"  # of the same name for both twins
    folder.mkdir(parents=True)
    shutil.copyfile(file, folder / file.name)
    with app_client(folder, viewer) as client:
        id = only_game(client)
        base = f"/api/games/{id}"
        paths = [
            "/api/games",
            base,
            f"{base}/log",
            f"{base}/map",
            f"{base}/sheets",
            f"{base}/board",
        ]
        paths += [
            f"{base}/seals",
            f"{base}/position",
            f"{base}?eyes=german",
            f"{base}/map?eyes=umpire",
        ]
        paths += [f"{base}/history", f"{base}/dice", f"{base}/places", f"{base}/what-if?group=V3"]
        paths += [f"{base}/moves"]
        seen = client.get(f"{base}/map").json()["counters"]
        paths += [f"{base}/pieces/{each['id']}" for each in seen[:40]]
        paths += [f"{base}/corrections?piece={each['id']}" for each in seen[:20]]
        paths += [f"{base}/pieces/g-fpp-1", f"{base}/pieces/b-fpp-1", f"{base}/pieces/g-467-1"]
        names = [each["name"] for each in client.get(f"{base}/sheets").json()["sheets"]]
        known = [name for name in names if "setup" not in name]
        paths += [f"{base}/sheets/{name}.pdf" for name in known]
        paths += [f"{base}/sheets/{name}.xlsx" for name in known if name in ("report", "roster")]
        paths += [f"{base}/sheets/{name}/pages/{page}.png" for name in ("map", "report")
                  for page in (1, 2)]  # fmt: skip
        paths += [f"{base}/sheets/{side}-{part}.pdf" for side in Side
                  for part in ("setup", "service", "forces")]  # fmt: skip
        paths += [f"{base}/tables/{name}.csv" for name in (*TABLES, *names, "none")]
        paths += [f"{base}/tables/{name}.xlsx" for name in ("dates", "losses")]
        paths += [f"{base}/{each}" for each in ("card", "file", "picture.png", "notes")]
        paths += [f"{base}/{each}" for each in ("log?from=40", "assertions", "moves", "redo")]
        paths += [f"{base}/map?at={date}" for date in ("night-1", "dawn", "day-1")]
        paths += [f"{base}/pieces/{id}" for id in secret]
        paths += [f"{base}/corrections", *(f"{base}/corrections?piece={id}" for id in secret)]
        found = {}
        for path in paths:
            answer = client.get(path)
            # How well the time in a workbook packs makes no secret.
            open_headers = {"date", *(["content-length"] if path.endswith("xlsx") else [])}
            headers = [each for each in answer.headers.items() if each[0] not in open_headers]
            found[path] = (answer.status_code, without_clock(answer.content), headers)
        for path, body in {
            "answers": {"seq": 0, "prompt": "9.617", "value": "V3"},
            "rolls": {"seq": 0, "roll": "9.618"},
            "ahead": {"seq": 0, "answers": ["V3"]},
            "position/orders": {"number": 0, "orders": [{"do": "last"}]},
            "corrections": {"seq": 0, "path": "cpp", "value": 3, "reason": "curious"},
            "undo": {"seq": 10**6, "step": "dawn/9.617"},
        }.items():
            answer = client.post(f"{base}/{path}", json=body)
            found[path] = (answer.status_code, without_clock(answer.content), [])
        for number, (path, body) in enumerate(_writings(viewer, secret)):
            answer = client.post(f"{base}/{path}", json=body)
            found[f"{number} {path}"] = (answer.status_code, without_clock(answer.content), [])
        for path in (base, f"{base}/log", f"{base}/notes", f"{base}/history"):
            found[f"then {path}"] = (200, without_clock(client.get(path).content), [])
        return found


def _writings(viewer: str, secret: list[str]) -> list[tuple[str, dict[str, Any]]]:
    """What a side may try to write of what it should not know: notes, players, a paper roster."""
    about = [*secret, *(id.rpartition("-")[2] for id in secret), "M12", "cpp", "LMG"]
    notes = [{"text": "curious", "about": each, "private": private}
             for each in about for private in (True, False)]  # fmt: skip
    notes += [{"text": "curious", "line": words} for words in ("9.617", "Strength", "HIP", "RG")]
    facts = [
        "cpp=3",
        *(f"fpp/{side}=3" for side in Side),
        *(f"pieces/{id}/at=M12" for id in secret),
    ]
    return [
        *(("notes", note) for note in notes),
        *((f"notes/{number}", {"text": "again"}) for number in (1, 40)),
        *(("hand", {"name": "Ben", "side": side.value}) for side in Side),
        *(("assertions", {"facts": [fact], "keep": keep}) for fact in facts for keep in (0, 1)),
        ("name", {"name": "evening-2"}),
        ("copy", {"name": "evening-2"}),
        ("position/next-save", {"base": {"name": "a.vsav", "content": ""}}),
    ]
