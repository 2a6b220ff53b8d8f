"""Keeps variations of sticky rules in the store that the program gives."""

from __future__ import annotations

from typing import Any, Callable

from ._events import logger
from ._options import Settings
from ._store import StickyStore


class StickyKeep:
    """What the store keeps for an environment, by its id, which stays when the SDK key is renewed."""

    def __init__(self, attempt: Callable[[Callable[[StickyStore], Any]], Any], env_id: Any) -> None:
        self._attempt = attempt
        self._env_id = env_id

    def get(self, rule_id: str, unit: str) -> Any:
        return self._attempt(lambda store: store.get(self._key(rule_id, unit)))

    def set(self, rule_id: str, unit: str, variation_key: str) -> None:
        self._attempt(lambda store: store.set(self._key(rule_id, unit), variation_key))

    def _key(self, rule_id: str, unit: str) -> str:
        return f"{self._env_id}.{rule_id}.{unit}"


class StickyKeeps:
    """Without a store, or if it fails, variations are drawn; that is told once."""

    def __init__(self, settings: Settings) -> None:
        self._store = settings.sticky_store
        self._is_told = False

    def of(self, env_id: Any) -> StickyKeep:
        return StickyKeep(self._attempt, env_id)

    def _attempt(self, work: Callable[[StickyStore], Any]) -> Any:
        try:
            if self._store is not None:
                return work(self._store)
            self._tell("a sticky rule needs the option sticky_store")
        except Exception as fault:
            self._tell(f"sticky_store failed: {fault}")
        return None

    def _tell(self, message: str) -> None:
        if not self._is_told:
            logger.warning(message)
        self._is_told = True
