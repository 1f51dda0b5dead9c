"""A campaign begun on paper: records, checks, workbook, roster."""
