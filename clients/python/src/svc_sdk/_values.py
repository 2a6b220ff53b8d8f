"""Values as the data file and contexts have them: numbers are doubles, and types are never converted."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from typing import Any, Optional

# Integers with fewer digits are exact as doubles.
_EXACT_DIGITS = 16
_MAX_SAFE_INTEGER = 2**53 - 1
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")


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


def number_of(value: object) -> Optional[float]:
    """A finite number that is not a boolean, as a double; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        # An integer that is too large for a double is infinite.
        return None
    return number if math.isfinite(number) else None


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
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return _TRUTHS[value]
    return number_of(value)


def is_list(value: object) -> bool:
    return isinstance(value, (list, tuple, set, frozenset))


def lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _LONE_SURROGATES.sub("\ufffd", text).encode()


def unit_of(value: object) -> Optional[str]:
    """An attribute as a bucketing unit: a non-empty string, or a finite number as a string; otherwise None."""
    if isinstance(value, str):
        return value or None
    number = number_of(value)
    return None if number is None else number_text(number)


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
