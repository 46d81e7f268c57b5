"""Harvest training items from headlines and the first sentences of their articles."""

from laconic.harvest.harvest import Harvested, Harvester, Rejected
from laconic.harvest.harvest_job import HarvestJob
from laconic.harvest.reasons import Reason
from laconic.harvest.thresholds import Settings

__all__ = ["HarvestJob", "Harvested", "Harvester", "Reason", "Rejected", "Settings"]
