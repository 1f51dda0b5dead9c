"""The command ``pbcg`` as a shell would run it, without starting another Python each time."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from asl_pbcg.__main__ import main


class Told(NamedTuple):
    """What a run of the program came to."""

    code: int
    out: str
    err: str


def run_pbcg(
    *args: str | Path, typed: str = "", environment: Mapping[str, str] = os.environ
) -> Told:
    """Run the program with ``typed`` at its keyboard, which is not a terminal."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2)]
    kept = sys.argv, sys.stdin, sys.stdout, sys.stderr, dict(os.environ)
    sys.argv = ["pbcg", *map(str, args)]
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8")
    sys.stdout, sys.stderr = streams
    os.environ.update(environment)
    code = 0
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = kept[:4]
        os.environ.clear()
        os.environ.update(kept[4])
    out, err = (each.buffer.getvalue().decode() for each in streams)
    return Told(code, out, err)


ENVIRONMENT = {"COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}


def pbcg(*args: str | Path, typed: str = "", code: int = 0) -> str:
    """Run the program; what it printed, both streams together."""
    result = run_pbcg(*args, typed=typed, environment=ENVIRONMENT)
    output = result.out + result.err
    assert result.code == code, output
    assert "Traceback" not in output
    return output
