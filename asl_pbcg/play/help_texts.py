"""The built-in help: ``data/pb/help.yaml`` and ``data/st/help.yaml``."""

from __future__ import annotations

from typing import Final

import msgspec

from asl_pbcg.kernel.typed_data import data_file


class RefitHelp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The help of the Refit Phase: of each step and each decision point what it is about."""

    steps: dict[str, str]
    points: dict[str, str]


class GermanHelp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The help that holds for one kind of Germans only: goals, and of each phase what to know."""

    goals: tuple[str, ...]
    phases: dict[str, tuple[str, ...]]


class AreaGameHelp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The help of the area game: greeting, goals, of each phase and question what to know."""

    welcome: tuple[str, ...]
    goals: tuple[str, ...]
    germans: dict[str, GermanHelp]
    """By the choice of the setting ``german``."""
    phases: dict[str, tuple[str, ...]]
    points: dict[str, str]


REFIT_HELP: Final = data_file("pb/help.yaml", RefitHelp)
AREA_GAME_HELP: Final = data_file("st/help.yaml", AreaGameHelp)
