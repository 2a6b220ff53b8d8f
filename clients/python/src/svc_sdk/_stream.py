"""Hears of new revisions at once, over one open connection. While it is down, the client polls."""

from __future__ import annotations

import codecs
import re
from threading import Condition, Thread
from typing import Callable, Dict, Optional

from ._http import Transport
from ._options import Settings
from ._platform import Platform
from ._replica import Replica
from ._timing import Turn, next_delay

# The service sends a ping about every 30 s. If two are missing, the connection is dead.
_LONGEST_SILENCE = 70.0
# A connection that ends sooner counts as failed, so the delay before the next one grows.
_SHORTEST_LIFE = 30.0
_RECONNECT = 1.0
_LONGEST_LINE_CHARACTERS = 10_000
_FIELD = re.compile(r"(id|data|retry): ?(.*)")
_NUMBER = re.compile("[0-9]{1,15}")


class Stream:
    """A thread that listens, and connects again."""

    def __init__(self, settings: Settings, platform: Platform, transport: Transport, replica: Replica) -> None:
        self._settings = settings
        self._platform = platform
        self._transport = transport
        self._replica = replica
        self._closed = False
        self._hurried = False
        self._changed = Condition()

    def start(self) -> None:
        """Begins to listen."""
        Thread(target=self._run, name="svc-sdk-stream", daemon=True).start()

    def after_fork(self) -> None:
        self._changed = Condition()

    def recovered(self) -> None:
        """The service answers again: connects now, unless the service has asked to wait."""
        with self._changed:
            self._hurried = True
            self._changed.notify_all()

    def close(self) -> None:
        self._closed = True
        with self._changed:
            self._changed.notify_all()

    def _run(self) -> None:
        failures = 0
        while not self._closed:
            ended = self._listen()
            failures = failures + 1 if ended.failed else 0
            delay = next_delay(failures, _RECONNECT, ended, self._platform.random())
            due = self._platform.monotonic() + delay
            with self._changed:
                self._hurried = False
                while (
                    not self._closed and (ended.retry_after or not self._hurried) and due > self._platform.monotonic()
                ):
                    self._platform.wait(self._changed, due - self._platform.monotonic())

    def _listen(self) -> Turn:
        opened_at: Optional[float] = None
        reader = EventReader(self._replica.take)
        try:
            with self._transport.request(
                "GET", self._settings.stream_url, timeout=_LONGEST_SILENCE, headers=self._headers()
            ) as response:
                reader.retry_after = response.retry_after()
                kind = response.header("content-type") or ""
                if response.status == 200 and kind.startswith("text/event-stream"):
                    opened_at = self._platform.monotonic()
                    self._replica.streaming = True
                    decoder = codecs.getincrementaldecoder("utf-8")()
                    while not self._closed:
                        piece = response.piece(_LONGEST_SILENCE)
                        if not piece:
                            break
                        reader.read(decoder.decode(piece))
        except Exception:
            # The connection was lost or silent. Polling goes on, and the loop connects again.
            pass
        self._replica.stream_ended()
        lived = 0 if opened_at is None else self._platform.monotonic() - opened_at
        return Turn(lived < _SHORTEST_LIFE, reader.retry_after)

    def _headers(self) -> Dict[str, str]:
        held = self._replica.held
        last = {"Last-Event-ID": str(held.revision)} if held else {}
        return {"Accept": "text/event-stream", **last}


class EventReader:
    """Reads the part of text/event-stream (https://html.spec.whatwg.org/multipage/server-sent-events.html) that the
    service uses: ``id``, ``data`` in one line, ``retry`` and the end of an event."""

    def __init__(self, on_revision: Callable[[int, str], object]) -> None:
        self._on_revision = on_revision
        self._unfinished = ""
        self._id: Optional[int] = None
        self._data = ""
        self.retry_after: float = 0
        """How many seconds to wait before the next connection."""

    def read(self, text: str) -> None:
        """Takes the text in pieces. Raises if a line is too long."""
        *lines, self._unfinished = (self._unfinished + text).split("\n")
        if len(self._unfinished) > _LONGEST_LINE_CHARACTERS:
            raise ValueError("a line is too long")
        for line in lines:
            self._line(line[:-1] if line.endswith("\r") else line)

    def _line(self, line: str) -> None:
        if not line:
            if self._id is not None:
                self._on_revision(self._id, self._data)
            self._id, self._data = None, ""
            return
        found = _FIELD.fullmatch(line)
        if not found:
            return
        field, value = found.groups()
        number = int(value) if _NUMBER.fullmatch(value) else None
        if field == "data":
            self._data = value
        elif number is not None and field == "id":
            self._id = number
        elif number is not None:
            self.retry_after = number / 1000
