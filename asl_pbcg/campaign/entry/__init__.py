"""The end position entered: every form, one set of checks, one draft."""
