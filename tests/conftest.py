"""What all tests share."""

from __future__ import annotations

import os
import sys
from pathlib import Path

# Helper modules of the tests (brute force, marks) stand beside them.
sys.path.insert(0, str(Path(__file__).resolve().parent))

# Nobody's own settings play a part.
os.environ["PBCG_SETTINGS"] = os.devnull
