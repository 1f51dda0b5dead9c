"""What every request of ``pbcg serve`` passes first: host, origin, key, size, headers."""

from __future__ import annotations

import asyncio
import errno
import json
import stat
from pathlib import Path
from typing import Any

import pytest
from web_help import app_client, only_game

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.web import server
from asl_pbcg.web.guard import FILE, Keys, is_own_host


@pytest.fixture
def client(tmp_path: Path) -> Any:
    with app_client(tmp_path) as found:
        yield found


@pytest.mark.parametrize(
    ("host", "here", "lan"),
    [
        ("127.0.0.1:8000", True, True),
        ("localhost", True, True),
        ("[::1]:8000", True, True),
        ("192.168.1.7:8000", False, True),
        ("evil.example", False, False),
        ("127.0.0.1.evil.example:8000", False, False),
        ("localhost.evil.example", False, False),
        ("", False, False),
        ("127.0.0.1:8751@evil.example", False, False),
        ("[::1]@evil.example", False, False),
        ("127.0.0.1:8000:9", False, False),
        ("127.0.0.1:port", False, False),
    ],
)
@pytest.mark.finding("G-46")
def test_only_names_of_this_machine_are_served(host: str, here: bool, lan: bool) -> None:
    assert is_own_host(host, lan=False) is here
    assert is_own_host(host, lan=True) is lan


def test_another_host_or_origin_is_refused(client: Any) -> None:
    assert client.get("/api/games").status_code == 200
    assert client.get("/api/games", headers={"Host": "evil.example"}).status_code == 421
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 421
    for origin in ("http://evil.example", "null", "http://127.0.0.1:9999"):
        assert client.get("/api/games", headers={"Origin": origin}).status_code == 403
    assert client.get("/api/games", headers={"Origin": "http://127.0.0.1:8000"}).status_code == 200
    cross = client.get("/api/games", headers={"Sec-Fetch-Site": "cross-site"})
    assert cross.status_code == 403


def test_a_wrong_key_gets_nothing_not_even_which_games_there_are(client: Any) -> None:
    client.post("/api/games", json={"kind": "campaign", "name": "one"})
    id = only_game(client)
    wrong = []
    for header in ("", "Bearer ", "Bearer x", "Basic x", f"Bearer {client.keys['both']}x"):
        for path in ("/api/games", f"/api/games/{id}", "/api/games/0", "/api/nothing", "/api"):
            found = client.get(path, headers={"Authorization": header})
            wrong.append((found.status_code, found.content, dict(found.headers)))
    assert {status for status, _, _ in wrong} == {401}
    assert len({content for _, content, _ in wrong}) == 1
    assert len({json.dumps(headers) for _, _, headers in wrong}) == 1


def test_a_key_in_the_address_is_no_key(client: Any) -> None:
    key = client.keys["both"]
    found = client.get(f"/api/games?key={key}", headers={"Authorization": ""})
    assert found.status_code == 401


def test_every_answer_has_the_one_strict_policy(client: Any) -> None:
    for path in ("/", "/js/main.js", "/api/games", "/api/nothing", "/nothing.html"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy and "*" not in policy and "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == ("no-store" if "/api/" in path else "no-cache")


def test_the_page_has_no_inline_script_or_style_and_fetches_nothing_from_elsewhere() -> None:
    import re

    from asl_pbcg.web.app import STATIC

    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*src=)", page)
    assert "<style" not in page and "style=" not in page and "onclick" not in page
    files = [*STATIC.rglob("*.js"), *STATIC.rglob("*.css"), STATIC / "index.html"]
    for file in files:
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
        assert not re.search(r"https?://|//cdn|@import", text), file.name
        for markup in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert markup not in text, f"{file.name} uses {markup}"


def test_what_is_too_large_is_refused_before_it_is_read(client: Any) -> None:
    client.post("/api/games", json={"kind": "campaign", "name": "one"})
    id = only_game(client)
    found = client.post("/api/games", content=b" " * 300_000)
    assert found.status_code == 413 and "KB" in found.json()["sentence"]
    assert client.post(f"/api/games/{id}/answers", content=b" " * 300_000).status_code == 422
    assert client.post(f"/api/games/{id}/answers", content=b" " * 2_200_000).status_code == 413

    def in_parts() -> Any:
        yield from (b" " * 100_000 for _ in range(4))

    assert client.post("/api/games", content=in_parts()).status_code == 413


def test_what_is_not_there_is_told_alike(client: Any) -> None:
    client.post("/api/games", json={"kind": "campaign", "name": "one"})
    for path in ("/api/games/0", "/api/games/one", "/api/games/one.pbcg", "/api/games/0/map"):
        found = client.get(path)
        assert (found.status_code, found.json()["sentence"]) == (404, "There is no such game.")
    assert client.get("/api/elsewhere").json()["sentence"]
    for path in (
        "/../pyproject.toml",
        "/%2e%2e/app.py",
        "/js/..%2f..%2fapp.py",
        "/.pbcg-keys.json",
    ):
        assert client.get(path).status_code == 404


