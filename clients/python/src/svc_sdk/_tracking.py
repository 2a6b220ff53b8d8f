"""Gathers exposures and tracked events and sends them in batches."""

from __future__ import annotations

import json
import math
from datetime import date, datetime, timezone
from threading import Lock
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from ._conditions import context_of, user_of
from ._evaluation import Answer
from ._events import logger
from ._http import Refusal, Transport
from ._options import Settings
from ._platform import Platform, new_id
from ._timing import Turn, next_delay
from ._values import is_list

_MOST_QUEUED = 1_000
_MOST_IN_BATCH = 500
_SENT_AT = 50
_SEND_AFTER = 5.0
_FIRST_DELAY = 10.0
_LONGEST_DELAY = 300.0
_SESSION = 1_800.0
_MOST_SEEN = 100_000
_ANSWER_LIMIT_BYTES = 10_000


class Tracking:
    """An event stays in the queue until the service has confirmed it, and each attempt sends the same id, so that it
    is counted once."""

    def __init__(self, settings: Settings, platform: Platform, transport: Transport, wake: Callable[[], None]) -> None:
        self._settings = settings
        self._platform = platform
        self._transport = transport
        self._wake = wake
        self._on = settings.tracking
        self._queue: List[str] = []
        self._failures = 0
        self._retry: float = 0
        self._closed = False
        self._rounds = 0
        self._seen: Dict[Tuple[Optional[str], Optional[str]], Set[str]] = {}
        self._seen_count = 0
        self._seen_until: float = 0
        self.dropped = 0
        self.due: Optional[float] = None
        """When to send, on the monotonic clock; None if nothing waits."""
        self._make_locks()

    def _make_locks(self) -> None:
        self._changing = Lock()
        self._sending = Lock()

    def after_fork(self) -> None:
        """The parent process sends what waits."""
        self._make_locks()
        self._queue = []
        self.due = None
        self._transport.after_fork()

    def expose(self, flag_key: str, found: Answer, context: Any) -> None:
        """Counts a visitor who got this answer of a measuring rule, once per session. Never raises."""
        if self._closed or self._settings.offline:
            return
        try:
            visitor = context_of(context)
            unit = found.unit_of(visitor)
            if unit is None or not self._is_new(found, unit):
                return
            chosen = {name: visitor[name] for name in self._settings.dimensions if name in visitor}
            self._add(
                {
                    "type": "exposure",
                    "unit": unit,
                    "flagKey": flag_key,
                    "ruleId": found.rule_id,
                    "variationKey": found.variation_key,
                    "reason": found.reason,
                    "context": chosen,
                }
            )
        except Exception as fault:
            logger.warning("an event cannot be sent: %s", fault)

    def track(self, event_key: str, context: Any, value: Optional[float], properties: Any) -> None:
        """Never raises."""
        if self._closed or self._settings.offline:
            return
        try:
            unit = user_of(context_of(context))
            if not isinstance(event_key, str) or not event_key or unit is None:
                logger.warning("track needs the key of an event and a targetingKey: %r", event_key)
                return
            event: Dict[str, Any] = {"type": "track", "unit": unit, "eventKey": event_key}
            if value is not None:
                event["value"] = value
            if properties is not None:
                event["properties"] = properties
            self._add(event)
        except Exception as fault:
            logger.warning("an event cannot be sent: %s", fault)

    def set_tracking(self, wanted: bool) -> None:
        with self._changing:
            self._on = bool(wanted) and not self._settings.offline
            if self._on:
                self._plan()
                return
            self._queue = []
            self._seen = {}
            self._seen_count = 0
            self.due = None
        self._transport.abort()

    def flush(self, timeout: Optional[float] = None) -> None:
        """Sends what waits, or waits for the sending that is under way. Never raises. ``timeout``: of each request."""
        before = self._rounds
        limit = self._settings.request_timeout if timeout is None else min(timeout, self._settings.request_timeout)
        if not self._sending.acquire(timeout=-1 if timeout is None else max(timeout, 0)):
            return
        try:
            if self._on and self._rounds == before:
                self.due = None
                while self._on and self._queue and self._send(self._queue[:_MOST_IN_BATCH], limit):
                    pass
                self._rounds += 1
        finally:
            self._sending.release()
        with self._changing:
            self._plan()

    def close(self, timeout: Optional[float] = None) -> None:
        """Sends what waits, once."""
        self._closed = True
        self.flush(timeout)

    def _is_new(self, found: Answer, unit: str) -> bool:
        key = (found.rule_id, found.variation_key)
        units = self._seen.get(key)
        now = self._platform.monotonic()
        if units is not None and unit in units and now < self._seen_until:
            return False
        with self._changing:
            if now >= self._seen_until or self._seen_count > _MOST_SEEN:
                self._seen = {}
                self._seen_count = 0
            if self._seen_count == 0:
                self._seen_until = now + _SESSION
            units = self._seen.setdefault(key, set())
            if unit in units:
                return False
            units.add(unit)
            self._seen_count += 1
        return True

    def _add(self, event: Dict[str, Any]) -> None:
        # As text: later changes by the program do no harm, and what is not JSON cannot hold up other events.
        moment = datetime.fromtimestamp(math.floor(self._platform.now() * 1000) / 1000, timezone.utc)
        ts = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        text = json.dumps({"id": new_id(self._platform), "ts": ts, **event}, allow_nan=False, default=_as_json)
        with self._changing:
            self._queue.append(text)
            if len(self._queue) > _MOST_QUEUED:
                self._queue.pop(0)
                self.dropped += 1
                if self.dropped == 1:
                    logger.warning("too many events wait: the oldest are dropped")
            self._plan()

    def _plan(self) -> None:
        """The caller holds ``_changing``."""
        waiting = len(self._queue)
        if not self._on or self._closed or waiting == 0:
            return
        delay = self._retry or (_SEND_AFTER if waiting < _SENT_AT else 0)
        # A turn that is planned already comes earlier, unless the queue has just filled up.
        if self.due is not None and (delay or waiting > _SENT_AT):
            return
        self.due = self._platform.monotonic() + delay
        self._wake()

    def _send(self, events: List[str], timeout: float) -> bool:
        """Sends a batch. True if the service has taken or refused it, False if it is to be sent again."""
        body = f'{{"sdkKey":{json.dumps(self._settings.sdk_key)},"events":[{",".join(events)}]}}'
        try:
            post(self._transport, self._settings.events_url, body, timeout)
        except Exception as fault:
            status = fault.status if isinstance(fault, Refusal) else 500
            if status >= 500 or status == 429:
                self._failures += 1
                if self._failures == 1:
                    lot = "lost" if self._closed else "kept and sent again"
                    logger.warning("events are %s: %s", lot, fault)
                ended = Turn(True, getattr(fault, "retry_after", 0))
                self._retry = next_delay(self._failures, _LONGEST_DELAY, ended, self._platform.random(), _FIRST_DELAY)
                return False
            logger.warning("events are refused: %s", fault)
        self._failures = 0
        self._retry = 0
        done = {id(event) for event in events}
        with self._changing:
            self._queue = [event for event in self._queue if id(event) not in done]
        return True


def post(transport: Transport, url: str, body: str, timeout: float) -> None:
    """Posts a heartbeat or events. Raises a Refusal if the service refuses."""
    headers = {"Content-Type": "application/json"}
    with transport.request("POST", url, timeout=timeout, headers=headers, body=body.encode()) as response:
        if not 200 <= response.status < 300:
            raise response.refusal()
        response.text(_ANSWER_LIMIT_BYTES)


def _as_json(value: Any) -> Any:
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if is_list(value):
        return list(value)
    raise TypeError(f"{type(value).__name__} is not JSON")
