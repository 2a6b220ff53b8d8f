"""Evaluates flags as docs/conformance.md specifies, section by section. Needs only Python 3.9 or newer.

It is an example, and the reference that generates vectors. It was written from that page, not from a different
implementation, and aims to be readable rather than fast. Read JSON with `read_json`, so that numbers are doubles.
"""

import hashlib
import ipaddress
import json
import math
import re
import sys
import unicodedata
from decimal import Decimal
from functools import lru_cache

BUCKETS = 10_000
MISSING = None  # null counts as missing


class Malformed(Exception):
    pass


def ensure(holds):
    if not holds:
        raise Malformed


# Values


def read_json(text):
    return json.loads(text, parse_int=float)


def is_text(value):
    return isinstance(value, str)


def is_number(value):
    return isinstance(value, float) and math.isfinite(value)


def is_integer(value):
    return is_number(value) and value.is_integer()


def is_scalar(value):
    return isinstance(value, (str, bool)) or is_number(value)


# Compares types too, because 1.0 equals True in Python.
def same(one, other):
    return is_scalar(one) and type(one) is type(other) and one == other


# The data file


def accepts(document):
    return (
        isinstance(document, dict)
        and same(document.get("schemaVersion"), 1.0)
        and is_integer(document.get("revision"))
        and abs(document["revision"]) < 2**53
        and isinstance(document.get("flags"), dict)
    )


# Evaluation


def evaluate(file, flag_key, context, now):
    flags = file["flags"]
    if flag_key not in flags:
        return failure("FLAG_NOT_FOUND")
    try:
        flag = whole(flags[flag_key])
        check_flag(flag, file)
        visitor = Visitor(context, now, file.get("audiences", {}), file.get("segments", {}))
        return answer(flag, file, visitor)
    except (Malformed, AttributeError, KeyError, StopIteration, TypeError):
        return failure("PARSE_ERROR")


RULE_DEFAULTS = {"when": {"all": []}, "bucketBy": ["targetingKey"], "hashVersion": 1.0, "traffic": 10_000.0}


def whole(flag):
    """The flag with the omitted fields of it and its rules filled in."""
    ensure(isinstance(flag, dict))
    rules = flag.get("rules", [])
    ensure(isinstance(rules, list) or flag.get("enabled") is False)
    given = rules if isinstance(rules, list) else []
    return {**flag, "rules": [{**RULE_DEFAULTS, **rule} if isinstance(rule, dict) else rule for rule in given]}


def answer(flag, file, visitor):
    if not flag["enabled"]:
        return serve(flag, flag.get("defaultVariation"), "DISABLED")
    user = visitor.unit(["targetingKey"])
    name = hash_id(flag["overrideSalt"], user) if salted(flag) and user is not MISSING else user
    override = flag.get("overrides", {}).get(name)
    if override is not None:
        return serve(flag, override, "OVERRIDE")
    fallback = "DEFAULT"
    for rule in flag["rules"]:
        override = rule.get("overrides", {}).get(name)
        if override is not None:
            return serve(flag, override, "OVERRIDE", rule)
        if not same(rule.get("hashVersion"), 1.0) or not visitor.holds(rule["when"]):
            continue
        unit = "" if draws_nothing(rule) else visitor.unit(rule["bucketBy"])
        if unit is MISSING:
            fallback = "UNIT_MISSING"
        elif rule.get("holdout") and held_out(rule, file, unit):
            fallback = "HOLDOUT"
        elif enters(rule, file, unit):
            is_test = rule["type"] == "AB_TEST"
            return serve(flag, variation_of(rule, unit), "SPLIT" if is_test else "TARGETING_MATCH", rule)
    return serve(flag, flag.get("defaultVariation"), fallback)


def salted(flag):
    """Whether the overrides of the flag or its rules name visitors by hash."""
    return "overrideSalt" in flag and any("overrides" in each for each in [flag, *flag["rules"]])


def draws_nothing(rule):
    shares = rule["split"] if rule["type"] == "AB_TEST" else [rule]
    return rule["traffic"] == BUCKETS and not rule.get("group") and not rule.get("holdout") and len(shares) == 1


