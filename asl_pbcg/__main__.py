"""Run pbcg as ``python -m asl_pbcg``."""

from asl_pbcg.cli.main import main

main()
