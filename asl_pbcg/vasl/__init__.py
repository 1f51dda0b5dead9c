"""Reads VASL saves, logs and modules, and writes saves; knows no Refit Phase.

Only the players' own files are read and changed: nothing of VASL's is shipped. What a save calls a
counter stands in ``data/pb/vasl_names.csv``, what its markers mean in ``vasl.yaml``.
"""
