"""``pbcg drop orders``: template, check, seal, open and prove landing orders."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import typer

from asl_pbcg.airborne.dropmap import MapSpec, build_map, spec_faults, spec_of
from asl_pbcg.airborne.orders import Orders, read_orders
from asl_pbcg.airborne.seal import clean, fingerprint, fits
from asl_pbcg.airborne.settings import Settings, settings_of
from asl_pbcg.cli import drop_files
from asl_pbcg.cli.common import in_quotes
from asl_pbcg.cli.drop_show import as_json
from asl_pbcg.cli.streams import print_document
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.kernel.wording import number_words


def write_template(out: Path | None) -> None:
    """Print an orders file to fill in, or write it where nothing stands yet."""
    text = data_path("airborne/orders_template.yaml").read_text(encoding="utf-8")
    if out is None:
        print_document(text)
        return
    if out.exists():
        raise PBCGError(f"{out} exists already: choose another name or move it away.")
    write_atomic(out, text)
    typer.echo(f"{out} is written.", err=True)


def seal_orders(
    file: Path, sheet: Path, map_: str, settings: Path | None, json_wanted: bool
) -> None:
    """Seal an orders file in a new drop file and print the fingerprint. Rule: I.H, III.B."""
    if drop_files.is_drop_file(file) and file.exists():
        raise PBCGError(
            f"{file} exists already, and sealed orders cannot be changed (I.H): seal new orders "
            "in a new file."
        )
    chosen = drop_files.settings_at(settings)
    orders, spec = drop_files.read_sheet(sheet, map_, chosen)
    if not json_wanted:
        _show_forecast(orders, spec, chosen)
        if sys.stdin.isatty() and not typer.confirm("Seal them?", default=True):
            raise PBCGError("The orders are not sealed.")
    session = drop_files.seal(file, orders, spec, chosen)
    mark = session.state.fingerprint
    session.journal.close()
    if json_wanted:
        as_json({"file": str(file), "fingerprint": mark})
        return
    typer.echo(f"{file}: the orders are sealed. Give the enemy this fingerprint before set-up:")
    typer.echo(f"  {mark}")


def show_orders(file: Path, map_: str, settings: Path | None, json_wanted: bool) -> None:
    """Say that an orders file is in order, or how a drop file stands without opening it."""
    if not drop_files.is_drop_file(file):
        chosen = drop_files.settings_at(settings)
        orders, spec = drop_files.read_sheet(file, map_, chosen)
        if json_wanted:
            as_json({"file": str(file), "right": True, "orders": orders.to_data()})
            return
        sticks = number_words(sum(drop.sticks for drop in orders.drops), "stick")
        planes = number_words(len(orders.drops), "plane")
        gliders = number_words(len(orders.gliders), "glider")
        typer.echo(
            f"{file} is in order: {planes} with {sticks}, {gliders}, "
            f"the last landing on turn {orders.last_turn}."
        )
        _show_forecast(orders, spec, chosen)
        return
    with drop_files.drop_file(file, reading=True) as session:
        state = session.state
        if json_wanted:
            as_json({"file": str(file), "fingerprint": state.fingerprint, "turn": state.turn})
            return
        now = "is over" if state.finished else f"stands at turn {state.turn}"
        typer.echo(f"{file}: sealed orders, unchanged; the drop {now}.")
        typer.echo(f"  Fingerprint {state.fingerprint}")
        typer.echo(f"{in_quotes('drop', 'orders', file, '--open', 'opened.yaml')} opens them.")


def _show_forecast(orders: Orders, spec: MapSpec, settings: Settings) -> None:
    """Print what the orders may come to in each wind, while they can still be changed."""
    from asl_pbcg.airborne.forecast import forecast_lines

    for line in forecast_lines(orders, build_map(spec, settings), settings):
        typer.echo(line)


def open_orders(file: Path, out: Path) -> None:
    """Open sealed orders: write them with salt, map and settings, so that all can check them."""
    if not drop_files.is_drop_file(file):
        raise PBCGError(f"{file} is no drop file: only sealed orders can be opened.")
    if out.exists():
        raise PBCGError(f"{out} exists already: choose another name or move it away.")
    with drop_files.drop_file(file, reading=True) as session:
        content = opened_data(
            session.state.sealed, session.state.map, session.state.settings, session.state.salt
        )
        mark = session.state.fingerprint
    import json

    import yaml

    if out.suffix == ".json":
        text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    else:
        text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)
    write_atomic(out, text)
    typer.echo(f"{out}: the orders as they were sealed, with their salt.")
    typer.echo(f"{in_quotes('drop', 'orders', out, '--check', mark)} proves it.")


def opened_data(orders: Orders, spec: MapSpec, settings: Settings, salt: str) -> dict[str, Any]:
    """Opened orders as a file holds them."""
    import json

    import msgspec

    data = settings.to_data()
    sealed = {"salt": salt, "settings": {key: data[key] for key in settings.changed}}
    content = {**orders.to_data(), "map": msgspec.to_builtins(spec), "sealed": sealed}
    # Only lists and keys, as files hold them.
    plain: dict[str, Any] = json.loads(json.dumps(content))
    if not plain["map"]["board"]:
        plain["map"].pop("board")
    else:
        plain["map"] = {
            key: value
            for key, value in plain["map"].items()
            if key not in ("columns", "rows") and value
        }
    return plain


def check_orders(file: Path, written: str, json_wanted: bool) -> None:
    """Prove that the orders in a file are those behind a fingerprint. Rule: I.H, III.B.

    Raises PBCGError if they are not.
    """
    if drop_files.is_drop_file(file):
        with drop_files.drop_file(file, reading=True) as session:
            state = session.state
            orders, salt, settings, spec = state.sealed, state.salt, state.settings, state.map
    else:
        orders, salt, settings, spec = _read_opened(file)
    mark = fingerprint(orders, salt, settings, spec)
    orders_alone = fits(orders, salt, written)
    if not fits(orders, salt, written, settings, spec) and not orders_alone:
        raise PBCGError(
            f"The orders in {file} are not those behind this fingerprint, or the map or a setting "
            f"is another. Theirs is {mark}."
        )
    if json_wanted:
        as_json({"file": str(file), "fits": True, "fingerprint": clean(written)})
    else:
        typer.echo(f"The fingerprint fits: the orders in {file} are those that were sealed.")
    if orders_alone:
        typer.echo(
            "It is of an older pbcg and covers the orders alone, not the map or the settings.",
            err=True,
        )


def _read_opened(file: Path) -> tuple[Orders, str, Settings, MapSpec]:
    raw = read_yaml_or_json(file)
    sealed = raw.get("sealed") if isinstance(raw, dict) else None
    if not isinstance(sealed, dict) or not isinstance(sealed.get("salt"), str):
        raise PBCGError(
            f"{file} holds no salt: only orders that --open has written can be checked against a "
            "fingerprint."
        )
    settings = settings_of(sealed.get("settings") or {}, str(file))
    faults = list(spec_faults(raw.get("map"), settings))
    if faults:
        raise FaultsError(str(file), faults)
    spec = spec_of(raw["map"])
    orders = read_orders(raw, build_map(spec, settings), settings, str(file))
    return orders, sealed["salt"], settings, spec
