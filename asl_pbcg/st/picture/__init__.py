"""Pictures of the area game: the drawn map, the living map, the text map, counters, film."""
