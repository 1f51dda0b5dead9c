"""Run pbcg, as the command ``pbcg`` or as ``python -m asl_pbcg``."""

import sys


def main() -> None:
    """Run ``pbcg``; Ctrl-C while it is still being loaded ends without a traceback too."""
    try:
        from asl_pbcg.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
