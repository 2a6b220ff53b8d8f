"""The order of versions."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Optional, Tuple

_MAX_CHARACTERS = 256
_PARTS = 4
_FORMAT = re.compile(r"[vV]?([0-9]+(?:\.[0-9]+){0,3})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?")

Version = Tuple[Any, ...]


def read_version(value: object) -> Optional[Version]:
    """A key that sorts in the order of versions; None if it is not a version."""
    return _read_text(value) if isinstance(value, str) and len(value) <= _MAX_CHARACTERS else None


# Visitors have few different versions, and reading one takes longer than the rest of a simple rule.
@lru_cache(maxsize=1024)
def _read_text(text: str) -> Optional[Version]:
    found = _FORMAT.fullmatch(text)
    if not found:
        return None
    numbers = [int(part) for part in found[1].split(".")]
    release = tuple(numbers + [0] * (_PARTS - len(numbers)))
    if found[2] is None:
        # A release comes after its prereleases.
        return release, True, ()
    return release, False, tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in found[2].split("."))


def compare_versions(left: object, right: object) -> Optional[int]:
    """-1, 0 or 1; None if either is not a version."""
    one, other = read_version(left), read_version(right)
    return None if one is None or other is None else (one > other) - (one < other)
