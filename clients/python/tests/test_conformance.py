"""Every vector of conformance/ except those of the statistics, which an SDK does not need."""

import hashlib
import unittest
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path

from svc_sdk._buckets import BUCKET_COUNT, bucket, murmur3
from svc_sdk._conditions import Conditions, context_of
from svc_sdk._evaluation import Evaluator, is_data_file
from svc_sdk._semver import compare_versions
from svc_sdk._values import read_json, utf8
from svc_sdk.webhooks import WebhookVerificationError, sign, verify_webhook

FOLDER = Path(__file__).parents[3] / "conformance"
FILES = sorted(path for path in FOLDER.glob("*.json") if path.name != "statistics.json")


def hash_of(seed, text=None, bytesHex=None):
    return murmur3(utf8(text) if bytesHex is None else bytes.fromhex(bytesHex), seed)


def bucket_of(salt=None, unit=None, **given):
    return hash_of(**given) * BUCKET_COUNT >> 32 if salt is None else bucket(salt, unit)


def bucket_digest(salts, units, count):
    def fill(texts, index):
        return texts[index % len(texts)].replace("{i}", str(index))

    drawn = [bucket(fill(salts, index), fill(units, index)) for index in range(count)]
    lines = "".join(f"{each}\n" for each in drawn)
    return {"first": drawn[:20], "sha256": hashlib.sha256(lines.encode()).hexdigest()}


def matches(condition, context, audiences=None, segments=None, now=0):
    holds = Conditions(audiences or {}, segments or {}, lambda: now).compile(condition)
    return holds(context_of(context), None, None)


def answer_of(found):
    return {
        "value": found.value,
        "variationKey": found.variation_key,
        "ruleId": found.rule_id,
        "reason": found.reason,
        "errorCode": found.error_code,
    }


def evaluate(dataFile, flagKey, context, now=0):
    return answer_of(Evaluator(dataFile, lambda: now).evaluate(flagKey, context))


def evaluate_all(dataFile, context, now=0):
    evaluator = Evaluator(dataFile, lambda: now)
    one = {key: answer_of(evaluator.evaluate(key, context)) for key in dataFile["flags"]}
    every = Evaluator(dataFile, lambda: now).evaluate_all(context)
    if {key: answer_of(found) for key, found in every.items()} != one:
        raise AssertionError("evaluate_all differs from evaluate")
    return one


def body_of(body=None, bodyHex=None):
    return body if bodyHex is None else bytes.fromhex(bodyHex)


def signature(deliveryId, timestamp, secret, **body):
    return {"signature": sign(body_of(**body), delivery_id=deliveryId, timestamp=timestamp, secret=secret)}


def verify(headers, secret, now=0, toleranceSeconds=300, **body):
    moment = datetime.fromtimestamp(0, timezone.utc) + timedelta(milliseconds=now)
    try:
        found = verify_webhook(body_of(**body), headers, secret, tolerance_seconds=toleranceSeconds, now=lambda: moment)
    except WebhookVerificationError as refused:
        return {"verified": False, "code": refused.code}
    return {"verified": True, "id": found.id, "event": found.event}


METHODS = {
    "murmur3_x86_32": lambda **given: {"hash": hash_of(**given)},
    "bucket_10000": lambda **given: {"bucket": bucket_of(**given)},
    "bucket_digest": bucket_digest,
    "compare_versions": lambda left, right: {"order": compare_versions(left, right)},
    "condition": lambda **given: {"matches": matches(**given)},
    "parse_data_file": lambda document: {"accepted": is_data_file(document)},
    "evaluate": evaluate,
    "evaluate_all": evaluate_all,
    "webhook_signature": signature,
    "webhook_verify": verify,
}


def agrees(got, expected):
    if isinstance(expected, dict):
        return isinstance(got, dict) and all(agrees(got.get(key), part) for key, part in expected.items())
    if isinstance(expected, list):
        return isinstance(got, list) and len(got) == len(expected) and all(agrees(*pair) for pair in zip(got, expected))
    if isinstance(expected, (int, float)) and not isinstance(expected, bool):
        return isinstance(got, (int, float)) and not isinstance(got, bool) and got == expected
    return type(got) is type(expected) and got == expected


class Vectors(unittest.TestCase):
    maxDiff = None

    def test_every_case(self):
        passed = Counter()
        for path in FILES:
            # As a client reads a data file: an integer of a program can be longer than those of JSON.
            document = read_json(path.read_text(encoding="utf-8"))
            counted = Counter(case["method"] for case in document["cases"])
            self.assertEqual(document["methods"], counted, f"{path.name} is incomplete")
            for case in document["cases"]:
                with self.subTest(id=case["id"], name=case["name"]):
                    got = METHODS[case["method"]](**case["input"])
                    self.assertTrue(agrees(got, case["expected"]), f"expected {case['expected']}, got {got}")
                    passed[case["method"]] += 1
        self.assertEqual(set(passed), set(METHODS))
        print(f"{sum(passed.values())} vectors passed")
