"""The page of what was mended names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "engineers" / "mended.md"


FOUND = [*range(1, 19), *range(20, 27), *range(30, 37), *range(40, 44), 50, 51, 60, 61]
"""The numbers there are below F-70."""


def test_every_number_stands_there_once() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert sorted(map(int, re.findall(r"^\| F-(\d+) ", text, re.MULTILINE))) == FOUND


def test_every_test_named_there_exists_and_every_number_has_one() -> None:
    missing = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("| F-"):
            continue
        named = re.findall(r"`(?:(test_\w+)::)?(test_\w+)`", line)
        assert named, line
        file = ""
        for module, test in named:
            file = module or file
            text = (TESTS / f"{file}.py").read_text(encoding="utf-8")
            if f"def {test}(" not in text:
                missing.append(f"{file}::{test}")
    assert not missing
