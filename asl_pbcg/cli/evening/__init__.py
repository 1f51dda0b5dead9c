"""Commands of a campaign: position, new, refit, records, history."""
