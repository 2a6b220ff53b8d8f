"""Evaluates the flags of a data file. Nothing here waits, and only ``compile_rule`` and what it calls raise."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import Any, Callable, Dict, List, Optional, Protocol, Tuple, Union

from ._buckets import BUCKET_COUNT, compile_bucket, hash_id
from ._conditions import Clock, Conditions, Context, Memo, always, compile_unit, context_of, user_of
from ._values import ensure, is_integer, is_safe_integer, is_shallow, number_of, read_json

DataFile = Dict[str, Any]
Unit = Callable[[Context], Optional[str]]

MAX_DATA_FILE_BYTES = 20_000_000
"""Maximum size of a data file, before compression."""

_SCHEMA_VERSION = 1
_HASH_VERSION = 1
# The service writes at most 64. Each copy of a value goes down all of them.
_MOST_LEVELS = 200


def is_data_file(document: Any) -> bool:
    """Whether a parsed document is a data file that can be served. Each flag is checked when it is first evaluated, so
    a malformed flag does not affect the others."""
    return (
        isinstance(document, dict)
        and is_integer(document.get("schemaVersion"))
        and document["schemaVersion"] == _SCHEMA_VERSION
        and is_safe_integer(document.get("revision"))
        and isinstance(document.get("flags"), dict)
    )


class Answer:
    """The answer for one flag and one context, shared by equal answers. With an error code, serve the default."""

    __slots__ = ("value", "variation_key", "rule_id", "reason", "error_code", "measured", "unit_of", "details")

    def __init__(
        self,
        value: Any,
        variation_key: Optional[str],
        rule_id: Optional[str],
        reason: str,
        *,
        error_code: Optional[str] = None,
        measured: bool = False,
        unit_of: Unit = user_of,
    ) -> None:
        self.value = value
        self.variation_key = variation_key
        self.rule_id = rule_id
        self.reason = reason
        self.error_code = error_code
        # Whether the visitor is to be counted by an exposure, and which unit it names.
        self.measured = measured
        self.unit_of = unit_of
        # What the client makes of it, once.
        self.details: Any = None


def _failure(code: str) -> Answer:
    return Answer(None, None, None, "ERROR", error_code=code)


NOT_READY = _failure("NOT_READY")
_NOT_FOUND = _failure("FLAG_NOT_FOUND")
_MISMATCHED = _failure("TYPE_MISMATCH")
_MALFORMED = _failure("PARSE_ERROR")


class Keep(Protocol):
    """Keeps the variations of units in sticky rules. Must not raise."""

    def get(self, rule_id: str, unit: str) -> Any: ...

    def set(self, rule_id: str, unit: str, variation_key: str) -> Any: ...


# One answer for all visitors, or a function that finds the answer.
Decide = Union[Answer, Callable[[Context, Optional[float], Memo], Answer]]
# The answer, the reason why the rule was skipped for want of something, or None if it does not match.
CompiledRule = Callable[[Context, Optional[float], Memo, Optional[str]], Union[Answer, str, None]]


class _KnownFlag:
    __slots__ = ("decide", "type", "is_asked")

    def __init__(self, decide: Decide, flag_type: Any) -> None:
        self.decide = decide
        self.type = flag_type
        self.is_asked = False


class Evaluator:
    """A data file that is ready for evaluation. Each flag is compiled when it is first evaluated, so that a new
    revision only costs time for the flags in use. Threads can share it."""

    def __init__(self, file: DataFile, clock: Clock, keep: Optional[Keep] = None) -> None:
        self._flags: Dict[str, Any] = file["flags"]
        self._file = file
        self._keep = keep
        self._clock = clock
        self._conditions = Conditions(_section(file, "audiences"), _section(file, "segments"), clock)
        self._known: Dict[str, _KnownFlag] = {}
        self._noted: List[str] = []
        # Compiling shares tests and audiences between flags. An evaluation of a compiled flag takes no lock.
        self._compiling = Lock()

    def take_evaluated(self) -> List[str]:
        """Keys of the flags that ``evaluate`` was called for since they were taken last."""
        noted, self._noted = self._noted, []
        taken = dict.fromkeys(key for key in noted if key in self._flags)
        for key, flag in list(self._known.items()):
            if flag.is_asked:
                # Before the key is kept: an evaluation at this moment is one that is taken.
                flag.is_asked = False
                taken[key] = None
        return list(taken)

    def note_evaluated(self, keys: List[str]) -> None:
        """Takes over what the evaluator of an earlier file had not been asked for yet."""
        self._noted = [*self._noted, *keys]

    def evaluate(
        self, flag_key: str, context: Any, flag_type: Optional[str] = None, now: Optional[float] = None
    ) -> Answer:
        """Evaluates one flag. Never raises. ``now`` is in epoch milliseconds, by default the time of the clock."""
        try:
            flag = self._known.get(flag_key) or self._look(flag_key)
            if flag is None:
                return _NOT_FOUND
            flag.is_asked = True
            decide = flag.decide
            found = decide if isinstance(decide, Answer) else decide(context_of(context), now, None)
        except Exception:
            return _MALFORMED
        return _MISMATCHED if flag_type and flag_type != flag.type and not found.error_code else found

    def evaluate_all(self, context: Any, now: Optional[float] = None) -> Dict[str, Answer]:
        """Evaluates all flags, by flag key. Faster than one by one, because tests that flags share run once. Does not
        mark them as evaluated."""
        memo: Dict[int, bool] = {}
        moment = self._clock() if now is None else now
        try:
            read = context_of(context)
        except Exception:
            return dict.fromkeys(self._flags, _MALFORMED)
        return {key: self._one(key, read, moment, memo) for key in self._flags}

    def _one(self, flag_key: str, context: Context, now: float, memo: Dict[int, bool]) -> Answer:
        try:
            flag = self._known.get(flag_key) or self._look(flag_key)
            if flag is None:
                return _NOT_FOUND
            decide = flag.decide
            return decide if isinstance(decide, Answer) else decide(context, now, memo)
        except Exception:
            return _MALFORMED

    def _look(self, flag_key: str) -> Optional[_KnownFlag]:
        if flag_key not in self._flags:
            return None
        with self._compiling:
            known = self._known.get(flag_key)
            if known is None:
                flag = self._flags[flag_key]
                known = _KnownFlag(self._compile(flag), flag.get("type") if isinstance(flag, dict) else None)
                self._known[flag_key] = known
        return known

    def _compile(self, flag: Any) -> Decide:
        try:
            return _compile_flag(flag, self._file, self._conditions, self._keep)
        except Exception:
            return _MALFORMED


def _section(file: DataFile, name: str) -> Mapping[str, Any]:
    section = file.get(name)
    return section if isinstance(section, dict) else {}


def _compile_flag(flag: Any, file: DataFile, conditions: Conditions, keep: Optional[Keep]) -> Decide:
    enabled = flag["enabled"]
    ensure(isinstance(enabled, bool))

    def by_default(reason: str) -> Answer:
        return _answer(flag, flag.get("defaultVariation"), reason)

    if not enabled:
        return by_default("DISABLED")
    given = flag.get("rules", [])
    ensure(isinstance(given, list))
    overrides = flag.get("overrides")
    salt = _name_salt(flag, given)
    rules = [compile_rule(rule, flag, file, conditions, keep) for rule in given]
    fallbacks = {reason: by_default(reason) for reason in ("DEFAULT", "UNIT_MISSING", "HOLDOUT")}
    everybody = fallbacks["DEFAULT"]
    if not overrides and not rules:
        return everybody
    needs_name = bool(overrides) or any(rule.get("overrides") for rule in given)

    def decide(context: Context, now: Optional[float], memo: Memo) -> Answer:
        name = None
        if needs_name:
            name = user_of(context)
            if name is not None and salt is not None:
                name = hash_id(salt, name)
            override = _overridden(flag, overrides, name) if overrides else None
            if override is not None:
                return override
        fallback = everybody
        for evaluate in rules:
            outcome = evaluate(context, now, memo, name)
            if isinstance(outcome, Answer):
                return outcome
            if outcome is not None:
                fallback = fallbacks[outcome]
        return fallback

    return decide


def _name_salt(flag: Dict[str, Any], rules: List[Any]) -> Optional[str]:
    """The salt with which overrides hash targeting keys; None if they name them in clear or there are none."""
    has_overrides = any(each.get("overrides") is not None for each in [flag, *rules])
    if "overrideSalt" not in flag or not has_overrides:
        return None
    salt = flag["overrideSalt"]
    ensure(isinstance(salt, str))
    return salt  # type: ignore[no-any-return]


_RULE_DEFAULTS: Dict[str, Any] = {
    "when": {"all": []},
    "bucketBy": ["targetingKey"],
    "hashVersion": 1,
    "traffic": BUCKET_COUNT,
}


def compile_rule(
    given: Any, flag: Dict[str, Any], file: DataFile, conditions: Conditions, keep: Optional[Keep] = None
) -> CompiledRule:
    """Compiles a rule. It checks overrides first, then conditions, bucketing unit, holdout, exclusion group and
    traffic. Raises if the rule is malformed."""
    rule = {**_RULE_DEFAULTS, **given}
    rule_id, salt, traffic, overrides = rule.get("id"), rule.get("salt"), rule["traffic"], rule.get("overrides")
    is_test = rule.get("type") == "AB_TEST"
    ensure(isinstance(rule_id, str) and isinstance(salt, str) and is_integer(traffic))
    ensure(is_test or rule.get("type") == "TARGETED_DELIVERY")
    # A test always measures; a delivery only if it is told to.
    measures = is_test or bool(rule.get("exposures"))
    unit_of = _rule_unit(rule["bucketBy"])
    split: Any = rule.get("split") if is_test else [{"variation": rule.get("variation"), "end": BUCKET_COUNT}]
    ensure(isinstance(split, list) and split)
    reason = "SPLIT" if is_test else "TARGETING_MATCH"
    shares = [
        (share.get("end"), _answer(flag, share.get("variation"), reason, rule_id, measures, unit_of)) for share in split
    ]
    ensure(number_of(shares[-1][0]) == BUCKET_COUNT)
    choose = _choice(rule, shares, keep)
    draw = compile_bucket(f"{salt}.traffic") if traffic != BUCKET_COUNT else None
    limit = _limit(rule, file)
    applies = conditions.compile(rule["when"])
    is_known = number_of(rule["hashVersion"]) == _HASH_VERSION
    applies_to_all = applies is always
    # If all matching visitors get the same variation, no bucket is drawn and no unit is needed.
    only = shares[0][1] if len(shares) == 1 and draw is None and limit is None else None

    def evaluate(context: Context, now: Optional[float], memo: Memo, name: Optional[str]) -> Union[Answer, str, None]:
        if overrides:
            override = _overridden(flag, overrides, name, rule_id, measures)
            if override is not None:
                return override
        if not is_known or not (applies_to_all or applies(context, now, memo)):
            return None
        if only is not None:
            return only
        unit = unit_of(context)
        if unit is None:
            return "UNIT_MISSING"
        if limit is not None:
            limited = limit(unit)
            if limited is not None:
                return limited or None
        return None if draw is not None and draw(unit) >= traffic else choose(unit)

    return evaluate


def _rule_unit(names: Any) -> Unit:
    ensure(isinstance(names, list) and names and all(isinstance(name, str) for name in names))
    if names == ["targetingKey"]:
        return user_of
    readers = [compile_unit(name) for name in names]

    def read(context: Context) -> Optional[str]:
        parts: List[str] = []
        for each in readers:
            part = each(context)
            if part is None:
                return None
            parts.append(part)
        return ".".join(parts)

    return read


def _choice(
    rule: Dict[str, Any], shares: List[Tuple[Any, Answer]], keep: Optional[Keep]
) -> Callable[[str], Optional[Answer]]:
    if len(shares) == 1:
        only = shares[0][1]
        return lambda _unit: only
    draw = compile_bucket(f"{rule['salt']}.split")

    def choose(unit: str) -> Optional[Answer]:
        drawn = draw(unit)
        for end, given in shares:
            if drawn < end:
                return given
        return None

    if not rule.get("sticky") or keep is None:
        return choose
    rule_id, keeper = rule["id"], keep

    def keep_or_choose(unit: str) -> Optional[Answer]:
        kept = keeper.get(rule_id, unit)
        for _end, given in shares:
            if kept is not None and given.variation_key == kept:
                return given
        chosen = choose(unit)
        if chosen is not None and chosen.variation_key is not None:
            keeper.set(rule_id, unit, chosen.variation_key)
        return chosen

    return keep_or_choose


def _limit(rule: Dict[str, Any], file: DataFile) -> Optional[Callable[[str], Optional[str]]]:
    """Keeps units out of a rule: ``HOLDOUT`` if a holdout does, an empty text if its exclusion group does."""
    group, holdout = rule.get("group"), rule.get("holdout")
    if not group and not holdout:
        return None
    is_held_out = _holdout(_section(file, "holdouts").get(holdout)) if holdout else None
    is_in_group = _group(rule["id"], _section(file, "exclusionGroups").get(group)) if group else None

    def limit(unit: str) -> Optional[str]:
        if is_held_out is not None and is_held_out(unit):
            return "HOLDOUT"
        return "" if is_in_group is not None and not is_in_group(unit) else None

    return limit


def _holdout(holdout: Any) -> Callable[[str], bool]:
    # Everybody is in a holdout that is not in the file.
    if holdout is None:
        return lambda _unit: True
    draw = compile_bucket(holdout["salt"])
    share: int = holdout["share"]
    return lambda unit: draw(unit) < share


def _group(rule_id: str, group: Any) -> Callable[[str], bool]:
    # Nobody is in a group that is not in the file.
    if group is None:
        return lambda _unit: False
    draw = compile_bucket(group["salt"])
    slots = [(slot["from"], slot["to"]) for slot in group["slots"] if slot["ruleId"] == rule_id]

    def is_inside(unit: str) -> bool:
        drawn = draw(unit)
        return any(start <= drawn < end for start, end in slots)

    return is_inside


def _overridden(
    flag: Dict[str, Any],
    overrides: Any,
    name: Optional[str],
    rule_id: Optional[str] = None,
    measured: bool = False,
) -> Optional[Answer]:
    """The answer for a visitor who is on an allowlist; None for others."""
    variation = overrides.get(name) if name is not None else None
    return None if variation is None else _answer(flag, variation, "OVERRIDE", rule_id, measured)


def _answer(
    flag: Dict[str, Any],
    variation: Any,
    reason: str,
    rule_id: Optional[str] = None,
    measured: bool = False,
    unit_of: Unit = user_of,
) -> Answer:
    try:
        ensure(isinstance(variation, str))
        value = _value_of(flag.get("type"), flag["variations"][variation])
    except Exception:
        return _MALFORMED
    return Answer(value, variation, rule_id, reason, measured=measured, unit_of=unit_of)


def _value_of(flag_type: Any, text: Any) -> Any:
    ensure(isinstance(text, str))
    if flag_type == "STRING":
        return text
    if flag_type == "BOOLEAN":
        return {"true": True, "false": False}[text]
    ensure(flag_type in ("NUMBER", "JSON"))
    value = read_json(text)
    ensure(flag_type == "JSON" or number_of(value) is not None)
    ensure(is_shallow(value, _MOST_LEVELS))
    return value
