"""Sends heartbeats and events, beside the requests for the data file: neither holds up the other."""

from __future__ import annotations

import json
from threading import Condition, Lock, Thread
from typing import TYPE_CHECKING, Any, Dict, List

from ._events import logger
from ._http import Refusal, Transport
from ._options import Settings
from ._platform import Platform, new_id
from ._timing import Turn, next_delay
from ._tracking import Tracking, post
from ._version import SDK_VERSION

if TYPE_CHECKING:
    from ._replica import Replica

_TOLD_AGAIN_AFTER = 3_600.0
_FLAGS_PER_BEAT = 200
# While the stream is open, polls are rare, and the heartbeat shows that the instance is still running.
_BEAT_WHILE_STREAMING = 60.0


class Sender:
    """A thread that waits until there is something to send."""

    replica: "Replica"
    tracking: Tracking

    def __init__(self, settings: Settings, platform: Platform, transport: Transport) -> None:
        self._settings = settings
        self._platform = platform
        self._transport = transport
        self._closed = False
        self._begin()

    def _begin(self) -> None:
        self._changed = Condition()
        self._instance_id = new_id(self._platform)
        self._is_beat_wanted = False
        self._is_heard = True
        self._untold: List[str] = []
        self._told_at: Dict[str, float] = {}
        self._beating = Lock()
        self._plan_pulse()

    def start(self) -> None:
        """Begins to send."""
        Thread(target=self._run, name="svc-sdk-sender", daemon=True).start()

    def after_fork(self) -> None:
        """A child process is an instance of its own."""
        self._begin()

    def beat(self) -> None:
        """Asks for a heartbeat."""
        self._is_beat_wanted = True
        self.wake()

    def wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        self._closed = True
        self.wake()

    def _run(self) -> None:
        while not self._closed:
            with self._changed:
                events = self.tracking.due
                due = self._pulse_due if events is None else min(events, self._pulse_due)
                left = due - self._platform.monotonic()
                if left > 0 and not self._is_beat_wanted and not self._closed:
                    self._platform.wait(self._changed, left)
                    continue
            self._send()

    def _send(self) -> None:
        now = self._platform.monotonic()
        if self._pulse_due <= now:
            self._plan_pulse()
            self._is_beat_wanted = self._is_beat_wanted or self.replica.streaming
        if self._is_beat_wanted and not self._closed:
            self._is_beat_wanted = False
            self._send_beat()
        due = self.tracking.due
        if due is not None and due <= now and not self._closed:
            self.tracking.flush()

    def _plan_pulse(self) -> None:
        delay = next_delay(0, _BEAT_WHILE_STREAMING, Turn(False), self._platform.random())
        self._pulse_due = self._platform.monotonic() + delay

    def _send_beat(self) -> None:
        with self._beating:
            self._post_beat(self._flags_to_tell(), self._transport, self._settings.request_timeout)

    def tell_evaluated(self, transport: Transport, timeout: float) -> None:
        """Sends the keys of evaluated flags that wait, because no later heartbeat may come. Never raises. ``timeout``:
        of each request."""
        if self._settings.offline or not self._beating.acquire(timeout=timeout):
            return
        try:
            while True:
                flags = self._flags_to_tell()
                if not flags or not self._post_beat(flags, transport, timeout):
                    return
        finally:
            self._beating.release()

    def _post_beat(self, flags: List[str], transport: Transport, timeout: float) -> bool:
        """The caller holds ``_beating``."""
        held = self.replica.held
        heartbeat: Dict[str, Any] = {
            "sdkKey": self._settings.sdk_key,
            "sdkType": "python",
            "sdkVersion": SDK_VERSION,
            "instanceId": self._instance_id,
            "evaluatedFlags": flags,
            **({"revision": held.revision} if held else {}),
        }
        try:
            post(transport, self._settings.heartbeat_url, json.dumps(heartbeat), timeout)
            self._is_heard = True
            return True
        except Exception as fault:
            # The next one tells them.
            self._untold[:0] = flags
            # A failed connection is told about by the request for the data file.
            if self._is_heard and isinstance(fault, Refusal):
                logger.warning("heartbeats are refused: %s", fault)
            self._is_heard = False
            return False

    def _flags_to_tell(self) -> List[str]:
        """The evaluated flags for the next heartbeat: each at most once an hour, in batches."""
        now = self._platform.monotonic()
        held = self.replica.held
        for key in held.evaluator.take_evaluated() if held else ():
            told_at = self._told_at.get(key)
            if told_at is None or now >= told_at + _TOLD_AGAIN_AFTER:
                self._told_at[key] = now
                self._untold.append(key)
        flags, self._untold = self._untold[:_FLAGS_PER_BEAT], self._untold[_FLAGS_PER_BEAT:]
        return flags
