"""What an evaluation returns besides the value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, Optional, TypeVar

Value = TypeVar("Value")

Status = Literal["connecting", "ready", "stale", "closed"]
"""
- ``connecting``: there is no data file yet.
- ``ready``: the service has confirmed the data file in use.
- ``stale``: the last request failed, the next one is overdue, or the data file comes from the store and is not
  confirmed yet.
- ``closed``: ``close()`` was called. The last data file stays in use.
"""

Reason = Literal["DISABLED", "OVERRIDE", "TARGETING_MATCH", "SPLIT", "DEFAULT", "UNIT_MISSING", "HOLDOUT", "ERROR"]
"""Why a visitor got a value.

- ``DISABLED``: the flag is paused.
- ``OVERRIDE``: the visitor is on an allowlist.
- ``TARGETING_MATCH``: a targeted delivery matched.
- ``SPLIT``: an A/B test matched.
- ``DEFAULT``: no rule matched.
- ``UNIT_MISSING``: no rule matched, and at least one was skipped because the context lacks its bucketing unit.
- ``HOLDOUT``: no rule matched, and a holdout kept the visitor out of at least one.
- ``ERROR``: see the error code.
"""

ErrorCode = Literal["NOT_READY", "FLAG_NOT_FOUND", "TYPE_MISMATCH", "PARSE_ERROR"]
"""Why the default was returned.

- ``NOT_READY``: there is no data file yet.
- ``FLAG_NOT_FOUND``: the data file does not have the flag.
- ``TYPE_MISMATCH``: the flag has a different type than the default.
- ``PARSE_ERROR``: the flag is malformed or the context cannot be read.
"""


@dataclass(frozen=True)
class Details(Generic[Value]):
    """A value and why it was returned. With the reason ``ERROR``, the value is the default."""

    value: Value
    variation_key: Optional[str]
    rule_id: Optional[str]
    """The rule that decided; None if no rule did."""
    reason: Reason
    error_code: Optional[ErrorCode] = None
    measured: bool = False
    """Whether a rule that counts its visitors decided. ``get_…`` then sends an exposure, ``peek_…`` does not."""
