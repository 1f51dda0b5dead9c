"""``pbcg drop orders``: template, check, seal, open and prove landing orders."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
import yaml
from msgspec import to_builtins

from asl_pbcg.airborne.drop_map import MapSpec, build_map, read_spec
from asl_pbcg.airborne.drop_odds import forecast_lines
from asl_pbcg.airborne.drop_settings import DropSettings, settings_of
from asl_pbcg.airborne.drop_state import DropState
from asl_pbcg.airborne.landing_orders import Orders, fingerprint, read_orders
from asl_pbcg.cli.command_answers import Answer, wants_json, written_files
from asl_pbcg.cli.common import in_quotes
from asl_pbcg.cli.drop.drop_playing import (
    SUFFIX,
    MapOptions,
    begin_sealed,
    drop_file,
    is_drop_file,
    read_sheet,
    settings_at,
)
from asl_pbcg.cli.terminal.streams import print_document
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.seals import read_words
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.kernel.wording import number_words


def write_template(out: Path | None) -> Answer:
    """Answer an orders file to fill in, or write it to a new file."""
    text = data_path("airborne/orders_template.yaml").read_text(encoding="utf-8")
    if out is None:
        return Answer({"template": text}, lambda _: print_document(text))
    _write_new(out, text)
    return written_files([out])


def _write_new(out: Path, text: str) -> None:
    if out.exists():
        raise PBCGError(f"{out} exists already: choose another name or move it away.")
    write_atomic(out, text)


def seal_orders(file: Path, sheet: Path, options: MapOptions) -> Answer:
    """Seal an orders file in a new drop file and tell its words. Rule: I.H, III.B."""
    if is_drop_file(file) and file.exists():
        raise PBCGError(
            f"{file} exists already, and sealed orders cannot be changed (I.H): seal new orders "
            "in a new file."
        )
    settings = settings_at(options.settings)
    orders, spec = read_sheet(sheet, options.map_, settings)
    if not is_drop_file(file):
        raise PBCGError(f"{file} should end in {SUFFIX}: it will be a drop file.")
    for line in forecast_lines(orders, build_map(spec, settings), settings):
        typer.echo(line)
    asks = sys.stdin.isatty() and not wants_json()
    if asks and not typer.confirm("Seal them?", default=True):
        raise PBCGError("The orders are not sealed.")
    session = begin_sealed(file, orders, spec, settings)
    mark = session.state.fingerprint
    session.journal.close()
    lines = (
        f"{file}: the orders are sealed. Tell the enemy these words before set-up:",
        f"  {mark}",
    )
    return Answer.in_lines({"file": str(file), "fingerprint": mark}, lines)


def look_at_orders(file: Path, options: MapOptions) -> Answer:
    """Say that an orders file is in order, or how a drop file stands without opening it."""
    if is_drop_file(file):
        with drop_file(file, reading=True) as session:
            state = session.state
        data = {"file": str(file), "fingerprint": state.fingerprint, "turn": state.turn}
        return Answer.in_lines(data, _standing_lines(file, state))
    settings = settings_at(options.settings)
    orders, spec = read_sheet(file, options.map_, settings)
    data = {"file": str(file), "right": True, "orders": orders.to_data()}
    return Answer.in_lines(data, _order_lines(file, orders, spec, settings))


def _standing_lines(file: Path, state: DropState) -> Iterator[str]:
    now = "is over" if state.finished else f"stands at turn {state.turn}"
    yield f"{file}: sealed orders, unchanged; the drop {now}."
    yield f"  Sealed as: {state.fingerprint}"
    yield f"{in_quotes('drop', 'orders', file, '--open', 'opened.yaml')} opens them."


def _order_lines(
    file: Path, orders: Orders, spec: MapSpec, settings: DropSettings
) -> Iterator[str]:
    sticks = number_words(sum(drop.sticks for drop in orders.drops), "stick")
    planes = number_words(len(orders.drops), "plane")
    gliders = number_words(len(orders.gliders), "glider")
    last = f"the last landing on turn {orders.last_turn}"
    yield f"{file} is in order: {planes} with {sticks}, {gliders}, {last}."
    yield from forecast_lines(orders, build_map(spec, settings), settings)


def open_orders(file: Path, out: Path) -> Answer:
    """Open sealed orders: write them with salt, map and settings, so that all can check them."""
    if not is_drop_file(file):
        raise PBCGError(f"{file} is not a drop file: only sealed orders can be opened.")
    with drop_file(file, reading=True) as session:
        state = session.state
    # Only lists and keys, as files hold them.
    content = json.loads(json.dumps(opened_data(state)))
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)
    if out.suffix == ".json":
        text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    _write_new(out, text)
    proof = in_quotes("drop", "orders", out, "--check", state.fingerprint)
    more = f"The orders as they were sealed, with their salt; {proof} proves it."
    return written_files([out], more)


def opened_data(state: DropState) -> dict[str, Any]:
    """Return opened orders as a file holds them."""
    spec = {key: value for key, value in to_builtins(state.map).items() if value}
    sealed = {"salt": state.salt, "settings": state.settings.chosen_values()}
    return {**state.sealed.to_data(), "map": spec, "sealed": sealed}


def check_orders(file: Path, written: str) -> Answer:
    """Prove that the orders in a file are those sealed with eight words. Rule: I.H, III.B.

    Raises PBCGError if they are not.
    """
    if is_drop_file(file):
        with drop_file(file, reading=True) as session:
            state = session.state
            orders, salt, settings, spec = state.sealed, state.salt, state.settings, state.map
    else:
        orders, salt, settings, spec = _read_opened(file)
    mark, typed = fingerprint(orders, salt, settings, spec), read_words(written)
    if typed != mark:
        raise PBCGError(
            f"The orders in {file} are not those sealed with these words, or the map or a setting "
            f"is another. Theirs are: {mark}."
        )
    lines = [f"The words fit: the orders in {file} are those that were sealed."]
    return Answer.in_lines({"file": str(file), "fits": True, "fingerprint": typed}, lines)


def _read_opened(file: Path) -> tuple[Orders, str, DropSettings, MapSpec]:
    raw = read_yaml_or_json(file)
    sealed = raw.get("sealed") if isinstance(raw, dict) else None
    if not isinstance(sealed, dict) or not isinstance(sealed.get("salt"), str):
        raise PBCGError(
            f"{file} holds no salt: only orders that --open has written can be checked against "
            "the words of a seal."
        )
    settings = settings_of(sealed.get("settings") or {}, str(file))
    spec = read_spec(raw.get("map"), settings, str(file))
    orders = read_orders(raw, build_map(spec, settings), settings, str(file))
    return orders, sealed["salt"], settings, spec
