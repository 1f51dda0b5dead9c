"""Run pbcg, as the command ``pbcg`` or as ``python -m asl_pbcg``."""

import gc
import sys

_COLLECT_AFTER = 20_000
"""Objects made before Python looks for some that can go: nothing that is loaded can, and looking
every 700, as it does otherwise, takes a twentieth of the time to start."""


def main() -> None:
    """Run ``pbcg``; Ctrl-C while it is being loaded, or ending, is told as at any other time."""
    gc.set_threshold(_COLLECT_AFTER)
    try:
        from asl_pbcg.cli.main import main as run

        run()
    except KeyboardInterrupt:
        from asl_pbcg.kernel.errors import STOPPED

        sys.stderr.write(STOPPED + "\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
