"""Where the rules' numbers live: finds and reads the files of ``data/`` and ``templates/``.

In a checkout they stand at the top level; in the wheel they travel inside the package.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from asl_pbcg.kernel.errors import PBCGError

_PACKAGE = Path(__file__).resolve().parent.parent


def _folder(name: str) -> Path:
    shipped = _PACKAGE / f"_{name}"
    return shipped if shipped.is_dir() else _PACKAGE.parent / name


def data_path(name: str) -> Path:
    """Say where the data file ``name`` (for example ``"pb/board.csv"``) stands.

    Raises PBCGError if it is missing, which means a broken installation.
    """
    path = _folder("data") / name
    if not path.exists():
        raise PBCGError(f"The data file {name} is missing: install pbcg again.")
    return path


def template_path(name: str) -> Path:
    """Say where the sheet layout ``name`` (for example ``"cg_roster.yaml"``) stands."""
    path = _folder("templates") / name
    if not path.exists():
        raise PBCGError(f"The template {name} is missing: install pbcg again.")
    return path


def parse_yaml(text: str | bytes) -> Any:
    """Read YAML of our own (trusted) files; only ``true`` and ``false`` are booleans."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(text, Loader=loader)


@cache
def load_data(name: str) -> Any:
    """Read the YAML data file ``name`` once; callers must not change what they get."""
    return parse_yaml(data_path(name).read_bytes())
