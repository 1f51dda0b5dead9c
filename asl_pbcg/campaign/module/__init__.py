"""The module: catalogue, charts, frame, rulings - the data of the historical campaign."""
