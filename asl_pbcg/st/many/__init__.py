"""Many games of the area game at once: simulation, studies, challenges."""
