"""Keeps the last valid data file across restarts."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Optional, Protocol, Union, runtime_checkable
from uuid import uuid4

from ._evaluation import MAX_DATA_FILE_BYTES

# A process needs less than this to write 20 MB.
_ABANDONED_SECONDS = 60


@runtime_checkable
class Store(Protocol):
    """Where a client keeps its data file. What the methods raise goes to the log of the client. They must answer soon:
    the client waits for them."""

    def load(self, key: str) -> Optional[str]:
        """The text of this key; None if there is none."""
        ...

    def save(self, key: str, text: str) -> object:
        """Replaces the text of this key atomically: a crash must leave the old text or the new one."""
        ...


@runtime_checkable
class StickyStore(Protocol):
    """Keeps the variations of visitors in sticky rules. The methods must answer at once."""

    def get(self, key: str) -> Optional[str]:
        """The variation key kept under this key; None if there is none."""
        ...

    def set(self, key: str, variation_key: str) -> object:
        """Keeps a variation key."""
        ...


class FileStore:
    """A store in files, ``<folder>/svc-<SDK key>.json``, which the JavaScript client reads and writes too. Each write
    goes to a temporary file that is synced and then renamed, so several processes can share a folder and a crash leaves
    a complete file.

    :param folder: created if it is missing
    """

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self._folder = Path(folder)

    def load(self, key: str) -> Optional[str]:
        """The text of the file; None if there is none, or if it is too large."""
        path = self._path(key)
        try:
            return None if path.stat().st_size > MAX_DATA_FILE_BYTES else path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    def save(self, key: str, text: str) -> None:
        """Replaces the file."""
        path = self._path(key)
        unfinished = path.with_name(f"{path.name}.{uuid4()}.tmp")
        self._folder.mkdir(parents=True, exist_ok=True)
        self._clear(f"{path.name}.")
        try:
            with open(unfinished, "w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(unfinished, path)
        finally:
            _remove(unfinished)

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def _clear(self, beginning: str) -> None:
        """Removes temporary files of processes that were killed."""
        for path in self._folder.iterdir():
            if path.name.startswith(beginning) and path.name.endswith(".tmp") and _age(path) > _ABANDONED_SECONDS:
                _remove(path)


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        # Another process has removed it already.
        return 0


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except FileNotFoundError:
        pass
