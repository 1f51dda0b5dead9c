"""An evening in two homes: names of tunnels, links, and a line that is slow, held back or cut."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from web_help import Here, app_client
from web_screen import Screen, await_next
from web_tunnel import NAME, Tunnel

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.web.guard import FILE, Keys
from asl_pbcg.web.served_names import ServedName, read_names
from asl_pbcg.web.server import prepare

pytestmark = pytest.mark.finding("J-67")
TUNNEL = "evening.example.org"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    Keys(tmp_path, names=read_names([TUNNEL, "http://laptop.tailnet.ts.net:8000"]))
    with app_client(tmp_path) as found:
        yield found


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        (TUNNEL, f"https://{TUNNEL}", 200),  # Host kept
        (TUNNEL, "", 200),
        ("127.0.0.1:8000", f"https://{TUNNEL}", 200),  # Host rewritten
        ("127.0.0.1:8000", "http://127.0.0.1:8000", 200),
        ("laptop.tailnet.ts.net:8000", "http://laptop.tailnet.ts.net:8000", 200),
        ("127.0.0.1:8000", "https://laptop.tailnet.ts.net", 403),
        ("evil.example", f"https://{TUNNEL}", 421),
        (f"{TUNNEL}.evil.example", "", 421),
        (f"evil.{TUNNEL}", "", 421),
        (f"{TUNNEL}@evil.example", "", 421),
        ("127.0.0.1:8000", "https://evil.example", 403),
        ("127.0.0.1:8000", f"https://{TUNNEL}.evil.example", 403),
        ("127.0.0.1:8000", f"https://evil.{TUNNEL}", 403),
        ("127.0.0.1:8000", f"https://{TUNNEL}:444", 403),
        (TUNNEL, "null", 403),
    ],
)
def test_a_tunnel_is_served_with_its_host_kept_or_rewritten(
    client: Any, host: str, origin: str, status: int
) -> None:
    headers = {"Host": host} | ({"Origin": origin} if origin else {})
    assert client.get("/api/games", headers=headers).status_code == status
    wrong_key = client.get("/api/games", headers={**headers, "Authorization": "Bearer x"})
    assert wrong_key.status_code == (401 if status == 200 else status)


def test_names_are_kept_with_the_keys_until_others_are_given(tmp_path: Path) -> None:
    first = prepare(tmp_path, 0, False, False, [TUNNEL])
    kept = prepare(tmp_path, 0, False, False)
    assert kept.ready.hosts == first.ready.hosts == (TUNNEL,)
    assert kept.ready.addresses["german"].startswith(f"https://{TUNNEL}/#key=")
    assert kept.ready.addresses["both"].startswith("http://127.0.0.1:")
    other = prepare(tmp_path, 0, False, False, ["a.example", "b.example:8443"])
    assert other.ready.hosts == ("a.example", "b.example:8443")
    none = prepare(tmp_path, 0, False, False, ["none"])
    assert none.ready.hosts == () == Keys(tmp_path).names
    assert json.loads((tmp_path / FILE).read_bytes())["german"] == Keys(tmp_path)["german"]
    for each in (first, kept, other, none):
        each.listening.close()


def test_addresses_of_a_name(tmp_path: Path) -> None:
    for typed, lan, address in (
        ("evening.example.org", False, "https://evening.example.org"),
        ("HTTPS://Evening.example.org/", False, "https://evening.example.org"),
        ("evening–1.example.org", False, "https://evening-1.example.org"),
        ("laptop.ts.net", True, "http://laptop.ts.net:777"),
        ("http://100.64.0.7:80", False, "http://100.64.0.7:80"),
    ):
        (name,) = read_names([typed])
        assert name.address(777, lan) == address
    for wrong in ("", "*", "*.example.org", "a b", "http://", "a/b", "ä.example", "a:99999", "a@b"):
        with pytest.raises(PBCGError, match="--host"):
            read_names([wrong])
    assert read_names(["none"]) == ()
    assert read_names(["a", "a"]) == (ServedName("a"),)


def test_links_are_for_who_keeps_the_evening(tmp_path: Path) -> None:
    Keys(tmp_path, names=read_names([TUNNEL]))
    for viewer in ("both", "umpire"):
        with app_client(tmp_path, viewer) as client:
            found = client.get("/api/links").json()["links"]
            assert [each["viewer"] for each in found] == ["british", "german", "umpire"]
            for each in found:
                key = client.keys[each["viewer"]]
                assert each["address"] == f"https://{TUNNEL}/#key={key}"
                assert each["picture"].startswith("data:image/svg+xml")
    for viewer in ("british", "german"):
        with app_client(tmp_path, viewer) as client:
            refused = client.get("/api/links")
            assert refused.status_code == 422
            assert all(Keys(tmp_path)[each] not in refused.text for each in ("both", "german"))


def test_a_qr_picture_holds_the_address(tmp_path: Path, chromium: Any) -> None:
    served = Here(tmp_path)
    try:
        with Screen(chromium, served, "both") as screen:
            page = screen.open()
            page.click("[data-action=links]")
            field = page.locator("[data-link=german] input")
            assert field.input_value() == served.said["german"]
            assert page.locator("[data-link=german] img").evaluate("i => i.naturalWidth") > 50
    finally:
        served.stop()


# -- through a tunnel ----------------------------------------------------------------------------


@pytest.fixture(params=["host kept", "host rewritten, slow, events held back"])
def tunnel(request: Any, tmp_path: Path, evening: Path) -> Iterator[tuple[Tunnel, Here]]:
    folder = tmp_path / "certificate"
    folder.mkdir()
    slow = request.param != "host kept"
    tunnel = Tunnel(folder, rewrite=slow, delay=0.3 if slow else 0, hold_events=slow)
    Keys(evening.parent, names=read_names([f"https://{tunnel.place}"]))
    served = Here(evening.parent)
    tunnel.inner = int(served.base.rpartition(":")[2])
    try:
        yield tunnel, served
    finally:
        tunnel.close()
        served.stop()


def test_an_evening_through_a_tunnel_loses_nothing(
    tunnel: tuple[Tunnel, Here], chromium: Any, evening: Path
) -> None:
    outer, served = tunnel
    assert served.said["german"].startswith(f"https://{outer.place}/#key=")
    with (
        Screen(chromium, served, "umpire") as home,
        Screen(chromium, served, "umpire", ignore_https_errors=True) as away,
    ):
        served.base, inner = f"https://{outer.place}", served.base
        page = away.open(evening)
        page.wait_for_selector("[data-option=dr]")
        served.base = inner
        here = home.open(evening)
        here.click("[data-option=dr]")
        await_next(here, "0.1")
        asked = here.locator("[data-prompt]").first.get_attribute("data-prompt")
        page.wait_for_selector(f"[data-prompt='{asked}']")  # heard, or looked up by itself
        outer.drop()
        page.wait_for_selector("#notice.bad:visible")
        assert "is lost" in page.inner_text("#notice")
        here.keyboard.press("u")
        here.wait_for_selector("[data-option=dr]")
        outer.away, outer.cut = True, False
        page.wait_for_timeout(2500)  # the tunnel is there again, the server is not
        assert "is lost" in page.inner_text("#notice")
        outer.away = False
        page.wait_for_selector("[data-option=dr]")
        page.wait_for_selector("#notice.bad:visible", state="hidden")
        page.click("[data-option=agreement]")
        await_next(page, "0.1")
        asked = page.locator("[data-prompt]").first.get_attribute("data-prompt")
        here.wait_for_selector(f"[data-prompt='{asked}']")
    assert outer.hold_events is bool(outer.held)


def test_a_tunnel_whose_server_is_away_is_a_lost_connection(
    tunnel: tuple[Tunnel, Here], evening: Path
) -> None:
    outer, served = tunnel
    key = served.key("umpire")
    headers = {"Authorization": f"Bearer {key}", "Origin": f"https://{outer.place}"}
    base = f"https://127.0.0.1:{outer.port}"
    with httpx.Client(verify=False, headers={**headers, "Host": outer.place}) as client:
        assert client.get(f"{base}/api/games").status_code == 200
        assert client.get(f"{base}/api/games", headers={"Origin": "null"}).status_code == 403
        if not outer.rewrite:
            foreign = client.get(f"{base}/api/games", headers={"Host": "evil.example"})
            assert foreign.status_code == 421
        outer.drop()
        with pytest.raises(httpx.TransportError):
            client.get(f"{base}/api/games")
    assert NAME in outer.place
