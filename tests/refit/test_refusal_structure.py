"""Refusals for a viewer are made from what that viewer may know: the code can make no others."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "asl_pbcg"
WHOLE = {"state", "now", "journal", "standing", "entries"}
"""What a session has and a view has not."""


@cache
def refusals_in(path: Path) -> tuple[tuple[int, frozenset[str]], ...]:
    """The lines of a module that raise, and what each reads of a session."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return tuple(
        (node.lineno, frozenset(
            each.attr for each in ast.walk(node.exc) if isinstance(each, ast.Attribute)
        ))
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and node.exc is not None
    )  # fmt: skip


@pytest.mark.finding("J-02")
def test_no_front_end_makes_a_refusal_from_the_whole_game() -> None:
    files = [*(PACKAGE / "play").rglob("*.py"), *(PACKAGE / "web").rglob("*.py")]
    files = [path for path in files if not path.name.startswith(NO_SECRETS)]
    files += [PACKAGE / "kernel/undo_rights.py", PACKAGE / "refit/correction_policy.py"]
    wrong = [
        f"{path.name}:{line}" for path in files for line, read in refusals_in(path) if read & WHOLE
    ]
    assert len(files) > 60 and not wrong


NO_SECRETS = ("area_", "drop", "mega")
"""Plugs of games in which no side keeps anything secret."""


@pytest.mark.finding("J-02")
def test_what_refuses_a_correction_gets_the_view_alone() -> None:
    tree = ast.parse((PACKAGE / "refit/correction_policy.py").read_text(encoding="utf-8"))
    whole = {
        node.name: [ast.unparse(each) for each in ast.walk(node) if isinstance(each, ast.Raise)]
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any(arg.arg == "state" for arg in node.args.args)
    }
    assert {name for name, raised in whole.items() if raised} == {"correction_as_known"}
    assert not [each for each in whole["correction_as_known"] if "state" in each]


@pytest.mark.finding("J-02")
def test_a_seat_passes_on_no_refusal_of_the_whole_game() -> None:
    tree = ast.parse((PACKAGE / "play/seat.py").read_text(encoding="utf-8"))
    (made,) = (
        node for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == "_correct_now"
    )  # fmt: skip
    called = {ast.unparse(each.func) for each in ast.walk(tree) if isinstance(each, ast.Call)}
    inside = {ast.unparse(each.func) for each in ast.walk(made) if isinstance(each, ast.Call)}
    assert {"session.plan", "session.correct"} <= inside
    others = [
        node for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node is not made
        for each in ast.walk(node)
        if isinstance(each, ast.Call) and ast.unparse(each.func).endswith((".plan", ".correct"))
        and "plug" not in ast.unparse(each.func) and "self.correct" not in ast.unparse(each.func)
    ]  # fmt: skip
    assert called and not others
    assert "SECRET_FAULT" in ast.unparse(made)