def held_out(rule, file, unit):
    holdout = file.get("holdouts", {}).get(rule["holdout"])
    return holdout is None or bucket(holdout["salt"], unit) < holdout["share"]


def enters(rule, file, unit):
    if rule.get("group"):
        group = file.get("exclusionGroups", {}).get(rule["group"])
        if group is None:
            return False
        place = bucket(group["salt"], unit)
        if not any(slot["ruleId"] == rule["id"] and slot["from"] <= place < slot["to"] for slot in group["slots"]):
            return False
    return bucket(rule["salt"] + ".traffic", unit) < rule["traffic"]


def variation_of(rule, unit):
    if rule["type"] == "TARGETED_DELIVERY":
        return rule.get("variation")
    drawn = bucket(rule["salt"] + ".split", unit)
    return next(share["variation"] for share in rule["split"] if drawn < share["end"])


def serve(flag, variation, reason, rule=None):
    ensure(is_text(variation))
    return {
        "value": value_of(flag.get("type"), flag.get("variations", {}).get(variation)),
        "variationKey": variation,
        "ruleId": rule and rule["id"],
        "reason": reason,
    }


def value_of(flag_type, text):
    ensure(is_text(text))
    if flag_type == "STRING":
        return text
    ensure(flag_type in ("BOOLEAN", "NUMBER", "JSON"))
    try:
        value = json.loads(text, parse_int=float, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise Malformed
    ensure(flag_type != "BOOLEAN" or text in ("true", "false"))
    ensure(flag_type != "NUMBER" or is_number(value))
    return value


def refuse(constant):
    """Rejects NaN and the infinities, which Python accepts but JSON does not."""
    raise Malformed


def failure(code):
    return {"value": None, "variationKey": None, "ruleId": None, "reason": "ERROR", "errorCode": code}


def check_flag(flag, file):
    ensure(isinstance(flag.get("enabled"), bool))
    if flag["enabled"]:
        for rule in flag["rules"]:
            check_rule(rule, file)
        ensure(not salted(flag) or is_text(flag["overrideSalt"]))


def check_rule(rule, file):
    ensure(isinstance(rule, dict) and is_text(rule.get("id")) and is_text(rule.get("salt")))
    ensure(is_integer(rule.get("traffic")))
    names = rule.get("bucketBy")
    ensure(isinstance(names, list) and names and all(is_text(name) for name in names))
    ensure(rule.get("type") in ("TARGETED_DELIVERY", "AB_TEST"))
    if rule["type"] == "AB_TEST":
        split = rule.get("split")
        ensure(isinstance(split, list) and split and None not in split and split[-1].get("end") == BUCKETS)
    check_condition(rule.get("when"), file, set())


def check_condition(condition, file, checked):
    ensure(isinstance(condition, dict))
    for key in ("all", "any"):
        if key in condition:
            ensure(isinstance(condition[key], list))
            for child in condition[key]:
                check_condition(child, file, checked)
            return
    if "not" in condition:
        check_condition(condition["not"], file, checked)
    elif "audience" in condition:
        name = condition["audience"]
        audience = file.get("audiences", {}).get(name)
        if audience is not MISSING and name not in checked:
            checked.add(name)
            check_condition(audience, file, checked)
    elif "segment" in condition:
        segment = file.get("segments", {}).get(condition["segment"])
        ensure(segment is MISSING or (is_text(segment.get("salt")) and is_text(segment.get("ids"))))
    else:
        ensure(is_text(condition.get("attribute")) and condition.get("operator") in OPERATORS)


# Units, attributes, conditions


class Visitor:
    def __init__(self, context, now, audiences, segments):
        self.context = context if isinstance(context, dict) else {}
        self.now = now
        self.audiences = audiences
        self.segments = segments
        self.inside = set()

    def attribute(self, name):
        if name == "$now":
            return self.now
        if name in self.context:
            return self.context[name]
        value = self.context
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else MISSING
        return value

    def unit(self, names):
        parts = [MISSING if name == "$now" else unit_text(self.attribute(name)) for name in names]
        return MISSING if MISSING in parts else ".".join(parts)

    def holds(self, condition):
        if "all" in condition:
            return all(self.holds(child) for child in condition["all"])
        if "any" in condition:
            return any(self.holds(child) for child in condition["any"])
        if "not" in condition:
            return not self.holds(condition["not"])
        if "audience" in condition:
            return self.is_in_audience(condition["audience"])
        if "segment" in condition:
            return self.is_in_segment(condition["segment"])
        return self.answers(condition)

    def is_in_audience(self, audience):
        if self.audiences.get(audience) is MISSING or audience in self.inside:
            return False
        self.inside.add(audience)
        try:
            return self.holds(self.audiences[audience])
        finally:
            self.inside.remove(audience)

    def is_in_segment(self, name):
        segment, user = self.segments.get(name), self.unit(["targetingKey"])
        if segment is MISSING or user is MISSING:
            return False
        ids = segment["ids"]
        hashes = {ids[start : start + HASH_DIGITS] for start in range(0, len(ids), HASH_DIGITS)}
        return hash_id(segment["salt"], user) in hashes

    def answers(self, condition):
        operator = condition["operator"]
        positive = NEGATIONS.get(operator, operator)
        attribute = self.attribute(condition["attribute"])
        fold = lower if condition.get("caseSensitive") is False else keep
        found = attribute is not MISSING and TESTS[positive](attribute, condition.get("value"), fold)
        return found == (positive == operator)


HASH_DIGITS = 12


def hash_id(salt, user):
    return hashlib.sha256(utf8(salt + user)).hexdigest()[:HASH_DIGITS]


def unit_text(value):
    if is_number(value):
        return number_text(value)
    return value if is_text(value) and value else MISSING


def number_text(number):
    """The shortest decimal text of a double, formatted as in ECMAScript."""
    if number == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    digits = "".join(map(str, digits))
    point = len(digits) + exponent
    if 0 < point <= 21:
        text = digits.ljust(point, "0") if exponent >= 0 else digits[:point] + "." + digits[point:]
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
        text = f"{mantissa}e{point - 1:+d}"
    return "-" + text if sign else text


def keep(value):
    return value


def lower(value):
    return value.lower().replace("ς", "σ") if is_text(value) else value


def is_among(attribute, value, fold):
    return isinstance(value, list) and any(same(fold(attribute), fold(item)) for item in value)


def texts(verdict):
    return lambda attribute, value, fold: (
        is_text(attribute) and is_text(value) and verdict(fold(attribute), fold(value))
    )


def ordered(read, verdict):
    def test(attribute, value, _fold):
        found, wanted = read(attribute), read(value)
        return found is not None and wanted is not None and verdict(found, wanted)

    return test


def includes_any(attribute, value, fold):
    return isinstance(attribute, list) and any(is_among(item, value, fold) for item in attribute)


def includes_all(attribute, value, fold):
    return (
        isinstance(attribute, list)
        and isinstance(value, list)
        and all(is_among(item, attribute, fold) for item in value)
    )


def is_in_blocks(attribute, value, _fold):
    address = read_address(attribute)
    blocks = value if isinstance(value, list) else [value]
    return address is not None and any(is_in_block(address, block) for block in blocks)


# Patterns

DIGITS = [("0", "9")]
WORD = [("0", "9"), ("A", "Z"), ("_", "_"), ("a", "z")]
BLANKS = [("\t", "\r"), *((c, c) for c in " \xa0\u1680"), ("\u2000", "\u200a"), ("\u2028", "\u2029")]
BLANKS += [(c, c) for c in "\u202f\u205f\u3000\ufeff"]
CLASSES = {"d": DIGITS, "w": WORD, "s": BLANKS}
MATCHED_CHARACTERS = 8192


def matches(attribute, value, fold):
    if not is_text(attribute) or not is_text(value) or len(attribute) > MATCHED_CHARACTERS:
        return False
    try:
        pattern = re.compile(translate(value), re.IGNORECASE if fold is lower else 0)
    except re.error:
        return False
    return pattern.search(attribute) is not None


def translate(pattern):
    """Translates what Python reads differently: `\\d`, `\\w` and `\\b` beyond ASCII, white space and line ends, `\\p`,
    names of groups, and `$` before a final line feed."""
    translated, in_class = "", False
    for token in re.findall(r"\\[pP]\{\w+\}|\\.|\(\?<(?=\w)|.", pattern, re.DOTALL):
        if token[:2] in ("\\p", "\\P") and len(token) > 2:
            members = characters_of(token[3:-1])
            token = members if in_class else f"[{'^' if token[1] == 'P' else ''}{members}]"
        elif token[0] == "\\" and token[1:].lower() in CLASSES:
            ranges = CLASSES[token[1:].lower()]
            is_negative = token[1].isupper()
            if in_class:
                token = members_of(rest_of(ranges) if is_negative else ranges)
            else:
                token = f"[{'^' if is_negative else ''}{members_of(ranges)}]"
        elif token == "\\b" and not in_class:
            word = f"[{members_of(WORD)}]"
            token = f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
        elif token == "." and not in_class:
            token = r"[^\n\r\u2028\u2029]"
        elif token == "(?<" and not in_class:
            token = "(?P<"
        elif token == "$" and not in_class:
            token = r"\Z"
        elif token in ("[", "]"):
            in_class = token == "["
        translated += token
    return translated


def members_of(ranges):
    return "".join(f"\\U{ord(first):08x}-\\U{ord(last):08x}" for first, last in ranges)


def rest_of(ranges):
    starts = [0, *(ord(last) + 1 for _first, last in ranges)]
    ends = [*(ord(first) - 1 for first, _last in ranges), sys.maxunicode]
    return [(chr(start), chr(end)) for start, end in zip(starts, ends) if start <= end]


@lru_cache
def characters_of(category):
    members = (chr(code) for code in range(sys.maxunicode + 1))
    return "".join(map(re.escape, (c for c in members if unicodedata.category(c).startswith(category))))


# Dates

DAY = r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
TIME = r"([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:\.([0-9]{1,9}))?)?"
OFFSET = r" ?(?:Z|([+-])([01][0-9])(?::?([0-5][0-9]))?)"
DATE = re.compile(f"{DAY}(?:[T ]{TIME}(?:{OFFSET})?)?")


def read_date(value):
    """Reads a date as epoch milliseconds."""
    if is_number(value):
        return value
    if not is_text(value):
        return None
    if re.fullmatch("-?[0-9]+", value):
        return float(value) if is_number(float(value)) else None
    found = DATE.fullmatch(value)
    if not found:
        return None
    year, month, day = (int(part) for part in found.groups()[:3])
    if not 1 <= month <= 12 or not 1 <= day <= days_in(year, month):
        return None
    hour, minute, second = (int(part or 0) for part in found.groups()[3:6])
    fraction, sign, offset_hour, offset_minute = found.groups()[6:]
    offset = (int(offset_hour or 0) * 60 + int(offset_minute or 0)) * (-1 if sign == "-" else 1)
    minutes = (days_before(year, month) + day - 1) * 1440 + hour * 60 + minute - offset
    return float((minutes * 60 + second) * 1000 + int((fraction or "0").ljust(3, "0")[:3]))


def days_in(year, month):
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def days_before(year, month):
    """Days from 1970-01-01 to the first of a month, in the Gregorian calendar with a year 0."""
    past = year - 1
    leap_days = past // 4 - past // 100 + past // 400 + 1
    return year * 365 + leap_days - 719_528 + sum(days_in(year, earlier) for earlier in range(1, month))


# Versions

VERSION = re.compile(
    r"[vV]?([0-9]+(?:\.[0-9]+){0,3})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?"
)
VERSION_CHARACTERS = 256


def read_version(value):
    """A key that sorts in version order."""
    if not is_text(value) or len(value) > VERSION_CHARACTERS:
        return None
    found = VERSION.fullmatch(value)
    if not found:
        return None
    numbers = [int(part) for part in found[1].split(".")]
    release = numbers + [0] * (4 - len(numbers))
    if found[2] is None:
        return release, 1, []
    return release, 0, [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in found[2].split(".")]


def compare_versions(left, right):
    one, other = read_version(left), read_version(right)
    return None if one is None or other is None else (one > other) - (one < other)


# Networks


def read_address(value):
    """Reads an address. An IPv4-mapped IPv6 address is read as IPv4."""
    if not is_text(value) or "%" in value or re.search(r"(^|[.:])0[0-9]+\.|\.0[0-9]+$", value):
        return None
    try:
        address = ipaddress.ip_address(value)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def is_in_block(address, block):
    found = re.fullmatch("([^/]+)(?:/([0-9]{1,3}))?", block) if is_text(block) else None
    base = read_address(found[1]) if found else None
    if base is None:
        return False
    written_bits = 128 if ":" in found[1] else 32
    length = int(found[2] or written_bits)
    if length > written_bits:
        return False
    if base.version == 4 and written_bits == 128:
        if length < 96:
            return address.version == 6 and (int(address) ^ (0xFFFF << 32)) >> (128 - length) == 0
        length -= 96
    return address.version == base.version and (int(address) ^ int(base)) >> (base.max_prefixlen - length) == 0


# Buckets


def bucket(salt, unit):
    return murmur3(utf8(f"{salt}.{unit}"), 1) * BUCKETS >> 32


def utf8(text):
    return re.sub("[\ud800-\udfff]", "\ufffd", text).encode()


def murmur3(data, seed):
    tail = len(data) & ~3
    value = seed
    for start in range(0, tail, 4):
        value ^= scramble(int.from_bytes(data[start : start + 4], "little"))
        value = (rotate(value, 13) * 5 + 0xE6546B64) & 0xFFFFFFFF
    value ^= scramble(int.from_bytes(data[tail:], "little")) ^ len(data)
    value = (value ^ value >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    value = (value ^ value >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return value ^ value >> 16


def scramble(block):
    return rotate(block * 0xCC9E2D51 & 0xFFFFFFFF, 15) * 0x1B873593 & 0xFFFFFFFF


def rotate(value, bits):
    return (value << bits | value >> (32 - bits)) & 0xFFFFFFFF


def bucket_digest(salts, units, count):
    buckets = [
        bucket(salts[i % len(salts)].replace("{i}", str(i)), units[i % len(units)].replace("{i}", str(i)))
        for i in range(count)
    ]
    lines = "".join(f"{drawn}\n" for drawn in buckets)
    return {"first": buckets[:20], "sha256": hashlib.sha256(lines.encode()).hexdigest()}


TESTS = {
    "exists": lambda attribute, value, fold: True,
    "equals": lambda attribute, value, fold: same(fold(attribute), fold(value)),
    "in": is_among,
    "contains": texts(lambda attribute, value: value in attribute),
    "startsWith": texts(str.startswith),
    "endsWith": texts(str.endswith),
    "matches": matches,
    "includesAny": includes_any,
    "includesAll": includes_all,
    "inCidr": is_in_blocks,
}
ORDERS = {
    "Equals": lambda found, wanted: found == wanted,
    "GreaterThan": lambda found, wanted: found > wanted,
    "GreaterThanOrEquals": lambda found, wanted: found >= wanted,
    "LessThan": lambda found, wanted: found < wanted,
    "LessThanOrEquals": lambda found, wanted: found <= wanted,
}
for name, verdict in ORDERS.items():
    TESTS["semver" + name] = ordered(read_version, verdict)
    if name != "Equals":
        TESTS[name[0].lower() + name[1:]] = ordered(lambda value: value if is_number(value) else None, verdict)
TESTS["before"] = ordered(read_date, ORDERS["LessThan"])
TESTS["after"] = ordered(read_date, ORDERS["GreaterThan"])

NEGATIONS = {
    "notExists": "exists",
    "notEquals": "equals",
    "notIn": "in",
    "notContains": "contains",
    "notMatches": "matches",
    "semverNotEquals": "semverEquals",
    "includesNone": "includesAny",
}
OPERATORS = {*TESTS, *NEGATIONS}
