"""The manual evaluation of the paper: raters give readability and informativeness, laconic makes the two tables.

`server.serve` shows the page and `statistics.make_report` does the sums; they are not imported here, so that reading
items and ratings needs neither FastAPI nor pingouin.
"""

from laconic.rate.database import SCALES, Rating, Scale, Store
from laconic.rate.items import Item, Output, fingerprint, read_items

__all__ = ["SCALES", "Item", "Output", "Rating", "Scale", "Store", "fingerprint", "read_items"]
