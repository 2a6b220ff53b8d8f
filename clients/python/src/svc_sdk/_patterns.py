"""Patterns in the syntax that RE2 and ECMAScript have in common, for Python's ``re``."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache
from typing import List, Optional, Pattern, Tuple

_Ranges = List[Tuple[int, int]]

# It matches the same texts without, because a match can begin anywhere. With it, ``re`` would scan to the end of the
# text from every character.
_LEADING_ANYTHING = re.compile(r"(?:\.\*\??)+")
_TOKEN = re.compile(r"\\[pP]\{(\w+)\}|\\.|\(\?<(?![=!])|.", re.DOTALL)
_DIGITS: _Ranges = [(0x30, 0x39)]
_WORD: _Ranges = [(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)]
_SPACES: _Ranges = [
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
]
_CLASSES = {"d": _DIGITS, "w": _WORD, "s": _SPACES}


def compile_pattern(value: object, ignores_case: bool) -> Optional[Pattern[str]]:
    """The pattern to search with; None if it is invalid."""
    if not isinstance(value, str):
        return None
    try:
        return re.compile(_translated(value), re.IGNORECASE if ignores_case else 0)
    except (re.error, OverflowError, RecursionError):
        return None


def _translated(pattern: str) -> str:
    """``re`` differs: ``\\d``, ``\\w`` and ``\\b`` are Unicode, ``\\s`` and line ends are others, ``$`` matches before
    a last line feed, names of groups are written with a P, and ``\\p`` is missing."""
    leading = _LEADING_ANYTHING.match(pattern)
    parts: List[str] = []
    in_class = False
    for found in _TOKEN.finditer(pattern, leading.end() if leading else 0):
        token = found[0]
        ranges = _ranges_of(token, found[1])
        if ranges is not None:
            is_negative = token[1].isupper()
            if in_class:
                parts.append(_members(_rest(ranges) if is_negative else ranges))
            else:
                parts.append(f"[{'^' if is_negative else ''}{_members(ranges)}]")
        elif in_class:
            in_class = token != "]"
            parts.append("\\[" if token == "[" else token)
        else:
            in_class = token == "["
            parts.append(_OUTSIDE.get(token, token))
    return "".join(parts)


def _ranges_of(token: str, category: Optional[str]) -> Optional[_Ranges]:
    """The characters that an escape, or its opposite, stands for."""
    if category is not None:
        return _category(category)
    return _CLASSES.get(token[1:].lower()) if token[0] == "\\" else None


def _members(ranges: _Ranges) -> str:
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


def _rest(ranges: _Ranges) -> _Ranges:
    starts = [0, *(last + 1 for _first, last in ranges)]
    ends = [*(first - 1 for first, _last in ranges), sys.maxunicode]
    return [(start, end) for start, end in zip(starts, ends) if start <= end]


@lru_cache(maxsize=64)
def _category(name: str) -> _Ranges:
    ranges: _Ranges = []
    for code in range(sys.maxunicode + 1):
        if not unicodedata.category(chr(code)).startswith(name):
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1] = (ranges[-1][0], code)
        else:
            ranges.append((code, code))
    if not ranges:
        raise re.error(f"there is no category {name}")
    return ranges


_WORD_CLASS = f"[{_members(_WORD)}]"
_OUTSIDE = {
    "\\b": f"(?:(?<={_WORD_CLASS})(?!{_WORD_CLASS})|(?<!{_WORD_CLASS})(?={_WORD_CLASS}))",
    ".": r"[^\n\r\u2028\u2029]",
    "(?<": "(?P<",
    "$": r"\Z",
}
