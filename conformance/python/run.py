"""Runs the vectors of the folder above, or of the given files, against evaluation.py. See docs/conformance.md."""

import json
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
from evaluation import (
    BUCKETS,
    Visitor,
    accepts,
    bucket,
    bucket_digest,
    compare_versions,
    evaluate,
    murmur3,
    read_json,
    utf8,
)

FORMAT = 1


def hash_of(seed, text=None, bytesHex=None):
    return murmur3(utf8(text) if bytesHex is None else bytes.fromhex(bytesHex), int(seed))


def bucket_of(salt=None, unit=None, text=None, seed=None):
    return hash_of(seed, text) * BUCKETS >> 32 if salt is None else bucket(salt, unit)


def matches(condition, context, audiences=None, segments=None, now=0.0):
    return Visitor(context, now, audiences or {}, segments or {}).holds(condition)


def evaluate_all(dataFile, context, now=0.0):
    return {key: evaluate(dataFile, key, context, now) for key in dataFile["flags"]}


METHODS = {
    "murmur3_x86_32": lambda **given: {"hash": hash_of(**given)},
    "bucket_10000": lambda **given: {"bucket": bucket_of(**given)},
    "bucket_digest": lambda salts, units, count: bucket_digest(salts, units, int(count)),
    "compare_versions": lambda left, right: {"order": compare_versions(left, right)},
    "condition": lambda **given: {"matches": matches(**given)},
    "parse_data_file": lambda document: {"accepted": accepts(document)},
    "evaluate": lambda dataFile, flagKey, context, now=0.0: evaluate(dataFile, flagKey, context, now),
    "evaluate_all": evaluate_all,
}
# Not part of evaluation. examples/webhooks/receiver.py shows how to verify signatures.
FOR_RECEIVERS = ("webhook_signature", "webhook_verify")


def agrees(got, expected, tolerance):
    if isinstance(expected, dict):
        return isinstance(got, dict) and all(agrees(got.get(key), expected[key], tolerance) for key in expected)
    if isinstance(expected, list):
        if not isinstance(got, list) or len(got) != len(expected):
            return False
        return all(agrees(part, wanted, tolerance) for part, wanted in zip(got, expected))
    if isinstance(expected, float):
        allowed = max(tolerance.get("abs", 0), tolerance.get("rel", 0) * abs(expected))
        return type(got) in (int, float) and abs(got - expected) <= allowed
    return type(got) is type(expected) and got == expected


def run(case):
    if case["method"] not in METHODS:
        print(f"FAILED {case['id']}: method {case['method']} is not implemented")
        return False
    try:
        got = METHODS[case["method"]](**case["input"])
    except Exception as error:  # only this case fails, not the run
        got = f"threw {error!r}"
    passed = agrees(got, case["expected"], case.get("tolerance", {}))
    if not passed:
        print(f"FAILED {case['id']} {case['name']}\n  expected {json.dumps(case['expected'])}\n  got      {got}")
    return passed


def cases_of(path):
    document = read_json(Path(path).read_text(encoding="utf-8"))
    if document["version"] != FORMAT:
        raise ValueError(f'must have "version": {FORMAT}')
    counted = Counter(case["method"] for case in document["cases"])
    if document.get("methods", counted) != counted:
        raise ValueError('the cases do not match the numbers under "methods": the file is incomplete')
    return [case for case in document["cases"] if case["method"] not in FOR_RECEIVERS]


def own_files():
    # Statistics are not part of evaluation either.
    return sorted(path for path in Path(__file__).parent.parent.glob("*.json") if path.name != "statistics.json")


def main():
    results = []
    for path in sys.argv[1:] or own_files():
        try:
            cases = cases_of(path)
        except (OSError, ValueError, KeyError, TypeError) as error:
            print(f"{path}: cannot be read: {error}", file=sys.stderr)
            return 2
        results += [run(case) for case in cases]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
