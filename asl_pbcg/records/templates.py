"""Reading sheet templates: the shipped ones, and a club's own, with all faults at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from asl_pbcg.kernel.data import template_path
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.reader import nearest_or_all
from asl_pbcg.kernel.struct_reader import ListItem, StructReader
from asl_pbcg.kernel.struct_reader import Path as Place
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.records.layout import Column, Layout, TableLayout, Template

Wrong = tuple[str, str, str]
"""A fault that a check found: key, value and what is wrong."""


def load_layout(name: str, folder: Path | None = None) -> Layout:
    """The layout ``name`` (for example "cg_roster"): from ``folder`` if it has one, else shipped.

    A template in ``folder`` may leave out, reorder, rename and resize what the shipped one has
    and add columns for writing by hand; a key the shipped one does not know is a fault.
    Raises FaultsError with every fault of the file, PBCGError if it cannot be read.
    """
    shipped = _shipped_layout(name)
    if folder is None:
        return shipped
    if not folder.is_dir():
        raise PBCGError(f"There is no folder {folder} with templates.")
    own = folder / f"{name}.yaml"
    return read_layout(own, shipped) if own.exists() else shipped


def check_folder(folder: Path) -> tuple[str, ...]:
    """Check every template in ``folder``; gives the names of the sheets it restyles.

    Raises FaultsError with the faults of all files together, a misspelled file name among them.
    """
    if not folder.is_dir():
        raise PBCGError(f"There is no folder {folder} with templates.")
    sheet_names = shipped_names()
    names: list[str] = []
    faults: list[Fault] = []
    for path in sorted([*folder.glob("*.yaml"), *folder.glob("*.yml")]):
        if path.suffix != ".yaml" or path.stem not in sheet_names:
            wrong = (
                f"is not a sheet{nearest_or_all(path.stem, sheet_names)}"
                if path.stem not in sheet_names
                else "must end in .yaml"
            )
            faults.append(Fault(path.name, "", wrong))
            continue
        try:
            read_layout(path, _shipped_layout(path.stem))
        except FaultsError as error:
            faults.extend(
                Fault(f"{path.name}, {fault.where}", fault.value, fault.wrong)
                for fault in error.faults
            )
        except PBCGError as error:
            faults.append(Fault("", "", str(error)))
        names.append(path.stem)
    if faults:
        raise FaultsError(str(folder), faults)
    return tuple(names)


def shipped_names() -> tuple[str, ...]:
    """Return the names of all sheets that have a template."""
    return tuple(sorted(path.stem for path in template_path(".").glob("*.yaml")))


@cache
def _shipped_layout(name: str) -> Layout:
    return read_layout(template_path(f"{name}.yaml"))


def read_layout(path: Path, shipped: Layout | None = None) -> Layout:
    """Read one template file; with ``shipped`` its keys must be among that layout's.

    Raises FaultsError with every fault of the file.
    """
    contracts = {table.key: table for table in shipped.tables} if shipped else {}

    def check_table(table: TableLayout, place: Place) -> Iterator[Wrong]:
        if contracts and table.key not in contracts:
            hint = nearest_or_all(table.key, contracts)
            yield "key", table.key, f"is not a table of this sheet{hint}"
        if not table.shown:
            yield "columns", "", "a table needs at least one column that shows"
        yield from _keys_used_twice([column.key for column in table.columns], "column")
        if table.section and table.section not in {column.key for column in table.columns}:
            yield "section", table.section, "is not the key of a column of this table"

    def check_column(column: Column, place: Place) -> Iterator[Wrong]:
        contract = contracts.get(place[1].name) if isinstance(place[1], ListItem) else None
        keys = [field.key for field in contract.columns if field.key] if contract else [column.key]
        if column.key and column.key not in keys:
            hint = nearest_or_all(column.key, keys)
            yield "key", column.key, f"is not a column of this sheet{hint}"

    def check_template(template: Template, place: Place) -> Iterator[Wrong]:
        yield from _keys_used_twice([table.key for table in template.tables], "table")

    reader = StructReader(
        str(path),
        place=_place_words,
        named_by="key",
        numbers_as_text=True,
        checks={Template: check_template, TableLayout: check_table, Column: check_column},
    )
    template = reader.read(read_yaml_or_json(path), Template)
    reader.raise_faults()
    assert template
    return Layout(name=path.stem, **msgspec.structs.asdict(template))


def _keys_used_twice(keys: list[str], noun: str) -> Iterator[Wrong]:
    for key in dict.fromkeys(key for key in keys if key and keys.count(key) > 1):
        yield f"{noun}s", key, f"is the key of more than one {noun}"


def _place_words(place: Place) -> str:
    """Return a place in a template: ``table 1 (groups), column 2 (rg), width``."""
    parts: list[str] = []
    for step in place:
        if isinstance(step, str):
            parts.append(step)
        else:
            name = f" ({step.name})" if step.name else ""
            parts[-1] = f"{parts[-1].removesuffix('s')} {step.number}{name}"
    return ", ".join(parts) or "the template"
