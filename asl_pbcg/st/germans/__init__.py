"""The automatic Germans: set-up, advance, column, Mercedes, the resolute variant."""
