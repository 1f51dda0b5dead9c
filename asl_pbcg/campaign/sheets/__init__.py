"""The contents of the campaign's records and sheets."""
