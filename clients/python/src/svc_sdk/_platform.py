"""What the client needs from its process. Tests replace it, so that they do not have to sleep."""

from __future__ import annotations

import random
import time
from threading import Condition
from typing import Callable, Optional

# Programs seed the generator of ``random``, and several processes then draw the same numbers.
_random = random.SystemRandom()


class Platform:
    """Clock, timers and random numbers of this process."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self.now = now
        """Seconds since the epoch."""

    def monotonic(self) -> float:
        """Seconds of a clock that only goes forward."""
        return time.monotonic()

    def random(self) -> float:
        """A random number from 0 (inclusive) to 1 (exclusive)."""
        return _random.random()

    def bits(self, count: int) -> int:
        """That many random bits."""
        return _random.getrandbits(count)

    def wait(self, changed: Condition, seconds: Optional[float]) -> None:
        """Waits until ``changed`` is notified, but at most this long. The caller holds its lock."""
        # Longer waits overflow on some systems.
        changed.wait(None if seconds is None else min(seconds, 3_600))


def new_id(platform: Platform) -> str:
    """A UUID of version 7: the time in milliseconds, then random bits. Ids in the order of time keep the index of the
    service small."""
    digits = f"{int(platform.now() * 1000):012x}7{platform.bits(12):03x}8{platform.bits(60):015x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
