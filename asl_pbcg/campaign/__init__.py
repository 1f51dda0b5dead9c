"""What a Pegasus Bridge campaign is made of, Setup Areas, and what stands on its sheets."""
