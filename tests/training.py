"""What the small corpora of the tests are made of, and settings for so little data."""

from __future__ import annotations

from laconic.train import Settings

SETTINGS = Settings(l2=0.1, least=1, nss_least=1, min_weight=0.0, nss_min_weight=0.0, ilp_min_weight=0.0, max_rate=1.0)
NAMES = ["Ann", "Bob", "Carla", "Dario", "Elif", "Frida"]
THINGS = ["a bank", "the school", "a bakery", "the museum", "a theatre"]
DAYS = ["Monday", "Tuesday", "Friday", "Sunday"]
