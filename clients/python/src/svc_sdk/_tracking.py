"""Gathers exposures and tracked events and sends them in batches."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import datetime, timezone
from threading import Lock
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from ._conditions import context_of, user_of
from ._evaluation import Answer
from ._events import logger
from ._http import Refusal, Transport
from ._options import Settings
from ._platform import Platform, new_id
from ._timing import Turn, next_delay
from ._values import cut, json_of, number_of, plain, shown

_MOST_QUEUED = 1_000
_MOST_IN_BATCH = 500
# Half of what the service takes: proxies in front of it can have a lower limit.
_MOST_BYTES_IN_BATCH = 500_000
_SENT_AT = 50
_SEND_AFTER = 5.0
_FIRST_DELAY = 10.0
_LONGEST_DELAY = 300.0
_SESSION = 1_800.0
_MOST_LEFT_OUT = 100
_MOST_SEEN = 100_000
# An answer names each event that is rejected.
_ANSWER_LIMIT_BYTES = 1_000_000
# The service has read the events and does not want them. Anything else says nothing about them: a redirect, an address
# that is not there, a failure, a proxy that refuses the kind of request.
_VERDICTS = (400, 401, 413)
_TOO_LARGE = 413
_UNAUTHORIZED = 401
_KEY_ADVICE = "the service refuses the ingest key or the SDK key: "


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
        self._is_refusal_told = False
        self._retry: float = 0
        self._is_asked_to_wait = False
        self._closed = False
        self._rounds = 0
        self._seen: Dict[Tuple[Optional[str], Optional[str]], Set[str]] = {}
        self._seen_count = 0
        self._seen_until: float = 0
        self._left_out: Set[Tuple[str, str]] = set()
        self._is_overflow_told = False
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
            unit = found.unit_of(visitor) or ""
            if not unit or self._is_seen(found, unit):
                return
            chosen = {name: visitor[name] for name in self._settings.dimensions if name in visitor}
            event = {
                "type": "exposure",
                "unit": unit,
                "flagKey": flag_key,
                "ruleId": found.rule_id,
                "variationKey": found.variation_key,
                "reason": found.reason,
                "context": self._writable("dimension", chosen),
            }
            self._add(event, lambda: self._see(found, unit))
        except Exception as fault:
            logger.warning("an event cannot be sent: %s", fault)

    def track(self, event_key: str, context: Any, value: Optional[float], properties: Any) -> None:
        """Never raises."""
        if self._closed or self._settings.offline:
            return
        try:
            unit = user_of(context_of(context))
            if not isinstance(event_key, str) or not event_key or unit is None:
                logger.warning("track needs an event key and a targetingKey: %s", shown(event_key))
                return
            event: Dict[str, Any] = {"type": "track", "unit": unit, "eventKey": event_key}
            if value is not None:
                number = number_of(plain(value))
                if number is None:
                    message = "%s is sent without its value, which must be a finite number: %s"
                    logger.warning(message, cut(event_key), shown(value))
                else:
                    event["value"] = int(number) if number.is_integer() and abs(number) < 1e15 else number
            if properties is not None:
                event["properties"] = self._writable("property", properties)
            self._add(event)
        except Exception as fault:
            logger.warning("an event cannot be sent: %s", fault)

    def _writable(self, kind: str, facts: Any) -> Dict[str, Any]:
        """Without what JSON cannot have: an event without it still counts. That is told once for each name."""
        written: Dict[str, Any] = {}
        if not isinstance(facts, Mapping):
            self._leave_out(kind, "of every name", f"{type(facts).__name__} is no mapping")
            return written
        for name in list(facts):
            try:
                written.update(json_of({name: facts[name]}))
            except Exception as fault:
                self._leave_out(kind, name if isinstance(name, str) else type(name).__name__, fault)
        return written

    def _leave_out(self, kind: str, name: str, reason: object) -> None:
        if len(self._left_out) < _MOST_LEFT_OUT and (kind, name) not in self._left_out:
            self._left_out.add((kind, name))
            logger.warning("the %s %s is left out of events: %s", kind, cut(name), reason)

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
                self._send_all(limit)
                self._rounds += 1
        finally:
            self._sending.release()
        with self._changing:
            self._plan()

    def recovered(self) -> None:
        """The service answers again: sends what waits after a failure, unless the service has asked to wait."""
        with self._changing:
            if self._retry and not self._is_asked_to_wait:
                self._retry = 0
                self.due = self._platform.monotonic()
                self._wake()

    def close(self, timeout: Optional[float] = None) -> None:
        """Sends what waits, once."""
        self._closed = True
        self.flush(timeout)

    def _is_seen(self, found: Answer, unit: str) -> bool:
        units = self._seen.get((found.rule_id, found.variation_key))
        return units is not None and unit in units and self._platform.monotonic() < self._seen_until

    def _see(self, found: Answer, unit: str) -> bool:
        """Notes a visitor. False if another thread was faster. The caller holds ``_changing``."""
        now = self._platform.monotonic()
        if now >= self._seen_until or self._seen_count > _MOST_SEEN:
            self._seen = {}
            self._seen_count = 0
        if self._seen_count == 0:
            self._seen_until = now + _SESSION
        units = self._seen.setdefault((found.rule_id, found.variation_key), set())
        if unit in units:
            return False
        units.add(unit)
        self._seen_count += 1
        return True

    def _add(self, event: Dict[str, Any], is_wanted: Callable[[], bool] = lambda: True) -> None:
        # As text: later changes by the program do no harm.
        moment = datetime.fromtimestamp(math.floor(self._platform.now() * 1000) / 1000, timezone.utc)
        ts = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        text = json.dumps({"id": new_id(self._platform), "ts": ts, **event}, allow_nan=False)
        with self._changing:
            if not is_wanted():
                return
            self._queue.append(text)
            if len(self._queue) > _MOST_QUEUED:
                self._queue.pop(0)
                self.dropped += 1
                if not self._is_overflow_told:
                    self._is_overflow_told = True
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

    def _send_all(self, timeout: float) -> None:
        """Sends what waits, until it is gone or has to wait."""
        most = _MOST_IN_BATCH
        while self._on and self._queue:
            batch = self._batch(most)
            try:
                self._post(batch, timeout)
            except Exception as fault:
                status = fault.status if isinstance(fault, Refusal) else None
                # A key that was revoked, or that the service does not know yet: the events are as good as before.
                is_key_refused = status == _UNAUTHORIZED and self._settings.ingest_key is not None
                if status not in _VERDICTS or is_key_refused:
                    self._wait_after(fault, is_key_refused)
                    return
                if status == _TOO_LARGE and len(batch) > 1:
                    most = len(batch) // 2
                    continue
                self._give_up(len(batch), fault)
            most = min(2 * most, _MOST_IN_BATCH)
            self._failures = 0
            self._retry = 0
            done = {id(event) for event in batch}
            with self._changing:
                self._queue = [event for event in self._queue if id(event) not in done]

    def _batch(self, most: int) -> List[str]:
        """The oldest events that wait, as many as a request can have; at least one."""
        batch: List[str] = []
        size = 0
        for event in self._queue[:most]:
            # Events are ASCII.
            size += len(event) + 1
            if batch and size > _MOST_BYTES_IN_BATCH:
                break
            batch.append(event)
        return batch

    def _post(self, events: List[str], timeout: float) -> None:
        body = f'{{"sdkKey":{json.dumps(self._settings.sdk_key)},"events":[{",".join(events)}]}}'
        try:
            answer = post(self._transport, self._settings.events_url, body, timeout, self._settings.ingest_key)
            rejected = json.loads(answer)["rejected"]
            first = rejected[0]["code"], rejected[0]["message"]
        except (LookupError, TypeError, ValueError):
            # None is rejected, or the answer is in words of something that stands before the service.
            return
        with self._changing:
            self.dropped += len(rejected)
        logger.warning("events are rejected (%d of %d), the first with %s: %s", len(rejected), len(events), *first)

    def _wait_after(self, fault: Exception, is_key_refused: bool) -> None:
        self._failures += 1
        if self._failures == 1:
            self._is_refusal_told = False
        # A refused key is told even if the service failed before: only people can mend it.
        if self._failures == 1 or (is_key_refused and not self._is_refusal_told):
            advice = _KEY_ADVICE if is_key_refused else ""
            lot = "lost" if self._closed else "kept and sent again"
            logger.warning("%sevents are %s: %s", advice, lot, fault)
        self._is_refusal_told = self._is_refusal_told or is_key_refused
        ended = Turn(True, getattr(fault, "retry_after", 0))
        self._is_asked_to_wait = ended.retry_after > 0
        self._retry = next_delay(self._failures, _LONGEST_DELAY, ended, self._platform.random(), _FIRST_DELAY)

    def _give_up(self, count: int, fault: Exception) -> None:
        with self._changing:
            self.dropped += count
        logger.warning("%d event%s refused and dropped: %s", count, " is" if count == 1 else "s are", fault)


def post(transport: Transport, url: str, body: str, timeout: float, ingest_key: Optional[str] = None) -> str:
    """Posts a heartbeat or events. Raises a Refusal if the service refuses."""
    headers = {"Content-Type": "application/json"}
    if ingest_key is not None:
        headers["Authorization"] = f"Bearer {ingest_key}"
    with transport.request("POST", url, timeout=timeout, headers=headers, body=body.encode()) as response:
        if not 200 <= response.status < 300:
            raise response.refusal()
        try:
            return response.text(_ANSWER_LIMIT_BYTES)
        except Exception:
            # The status says that the service has taken it.
            return ""
