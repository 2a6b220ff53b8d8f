"""Keeps a copy of the data file of the environment."""

from __future__ import annotations

import json
import re
from threading import Condition, Event, Lock, Thread, get_ident
from typing import Any, Callable, List, NamedTuple, Optional

from ._evaluation import MAX_DATA_FILE_BYTES, DataFile, Evaluator, is_data_file
from ._events import Change, Emitter, Ready, SvcError, logger
from ._http import Transport
from ._options import Settings
from ._platform import Platform
from ._sticky import StickyKeeps
from ._timing import Turn, next_delay
from ._values import read_json

_SHARED = ("audiences", "segments", "exclusionGroups", "holdouts")
_USES_SHARED = re.compile('"(audience|segment|group|holdout)":')
# Polling finds what the stream lost.
_POLL_WHILE_STREAMING = 300.0


class Held(NamedTuple):
    """The data file that a client uses."""

    file: DataFile
    evaluator: Evaluator
    etag: Optional[str]

    @property
    def revision(self) -> int:
        return int(self.file["revision"])


class Replica:
    """Begins with the file from ``bootstrap`` or ``store``, polls for newer ones, refuses invalid and older ones.

    A turn asks the service, or takes what the stream brought. Turns never overlap, so only they change what is held;
    evaluations read it without a lock.
    """

    def __init__(
        self,
        settings: Settings,
        platform: Platform,
        transport: Transport,
        events: Emitter,
        keeps: StickyKeeps,
        beat: Callable[[], None],
        recovered: Callable[[], None],
    ) -> None:
        self._settings = settings
        self._platform = platform
        self._transport = transport
        self._events = events
        self._keeps = keeps
        self._beat = beat
        self._recovered = recovered
        self.held: Optional[Held] = None
        self.settled = Event()
        self.closed = False
        # Set by the stream.
        self.streaming = False
        self.announced = 0
        self._confirmed = True
        self._failing = False
        self._failures = 0
        self._turns = 0
        self._is_ready_told = False
        self._stored: Optional[DataFile] = None
        self._is_store_failing = False
        self._relaxed = False
        self._due = self._due_at = 0.0
        self._hurried = False
        self._plan_at(0)
        self._make_locks()
        self._begin(settings.bootstrap)
        self._told = self.status

    def _make_locks(self) -> None:
        self._turning = Lock()
        self._turner: Optional[int] = None
        self._planned = Condition()
        self._settling = Lock()
        self._waiters: List[Callable[[], object]] = []

    def start(self) -> None:
        """Begins to poll."""
        Thread(target=self._poll, name="svc-sdk", daemon=True).start()

    def after_fork(self) -> None:
        """Goes on in a child process: the threads of the parent and what they locked are gone."""
        settled = self.settled.is_set()
        self.settled = Event()
        if settled:
            self.settled.set()
        self._make_locks()
        self.streaming = False
        self.announced = 0
        # A thread of the parent may have been about to change what is compiled.
        if self.held:
            self.held = self.held._replace(evaluator=self._evaluator(self.held.file))
        self._plan_at(0)

    @property
    def status(self) -> str:
        if self.closed:
            return "closed"
        if self.held is None:
            return "connecting"
        return "stale" if self._failing or not self._confirmed or self.is_overdue() else "ready"

    def is_overdue(self) -> bool:
        """Whether the next poll should have been answered by now: threads do not run while a computer sleeps or a
        process is frozen. The monotonic clock can stand still then, so the other one counts too."""
        late = self._settings.poll_interval
        is_late = self._platform.monotonic() > self._due + late or self._moment() > self._due_at + late
        return is_late and not self._settings.offline and not self.closed

    def hurry(self) -> None:
        """Makes the poll come now if it is overdue. Costs little, because evaluations call it."""
        if self._hurried or not self.is_overdue():
            return
        with self._planned:
            self._hurried = True
            self._due = self._platform.monotonic()
            self._planned.notify_all()

    def refresh(self) -> None:
        """Asks the service now, or waits for the turn that is under way. Never raises."""
        if self._settings.offline or self._turner == get_ident():
            # A listener is called during a turn.
            return
        before = self._turns
        with self._turning:
            if self._turns == before:
                self._turn()

    def take(self, revision: int, data: str) -> None:
        """Follows an announcement of the stream: applies the change in it, or asks the service."""
        if revision == self.announced:
            return
        self.announced = revision
        with self._turning:
            if self.is_behind() and self._apply(revision, data):
                return
        if self.is_behind() or self.status == "stale":
            self.refresh()
        # The refresh may have joined a request that was answered before this revision existed.
        if self.is_behind() and self.status == "ready":
            self.refresh()

    def is_behind(self) -> bool:
        """Whether the stream has announced a newer revision than the one held."""
        return self.streaming and self.announced > (self.held.revision if self.held else 0)

    def stream_ended(self) -> None:
        self.streaming = False
        self.announced = 0
        # If a poll failed since, it has already planned the next one.
        relaxed, self._relaxed = self._relaxed, False
        if relaxed and self.status == "ready":
            self._plan(Turn(False))

    def on_ready(self, listener: Callable[[Any], object]) -> Callable[[], None]:
        """Adds a listener, or calls it at once if the first data file is there already."""
        with self._planned:
            if not self._is_ready_told:
                return self._events.on("ready", listener)
        held = self.held
        if held:
            self._events.call(listener, Ready(held.revision))
        return lambda: None

    def close(self) -> None:
        self.closed = True
        with self._planned:
            self._planned.notify_all()
        self._settle()

    def when_settled(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Calls a listener once there is a data file, or none will come. Returns a function that removes it."""
        with self._settling:
            if not self.settled.is_set():
                self._waiters.append(listener)
                return lambda: self._forget(listener)
        listener()
        return lambda: None

    def _forget(self, listener: Callable[[], object]) -> None:
        with self._settling:
            if listener in self._waiters:
                self._waiters.remove(listener)

    def _settle(self) -> None:
        with self._settling:
            self.settled.set()
            waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            waiter()

    def _begin(self, bootstrap: Any) -> None:
        if bootstrap is not None:
            try:
                self._restore(bootstrap, True)
            except Exception as fault:
                logger.warning("bootstrap is ignored: %s", _reason(fault))
        self._recall()
        if self._settings.offline:
            self._settle()

    def _poll(self) -> None:
        while not self.closed:
            with self._planned:
                left = self._due - self._platform.monotonic()
                if left > 0:
                    self._platform.wait(self._planned, left)
                    continue
            self.refresh()

    def _turn(self) -> None:
        """The caller holds ``_turning``."""
        if self.closed:
            return
        self._turner = get_ident()
        try:
            ended = self._attempt()
        finally:
            self._turner = None
            self._turns += 1
        self._failures = self._failures + 1 if ended.failed else 0
        self._plan(ended)
        # The stream has ended since this turn relied on it.
        if self._relaxed and not self.streaming:
            self.stream_ended()

    def _plan(self, ended: Turn) -> None:
        delay = next_delay(self._failures, self._settings.poll_interval, ended, self._platform.random())
        with self._planned:
            self._plan_at(delay)
            self._planned.notify_all()

    def _plan_at(self, delay: float) -> None:
        """The caller holds ``_planned``."""
        self._due = self._platform.monotonic() + delay
        self._due_at = self._moment() + delay
        self._hurried = False

    def _moment(self) -> float:
        try:
            return float(self._platform.now())
        except Exception:
            # The program has given the clock, and evaluations do not raise.
            return 0

    def _attempt(self) -> Turn:
        try:
            self._confirm(self._load())
        except Exception as fault:
            return Turn(False) if self.closed else self._fail(fault)
        if not self.streaming:
            return Turn(False)
        self._relaxed = not self.is_behind()
        return Turn(False, _POLL_WHILE_STREAMING) if self._relaxed else Turn(True)

    def _load(self) -> Optional[Held]:
        """What to hold now; None if that has not changed."""
        held = self.held
        headers = {"Accept-Encoding": "gzip", **({"If-None-Match": held.etag} if held and held.etag else {})}
        with self._transport.request(
            "GET", self._settings.datafile_url, timeout=self._settings.request_timeout, headers=headers
        ) as response:
            if response.status == 304 and held and held.etag:
                return None
            if response.status != 200:
                raise response.refusal()
            file = _parsed(response.text(MAX_DATA_FILE_BYTES))
            etag = response.header("etag")
        return _succeed(held, file, etag, self._evaluator)

    def _apply(self, revision: int, data: str) -> bool:
        """Applies a change to the file that it names by its ETag. The caller holds ``_turning``."""
        held = self.held
        try:
            told = read_json(data)
            change, etag = told["change"], told["etag"]
            # A proxy that compresses marks the ETag as weak; the content is the same.
            if held is None or not held.etag or change["from"] != _strong(held.etag):
                return False
            flags = {**held.file["flags"], **change["flags"]}
            for key, flag in change["flags"].items():
                if flag is None:
                    flags.pop(key)
            file = {**held.file, "flags": flags, "revision": revision, "publishedAt": change["publishedAt"]}
            if not is_data_file(file) or not isinstance(etag, str):
                return False
            following = _succeed(held, file, etag, self._evaluator)
        except Exception:
            # Events of an older service contain no change.
            return False
        self._turner = get_ident()
        try:
            self._confirm(following)
        finally:
            self._turner = None
        return True

    def _confirm(self, following: Optional[Held]) -> None:
        if self.closed:
            return
        if following:
            self._hold(following)
        was_failing, self._failing = self._failing, False
        self._confirmed = True
        self._save()
        self._tell_status()
        if not self.closed:
            self._beat()
            if was_failing:
                self._recovered()

    def _fail(self, cause: BaseException) -> Turn:
        fault = SvcError(self._settings.without_key(f"{self._settings.datafile_url}: {_reason(cause)}"))
        fault.__cause__ = cause
        if not self._failing:
            logger.warning("no new data file, trying again. %s", fault)
        self._failing = True
        self._events.emit("error", fault)
        self._tell_status()
        return Turn(True, getattr(cause, "retry_after", 0))

    def _tell_status(self) -> None:
        self._tell_ready()
        if self._told != self.status:
            self._told = self.status
            if not self.closed:
                self._events.emit("status", self._told)

    def _tell_ready(self) -> None:
        """Once, in the first turn or when a listener is added, so that no listener misses it."""
        with self._planned:
            if self._is_ready_told or self.held is None:
                return
            self._is_ready_told = True
        self._events.emit("ready", Ready(self.held.revision))

    def _hold(self, following: Held) -> None:
        before = self.held
        # Before the file is held: for a file that is nested too deeply, this raises.
        changed = changed_flags(before.file, following.file) if before and before.file is not following.file else None
        self.held = following
        if before and before.evaluator is not following.evaluator:
            following.evaluator.note_evaluated(before.evaluator.take_evaluated())
        self._settle()
        if before is None:
            self._tell_ready()
        elif changed is not None:
            self._tell_ready()
            self._events.emit("change", Change(following.revision, before.revision, tuple(changed)))

    def _restore(self, kept: Any, is_confirmed: bool) -> bool:
        """Takes a data file from ``bootstrap`` or the store if it is newer than the one held. Raises if it is none."""
        file = _parsed(kept)
        if not _is_newer(file, self.held):
            return False
        self._confirmed = is_confirmed
        self._hold(Held(file, self._evaluator(file), None))
        return True

    def _evaluator(self, file: DataFile) -> Evaluator:
        return Evaluator(file, lambda: self._platform.now() * 1000, self._keeps.of(_environment_id(file)))

    def _recall(self) -> None:
        store = self._settings.store
        if store is None:
            return
        try:
            text = store.load(self._settings.store_key)
            if text is None:
                return
            if not isinstance(text, str) or len(text) > MAX_DATA_FILE_BYTES:
                raise ValueError(f"not a string of up to {MAX_DATA_FILE_BYTES} characters")
            if self._restore(text, False) and self.held:
                self._stored = self.held.file
        except Exception as fault:
            self._store_failed(fault)

    def _save(self) -> None:
        """Saves the file that is held now, if it has changed. Another process may have saved a newer one."""
        store, held = self._settings.store, self.held
        if store is None or held is None or held.file is self._stored:
            return
        confirmed = self._confirmed
        self._recall()
        self._confirmed = confirmed and self.held is held
        if self.held is None or self.held.file is self._stored:
            return
        file = self.held.file
        try:
            store.save(self._settings.store_key, _text_of(file))
        except Exception as fault:
            # The next answer of the service tries again.
            self._store_failed(fault)
            return
        self._stored = file
        self._is_store_failing = False

    def _store_failed(self, fault: Exception) -> None:
        if not self._is_store_failing:
            logger.warning("the store failed: %s", self._settings.without_key(_reason(fault)))
        self._is_store_failing = True


def _parsed(kept: Any) -> DataFile:
    """Takes a text or a parsed document as a data file. Raises if it is not one."""
    document = read_json(kept) if isinstance(kept, (str, bytes)) else kept  # type: ignore[arg-type]
    if not is_data_file(document):
        raise ValueError("not a data file")
    return document  # type: ignore[no-any-return]


def _text_of(file: DataFile) -> str:
    text = json.dumps(file, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        # Half a character, which only an escape can say.
        return json.dumps(file, allow_nan=False, separators=(",", ":"))
    return text


def _strong(etag: str) -> str:
    return etag[2:] if etag.startswith("W/") else etag


def _reason(fault: BaseException) -> str:
    """One line: what does not speak HTTP is repeated by ``http.client``, with its line breaks."""
    text = "".join(each if each.isprintable() else " " for each in str(fault))
    return " ".join(text.split()) or type(fault).__name__


def _environment_id(file: DataFile) -> Any:
    environment = file.get("environment")
    return environment.get("id") if isinstance(environment, dict) else None


def _has_moved(file: DataFile, held: Held) -> bool:
    """Whether the file names a different environment."""
    named = _environment_id(file)
    return isinstance(named, str) and named != _environment_id(held.file)


def _is_newer(file: DataFile, held: Optional[Held]) -> bool:
    return held is None or (not _has_moved(file, held) and file["revision"] > held.revision)


def _succeed(
    held: Optional[Held], file: DataFile, etag: Optional[str], evaluator: Callable[[DataFile], Evaluator]
) -> Held:
    """What to hold after a file has arrived. A lower revision is refused: it comes from a cache or a node that is not
    up to date. Revisions of different environments cannot be compared, so the file is taken if the SDK key has moved to
    a different environment. The same revision with a different time is taken too: it comes from a service that was
    restored from a backup."""
    if held and not _has_moved(file, held):
        if file["revision"] < held.revision:
            raise ValueError(f"revision {int(file['revision'])} is older than {held.revision}")
        if file["revision"] == held.revision and file.get("publishedAt") == held.file.get("publishedAt"):
            return held._replace(etag=etag)
    return Held(file, evaluator(file), etag)


def changed_flags(before: DataFile, after: DataFile) -> List[str]:
    """Sorted keys of the flags that may evaluate differently with the second file: flags that were added, removed or
    changed. If any audience, segment, exclusion group or holdout changed, they include every flag that uses one."""
    is_shared_same = all(_same(before.get(section), after.get(section)) for section in _SHARED)
    old, new = before["flags"], after["flags"]
    return sorted(
        key
        for key in {**old, **new}
        if not _same((key in old, old.get(key)), (key in new, new.get(key)))
        or (not is_shared_same and _USES_SHARED.search(json.dumps(new.get(key), separators=(",", ":"))))
    )


def _same(one: Any, other: Any) -> bool:
    """The comparison of Python takes 1 and True for the same, so what it finds equal is compared as text too. The
    identity is a shortcut: a patched file keeps the objects that did not change."""
    if isinstance(one, tuple) and one[0] == other[0] and one[1] is other[1]:
        return True
    return one is other or (one == other and json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))
