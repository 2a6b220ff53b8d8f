"""Buckets: which visitors a rule reaches, and which variation each of them gets."""

from __future__ import annotations

import hashlib
from struct import unpack_from
from typing import Callable

from ._values import utf8

BUCKET_COUNT = 10_000
"""Traffic, ends of a split and slots count in buckets, which are basis points."""

HASHED_ID_DIGITS = 12
"""Length of a hashed id in hexadecimal digits."""

_SEED = 1
_MASK = 0xFFFFFFFF


def murmur3(data: bytes, seed: int) -> int:
    """MurmurHash3 x86 32-bit of bytes, unsigned. Source: Austin Appleby, SMHasher (public domain)."""
    return _finish(_absorb(seed, data), data, len(data))


def bucket(salt: str, unit: str) -> int:
    """The bucket of a unit under a salt, from 0 to 9999."""
    return compile_bucket(salt)(unit)


def compile_bucket(salt: str) -> Callable[[str], int]:
    """Returns ``bucket`` for one salt, which is hashed only once, here."""
    beginning = utf8(f"{salt}.")
    begun = len(beginning) & ~3
    state = _absorb(_SEED, beginning[:begun])
    rest = beginning[begun:]

    def draw(unit: str) -> int:
        data = rest + utf8(unit)
        return _finish(_absorb(state, data), data, begun + len(data)) * BUCKET_COUNT >> 32

    return draw


def _absorb(state: int, data: bytes) -> int:
    """The state after the whole blocks of four bytes."""
    for block in unpack_from(f"<{len(data) >> 2}I", data):
        block = block * 0xCC9E2D51 & _MASK
        block = (block << 15 | block >> 17) * 0x1B873593 & _MASK
        state ^= block
        state = (state << 13 | state >> 19) & _MASK
        state = state * 5 + 0xE6546B64 & _MASK
    return state


def _finish(state: int, data: bytes, length: int) -> int:
    block = int.from_bytes(data[len(data) & ~3 :], "little")
    if block:
        block = block * 0xCC9E2D51 & _MASK
        state ^= (block << 15 | block >> 17) * 0x1B873593 & _MASK
    state ^= length
    state = (state ^ state >> 16) * 0x85EBCA6B & _MASK
    state = (state ^ state >> 13) * 0xC2B2AE35 & _MASK
    return state ^ state >> 16


def hash_id(salt: str, user: str) -> str:
    """The hash that replaces a visitor's id in a data file."""
    return hashlib.sha256(utf8(salt + user)).hexdigest()[:HASHED_ID_DIGITS]


def holds_hash(hashes: str, wanted: str) -> bool:
    """Whether a text of sorted, joined hashes contains this one."""
    low, high = 0, len(hashes) // HASHED_ID_DIGITS
    while low < high:
        middle = (low + high) // 2
        found = hashes[middle * HASHED_ID_DIGITS : (middle + 1) * HASHED_ID_DIGITS]
        if found == wanted:
            return True
        if found < wanted:
            low = middle + 1
        else:
            high = middle
    return False
