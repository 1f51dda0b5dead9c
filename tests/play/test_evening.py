"""How much is typed and looked up in an evening: the RePh after Night I of the golden CG I."""

from __future__ import annotations

from pathlib import Path

from evening_count import evening


def test_an_evening_is_soon_typed(tmp_path: Path) -> None:
    player = evening(tmp_path)
    assert player.lines <= 110, player.points.most_common()
    assert player.looks <= 20
    assert player.rows < 24  # each question, the line typed included, fits the screen
    rows = [line for line in player.out.getvalue().splitlines() if "\x1b" not in line]
    # The marks of a hand-over are the terminal's own lines; all else fits 80 columns.
    assert not [row for row in rows if len(row) > 80 and "[bold]" not in row]
