"""Reads a VASL save and says what stands where; knows positions, not the Refit Phase.

Only the players' own files are read: nothing of VASL's is shipped or written. What a save calls a
counter stands in ``data/pb/vasl_names.csv`` and ``vasl_markers.csv``.
"""
