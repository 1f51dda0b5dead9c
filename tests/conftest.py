"""What all tests share."""

from __future__ import annotations

import sys
from pathlib import Path

# Helper modules of the tests (brute force, marks) stand beside them.
sys.path.insert(0, str(Path(__file__).resolve().parent))
