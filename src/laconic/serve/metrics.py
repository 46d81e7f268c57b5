"""Metrics of a service for Prometheus."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

__all__ = ["CONTENT_TYPE_LATEST", "Metrics"]

_SECONDS = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_REQUESTS = (1, 2, 4, 8, 16, 32, 64, 128)


class Metrics:
    """Counters of one service, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._known: dict[tuple[str, int], tuple[Counter, Histogram]] = {}  # cached, as looking up labels is slow
        self._requests = Counter(
            "laconic_requests_total", "Requests by address and status.", ("endpoint", "status"), registry=registry
        )
        self._seconds = Histogram(
            "laconic_request_seconds", "From request to answer.", ("endpoint",), buckets=_SECONDS, registry=registry
        )
        self.together = Histogram(
            "laconic_requests_together", "Requests computed together.", buckets=_REQUESTS, registry=registry
        )
        self.texts = Counter("laconic_texts_total", "Texts computed.", registry=registry)
        self.waiting = Gauge("laconic_waiting_requests", "Requests that wait for a worker.", registry=registry)
        self.workers = Gauge("laconic_workers", "Worker processes.", registry=registry)
        self.restarts = Counter("laconic_worker_restarts_total", "Workers that died.", registry=registry)
        self.gone = Counter("laconic_clients_gone_total", "Clients that left before their answer.", registry=registry)

    def answered(self, endpoint: str, status: int, seconds: float) -> None:
        """Count an answer."""
        try:
            requests, durations = self._known[endpoint, status]
        except KeyError:
            found = self._requests.labels(endpoint, status), self._seconds.labels(endpoint)
            requests, durations = self._known[endpoint, status] = found
        requests.inc()
        durations.observe(seconds)

    def show(self) -> bytes:
        """All metrics in Prometheus's text format."""
        return generate_latest(self._registry)
