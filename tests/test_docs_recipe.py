"""``docs/engineers/building.md``, "Add a ruling or a DRM": the steps are followed in a copy."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "engineers" / "building.md").read_text(encoding="utf-8")
RECIPE = PAGE.partition("## Add a ruling or a DRM")[2].partition("\n## ")[0]
STEPS: list[tuple[str, str, str]] = [
    (re.findall(r"`([\w/]+\.\w+)`", words)[-1], kind, block)
    for words, kind, block in re.findall(r"^\d\. (.*?)```(\w+)\n(.*?)```", RECIPE, re.M | re.S)
]
"""By step the file, and the kind and text of the block: a difference, or what comes at its end."""
PARTS = ("asl_pbcg", "data", "docs", "tests", "templates", "pyproject.toml")
TRIED = ("tests/refit/test_refit_repair.py", "tests/campaign/module/test_campaign_tables.py")


def changed(text: str, kind: str, block: str) -> str:
    """Return a file with the block of a step in it."""
    if kind != "diff":
        return text + block
    lines = block.splitlines(keepends=True)
    old, new = ("".join(line[1:] for line in lines if line[0] in kept) for kept in (" -", " +"))
    assert text.count(old) == 1
    return text.replace(old, new)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this program in which the recipe was followed."""
    folder = tmp_path_factory.mktemp("recipe")
    skipped = shutil.ignore_patterns("__pycache__", "golden_*", "old_files")
    for name in PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=skipped)
        else:
            shutil.copyfile(ROOT / name, folder / name)
    for file, kind, block in STEPS:
        path = folder / file
        text = changed(path.read_text(encoding="utf-8"), kind, block)
        path.write_text(text, encoding="utf-8")
    return folder


def run(folder: Path, *command: str) -> str:
    """Run a Python program in the copy; what it printed."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    environment.pop("PYTEST_XDIST_WORKER", None)
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.finding("J-92")
def test_the_recipe_for_a_ruling_works_to_the_letter(copy: Path) -> None:
    assert len(STEPS) == 5
    code = [file for file, *_ in STEPS if file.endswith(".py")]
    run(copy, "-m", "ruff", "check", "--no-cache", *code)
    run(copy, "-m", "ruff", "format", "--check", "--no-cache", *code)
    run(copy, "docs/generate.py")
    run(copy, "docs/generate.py", "--check")
    told = run(copy, "-m", "pytest", "-n0", *TRIED)
    assert "passed" in told
    ruling = run(copy, "-m", "asl_pbcg", "rulings", "P-999")
    assert "plus-one" in ruling
