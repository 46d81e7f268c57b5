"""The paper's manual evaluation: raters judge readability and informativeness, laconic computes the two tables.

`server.serve` shows the page and `statistics.make_report` computes the results. They are not imported here, so reading
items and ratings needs neither FastAPI nor pingouin.
"""

from laconic.rate.database import SCALES, Rating, Scale, Store
from laconic.rate.items import Item, Output, fingerprint, read_items

__all__ = ["SCALES", "Item", "Output", "Rating", "Scale", "Store", "fingerprint", "read_items"]
