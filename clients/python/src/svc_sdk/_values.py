"""Values as the data file and contexts have them: numbers are doubles, and types are never converted."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence, Set
from datetime import date
from decimal import Decimal
from enum import Enum
from ipaddress import IPv4Address, IPv6Address
from numbers import Integral, Number
from typing import Any, Optional, SupportsFloat
from uuid import UUID

# Integers with fewer digits are exact as doubles.
_EXACT_DIGITS = 16
_MAX_SAFE_INTEGER = 2**53 - 1
# The service takes units of at most this length. Python refuses to write integers that are much longer.
_MOST_DIGITS = 512
_LARGEST_UNIT = 10**_MOST_DIGITS - 1
# More than any context needs. What is nested more deeply, or contains itself, is not written.
_MOST_LEVELS = 32
# A message about a value has this much of it.
_MOST_SHOWN = 100
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
_FINAL_SIGMA = "\N{GREEK SMALL LETTER FINAL SIGMA}"
_SIGMA = "\N{GREEK SMALL LETTER SIGMA}"
_PLAIN = frozenset((str, int, float, bool, type(None), list, dict))


def shown(value: object) -> str:
    """A value in a message for people: never long, and also if Python refuses to write it."""
    try:
        return cut(repr(value))
    except Exception:
        return f"a value of type {type(value).__name__}"


def cut(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


class Malformed(Exception):
    """A data file does not have the shape that it promises. Evaluation turns this into PARSE_ERROR."""


def ensure(holds: object) -> None:
    if not holds:
        raise Malformed


def read_json(text: str) -> Any:
    """Parses JSON. Raises ValueError, or RecursionError if it is nested too deeply."""
    return json.loads(text, parse_int=_read_integer, parse_constant=_refuse)


# An integer that is not exact as a double becomes that double, as in every other SDK.
def _read_integer(digits: str) -> float:
    return int(digits) if len(digits) < _EXACT_DIGITS else float(digits)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def plain(value: Any) -> Any:
    """What a value of a program means: libraries and databases have types of their own for texts, numbers, booleans and
    lists. Dates, mappings and values of other types stay as they are."""
    if type(value) in _PLAIN or isinstance(value, (date, Mapping)):
        return value
    if isinstance(value, Enum):
        return plain(value.value) if isinstance(value.value, (str, Number, UUID)) else value.name
    if isinstance(value, str):
        # What a subclass writes as its text can differ from its content.
        return str.__str__(value)
    if isinstance(value, (UUID, IPv4Address, IPv6Address)):
        return str(value)
    # NumPy and its like: `tolist` gives the values of Python, also of a single number.
    if hasattr(value, "dtype") and hasattr(value, "tolist"):
        return _from_library(value)
    if isinstance(value, Number):
        return value
    is_sequence = isinstance(value, (Sequence, Set)) and not isinstance(value, (bytes, bytearray, memoryview))
    return list(value) if is_sequence else value


def _from_library(value: Any) -> Any:
    found = value.tolist()
    return plain(found) if type(found) is not type(value) else value


def number_of(value: object) -> Optional[float]:
    """A finite number that is not a boolean, as a double; None for anything else. Every type of number counts, such as
    ``Decimal``, ``Fraction`` and those of NumPy."""
    if type(value) is not float:
        if isinstance(value, bool) or not isinstance(value, Number) or not isinstance(value, SupportsFloat):
            return None
        try:
            value = float(value)
        except (OverflowError, TypeError, ValueError):
            # An integer that is too large for a double is infinite, and some numbers have no place on the line.
            return None
    return value if math.isfinite(value) else None


def is_integer(value: object) -> bool:
    number = number_of(value)
    return number is not None and number.is_integer()


def is_safe_integer(value: object) -> bool:
    number = number_of(value)
    return number is not None and number.is_integer() and abs(number) <= _MAX_SAFE_INTEGER


class _Truth:
    """Stands for a boolean in sets, where 1 and True are the same."""


_TRUTHS = {True: _Truth(), False: _Truth()}


def scalar_key(value: object) -> object:
    """Equal for values that are equal, with the same type. None for values that equal nothing, not even themselves."""
    value = plain(value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return _TRUTHS[value]
    return number_of(value)


def lower(value: object) -> object:
    value = plain(value)
    return lower_text(value) if isinstance(value, str) else value


def lower_text(text: str) -> str:
    """A capital sigma becomes another letter at the end of a word than elsewhere. With one for both, a part of a text
    stays a part of it."""
    return text.lower().replace(_FINAL_SIGMA, _SIGMA)


def utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _LONE_SURROGATES.sub("\ufffd", text).encode()


def unit_of(value: object) -> Optional[str]:
    """An attribute as a bucketing unit: a non-empty string, or a finite number as a string; otherwise None. Integers
    have all of their digits, because ids can be longer than a double is exact."""
    value = plain(value)
    if isinstance(value, str):
        return value or None
    digits = _digits_of(value)
    if digits is not None:
        return digits
    number = number_of(value)
    return None if number is None else number_text(number)


def _digits_of(value: Any) -> Optional[str]:
    if isinstance(value, bool):
        return None
    is_whole = isinstance(value, Integral)
    if isinstance(value, Decimal) and value.is_finite() and value.adjusted() < _MOST_DIGITS:
        is_whole = value == value.to_integral_value()
    if not is_whole:
        return None
    whole = int(value)
    return str(whole) if abs(whole) <= _LARGEST_UNIT else None


def number_text(number: float) -> str:
    """The shortest decimal text of a double, in the format of ECMAScript."""
    if number.is_integer() and abs(number) <= _MAX_SAFE_INTEGER:
        return str(int(number))
    sign, numerals, exponent = Decimal(repr(number)).normalize().as_tuple()
    digits = "".join(map(str, numerals))
    # Where the decimal point is, counted from the beginning of the digits.
    point = len(digits) + int(exponent)
    if -6 < point <= 0:
        text = f"0.{'0' * -point}{digits}"
    elif 0 < point <= 21:
        text = digits.ljust(point, "0") if len(digits) <= point else f"{digits[:point]}.{digits[point:]}"
    else:
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        text = f"{digits[0]}{fraction}e{point - 1:+d}"
    return f"-{text}" if sign else text


def is_shallow(value: Any, levels: int) -> bool:
    """Whether a JSON value is nested at most this deeply."""
    layer = [value]
    for _ in range(levels + 1):
        containers = [
            each.values() if isinstance(each, dict) else each for each in layer if isinstance(each, (dict, list))
        ]
        if not containers:
            return True
        layer = [item for each in containers for item in each]
    return False


def copied(value: Any) -> Any:
    """A copy of a JSON value, so that the caller can change it."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


class Unwritable(Exception):
    """A value has no meaning in JSON."""


def json_of(value: Any, levels: int = _MOST_LEVELS) -> Any:
    """A value of a program as JSON has it. Raises ``Unwritable`` if that is impossible for it or for anything in it."""
    value = plain(value)
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Number):
        return _json_number(value)
    if levels == 0:
        raise Unwritable("it is nested too deeply")
    if isinstance(value, Mapping):
        return {_json_name(name): json_of(item, levels - 1) for name, item in value.items()}
    if isinstance(value, list):
        return [json_of(item, levels - 1) for item in value]
    raise Unwritable(f"{type(value).__name__} cannot be written as JSON")


def _json_number(value: Number) -> Any:
    number = number_of(value)
    if number is None:
        raise Unwritable(f"{shown(value)} is not a finite number")
    if not isinstance(value, Integral):
        return number
    # A longer integer is an id: as a number it would be a different one.
    return int(number) if abs(number) <= _MAX_SAFE_INTEGER else _digits_of(value)


def _json_name(name: Any) -> str:
    name = plain(name)
    if isinstance(name, str):
        return name
    text = unit_of(name)
    if text is None:
        raise Unwritable(f"{type(name).__name__} cannot be a name in JSON")
    return text
