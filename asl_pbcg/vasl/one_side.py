"""An empty save for one side's eyes: what may stand in it is a white list, in one order.

VASL hides by display only. So nothing is taken out of a save for one side; one is built anew, of
nothing that tells what the other side has: no counter, id or order of the base, none of its other
commands but the boards and the open part of the scenario's facts, one key and one date.
"""

from __future__ import annotations

from asl_pbcg.vasl.archive import new_archive
from asl_pbcg.vasl.editor import SaveEditor
from asl_pbcg.vasl.names import facts
from asl_pbcg.vasl.sequences import ESC, encode, parse_commands, split

_INFO = "INFO\t"
_OPEN = 7
"""Of the scenario's facts: who moves first, whose turn, the turn, and each side's ELR and SAN."""
_MAX_FACT = 20  # letters; a name of a side or a number


def empty_save(base: SaveEditor) -> SaveEditor:
    """Return a save without counters, of what both sides may know of a base save."""
    told: list[str] = []
    for command in parse_commands(base.text()).leaves():
        if command.text.startswith(_INFO):
            fields = split(command.text.removeprefix(_INFO), "\t")[:_OPEN]
            told = [_INFO + "\t".join(each[:_MAX_FACT] for each in fields if each.isprintable())]
    told += [f"GlobalProperty\t;{name};0;Casualties" for name in _bin_totals(base)]
    parts = ["begin_save", ESC, *told, base.boards, "end_save"]
    text = ESC.join(encode(each, ESC) for each in parts)
    return SaveEditor(new_archive(base.archive, text, base.name), text, base.name)


def _bin_totals(base: SaveEditor) -> list[str]:
    """Return the totals of the Casualties Bin that a save keeps."""
    return [name for name in facts().casualties if f"GlobalProperty\t;{name};" in base.text()]
