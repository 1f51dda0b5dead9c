"""The Market-Garden megagame umpire (d10)."""
