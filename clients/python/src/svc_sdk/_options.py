"""Checks the options of a client."""

from __future__ import annotations

import re
import ssl
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence, Tuple
from urllib.parse import quote, urlsplit

from ._store import StickyStore, Store
from ._values import number_of

SHORTEST_POLL_INTERVAL = 1.0
LONGEST_INTERVAL = 1_000_000.0
MOST_DIMENSIONS = 20

# Of tokens, which are secret. SDK keys begin with sdk_ and are public.
_TOKEN = re.compile(r"\W*(?:bearer\W+)?svc_", re.IGNORECASE)
_INGEST_KEY = re.compile(r"svc_ing_[A-Za-z0-9_-]+")
_SHOWN_OF_KEY = 8
_ABSOLUTE_URL = re.compile(r"(https?://[^?#\s]+?)/*")
# What the JavaScript client leaves as it is in an address.
_UNESCAPED = "!~*'()"


@dataclass(frozen=True)
class Settings:
    """The checked options, and the addresses made from them. Times are in seconds."""

    sdk_key: str = field(repr=False)
    datafile_url: str = field(repr=False)
    stream_url: str = field(repr=False)
    heartbeat_url: str
    events_url: str
    recommendations_url: str
    store_key: str = field(repr=False)
    poll_interval: float
    request_timeout: float
    stream: bool
    store: Optional[Store]
    sticky_store: Optional[StickyStore]
    bootstrap: Any
    offline: bool
    tracking: bool
    ingest_key: Optional[str] = field(repr=False)
    dimensions: Tuple[str, ...]

    def without_key(self, text: str) -> str:
        """A text for people, in which the SDK key is cut."""
        shown = f"{self.sdk_key[:_SHOWN_OF_KEY]}…"
        for key in (quote(self.sdk_key, safe=_UNESCAPED), self.sdk_key):
            text = text.replace(key, shown) if len(key) > _SHOWN_OF_KEY else text
        return text


def read_settings(
    sdk_key: str,
    base_url: str,
    *,
    poll_interval: float,
    request_timeout: float,
    stream: bool,
    store: Optional[Store],
    sticky_store: Optional[StickyStore],
    bootstrap: Any,
    offline: bool,
    tracking: bool,
    ingest_key: Optional[str],
    dimensions: Sequence[str],
    ssl_context: Optional[ssl.SSLContext],
    now: Any,
) -> Settings:
    """Raises a TypeError that names the wrong option."""
    if isinstance(sdk_key, str) and _TOKEN.match(sdk_key):
        raise TypeError(
            "Client: sdk_key must be the SDK key of an environment, sdk_…, but this is a token, svc_…. A token is "
            "secret: do not give it to a program that only evaluates flags"
        )
    _ensure(
        isinstance(sdk_key, str) and sdk_key.strip() and _is_utf8(sdk_key), "sdk_key", "the SDK key of an environment"
    )
    root = _ABSOLUTE_URL.fullmatch(base_url) if isinstance(base_url, str) else None
    _ensure(root and _is_address(root[1]), "base_url", "the http(s) address of the service")
    _ensure(_is_duration(poll_interval, SHORTEST_POLL_INTERVAL), "poll_interval", "a number of seconds >= 1")
    _ensure(_is_duration(request_timeout, 0.001), "request_timeout", "a number of seconds >= 0.001")
    _ensure(
        store is None or isinstance(store, Store), "store", "an object with load and save, such as FileStore(folder)"
    )
    _ensure(sticky_store is None or isinstance(sticky_store, StickyStore), "sticky_store", "an object with get and set")
    for name, value in {"stream": stream, "offline": offline, "tracking": tracking}.items():
        _ensure(isinstance(value, bool), name, "a boolean")
    _ensure(
        ingest_key is None or (isinstance(ingest_key, str) and _INGEST_KEY.fullmatch(ingest_key)),
        "ingest_key",
        "an ingest key of the environment, svc_ing_…",
    )
    names = dimensions if isinstance(dimensions, (list, tuple)) else None
    _ensure(
        names is not None and len(names) <= MOST_DIMENSIONS and all(isinstance(name, str) for name in names),
        "dimensions",
        f"a list of at most {MOST_DIMENSIONS} names of attributes",
    )
    _ensure(ssl_context is None or isinstance(ssl_context, ssl.SSLContext), "ssl_context", "an ssl.SSLContext")
    _ensure(callable(now), "now", "a function that returns seconds since the epoch")
    key = quote(sdk_key, safe=_UNESCAPED)
    api = f"{root[1]}/api/sdk/"  # type: ignore[index]
    return Settings(
        sdk_key=sdk_key,
        datafile_url=f"{api}v1/datafile/{key}.json",
        stream_url=f"{api}v1/stream/{key}",
        heartbeat_url=f"{api}heartbeat",
        events_url=f"{api}v1/events",
        recommendations_url=f"{api}v1/recommendations",
        store_key=f"svc-{key}",
        poll_interval=poll_interval,
        request_timeout=request_timeout,
        stream=stream,
        store=store,
        sticky_store=sticky_store,
        bootstrap=bootstrap,
        offline=offline,
        tracking=tracking and not offline,
        ingest_key=ingest_key,
        dimensions=tuple(dimensions),
    )


def _ensure(is_right: object, name: str, explanation: str) -> None:
    if not is_right:
        raise TypeError(f"Client: {name} must be {explanation}")


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        # Reading the port checks it.
        return bool(parts.hostname) and parts.port != 0 and parts.path.isascii()
    except ValueError:
        return False


def _is_duration(value: Any, least: float) -> bool:
    number = number_of(value)
    return number is not None and least <= number <= LONGEST_INTERVAL
