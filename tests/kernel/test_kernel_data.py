"""Data files: what is kept parsed is what stands in the file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from asl_pbcg.kernel import data
from asl_pbcg.kernel.data import data_path, load_data, parse_yaml
from asl_pbcg.kernel.typed_data import load_lines, parse_lines

ROOT = data_path("pb").parent
NAMES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.yaml"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own, in which parsed files may be kept."""
    monkeypatch.setattr(data, "_folder", lambda name: tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.setattr("sys.pycache_prefix", None)
    return tmp_path


def read(name: str) -> Any:
    load_data.cache_clear()
    try:
        return load_data(name)
    finally:
        load_data.cache_clear()


def kept(folder: Path) -> list[Path]:
    return sorted((folder / "__pycache__").glob("a.*.pyc"))


@pytest.mark.parametrize("name", NAMES)
def test_a_kept_file_is_as_it_was_parsed(folder: Path, name: str) -> None:
    text = (ROOT / name).read_bytes()
    (folder / "a.yaml").write_bytes(text)
    first = read("a.yaml")
    assert kept(folder), "nothing was kept"
    again = read("a.yaml")
    assert repr(first) == repr(again) == repr(parse_yaml(text))


def test_a_kept_comma_table_is_as_it_was_parsed(folder: Path) -> None:
    text = (ROOT / "pb/catalogue/infantry.csv").read_bytes()
    (folder / "a.csv").write_bytes(text)
    first = load_lines("a.csv")
    assert kept(folder), "nothing was kept"
    assert load_lines("a.csv") == first == parse_lines(text)
    (folder / "a.csv").write_text("one,two\n1,2\n3\n,4\n")
    os.utime(folder / "a.csv", (1, 1))
    lines = [(2, {"one": "1", "two": "2"}), (3, 1), (4, {"two": "4"})]
    assert load_lines("a.csv") == (["one", "two"], lines, "")


def test_no_two_data_files_of_a_folder_are_kept_under_one_name() -> None:
    found = [path.with_suffix("") for path in ROOT.rglob("*") if path.suffix in (".yaml", ".csv")]
    assert len(found) == len(set(found)) > 30


def test_what_is_kept_is_used_and_made_anew_when_the_file_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / "a.yaml"
    file.write_text("price: 5\n")
    assert read("a.yaml") == {"price": 5}
    with monkeypatch.context() as patch:
        patch.setattr(data, "parse_yaml", lambda text: pytest.fail("parsed again"))
        assert read("a.yaml") == {"price": 5}
    file.write_text("price: 6\n")
    os.utime(file, (1, 1))
    assert read("a.yaml") == {"price": 6}


@pytest.mark.parametrize("left", [0, 8, 16, 20, 40])
def test_a_damaged_kept_file_does_no_harm(folder: Path, left: int) -> None:
    (folder / "a.yaml").write_text("price: 5\n")
    read("a.yaml")
    (file,) = kept(folder)
    file.write_bytes(file.read_bytes()[:left])
    assert read("a.yaml") == {"price": 5}


def test_nothing_is_kept_where_python_keeps_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    (folder / "a.yaml").write_text("price: 5\n")
    assert read("a.yaml") == {"price": 5}
    assert not (folder / "__pycache__").exists()


def test_lazy_module_is_imported_at_first_use() -> None:
    code = (
        "import sys; from asl_pbcg.kernel.slow_libraries import affinity, yaml; "
        "assert not {'yaml', 'shapely'} & {*sys.modules}; "
        "assert yaml.safe_load('1') == 1 and 'yaml' in sys.modules; "
        "assert affinity.scale and 'shapely' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
