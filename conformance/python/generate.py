"""Writes the generated vectors. With `--check`, only reports which files are out of date.

Inputs are listed below or drawn by the hash itself, so that every run writes the same bytes. Expected results come
from evaluation.py, which was written from docs/conformance.md. If an input is made for a certain answer, such as a
traffic just above a visitor's bucket, `told` derives that answer separately, and the run fails if evaluation.py differs.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
from evaluation import (
    BUCKETS,
    OPERATORS,
    Visitor,
    bucket,
    bucket_digest,
    evaluate,
    murmur3,
    read_json,
    utf8,
)

FOLDER = Path(__file__).parent.parent


class Vectors:
    def __init__(self, prefix, source):
        self.prefix, self.source, self.cases = prefix, source, []

    def add(self, name, method, given, expected):
        self.cases.append(
            {
                "id": f"{self.prefix}-{len(self.cases) + 1:03d}",
                "name": name,
                "method": method,
                "input": given,
                "expected": expected,
                "source": self.source,
            }
        )

    def text(self):
        methods = Counter(case["method"] for case in self.cases)
        lines = ",\n".join(written(case) for case in self.cases)
        return f'{{\n"version": 1,\n"methods": {written(methods)},\n"cases": [\n{lines}\n]\n}}\n'


def written(value):
    text = json.dumps(value, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


def as_read(value):
    """The value as an SDK reads it, with numbers as doubles."""
    return read_json(json.dumps(value))


def drawn(count, *label):
    return murmur3(utf8("/".join(map(str, label))), 0) * count >> 32


def pick(options, *label):
    return options[drawn(len(options), *label)]


# Every operator with every kind of attribute. This shows where types are strict.

KINDS = {
    "an empty string": "",
    "a string": "beta",
    "a string in uppercase": "BETA",
    "a longer string": "a beta plan",
    "a digit as a string": "1",
    "1": 1,
    "0": 0,
    "1.5": 1.5,
    "true": True,
    "false": False,
    "an empty list": [],
    "a list of a string": ["beta"],
    "a list in uppercase": ["BETA", 1],
    "a list of both": [1, "x", "beta"],
    "an object": {"beta": 1},
    "a date": "2026-11-20T10:00:00Z",
    "a version": "1.2.3",
    "an address": "10.0.0.1",
}
VALUES = {
    "exists": [None],
    "notExists": [None],
    "equals": ["beta", 1, True],
    "notEquals": ["beta", 1, True],
    "before": ["2026-11-20T10:00:00.001Z"],
    "after": ["2026-11-20T09:59:59.999Z"],
    "inCidr": ["10.0.0.0/8"],
    "matches": ["^beta$"],
    "notMatches": ["^beta$"],
    **{name: [["beta", 1, True]] for name in ("in", "notIn")},
    **{name: ["beta"] for name in ("contains", "notContains", "startsWith", "endsWith")},
    **{name: [1] for name in ("greaterThan", "greaterThanOrEquals", "lessThan", "lessThanOrEquals")},
    **{name: [["beta", 1]] for name in ("includesAny", "includesAll", "includesNone")},
    **{name: ["1.2.3"] for name in OPERATORS if name.startswith("semver")},
}
FOLDED_KINDS = (
    "a string",
    "a string in uppercase",
    "a longer string",
    "1",
    "a list of a string",
    "a list in uppercase",
)


def condition_on(attribute, operator, value):
    condition = {"attribute": attribute, "operator": operator}
    return condition if value is None else {**condition, "value": value}


def condition_matrix():
    vectors = Vectors("cm", "every operator and every kind of attribute, by conformance/python/generate.py")

    def add(name, condition, attribute):
        matches = Visitor(as_read({"a": attribute}), 0.0, {}, {}).holds(as_read(condition))
        vectors.add(name, "condition", {"condition": condition, "context": {"a": attribute}}, {"matches": matches})

    for operator in sorted(OPERATORS):
        for value in VALUES[operator]:
            condition = condition_on("a", operator, value)
            asked = f"{operator} {written(value)}" if "value" in condition else operator
            for kind, attribute in KINDS.items():
                add(f"{asked}: {kind}", condition, attribute)
            if "beta" in written(value):
                for kind in FOLDED_KINDS:
                    add(f"{asked} ignoring case: {kind}", {**condition, "caseSensitive": False}, KINDS[kind])
    return vectors


# Evaluation: boundaries, rollouts, splits, groups, units, and random files.

USERS = ["user-1", "user-2", "ada@svc.test", "0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11", "00042", "ünïcode-😀"]
MANY_USERS = [f"visitor-{i}" for i in range(24)]
FLAG = {
    "id": "f1",
    "type": "STRING",
    "enabled": True,
    "variations": {key: key.upper() for key in ("a", "b", "c", "d")},
    "defaultVariation": "a",
    "rules": [],
}
EVERYBODY = {"all": []}


def file_of(rules, groups=None, audiences=None, **flag):
    return {
        "schemaVersion": 1,
        "revision": 1,
        "environment": {"id": "e1", "key": "production"},
        "publishedAt": None,
        "audiences": audiences or {},
        "exclusionGroups": groups or {},
        "flags": {"flag": {**FLAG, "rules": rules, **flag}},
        "events": {},
    }


def rule_of(name="r1", when=EVERYBODY, traffic=BUCKETS, **more):
    rule = {"id": name, "when": when, "bucketBy": ["targetingKey"], "hashVersion": 1, "salt": name, "traffic": traffic}
    kind = "AB_TEST" if "split" in more else "TARGETED_DELIVERY"
    return {"type": kind, **rule, **({} if "split" in more else {"variation": "b"}), **more}


def split_of(**ends):
    return [{"variation": variation, "end": end} for variation, end in ends.items()]


def evaluations():
    vectors = Vectors("eg", "conformance/python/generate.py")

    def add(name, file, context, told=None, now=0):
        answer = evaluate(as_read(file), "flag", as_read(context), float(now))
        if told is not None and answer["variationKey"] != told:
            raise SystemExit(f"{name}: expected {told}, but evaluation.py answers {answer}")
        given = {"dataFile": file, "flagKey": "flag", "context": context, **({"now": now} if now else {})}
        vectors.add(name, "evaluate", given, {"errorCode": None, **answer})

    traffic_boundaries(add)
    rollouts(add)
    splits(add)
    groups(add)
    units(add)
    files(add)
    return vectors


def traffic_boundaries(add):
    for user in USERS:
        place = bucket("r1.traffic", user)
        for traffic in (0, place, place + 1, BUCKETS):
            told = "b" if place < traffic else "a"
            file = file_of([rule_of(traffic=traffic)])
            add(f"traffic {traffic}: {user} at {place}", file, {"targetingKey": user}, told)


def rollouts(add):
    even = split_of(b=5000, c=10000)
    for user in MANY_USERS[:12]:
        entry, share = bucket("r1.traffic", user), bucket("r1.split", user)
        for traffic in (100, 500, 2000, 5000, 10000):
            told = "a" if entry >= traffic else "b" if share < 5000 else "c"
            add(
                f"a test rolled out to {traffic}: {user}",
                file_of([rule_of(traffic=traffic, split=even)]),
                {"targetingKey": user},
                told,
            )


def splits(add):
    for user in USERS:
        place = bucket("r1.split", user)
        for name, split, told in [
            ("the first end is the bucket", split_of(b=place, c=10000), "c"),
            ("the first end is above the bucket", split_of(b=place + 1, c=10000), "b"),
            ("a single bucket", split_of(b=place, c=place + 1, d=10000), "c"),
            ("a variation without weight at the bucket", split_of(b=place, c=place, d=10000), "d"),
        ]:
            add(f"split, {name}: {user} at {place}", file_of([rule_of(split=split)]), {"targetingKey": user}, told)
    for user in MANY_USERS:
        thirds = split_of(b=3333, c=6667, d=10000)
        add(f"split in three: {user}", file_of([rule_of(split=thirds)]), {"targetingKey": user})


def groups(add):
    slots = [("r1", 0, 3000), ("r2", 3000, 5000), ("r1", 5000, 6000), ("r3", 6000, 9000)]
    group = {"salt": "checkout-1", "slots": [{"ruleId": name, "from": low, "to": high} for name, low, high in slots]}
    given = {"r1": "b", "r2": "c", "r3": "d"}
    for user in MANY_USERS:
        place = bucket("checkout-1", user)
        owner = next((name for name, low, high in slots if low <= place < high), None)
        told = given.get(owner, "a")
        three = [rule_of(name, group="checkout", variation=key) for name, key in given.items()]
        file = file_of(three, {"checkout": group})
        add(f"three rules of a group: {user} at {place}", file, {"targetingKey": user}, told)
        half = rule_of("r1", group="checkout", traffic=5000, split=split_of(b=5000, c=10000))
        file = file_of([half, rule_of("r4", variation="d")], {"checkout": group})
        add(f"half of a group's slot, then another rule: {user}", file, {"targetingKey": user})
    for user in USERS:
        place = bucket("checkout-1", user)
        for name, low, high, told in [
            ("begins at", place, place + 1, "b"),
            ("ends at", 0, place, "a"),
            ("begins after", place + 1, BUCKETS, "a"),
            ("is empty at", place, place, "a"),
        ]:
            slot = {"salt": "checkout-1", "slots": [{"ruleId": "r1", "from": low, "to": high}]}
            rules = [rule_of(group="checkout")]
            add(f"a slot that {name} {place}: {user}", file_of(rules, {"checkout": slot}), {"targetingKey": user}, told)


NUMBERS = [
    (17, "17"),
    (-17, "-17"),
    (-0.0, "0"),
    (1.0, "1"),
    (1.5, "1.5"),
    (-0.25, "-0.25"),
    (0.1, "0.1"),
    (0.30000000000000004, "0.30000000000000004"),
    (123456789.125, "123456789.125"),
    (1795168800000, "1795168800000"),
    (9007199254740991, "9007199254740991"),
    (9007199254740993, "9007199254740992"),
    (1e20, "100000000000000000000"),
    (123456789012345680000, "123456789012345680000"),
    (1e21, "1e+21"),
    (1.5e21, "1.5e+21"),
    (-1e21, "-1e+21"),
    (0.000001, "0.000001"),
    (0.0000015, "0.0000015"),
    (0.0000001, "1e-7"),
    (-0.00000012, "-1.2e-7"),
    (5e-324, "5e-324"),
    (1.7976931348623157e308, "1.7976931348623157e+308"),
]


def units(add):
    def file_at(names, place):
        return file_of([rule_of(bucketBy=names, split=split_of(c=place, b=place + 1, d=BUCKETS))])

    def add_unit(name, names, context, text):
        add(name, file_at(names, bucket("r1.split", text)), context, "b")

    for number, text in NUMBERS:
        add_unit(f"the number {number!r} is the unit {text}", ["account"], {"account": number}, text)
    for names, context, text in [
        (["account"], {"account": "17"}, "17"),
        (["account"], {"account": " 17 "}, " 17 "),
        (["account.id"], {"account": {"id": "x"}}, "x"),
        (["account.id"], {"account.id": "y", "account": {"id": "x"}}, "y"),
        (["a", "b"], {"a": "x", "b": "y"}, "x.y"),
        (["b", "a"], {"a": "x", "b": "y"}, "y.x"),
        (["a", "b", "c"], {"a": 1, "b": 2.5, "c": "z"}, "1.2.5.z"),
        (["a", "a"], {"a": "x"}, "x.x"),
        (["a", "b"], {"a": "x.y", "b": "z"}, "x.y.z"),
        (["a", "b"], {"a": "x", "b": "y.z"}, "x.y.z"),
        (["größe"], {"größe": "日本語"}, "日本語"),
        (["a"], {"a": "x\ud800"}, "x\ufffd"),
        (["a"], {"a": "\udc00x"}, "\ufffdx"),
        (["a"], {"a": "\0"}, "\0"),
        (["a"], {"a": "x" * 300}, "x" * 300),
        (["a"], {"a": "é" * 200}, "é" * 200),
        (["a"], {"a": "e\u0301"}, "e\u0301"),
    ]:
        add_unit(f"by {written(names)} of {written(context)[:60]}", names, context, text)
    for names, context in [
        (["account"], {"targetingKey": "user-1"}),
        (["account.id"], {"account": "user-1"}),
        (["account.id"], {"account": ["user-1"]}),
        (["a", "b"], {"a": "x"}),
        (["a", "b"], {"a": "x", "b": ""}),
        (["a", "b"], {"a": None, "b": "y"}),
        (["a"], {"a": False}),
        (["a"], {"a": {"b": 1}}),
    ]:
        add(f"no unit by {written(names)} of {written(context)}", file_at(names, 5000), context, "a")


NOW = 1_795_168_800_000
CONTEXTS = [
    {},
    *({"targetingKey": user} for user in MANY_USERS[:4]),
    {"targetingKey": "visitor-0", "country": "NL", "plan": "beta", "age": 17, "app": {"version": "4.2.0"}},
    {"targetingKey": "visitor-1", "country": "be", "plan": "pro", "age": 18, "app": {"version": "4.10.0-rc.1"}},
    {"targetingKey": "visitor-2", "country": "FR", "age": "18", "tags": ["a", "b"], "ip": "10.1.2.3"},
    {"targetingKey": "visitor-3", "country": None, "tags": [], "ip": "2001:db8::1", "since": "2026-11-20"},
    {"targetingKey": 17, "country": ["NL"], "app": "4.2.0", "since": NOW - 1},
    {"account": "acme", "country": "NL", "beta": True, "since": "2026-11-20T11:00:00+01:00"},
    {"targetingKey": "visitor-5", "account": 42, "beta": "true", "tags": "a", "plan": "BETA"},
]
QUESTIONS = [
    ("country", "in", ["NL", "BE"]),
    ("country", "notIn", ["FR"]),
    ("country", "exists", None),
    ("plan", "equals", "beta"),
    ("plan", "notEquals", "pro"),
    ("age", "greaterThanOrEquals", 18),
    ("age", "lessThan", 18),
    ("app.version", "semverGreaterThanOrEquals", "4.2"),
    ("app.version", "semverLessThan", "4.10.0"),
    ("tags", "includesAny", ["a", "c"]),
    ("tags", "includesNone", ["b"]),
    ("ip", "inCidr", ["10.0.0.0/8", "2001:db8::/32"]),
    ("since", "before", "2026-11-20T10:00:00Z"),
    ("$now", "after", "2026-11-20T09:00:00Z"),
    ("beta", "equals", True),
    ("targetingKey", "matches", "-[0-3]$"),
]
FILES = 40
CONTEXTS_OF_A_FILE = 5


def files(add):
    for i in range(FILES):
        audiences = {name: condition_of(2, i, name) for name in ("au1", "au2")}
        slots = [{"ruleId": f"r{n}", "from": 2500 * n, "to": 2500 * (n + 1)} for n in range(3)]
        overrides = {"overrides": {"visitor-3": "d"}} if drawn(4, i, "overrides") == 0 else {}
        enabled = drawn(12, i, "enabled") > 0
        rules = [drawn_rule(i, n) for n in range(drawn(4, i, "rules") or 1)] if enabled else []
        file = file_of(rules, {"g": {"salt": f"g{i}", "slots": slots}}, audiences, enabled=enabled, **overrides)
        first = drawn(len(CONTEXTS), i, "context")
        for n in range(CONTEXTS_OF_A_FILE):
            context = CONTEXTS[(first + n * 5) % len(CONTEXTS)]
            add(f"file {i + 1}, context {n + 1}", file, context, now=NOW)


def drawn_rule(i, n):
    more = {}
    if drawn(3, i, n, "type") > 0:
        ends = sorted(drawn(BUCKETS + 1, i, n, end) for end in "bc")
        more["split"] = split_of(b=ends[0], c=ends[1], d=BUCKETS)
    else:
        more["variation"] = pick("abcd", i, n, "variation")
    if drawn(4, i, n, "group") == 0:
        more["group"] = pick(["g", "g", "gone"], i, n, "which")
    if drawn(5, i, n, "overrides") == 0:
        more["overrides"] = {"visitor-1": "c", "17": "d"}
    if drawn(10, i, n, "hash") == 0:
        more["hashVersion"] = 2
    more["bucketBy"] = pick([["targetingKey"], ["targetingKey"], ["account"], ["account", "country"]], i, n, "unit")
    traffic = pick([10000, 10000, 10000, 5000, 0], i, n, "traffic")
    when = EVERYBODY if drawn(3, i, n, "when") == 0 else condition_of(3, i, n)
    return rule_of(f"r{n}", when, traffic, **more, salt=f"salt-{i}-{n}")


def condition_of(depth, *label):
    kind = drawn(8, *label, "kind") if depth > 1 else 0
    if kind == 1:
        return {"not": condition_of(depth - 1, *label, "not")}
    if kind in (2, 3, 4, 5):
        children = [condition_of(depth - 1, *label, n) for n in range(drawn(4, *label, "children"))]
        return {"all" if kind < 4 else "any": children}
    if kind == 6:
        return {"audience": pick(["au1", "au2", "gone"], *label, "audience")}
    condition = condition_on(*pick(QUESTIONS, *label, "question"))
    if drawn(4, *label, "case") == 0:
        condition["caseSensitive"] = False
    return condition


# Digests of 10,000 buckets.

SALTS = ["r-{i}.traffic", "r-{i}.split", "{i}", "0198f2c6-7b1e-7c44-9a35-{i}.split", "g1", "ünïcode-{i}", ""]
UNITS = [
    "user-{i}",
    "{i}",
    "0000000{i}",
    "visitor{i}@example.com",
    "{i}f2c67b1e-7c44-9a35-1d2f6c0b5e11",
    "acme.user-{i}",
    "ünïcode-{i}",
    "{i}-日本語",
    "😀{i}",
    "{i} and a text that is longer than most ids of visitors are, so that its blocks are many",
    "x",
]
PAIRS = 10_000


def bucket_pairs():
    vectors = Vectors("bp", "conformance/python/generate.py")
    for name, count in (("the first 100 pairs", 100), ("10,000 pairs", PAIRS)):
        given = {"salts": SALTS, "units": UNITS, "count": count}
        vectors.add(name, "bucket_digest", given, bucket_digest(**given))
    return vectors


FILES_WRITTEN = {
    "condition-matrix.json": condition_matrix,
    "evaluation-generated.json": evaluations,
    "bucket-pairs.json": bucket_pairs,
}


def main():
    stale = []
    for name, make in FILES_WRITTEN.items():
        path, text = FOLDER / name, make().text()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"{name} {'is out of date' if '--check' in sys.argv else 'written'}")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
