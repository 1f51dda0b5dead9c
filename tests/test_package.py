"""The package: its licence, the bounds of what it needs, and the lock its tests install from."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCK = (ROOT / "requirements.lock").read_text("utf-8")


def _locked() -> dict[str, list[str]]:
    """Return the versions of each package in the lock."""
    versions: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==([^ ]+)", LOCK, re.MULTILINE):
        versions.setdefault(name, []).append(version)
    return versions


@pytest.mark.finding("G-64")
def test_licence_is_an_expression_and_the_publisher_fills_one_line() -> None:
    assert PROJECT["license"] == "MIT AND OFL-1.1"  # the program, and the font it prints with
    assert all((ROOT / each).read_text("utf-8") for each in PROJECT["license-files"])
    assert any(each.startswith("Development Status ::") for each in PROJECT["classifiers"])
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    line = next(each for each in text.splitlines() if each.startswith("# urls = "))
    urls = tomllib.loads(text.replace(line, line.removeprefix("# ")))["project"]["urls"]
    assert {"Source", "Issues"} <= set(urls)


@pytest.mark.finding("G-64")
def test_lock_has_every_package_the_tests_need_within_its_bounds() -> None:
    extras = PROJECT["optional-dependencies"]
    needed = [*PROJECT["dependencies"], *extras["test"], *extras["cluster"], *extras["study"]]
    locked = _locked()
    for each in map(Requirement, needed):
        if each.name == PROJECT["name"]:
            continue
        versions = locked[canonicalize_name(each.name)]
        assert all(each.specifier.contains(version) for version in versions), each


@pytest.mark.finding("G-64")
def test_lock_gives_the_hashes_of_each_package_and_no_address() -> None:
    packages = re.split(r"^(?=[\w.-]+==)", LOCK, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in each for each in packages)
    assert "://" not in LOCK


@pytest.mark.finding("G-64")
def test_ci_runs_the_command_of_the_readme_which_installs_from_the_lock() -> None:
    command = (ROOT / "README.md").read_text("utf-8").split("<!-- test command -->")[1]
    assert "--require-hashes -r requirements.lock" in command.split("```")[1]
    assert "<!-- test command -->" in (ROOT / ".ci" / "run").read_text("utf-8")
