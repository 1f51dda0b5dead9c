"""Facts of an object as plain data: what answers, sheets and pages show of it."""

from __future__ import annotations

from typing import Any


def facts_of(source: Any, names: str, **renamed: str) -> dict[str, Any]:
    """Return the attributes of ``source`` that ``names`` lists, blanks between them.

    ``renamed`` are attributes that go by another name in the data: ``figures="standing"``.
    """
    facts = {name: getattr(source, name) for name in names.split()}
    return facts | {name: getattr(source, attribute) for name, attribute in renamed.items()}
