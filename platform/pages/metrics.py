"""The numbers of the site for Prometheus. All of them are read from the database when they are asked for, so that every
web process gives the same, and none has to remember anything."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.db.models import Count, Sum
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from accounts.models import User
from bots.models import Bot, BotVersion
from pages import operations
from pages.workers import Worker
from tournaments.models import Match, Tournament

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def is_open_to(request: HttpRequest) -> bool:
    """Whether who asks may read the metrics: with the token, or directly from one of the networks of the settings."""
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    if settings.METRICS_TOKEN and scheme.lower() == "bearer":
        return constant_time_compare(token.strip(), settings.METRICS_TOKEN)
    if "X-Forwarded-For" in request.headers:
        return False  # by way of a proxy: the address that asks is not that of who wants to know
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return any(address in ipaddress.ip_network(network, strict=False) for network in settings.METRICS_NETWORKS)


def text() -> bytes:
    """All metrics in the text format of Prometheus. A fixed number of queries."""
    registry = CollectorRegistry()
    registry.register(Numbers())
    return generate_latest(registry)


class Numbers(Collector):
    """Reads the site once, and tells all of it."""

    def describe(self) -> Iterable[Metric]:
        """Nothing: to be registered shall not cost a look at the database."""
        return []

    def collect(self) -> Iterable[Metric]:
        """Every family, each with its help."""
        now = timezone.now()
        read = operations.read()
        yield from _queue("matches", "matches", read.matches, now)
        yield from _queue("checks", "checks of versions", read.checks, now)
        parked = Match.objects.filter(state=Match.State.PARKED).count()
        yield _gauge("arena_matches_parked", "Matches set aside for staff.", parked)
        parked = BotVersion.objects.filter(state=BotVersion.State.PARKED).count()
        yield _gauge("arena_checks_parked", "Checks set aside for staff.", parked)
        faults = (
            "Matches and checks of the last day that failed by a fault of the site and were begun again (at most 50)."
        )
        yield _gauge("arena_faults", faults, len(read.faults))
        rated = Tournament.objects.aggregate(total=Sum("rated"))["total"] or 0
        yield CounterMetricFamily("arena_matches_finished", "Matches played to their end, ever.", value=rated)
        yield from _workers(read.workers, now)
        yield from _tables()
        yield _gauge("arena_database_bytes", "Room that the database takes on its disk.", read.site.database)


def _queue(name: str, what: str, waiting: operations.Waiting, now: datetime) -> Iterable[Metric]:
    yield _gauge(f"arena_{name}_waiting", f"How many {what} wait, those of paused tournaments aside.", waiting.waiting)
    yield _gauge(f"arena_{name}_running", f"How many {what} are being done.", waiting.running)
    oldest = (now - waiting.oldest).total_seconds() if waiting.oldest else 0.0
    yield _gauge(f"arena_{name}_oldest_wait_seconds", f"How long the oldest of the waiting {what} has waited.", oldest)
    yield _gauge(f"arena_{name}_ended_last_hour", f"How many {what} ended in the last hour.", waiting.ended_lately)
    ended = waiting.last_end.timestamp() if waiting.last_end else 0.0
    yield _gauge(f"arena_{name}_last_end_timestamp_seconds", f"When one of the {what} ended last; 0: never.", ended)


def _workers(workers: Iterable[Worker], now: datetime) -> Iterable[Metric]:
    labels = ["worker"]
    up = GaugeMetricFamily("arena_worker_up", "1 while a worker gives signs of life, 0 when it died.", labels=labels)
    sign = GaugeMetricFamily("arena_worker_silent_seconds", "Time since a worker's last sign of life.", labels=labels)
    slots = GaugeMetricFamily("arena_worker_slots", "What a worker can do at the same time.", labels=labels)
    busy = GaugeMetricFamily("arena_worker_busy", "What a worker is doing at the moment.", labels=labels)
    free = GaugeMetricFamily("arena_worker_disk_free_bytes", "Free room on a worker's disk.", labels=labels)
    total = GaugeMetricFamily("arena_worker_disk_bytes", "All room on a worker's disk.", labels=labels)
    engine = GaugeMetricFamily("arena_worker_engine_up", "1 when a worker's engine answered.", labels=labels)
    image = GaugeMetricFamily("arena_worker_image", "1 when a worker's engine has the bot image.", labels=labels)
    for worker in workers:
        if worker.stopped:
            continue
        name = [worker.name]
        up.add_metric(name, float(worker.runs))
        sign.add_metric(name, (now - worker.last_sign).total_seconds())
        slots.add_metric(name, worker.slots)
        busy.add_metric(name, len(worker.holds))
        if "disk_total" in worker.host:
            free.add_metric(name, worker.host["disk_free"])
            total.add_metric(name, worker.host["disk_total"])
        if worker.has_engine:
            engine.add_metric(name, float(bool(worker.host["version"])))
            image.add_metric(name, float(worker.host["image_there"]))
    return [up, sign, slots, busy, free, total, engine, image]


def _tables() -> Iterable[Metric]:
    users = User.objects.filter(is_active=True)
    yield _gauge("arena_users", "Accounts that are not closed.", users.count())
    suspended = users.filter(suspended_at__isnull=False).count()
    yield _gauge("arena_users_suspended", "Accounts that staff has suspended.", suspended)
    yield _gauge("arena_bots", "Bots.", Bot.objects.count())
    tournaments = GaugeMetricFamily("arena_tournaments", "Tournaments by state, the ladder included.", labels=["state"])
    counts = dict(Tournament.objects.order_by().values_list("state").annotate(Count("id")))
    for state in Tournament.State.values:
        tournaments.add_metric([state], counts.get(state, 0))
    yield tournaments


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(name, meaning, value=value)
