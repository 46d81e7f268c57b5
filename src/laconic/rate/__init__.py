"""The manual evaluation of the paper: raters give readability and informativeness, laconic makes the two tables.

`server.serve` shows the page and `statistics.make_report` does the sums; they are not imported here, so that reading
items and ratings needs neither FastAPI nor pingouin.
"""

from laconic.rate.items import Item, Output, fingerprint, read_items
from laconic.rate.store import SCALES, Rating, Scale, Store

__all__ = ["SCALES", "Item", "Output", "Rating", "Scale", "Store", "fingerprint", "read_items"]