def test_no_sentence_tells_where_the_folder_lies(evening: Path) -> None:
    with app_client(evening.parent, "british") as client:
        id = only_game(client)
        asked = client.get(f"/api/games/{id}").json()["asked"]
        body = {"seq": asked["seq"], "prompt": asked["id"], "value": "agreement"}
        told = []
        with OpenGame.open(evening):
            told.append(client.post(f"/api/games/{id}/answers", json=body))
        evening.write_bytes(b"no game")
        told.append(client.get(f"/api/games/{id}"))
        told.append(client.get("/api/games"))
    assert [each.status_code for each in told] == [409, 422, 200]
    for each in told:
        assert evening.name in each.text and str(evening.parent) not in each.text


def test_keys_stay_the_same_and_only_their_owner_reads_them(tmp_path: Path) -> None:
    first = Keys(tmp_path)
    again = Keys(tmp_path)
    assert all(again[viewer] == first[viewer] for viewer in ("both", "british", "german"))
    assert len({first[viewer] for viewer in ("both", "british", "german", "umpire")}) == 4
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert Keys(tmp_path, again=True)["german"] != first["german"]


def test_keys_are_never_readable_by_others_not_even_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[int] = []
    chmod = Path.chmod

    def noted(path: Path, mode: int) -> None:
        given.append(mode)
        chmod(path, mode)

    monkeypatch.setattr(Path, "chmod", noted)
    Keys(tmp_path).renew("german")
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert not [mode for mode in given if mode & 0o077]


def test_a_renewed_key_shuts_the_old_one_out(client: Any) -> None:
    old = client.keys["both"]
    made = client.post("/api/key")
    assert made.status_code == 200 and made.json()["viewer"] == "both"
    assert client.get("/api/games").status_code == 401
    client.headers["Authorization"] = f"Bearer {made.json()['key']}"
    assert client.get("/api/games").status_code == 200 and made.json()["key"] != old


def test_a_keys_file_that_is_damaged_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"both": 3', encoding="utf-8")
    assert len(Keys(tmp_path)["both"]) >= 20
    (tmp_path / FILE).write_text('{"both": "", "german": "short"}', encoding="utf-8")
    assert len(Keys(tmp_path)["german"]) >= 20


def test_a_keys_file_that_is_no_file_of_keys_is_told(tmp_path: Path) -> None:
    from asl_pbcg.web.guard import MAX_BYTES

    (tmp_path / FILE).write_bytes(b" " * (MAX_BYTES + 1))
    with pytest.raises(PBCGError, match="too large"):
        Keys(tmp_path)
    (tmp_path / FILE).write_bytes(b"[" * 100_000)
    assert len(Keys(tmp_path)["both"]) >= 20


OPENED = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Authorization": ""}
"""What a browser says when a person opens an address."""


@pytest.mark.finding("G-46")
def test_a_link_from_elsewhere_opens_the_page_and_never_raw_json(client: Any) -> None:
    cross = {**OPENED, "Sec-Fetch-Site": "cross-site"}
    assert "<script" in client.get("/", headers=cross).text
    for path in ("/api/games", "/api/nothing", "/evening", "/js"):
        for site in ("cross-site", "none", "same-origin"):
            headers = {**OPENED, "Sec-Fetch-Site": site}
            led = client.get(path, headers=headers, follow_redirects=False)
            assert (led.status_code, led.headers["location"], led.text) == (303, "/", ""), path
    foreign = client.get("/", headers={**cross, "Host": "evil.example"})
    assert foreign.status_code == 421 and foreign.headers["content-type"].startswith("text/html")
    framed = client.get("/", headers={**cross, "Sec-Fetch-Dest": "iframe"})
    assert framed.status_code == 403
    data = client.get("/api/games", headers={"Sec-Fetch-Site": "cross-site"})
    assert data.status_code == 403


