"""Reads dates as epoch milliseconds."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone
from typing import Optional

from ._values import number_of

_DIGITS = re.compile("-?[0-9]+")
_FORMAT = re.compile(
    "([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[T ]([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:\.([0-9]{1,9}))?)?"
    # As databases print it: a space for the T and before the offset, and an offset without a colon or minutes.
    "(?: ?(?:Z|([+-])([01][0-9])(?::?([0-5][0-9]))?))?)?"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MONTH_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def read_date(value: object) -> Optional[float]:
    """Epoch milliseconds of a number, a text, a ``datetime`` or a ``date``; None if it is not a date. Without an
    offset, the time is UTC, so that the result does not depend on where the process runs."""
    if isinstance(value, str):
        return _read_text(value)
    if isinstance(value, datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=timezone.utc)
        return (moment - _EPOCH) // timedelta(milliseconds=1)
    if isinstance(value, date):
        return (value.toordinal() - _EPOCH.toordinal()) * 86_400_000
    return number_of(value)


def _read_text(text: str) -> Optional[float]:
    if _DIGITS.fullmatch(text):
        return number_of(float(text))
    found = _FORMAT.fullmatch(text)
    if not found:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    fraction, sign, offset_hours, offset_minutes = found.groups()[6:]
    if not 1 <= month <= 12 or not 1 <= day <= _days_in(year, month):
        return None
    offset = int(offset_hours or 0) * 60 + int(offset_minutes or 0)
    minutes = (_days_to(year, month) + day) * 1_440 + hour * 60 + minute - (-offset if sign == "-" else offset)
    return (minutes * 60 + second) * 1_000 + int((fraction or "").ljust(3, "0")[:3])


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in(year: int, month: int) -> int:
    return _MONTH_LENGTHS[month - 1] + (month == 2 and _is_leap(year))


def _days_to(year: int, month: int) -> int:
    """Days from the epoch to the day before a month begins. ``datetime`` has no year 0."""
    last = year - 1
    before = year * 365 + last // 4 - last // 100 + last // 400 - 719_527
    return before + sum(_days_in(year, earlier) for earlier in range(1, month)) - 1
