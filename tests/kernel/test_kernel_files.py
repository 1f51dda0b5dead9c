"""Writing a file: in one move, and on the disk with its name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import make_new, write_atomic


@pytest.mark.skipif(os.name == "nt", reason="Windows syncs no folders")
@pytest.mark.parametrize("write", [write_atomic, make_new])
def test_a_file_is_brought_to_the_disk_before_its_folder(
    write: Callable[[Path, bytes], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name of a new or replaced file is kept by its folder: without it a power cut loses it."""
    synced: list[tuple[bool, bool]] = []
    path = tmp_path / "sheet.pdf"
    fsync = os.fsync

    def note(handle: int) -> None:
        found = os.fstat(handle)
        synced.append((os.path.samestat(found, tmp_path.stat()), path.exists()))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", note)
    write(path, b"content")
    assert synced == [(False, False), (True, True)]
    assert path.read_bytes() == b"content"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
@pytest.mark.parametrize("write", [write_atomic, make_new])
def test_a_pipe_or_device_is_not_replaced(
    write: Callable[[Path, bytes], None], tmp_path: Path
) -> None:
    pipe = tmp_path / "check.html"
    os.mkfifo(pipe)
    with pytest.raises(PBCGError, match="device"):
        write(pipe, b"content")
    assert pipe.is_fifo() and list(tmp_path.iterdir()) == [pipe]
