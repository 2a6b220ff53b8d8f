"""Addresses and blocks of addresses."""

from __future__ import annotations

import ipaddress
import re
from typing import Callable, List, NamedTuple, Optional

# Some resolvers read a leading zero as octal, others do not. Old versions of Python accept it.
_LEADING_ZERO = re.compile(r"(?:^|[.:])0[0-9]+\.|\.0[0-9]+$")
_BLOCK = re.compile("([^/]+)(?:/([0-9]{1,3}))?")
_IPV4_BITS = 32
_IPV6_BITS = 128
_MAPPED_BITS = _IPV6_BITS - _IPV4_BITS
_MAPPED = 0xFFFF << _IPV4_BITS


class _Address(NamedTuple):
    is_ipv4: bool
    bits: int


def _read_address(value: object) -> Optional[_Address]:
    """An IPv4-mapped IPv6 address, as dual-stack sockets report it, is read as IPv4."""
    if not isinstance(value, str) or "%" in value or _LEADING_ZERO.search(value):
        return None
    try:
        address = ipaddress.ip_address(value)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    return _Address(address.version == 4, int(address))


def _read_block(value: object) -> Optional[Callable[[_Address], bool]]:
    found = _BLOCK.fullmatch(value) if isinstance(value, str) else None
    base = _read_address(found[1]) if found else None
    if found is None or base is None:
        return None
    size = _IPV6_BITS if ":" in found[1] else _IPV4_BITS
    length = int(found[2] or size)
    if length > size:
        return None
    is_ipv4, bits = base
    if is_ipv4 and size == _IPV6_BITS:
        if length < _MAPPED_BITS:
            is_ipv4, bits = False, bits | _MAPPED
        else:
            length, size = length - _MAPPED_BITS, _IPV4_BITS
    shift = size - length
    prefix = bits >> shift
    return lambda address: address.is_ipv4 == is_ipv4 and address.bits >> shift == prefix


def compile_blocks(value: object) -> Callable[[object], bool]:
    """Compiles one block or a list of blocks to a test of addresses. An invalid block contains no address."""
    items: List[object] = list(value) if isinstance(value, (list, tuple)) else [value]
    blocks = [block for block in map(_read_block, items) if block]

    def is_inside(attribute: object) -> bool:
        address = _read_address(attribute)
        return address is not None and any(contains(address) for contains in blocks)

    return is_inside
