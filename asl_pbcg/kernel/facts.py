"""Facts of an object as plain data: what answers, sheets and pages show of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def facts_of(source: Any, names: str | Iterable[str], **renamed: str) -> dict[str, Any]:
    """Return the attributes of ``source`` that ``names`` lists, in a text with blanks between them.

    ``renamed`` are attributes that go by another name in the data: ``figures="standing"``.
    """
    listed = names.split() if isinstance(names, str) else names
    facts = {name: getattr(source, name) for name in listed}
    return facts | {name: getattr(source, attribute) for name, attribute in renamed.items()}
