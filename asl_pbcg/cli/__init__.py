"""The pbcg command: typer commands, one file per group."""
