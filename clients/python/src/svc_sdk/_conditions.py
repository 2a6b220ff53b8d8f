"""Conditions, compiled so that an evaluation only has to read attributes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from operator import eq, ge, gt, le, lt
from threading import get_ident
from typing import Any, Callable, Dict, List, Optional, Set

from ._buckets import hash_id, holds_hash
from ._dates import read_date
from ._networks import compile_blocks
from ._patterns import compile_pattern
from ._semver import read_version
from ._values import cut, ensure, lower, lower_text, number_of, plain, scalar_key, unit_of

Context = Dict[str, Any]
Clock = Callable[[], float]
Memo = Optional[Dict[int, bool]]
# ``now`` is in epoch milliseconds; None reads the clock. ``memo`` keeps the results of tests within one evaluation of
# several flags, in which the context does not change.
Predicate = Callable[[Context, Optional[float], Memo], bool]
Attribute = Callable[[Context, Optional[float]], Any]
Test = Callable[[Any], bool]

# A longer text has no match. A text that was cut would have matches that it does not have: with `$`, or with `\b`.
_LONGEST_MATCHED = 8_192


def always(_context: Context, _now: Optional[float], _memo: Memo) -> bool:
    """True for every visitor. This is what most rules compile to."""
    return True


def _never(_context: Context, _now: Optional[float], _memo: Memo) -> bool:
    return False


def context_of(context: Any) -> Context:
    """A context as a ``dict``. Anything but a mapping counts as empty."""
    if isinstance(context, dict):
        return context
    return dict(context) if isinstance(context, Mapping) else {}


def compile_attribute(name: str, clock: Clock) -> Attribute:
    """Compiles the name of an attribute. Its values are ``plain``, null counts as missing."""
    if name == "$now":
        return lambda _context, now: clock() if now is None else now
    if "." not in name:
        return lambda context, _now: plain(context.get(name))
    path = name.split(".")

    def read(context: Context, _now: Optional[float]) -> Any:
        if name in context:
            return plain(context[name])
        value: Any = context
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else None
        return plain(value)

    return read


def compile_unit(name: str) -> Callable[[Context], Optional[str]]:
    """Compiles the name of an attribute to a function that reads it as a bucketing unit."""
    if name == "$now":
        return lambda _context: None
    read = compile_attribute(name, float)
    return lambda context: unit_of(read(context, None))


def user_of(context: Context) -> Optional[str]:
    """The targeting key of a context as a bucketing unit; None if there is none."""
    return unit_of(context.get("targetingKey"))


# What programs call the id of a visitor before they know the name that counts here.
_OTHER_NAMES = ("targeting_key", "targetingkey", "userId", "user_id", "userID", "userid", "user", "uid", "key", "id")
_MOST_NAMES = 5
# A program can make new types while it runs.
_MOST_KINDS = 100
_NO_KEY = "no targetingKey"


class VisitorMistakes:
    """Mistakes in contexts that give defaults in silence. Each kind is told once: a wrong type says nothing about the
    next one."""

    def __init__(self) -> None:
        self._told: Set[str] = set()

    def first(self, context: Any, is_needed: bool) -> Optional[str]:
        """What is wrong with the visitor of a context, for people; None if nothing is, or if it was told before.
        ``is_needed``: whether a rule has been skipped for want of one."""
        if not isinstance(context, Mapping):
            kind = type(context).__name__
            mapping = 'give a mapping, such as {"targetingKey": "u-17"}'
            return self._once(f"a context is of type {kind} and counts as empty: {mapping}")
        given = context.get("targetingKey")
        if unit_of(given) is not None:
            return None
        if given is not None:
            kind = type(given).__name__
            what = "give a text that is not empty, or a number"
            return self._once(f"targetingKey is of type {kind} and counts as missing: {what}")
        if _NO_KEY in self._told:
            return None
        names = [name for name in _OTHER_NAMES if name in context]
        if not names and not is_needed:
            return None
        found = ", ".join(names or [cut(str(name)) for name in list(context)[:_MOST_NAMES]]) or "nothing"
        return self._once(
            f"a context has no targetingKey, only {found}: "
            "rollouts, tests and lists of ids need the visitor's id there",
            _NO_KEY,
        )

    def _once(self, mistake: str, kind: Optional[str] = None) -> Optional[str]:
        kind = kind or mistake
        if kind in self._told or len(self._told) >= _MOST_KINDS:
            return None
        self._told.add(kind)
        return mistake


class Conditions:
    """A compiler for all conditions that refer to the same audiences and segments, and to one clock."""

    def __init__(self, audiences: Mapping[str, Any], segments: Mapping[str, Any], clock: Clock) -> None:
        self._audiences = audiences
        self._segments = segments
        self._clock = clock
        self._questions: Dict[str, Predicate] = {}
        self._members: Dict[str, Predicate] = {}

    def compile(self, condition: Any) -> Predicate:
        """Raises if the condition is malformed."""
        ensure(isinstance(condition, dict))
        if "all" in condition:
            return self._all(condition["all"])
        if "any" in condition:
            return self._any(condition["any"])
        if "not" in condition:
            child = self.compile(condition["not"])
            return lambda context, now, memo: not child(context, now, memo)
        if "audience" in condition:
            return self._audience(condition["audience"])
        # Equal conditions share one compiled test.
        text = json.dumps(condition)
        known = self._questions.get(text)
        if known is None:
            known = self._questions[text] = self._question(condition)
        return known

    def _all(self, conditions: Any) -> Predicate:
        children = self._children(conditions)
        if len(children) < 2:
            return children[0] if children else always

        def holds(context: Context, now: Optional[float], memo: Memo) -> bool:
            for child in children:
                if not child(context, now, memo):
                    return False
            return True

        return holds

    def _any(self, conditions: Any) -> Predicate:
        children = self._children(conditions)
        if len(children) < 2:
            return children[0] if children else _never

        def holds(context: Context, now: Optional[float], memo: Memo) -> bool:
            for child in children:
                if child(context, now, memo):
                    return True
            return False

        return holds

    def _children(self, conditions: Any) -> List[Predicate]:
        ensure(isinstance(conditions, list))
        return [self.compile(condition) for condition in conditions]

    def _question(self, condition: Dict[str, Any]) -> Predicate:
        if "segment" in condition:
            segment = self._segments.get(condition["segment"])
            return _never if segment is None else self._remembered(_member_of(segment))
        name, operator = condition.get("attribute"), condition.get("operator")
        ensure(isinstance(name, str) and isinstance(operator, str))
        read = compile_attribute(name, self._clock)  # type: ignore[arg-type]
        test = compile_operator(operator, condition.get("value"), condition.get("caseSensitive") is False)  # type: ignore[arg-type]
        return self._remembered(lambda context, now: test(read(context, now)))

    def _remembered(self, ask: Callable[[Context, Optional[float]], bool]) -> Predicate:
        number = len(self._questions)

        def holds(context: Context, now: Optional[float], memo: Memo) -> bool:
            if memo is None:
                return ask(context, now)
            found = memo.get(number)
            if found is None:
                found = memo[number] = ask(context, now)
            return found

        return holds

    def _audience(self, name: Any) -> Predicate:
        condition = self._audiences.get(name)
        # A null audience counts as unknown. Any other value that is not a condition is malformed.
        if condition is None:
            return _never
        known = self._members.get(name)
        if known:
            return known
        # The threads that are evaluating it: within itself, an audience does not match.
        inside: Set[int] = set()
        compiled: List[Predicate] = []

        def holds(context: Context, now: Optional[float], memo: Memo) -> bool:
            thread = get_ident()
            if thread in inside:
                return False
            inside.add(thread)
            try:
                return compiled[0](context, now, memo)
            finally:
                inside.discard(thread)

        # Before its condition is compiled, so that a cycle of audiences ends here.
        self._members[name] = holds
        try:
            compiled.append(self.compile(condition))
        except Exception:
            # The next condition must not use an audience that was only partly compiled.
            self._members.clear()
            raise
        return holds


def _member_of(segment: Any) -> Callable[[Context, Optional[float]], bool]:
    salt, ids = segment["salt"], segment["ids"]
    ensure(isinstance(salt, str) and isinstance(ids, str))

    def is_member(context: Context, _now: Optional[float]) -> bool:
        user = user_of(context)
        return user is not None and holds_hash(ids, hash_id(salt, user))

    return is_member


def compile_operator(operator: str, value: Any, ignores_case: bool) -> Test:
    """Compiles an operator and its value to a test of attributes. A value that the operator cannot use matches nothing.
    Raises if there is no such operator."""
    positive = _NEGATIONS.get(operator)
    if positive is None:
        return _TESTS[operator](value, ignores_case)
    test = _TESTS[positive](value, ignores_case)
    return lambda attribute: not test(attribute)


def _nothing(_attribute: Any) -> bool:
    return False


def _exists(_value: Any, _ignores_case: bool) -> Test:
    return lambda attribute: attribute is not None


def _equals(value: Any, ignores_case: bool) -> Test:
    if isinstance(value, str) and not ignores_case:
        return lambda attribute: isinstance(attribute, str) and attribute == value
    return _in([value], ignores_case)


def _in(value: Any, ignores_case: bool) -> Test:
    if not isinstance(value, list):
        return _nothing
    wanted = _keys(value, ignores_case)
    if ignores_case:
        return lambda attribute: scalar_key(lower(attribute)) in wanted
    return lambda attribute: scalar_key(attribute) in wanted


def _keys(values: Any, ignores_case: bool) -> Set[Any]:
    keys = {scalar_key(lower(item) if ignores_case else item) for item in values}
    keys.discard(None)
    return keys


def _texts(verdict: Callable[[str, str], bool]) -> Callable[[Any, bool], Test]:
    def compile_test(value: Any, ignores_case: bool) -> Test:
        if not isinstance(value, str):
            return _nothing
        if ignores_case:
            wanted = lower_text(value)
            return lambda attribute: isinstance(attribute, str) and verdict(lower_text(attribute), wanted)
        return lambda attribute: isinstance(attribute, str) and verdict(attribute, value)

    return compile_test


def _matches(value: Any, ignores_case: bool) -> Test:
    pattern = compile_pattern(value, ignores_case)
    if pattern is None:
        return _nothing
    search = pattern.search
    return lambda attribute: (
        isinstance(attribute, str) and len(attribute) <= _LONGEST_MATCHED and search(attribute) is not None
    )


def _ordered(read: Callable[[Any], Any], verdict: Callable[[Any, Any], bool]) -> Callable[[Any, bool], Test]:
    def compile_test(value: Any, _ignores_case: bool) -> Test:
        wanted = read(value)
        if wanted is None:
            return _nothing

        def test(attribute: Any) -> bool:
            found = read(attribute)
            return found is not None and verdict(found, wanted)

        return test

    return compile_test


def _includes_any(value: Any, ignores_case: bool) -> Test:
    if not isinstance(value, list):
        return _nothing
    wanted = _keys(value, ignores_case)
    return lambda attribute: isinstance(attribute, list) and not wanted.isdisjoint(_keys(attribute, ignores_case))


def _includes_all(value: Any, ignores_case: bool) -> Test:
    if not isinstance(value, list) or any(scalar_key(item) is None for item in value):
        return _nothing
    wanted = _keys(value, ignores_case)
    return lambda attribute: isinstance(attribute, list) and wanted <= _keys(attribute, ignores_case)


_ORDERS: Dict[str, Callable[[Any, Any], bool]] = {
    "GreaterThan": gt,
    "GreaterThanOrEquals": ge,
    "LessThan": lt,
    "LessThanOrEquals": le,
}
_TESTS: Dict[str, Callable[[Any, bool], Test]] = {
    "exists": _exists,
    "equals": _equals,
    "in": _in,
    "contains": _texts(lambda attribute, value: value in attribute),
    "startsWith": _texts(str.startswith),
    "endsWith": _texts(str.endswith),
    "matches": _matches,
    "before": _ordered(read_date, _ORDERS["LessThan"]),
    "after": _ordered(read_date, _ORDERS["GreaterThan"]),
    "semverEquals": _ordered(read_version, eq),
    "includesAny": _includes_any,
    "includesAll": _includes_all,
    "inCidr": lambda value, _ignores_case: compile_blocks(value),
    **{f"semver{name}": _ordered(read_version, verdict) for name, verdict in _ORDERS.items()},
    **{name[0].lower() + name[1:]: _ordered(number_of, verdict) for name, verdict in _ORDERS.items()},
}
# Each is exactly NOT its positive operator, so it holds if the attribute is missing.
_NEGATIONS = {
    "notExists": "exists",
    "notEquals": "equals",
    "notIn": "in",
    "notContains": "contains",
    "notMatches": "matches",
    "semverNotEquals": "semverEquals",
    "includesNone": "includesAny",
}
