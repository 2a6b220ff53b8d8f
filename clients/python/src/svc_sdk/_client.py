"""The client."""

from __future__ import annotations

import atexit
import os
import ssl
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Callable, Dict, List, Optional, Sequence, TypeVar, Union
from weakref import WeakSet

from ._conditions import VisitorMistakes
from ._details import Details, Status
from ._evaluation import NOT_READY, Answer
from ._events import Emitter, logger
from ._http import Transport
from ._options import read_settings
from ._platform import Platform
from ._recommended import Recommended, answer_in, request_of
from ._replica import Replica
from ._sender import Sender
from ._sticky import StickyKeeps
from ._store import StickyStore, Store
from ._stream import Stream
from ._tracking import Tracking, post
from ._values import copied, cut

Value = TypeVar("Value")
Context = Mapping[str, Any]
Listener = Callable[[Any], object]

_EVENTS = ("ready", "change", "status", "error")
# An unknown flag key is told once, up to this many keys. Keys can come from outside.
_MOST_UNKNOWN = 100
_LONGEST_EXIT = 2.0

_clients: "WeakSet[Client]" = WeakSet()


class Client:
    """Evaluates flags from a copy of the environment's data file, which it keeps up to date.

    It fetches the data file at once, then after every poll interval or when the stream announces a new revision. No
    evaluation waits or raises. Threads can share a client, and a process that forks can go on using it: each child
    follows the service by itself.

        from svc_sdk import Client

        client = Client("sdk_…", "https://flags.example.com")
        client.wait_until_ready(timeout=2)
        if client.get_boolean("new-checkout", False, {"targetingKey": "u-17", "country": "NL"}):
            ...

    :param sdk_key: the SDK key of the environment, ``sdk_…``
    :param base_url: the address of the service, such as ``https://flags.example.com``; it can have a path
    :param poll_interval: seconds between two requests for the data file, at least 1
    :param request_timeout: maximum seconds for one request, including its whole response
    :param stream: whether new revisions arrive within milliseconds over an open connection; without it, and while it
        is down, the client polls
    :param store: keeps the last valid data file across restarts: ``FileStore(folder)``, or an object with ``load`` and
        ``save``
    :param sticky_store: keeps the variations of sticky rules: an object with ``get`` and ``set``
    :param bootstrap: a data file, or its text, to use from the start; an invalid one is ignored with a warning
    :param offline: makes no requests at all and starts no thread; only ``bootstrap`` and ``store`` are used
    :param tracking: ``False`` sends no exposures and tracked events until ``set_tracking(True)``, for example after
        consent; until then, at most 1,000 wait in memory
    :param ingest_key: an ingest key of the environment, ``svc_ing_…``, for environments whose events count only with
        one; it is secret, and only requests with events have it
    :param dimensions: up to 20 names of attributes that are sent with exposures, so that results can be shown by them
    :param ssl_context: for a certificate authority of your own; by default that of Python
    :param now: the clock, in seconds since the epoch, for tests
    :raises TypeError: if an option is wrong
    """

    def __init__(
        self,
        sdk_key: str,
        base_url: str,
        *,
        poll_interval: float = 30.0,
        request_timeout: float = 10.0,
        stream: bool = True,
        store: Optional[Store] = None,
        sticky_store: Optional[StickyStore] = None,
        bootstrap: Union[Dict[str, Any], str, None] = None,
        offline: bool = False,
        tracking: bool = True,
        ingest_key: Optional[str] = None,
        dimensions: Sequence[str] = (),
        ssl_context: Optional[ssl.SSLContext] = None,
        now: Callable[[], float] = time.time,
        _platform: Optional[Platform] = None,
    ) -> None:
        settings = read_settings(
            sdk_key,
            base_url,
            poll_interval=poll_interval,
            request_timeout=request_timeout,
            stream=stream,
            store=store,
            sticky_store=sticky_store,
            bootstrap=bootstrap,
            offline=offline,
            tracking=tracking,
            ingest_key=ingest_key,
            dimensions=dimensions,
            ssl_context=ssl_context,
            now=now,
        )
        platform = _platform or Platform(now)
        self._settings = settings
        self._events = Emitter()
        self._unknown: Dict[Any, bool] = {}
        self._visitor_mistakes = VisitorMistakes()
        self._transport = Transport(ssl_context, platform.now, time.monotonic)
        # Apart, because `close` ends the other requests and sends the last events.
        self._last = Transport(ssl_context, platform.now, time.monotonic)
        self._sender = Sender(settings, platform, self._transport)
        self._tracking = Tracking(settings, platform, self._last, self._sender.wake)
        self._replica = Replica(
            settings,
            platform,
            self._transport,
            self._events,
            StickyKeeps(settings),
            self._sender.beat,
            self._go_on,
        )
        self._sender.replica = self._replica
        self._sender.tracking = self._tracking
        self._stream = Stream(settings, platform, self._transport, self._replica)
        self._start()
        _clients.add(self)

    def _start(self) -> None:
        if self._settings.offline:
            return
        self._replica.start()
        self._sender.start()
        if self._settings.stream:
            self._stream.start()

    def _go_on(self) -> None:
        """The service answers again, so nothing else has to wait for its next attempt."""
        self._tracking.recovered()
        self._stream.recovered()

    def _after_fork(self) -> None:
        self._transport.after_fork()
        self._sender.after_fork()
        self._tracking.after_fork()
        self._replica.after_fork()
        self._stream.after_fork()
        if not self._replica.closed:
            self._start()

    @property
    def status(self) -> Status:
        """``connecting``, ``ready``, ``stale`` or ``closed``."""
        return self._replica.status  # type: ignore[return-value]

    @property
    def revision(self) -> Optional[int]:
        """Revision of the data file in use; None before the first."""
        held = self._replica.held
        return held.revision if held else None

    @property
    def data_file(self) -> Optional[Dict[str, Any]]:
        """The data file in use; None before the first. Do not change it. A server can pass it to a page."""
        held = self._replica.held
        return held.file if held else None

    @property
    def streaming(self) -> bool:
        """True while the stream is connected."""
        return self._replica.streaming and not self._replica.closed

    @property
    def dropped_events(self) -> int:
        """Number of events that will not be counted: more than 1,000 waited, or the service refused their request or
        rejected them."""
        return self._tracking.dropped

    def wait_until_ready(self, timeout: Optional[float] = 10.0) -> bool:
        """Waits for the first valid data file, also from ``bootstrap`` or ``store``. Returns True when it is there, and
        False after ``timeout`` seconds, after ``close()``, or if the client is offline without one. None waits for as
        long as it takes."""
        self._replica.hurry()
        self._replica.settled.wait(timeout)
        return self._replica.held is not None

    def get_boolean(self, flag_key: str, default: bool, context: Optional[Context] = None) -> bool:
        """The value of a BOOLEAN flag for this context, or the default if there is none."""
        return self._value(flag_key, default, "BOOLEAN", context, True)

    def get_string(self, flag_key: str, default: str, context: Optional[Context] = None) -> str:
        """The value of a STRING flag for this context, or the default if there is none."""
        return self._value(flag_key, default, "STRING", context, True)

    def get_number(self, flag_key: str, default: float, context: Optional[Context] = None) -> float:
        """The value of a NUMBER flag for this context, an ``int`` or ``float``, or the default if there is none."""
        return self._value(flag_key, default, "NUMBER", context, True)

    def get_json(self, flag_key: str, default: Value, context: Optional[Context] = None) -> Value:
        """The value of a JSON flag for this context, or the default if there is none. Its shape is not checked. The
        value is a copy, so your program can change it."""
        return self._value(flag_key, default, "JSON", context, True)

    def get_details(self, flag_key: str, default: Value, context: Optional[Context] = None) -> Details[Value]:
        """The value with its variation, rule and reason. The type of the default says which type of flag is expected: a
        ``dict``, a ``list`` or None stands for a JSON flag."""
        return self._details(flag_key, default, context, True)

    def get_all_details(self, context: Optional[Context] = None) -> Dict[str, Details[Any]]:
        """All flags of the data file for this context, by flag key; empty before the first file. The value of a
        malformed flag is None. Faster than one by one. Does not count the flags as evaluated, nor the visitor."""
        held = self._replica.held
        if held is None:
            return {}
        self._replica.hurry()
        every = held.evaluator.evaluate_all(context)
        if context is not None:
            is_missing = any(found.reason == "UNIT_MISSING" for found in every.values())
            self._check_visitor(context, "UNIT_MISSING" if is_missing else "")
        return {key: _details_of(found, None) for key, found in every.items()}

    def peek_boolean(self, flag_key: str, default: bool, context: Optional[Context] = None) -> bool:
        """As ``get_boolean``, but the visitor is not counted."""
        return self._value(flag_key, default, "BOOLEAN", context, False)

    def peek_string(self, flag_key: str, default: str, context: Optional[Context] = None) -> str:
        """As ``get_string``, but the visitor is not counted."""
        return self._value(flag_key, default, "STRING", context, False)

    def peek_number(self, flag_key: str, default: float, context: Optional[Context] = None) -> float:
        """As ``get_number``, but the visitor is not counted."""
        return self._value(flag_key, default, "NUMBER", context, False)

    def peek_json(self, flag_key: str, default: Value, context: Optional[Context] = None) -> Value:
        """As ``get_json``, but the visitor is not counted."""
        return self._value(flag_key, default, "JSON", context, False)

    def peek_details(self, flag_key: str, default: Value, context: Optional[Context] = None) -> Details[Value]:
        """As ``get_details``, but the visitor is not counted."""
        return self._details(flag_key, default, context, False)

    def track(
        self,
        event_key: str,
        context: Optional[Context] = None,
        *,
        value: Optional[float] = None,
        properties: Optional[Mapping[str, Any]] = None,
    ) -> None:
        """Reports what a visitor did, such as an order. Metrics of A/B tests count it. The event is sent within 5 s.
        Without a ``targetingKey`` in the context, nothing is sent, and the log says so.

        :param value: a finite number of any type, such as the amount of an order; anything else is left out
        :param properties: more facts about the event, as a mapping; what JSON cannot have is left out. The service
            stores only ``productId``
        """
        self._tracking.track(event_key, context, value, properties)

    def order(self, placed: Mapping[str, Any], context: Optional[Context] = None) -> None:
        """Reports an order. Metrics of A/B tests count it as revenue, margin and pieces. It is sent as :meth:`track`
        sends an event, and the service counts an ``orderId`` once, however often it is sent.

        :param placed: ``orderId``, ``currency`` (a code of ISO 4217), ``total``, ``tax``, ``shipping``, ``discount``
            and ``items``: a list with ``itemId``, ``quantity`` and ``price`` of one piece. Amounts are decimal texts,
            Decimals or numbers, with at most 4 decimals
        :param context: the visitor, by ``targetingKey``
        """
        self._tracking.track("order", context, None, placed)

    def recommend(
        self,
        placement: str,
        context: Optional[Context] = None,
        *,
        product_ids: Sequence[str] = (),
        category: Optional[str] = None,
        filter: Optional[Mapping[str, Any]] = None,
        exclude: Sequence[str] = (),
        limit: Optional[int] = None,
        recent: Sequence[Mapping[str, str]] = (),
        timeout: float = 2.0,
    ) -> Recommended:
        """The products of a placement. The flag ``recommend-<placement>`` chooses the variant, if the data file has it,
        and counts the visitor; for its value ``none``, the service is not asked. If the service does not answer, there
        are no products. Never raises.

        :param context: the visitor, by ``targetingKey``
        :param product_ids: what the page shows, or what is in the cart: up to 50
        :param category: only this category and those below it, such as ``Clothing > Shirts``, of lists of what is
            popular
        :param filter: conditions that items must pass, as in targeting: up to 10
        :param exclude: products that must not be shown: up to 100
        :param limit: the most products, 1 to 50; by default the limit of the placement
        :param recent: what the visitor did, the latest first: mappings with ``productId`` and ``action``
        :param timeout: seconds to wait for products
        """
        flag = f"recommend-{placement}"
        file = self.data_file
        has_flag = file is not None and flag in file["flags"]
        variant = self.get_string(flag, "default", context) if has_flag else "default"
        answer: Dict[str, Any] = {}
        if variant != "none" and not self._settings.offline:
            try:
                body = request_of(
                    self._settings.sdk_key,
                    placement,
                    variant,
                    context,
                    product_ids=product_ids,
                    category=category,
                    filter=filter,
                    exclude=exclude,
                    limit=limit,
                    recent=recent,
                )
                answer = answer_in(post(self._transport, self._settings.recommendations_url, body, timeout))
            except Exception as fault:
                logger.warning("there are no products for %s: %s", placement, fault)
        return Recommended(self, context, placement, variant, answer)

    def set_tracking(self, wanted: bool) -> None:
        """Whether exposures and tracked events are sent. ``False`` forgets those that wait."""
        self._tracking.set_tracking(wanted)

    def flush(self) -> None:
        """Sends the waiting events now, and which flags were evaluated. Returns when the requests end, even if they
        fail."""
        self._tracking.flush()
        self._sender.tell_evaluated(self._last, self._settings.request_timeout)

    def refresh(self) -> None:
        """Requests the data file now, or joins the running request. Returns when the request ends, even if it fails.
        In a listener, it returns at once."""
        self._replica.refresh()

    def on(self, event: str, listener: Listener) -> Callable[[], None]:
        """Adds a listener and returns a function that removes it. What a listener raises goes to the log. Listeners run
        in the thread of the client: the next data file waits for them.

        - ``ready``: once, with a :class:`Ready`; at once if the first data file is there already
        - ``change``: with a :class:`Change`, for each later data file
        - ``status``: with the new status, except ``closed``
        - ``error``: with a :class:`SvcError`, when a request for the data file fails

        :raises ValueError: if there is no such event
        """
        if event not in _EVENTS:
            raise ValueError(f"there is no event {event}. The events are {', '.join(_EVENTS)}")
        return self._events.on(event, listener) if event != "ready" else self._replica.on_ready(listener)

    def close(self) -> None:
        """Stops streaming and polling, ends requests and removes listeners. Evaluations still use the last valid file.
        Returns when the waiting events, and which flags were evaluated, have been sent, or when that has failed."""
        self._close(None)

    def _close(self, timeout: Optional[float]) -> None:
        self._replica.close()
        self._stream.close()
        self._sender.close()
        self._transport.close()
        self._events.clear()
        limit = self._settings.request_timeout if timeout is None else min(timeout, self._settings.request_timeout)
        ends_at = time.monotonic() + limit
        self._tracking.close(timeout)
        self._sender.tell_evaluated(self._last, max(ends_at - time.monotonic(), 0.1))

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_fault: object) -> None:
        self.close()

    def _ask(self, flag_key: str, flag_type: str, context: Any, counts: bool) -> Answer:
        held = self._replica.held
        if held is None:
            return NOT_READY
        self._replica.hurry()
        found = held.evaluator.evaluate(flag_key, context, flag_type)
        if context is not None:
            self._check_visitor(context, found.reason)
        if found.measured and counts:
            self._tracking.expose(flag_key, found, context)
        elif found.error_code == "FLAG_NOT_FOUND" and flag_key not in self._unknown:
            # The key is probably misspelled.
            if len(self._unknown) < _MOST_UNKNOWN:
                self._unknown[flag_key] = True
                logger.warning("the data file has no flag %s", cut(str(flag_key)))
        return found

    def _check_visitor(self, context: Any, reason: Optional[str]) -> None:
        """A context without a visitor gives defaults in silence, so the first one of each kind is told."""
        try:
            mistake = self._visitor_mistakes.first(context, reason == "UNIT_MISSING")
        except Exception:
            # A context that cannot be read: the evaluation says so.
            return
        if mistake:
            logger.warning("%s", mistake)

    def _value(self, flag_key: str, default: Value, flag_type: str, context: Any, counts: bool) -> Value:
        found = self._ask(flag_key, flag_type, context, counts)
        if found.error_code:
            return default
        value: Value = copied(found.value)
        return value

    def _details(self, flag_key: str, default: Any, context: Any, counts: bool) -> Details[Any]:
        return _details_of(self._ask(flag_key, _type_of(default), context, counts), default)


def _type_of(default: Any) -> str:
    if isinstance(default, bool):
        return "BOOLEAN"
    if isinstance(default, str):
        return "STRING"
    return "NUMBER" if isinstance(default, (int, float)) else "JSON"


def _details_of(found: Answer, default: Any) -> Details[Any]:
    if found.error_code:
        return Details(default, None, None, "ERROR", found.error_code)  # type: ignore[arg-type]
    details: Optional[Details[Any]] = found.details
    if details is None:
        details = found.details = Details(
            found.value,
            found.variation_key,
            found.rule_id,
            found.reason,  # type: ignore[arg-type]
            measured=found.measured,
        )
    # Equal answers share one object, unless the program can change its value.
    return replace(details, value=copied(found.value)) if isinstance(found.value, (dict, list)) else details


def _resume_in_child() -> None:
    for client in list(_clients):
        client._after_fork()


def _send_at_exit() -> None:
    """A program that ends sends its last events, but does not wait long for it."""
    ends_at = time.monotonic() + _LONGEST_EXIT
    clients: List[Client] = list(_clients)
    for client in clients:
        client._close(max(ends_at - time.monotonic(), 0.1))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_resume_in_child)
atexit.register(_send_at_exit)
