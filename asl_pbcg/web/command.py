"""``pbcg serve``: the campaign evening in the browser."""

from __future__ import annotations

from pathlib import Path

import typer

from asl_pbcg.web.server import serve as run

app = typer.Typer(add_completion=False)


@app.command()
def serve(
    path: Path = typer.Argument(Path(), help="A folder of games, or one game file."),
    port: int = typer.Option(
        0, "--port", show_default=False, min=0, max=65535, help="0: any that is free."
    ),
    lan: bool = typer.Option(False, "--lan", help="Also for other machines of this network."),
    no_open: bool = typer.Option(False, "--no-open", help="Do not open the browser."),
    new_keys: bool = typer.Option(False, "--new-keys", help="Make all keys again."),
) -> None:
    """Serve the folder's games as a local page, for both players or each at his own screen."""

    def tell(line: str) -> None:
        typer.echo(line)

    run(path, port, lan, not no_open, new_keys, tell)
