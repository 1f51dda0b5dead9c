"""``pbcg serve``: the campaign evening in the browser."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import typer

from asl_pbcg.web.server import Ready, ready_lines
from asl_pbcg.web.server import serve as run

app = typer.Typer(add_completion=False)


@app.command()
def serve(
    path: Path = typer.Argument(Path(), help="A folder of games, or one game file."),
    port: int | None = typer.Option(
        None,
        "--port",
        min=0,
        max=65535,
        help="0: any that is free. Else the folder's own, the same every time.",
    ),
    lan: bool = typer.Option(False, "--lan", help="Also for other machines of this network."),
    host: list[str] = typer.Option(
        [],
        "--host",
        metavar="NAME",
        help="A name of a tunnel or VPN, kept until others or none are given; may be repeated.",
    ),
    no_open: bool = typer.Option(False, "--no-open", help="Do not open the browser."),
    new_keys: bool = typer.Option(False, "--new-keys", help="Make all keys again."),
    as_json: bool = typer.Option(False, "--json", help="Say the addresses in a line of JSON."),
) -> None:
    """Serve the folder's games as a local page, for both players or each at his own screen."""

    def tell(ready: Ready) -> None:
        if as_json:
            typer.echo(msgspec.json.encode(ready).decode())
        else:
            typer.echo("\n".join(ready_lines(ready)))
        sys.stdout.flush()  # it goes on: whoever reads a pipe must not wait for its end

    run(path, port, lan, not no_open, new_keys, tell, host)
