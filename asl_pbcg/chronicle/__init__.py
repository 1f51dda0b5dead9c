"""The story of pieces and sides, told from events: records, losses, summary, luck."""
