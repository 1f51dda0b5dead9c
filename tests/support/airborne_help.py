"""What the tests of airborne drops share: maps, orders, a session on a journal in memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from asl_pbcg.airborne.drop_game import DropSession, begin_drop
from asl_pbcg.airborne.drop_map import DropMap, MapSpec, build_map
from asl_pbcg.airborne.drop_settings import DropSettings, settings_of
from asl_pbcg.airborne.landing_orders import Orders, read_orders
from asl_pbcg.airborne.wind import Wind, read_side, wind_from
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import ListedDice
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.play.drop_board import offer_campaign_board

offer_campaign_board()

PLAIN = {"columns": 41, "rows": 41}
BOARD = {"board": "pegasus-bridge"}


def with_settings(**given: Any) -> DropSettings:
    return settings_of(given, "the test")


def plain(settings: DropSettings | None = None, **spec: Any) -> DropMap:
    return build_map(MapSpec(**{**PLAIN, **spec}), settings or with_settings())


def board(settings: DropSettings | None = None) -> DropMap:
    return build_map(MapSpec(board="pegasus-bridge"), settings or with_settings())


def blowing(side: str, speed: Any = "gusty", settings: DropSettings | None = None) -> Wind:
    settings = settings or with_settings()
    return wind_from(read_side(side, settings), speed, settings)


def sheet(
    drops: Iterable[dict[str, Any]] = (), gliders: Iterable[dict[str, Any]] = ()
) -> dict[str, Any]:
    """An orders file as read."""
    return {
        "format": "pbcg-drop-orders/1",
        "title": "a drop",
        "side": "british",
        "drops": list(drops),
        "gliders": list(gliders),
    }


def load(platoon: str, at: str, turn: int = 1, **more: Any) -> dict[str, Any]:
    return {"turn": turn, "at": at, "platoon": platoon, **more}


def glider(name: str, at: str, flight: str = "E", turn: int = 1, **more: Any) -> dict[str, Any]:
    return {"turn": turn, "at": at, "load": name, "flight": flight, **more}


def orders_of(raw: dict[str, Any], settings: DropSettings | None = None, **spec: Any) -> Orders:
    settings = settings or with_settings()
    return read_orders(raw, plain(settings, **spec), settings, "orders.yaml")


def new_drop(
    raw: dict[str, Any] | None = None,
    settings: DropSettings | None = None,
    map: dict[str, Any] | None = None,
    weather: dict[int, Wind] | None = None,
    journal: Journal | None = None,
) -> DropSession:
    """A drop whose orders ``raw`` are sealed."""
    import msgspec

    chosen = settings or with_settings()
    meta = {
        "game": "airborne",
        "settings": {
            "settings": chosen.to_data(),
            "map": map or PLAIN,
            "side": "british",
            "salt": "0f" * 16,
            "weather": msgspec.to_builtins(weather or {}, str_keys=True),
        },
    }
    session = begin_drop(journal or Journal.in_memory(meta))
    if raw is not None:
        session.answer(raw)
    return session


class Answers:
    """Answers by decision point; a point not named takes its default. Rolls take ``dice``."""

    def __init__(self, **answers: Any) -> None:
        self.answers = {point.replace("__", "."): list(given) for point, given in answers.items()}
        self.asked: list[str] = []

    def answer(self, prompt: Prompt) -> Any:
        self.asked.append(prompt.id)
        waiting = self.answers.get(prompt.id)
        return waiting.pop(0) if waiting else prompt.default

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        self.asked.append(roll.id)
        return None

    def hear_refusal(self, prompt: Prompt | Roll, error: Exception) -> None:
        raise error


def play(session: DropSession, dice: Iterable[int] = (), turns: int = 1, **answers: Any) -> Answers:
    """Play ``turns`` turns with one die for each roll; everything not named stays default."""
    last = session.state.turn + turns
    given = Answers(**answers)
    throws = ListedDice([[face] for face in dice])
    drive(session, given, throws, until=lambda: session.state.turn >= last)
    return given


def told(session: DropSession) -> str:
    return "\n".join(line.text for line in session.lines())
