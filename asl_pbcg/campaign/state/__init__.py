"""The state of a campaign: the OB of both sides and every change to it."""