@pytest.mark.finding("J-10")
def test_a_full_disk_refuses_a_new_key_and_keeps_all_keys(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (tmp_path / FILE).read_bytes()

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("asl_pbcg.kernel.files.os.fsync", full)
    refused = client.post("/api/key")
    assert refused.status_code == 422
    assert "is full" in refused.json()["sentence"]
    assert "keys stay" in refused.json()["sentence"]
    with pytest.raises(PBCGError, match="keys stay"):
        Keys(tmp_path, again=True)
    monkeypatch.undo()
    assert client.get("/api/games").status_code == 200
    assert (tmp_path / FILE).read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [FILE]
    assert Keys(tmp_path).viewer_of(client.keys["both"]) == "both"


@pytest.mark.finding("J-10")
def test_a_folder_that_never_held_keys_renews_them_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("asl_pbcg.web.guard.write_atomic", _refused)
    keys = Keys(tmp_path)
    old = keys["german"]
    new = keys.renew("german")
    assert keys.viewer_of(old) is None and keys.viewer_of(new) == "german"


@pytest.mark.finding("J-10")
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"])
def test_no_body_is_read_before_the_key_or_where_none_belongs(tmp_path: Path, method: str) -> None:
    app = app_client(tmp_path).app
    key = Keys(tmp_path)["both"].encode()
    for path, given in (
        ("/", key), ("/position/file", b""), ("/games/file", key), ("/openapi.json", b""),
        ("/js/main.js", key), ("/apiary/position/file", b""), ("/api/games/file", b"x"),
        ("/api", b""), ("/api/position/file", b""), ("/nothing", key),
    ):  # fmt: skip
        for length in (b"19000000", b"1", b""):
            status, read = bytes_read(app, method, path, given, length)
            assert read <= 1 and (status >= 300 or not length), (path, length, status)
            if not path.startswith("/api/") and path != "/api":
                assert status == 413


def bytes_read(app: Any, method: str, path: str, key: bytes, length: bytes) -> tuple[int, int]:
    """Return the status of a request and the parts of an endless body that were read."""
    headers = [(b"host", b"127.0.0.1"), (b"authorization", b"Bearer " + key)]
    headers += [(b"content-length", length)] if length else []
    scope = {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(),
        "query_string": b"", "headers": headers, "scheme": "http", "root_path": "",
        "http_version": "1.1", "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 9),
    }  # fmt: skip
    parts, statuses = 0, []

    async def receive() -> dict[str, Any]:
        nonlocal parts
        parts += 1
        return {"type": "http.request", "body": b" " * 65_536, "more_body": parts < 300}

    async def send(message: dict[str, Any]) -> None:
        statuses.append(message.get("status", 0))

    asyncio.run(app(scope, receive, send))
    return statuses[0], parts


@pytest.mark.finding("J-10")
def test_the_description_of_requests_needs_no_key_and_tells_no_game(client: Any) -> None:
    client.post("/api/games", json={"kind": "campaign", "name": "Ranville"})
    told = client.get("/openapi.json", headers={"Authorization": ""})
    assert told.status_code == 200
    assert only_game(client) not in told.text and "Ranville" not in told.text


def _refused(*_: Any, **__: Any) -> None:
    raise PBCGError("Read-only.")


@pytest.mark.finding("G-46")
def test_headers_and_bodies_that_never_come_hold_no_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, so that the bounds can be a moment."""
    import uvicorn

    from asl_pbcg.web import guard
    from asl_pbcg.web.app import create_app
    from asl_pbcg.web.folder import Folder

    monkeypatch.setattr(server, "HEADER_SECONDS", 0.3)
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.3)
    keys = Keys(tmp_path)
    config = uvicorn.Config(
        create_app(Folder(tmp_path), keys),
        http=server.PatientProtocol,
        lifespan="off",
        log_config=None,
    )
    config.load()

    async def ask() -> list[bytes]:
        socket = server.listening_socket(0, lan=False)
        running = uvicorn.Server(config)
        serving = asyncio.create_task(running.serve(sockets=[socket]))
        address = socket.getsockname()
        while not running.started:
            await asyncio.sleep(0.01)
        told = []
        key = keys["both"].encode()
        for sent in (
            b"",
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
            b"GET /icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HT",
            b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n"
            b"Authorization: Bearer " + key + b"\r\n\r\n{",
        ):
            reading, writing = await asyncio.open_connection(*address)
            writing.write(sent)
            told.append(await asyncio.wait_for(reading.read(), 20))
            writing.close()
        running.should_exit = True
        await serving
        return told

    nothing, half, again, slow = asyncio.run(ask())
    assert nothing == half == b""
    assert again.startswith(b"HTTP/1.1 200") and again.count(b"HTTP/1.1") == 1
    assert slow.startswith(b"HTTP/1.1 408")


@pytest.mark.finding("G-75")
def test_a_folder_is_served_at_the_same_port_while_it_is_free(tmp_path: Path) -> None:
    own = server.port_of(tmp_path)
    assert own != server.port_of(tmp_path / "other")
    with server.socket_of(tmp_path, None, lan=False) as first:
        assert first.getsockname()[1] == own
        first.listen()
        with server.socket_of(tmp_path, None, lan=False) as second:
            assert second.getsockname()[1] != own
        with pytest.raises(PBCGError):
            server.socket_of(tmp_path, own, lan=False)
