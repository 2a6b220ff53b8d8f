"""The events of a client and their listeners."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, Callable, List, Tuple

logger = logging.getLogger("svc_sdk")


@dataclass(frozen=True)
class Ready:
    """The client has its first data file."""

    revision: int


@dataclass(frozen=True)
class Change:
    """The client has a later data file."""

    revision: int
    previous_revision: int
    changed_flags: Tuple[str, ...]
    """Sorted keys of the flags that may now evaluate differently."""


class SvcError(Exception):
    """A request for the data file failed. The message has the address and the reason, and ``__cause__`` is the original
    error. The client keeps its data file and tries again."""


class Emitter:
    """Calls the listeners of an event. What a listener raises affects neither the other listeners nor the caller."""

    def __init__(self) -> None:
        self._listeners: List[Tuple[str, Callable[[Any], object]]] = []

    def on(self, event: str, listener: Callable[[Any], object]) -> Callable[[], None]:
        entry = (event, listener)
        self._listeners = [*self._listeners, entry]

        def stop() -> None:
            self._listeners = [each for each in self._listeners if each is not entry]

        return stop

    def emit(self, event: str, payload: Any) -> None:
        for name, listener in self._listeners:
            if name == event:
                self.call(listener, payload)

    def call(self, listener: Callable[[Any], object], payload: Any) -> None:
        try:
            listener(payload)
        except Exception:
            logger.warning("a listener raised", exc_info=True)

    def clear(self) -> None:
        self._listeners = []
