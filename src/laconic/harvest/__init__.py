"""Harvest training items from headlines and the first sentences of their articles."""

from laconic.harvest.harvest import Harvested, Harvester, Rejected
from laconic.harvest.job import HarvestJob
from laconic.harvest.reasons import Reason
from laconic.harvest.settings import Settings

__all__ = ["HarvestJob", "Harvested", "Harvester", "Reason", "Rejected", "Settings"]
