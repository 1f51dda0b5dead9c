"""The parts of an ASL campaign: module, board, pieces, positions, Setup Areas, sheets."""
