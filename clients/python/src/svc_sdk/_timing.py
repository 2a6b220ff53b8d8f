"""When to try again."""

from __future__ import annotations

from typing import NamedTuple

_JITTER = 0.2
_FIRST_RETRY = 1.0
_LONGEST_RETRY = 60.0
_LONGEST_RETRY_AFTER = 3_600.0
_MOST_DOUBLINGS = 30


class Turn(NamedTuple):
    """How a turn of a loop ended. ``retry_after`` is the least number of seconds before the next one."""

    failed: bool
    retry_after: float = 0


def next_delay(failures: int, interval: float, ended: Turn, random: float, first: float = _FIRST_RETRY) -> float:
    """Seconds to the next turn: the interval, or after consecutive failures ``first``, twice that, four times that … up
    to a minute (or the interval, if longer). Delays vary by up to a fifth, so that clients do not synchronize.
    ``retry_after`` can lengthen the delay, up to an hour, but never shortens it."""
    planned = interval
    if failures:
        doubled = first * 2 ** min(failures - 1, _MOST_DOUBLINGS)
        planned = min(doubled, max(interval, _LONGEST_RETRY))
    asked = min(ended.retry_after, _LONGEST_RETRY_AFTER)
    return max(planned * (1 - _JITTER + 2 * _JITTER * random), asked * (1 + _JITTER * random))
