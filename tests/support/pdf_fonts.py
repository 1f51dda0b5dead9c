"""The fonts of a PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pypdf


def fonts_left_to_the_reader(path: Path) -> set[str]:
    """Return the names of fonts that a PDF names and does not embed, whether used or not."""
    found = set()
    for page in pypdf.PdfReader(path).pages:
        resources: Any = page["/Resources"]
        for font in resources.get("/Font", {}).values():
            face = font.get_object()
            if "/DescendantFonts" in face:
                face = face["/DescendantFonts"][0].get_object()
            described = face.get("/FontDescriptor", {})
            if not {"/FontFile", "/FontFile2", "/FontFile3"} & set(described):
                found.add(str(face["/BaseFont"]))
    return found
