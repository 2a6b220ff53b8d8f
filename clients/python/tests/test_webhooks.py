import json
import unittest
from collections import UserDict
from datetime import datetime, timedelta, timezone
from email.message import Message

from svc_sdk.webhooks import VerifiedWebhook, WebhookVerificationError, sign, verify_webhook

SECRET = "0123456789abcdef" * 4
OTHER = "f" * 64
SIGNED_AT = datetime(2026, 11, 20, 10, tzinfo=timezone.utc)
PAYLOAD = {"id": "dlv_01", "event": "flag.published", "project": {"name": "Café ☕"}}
BODY = json.dumps(PAYLOAD).encode()


def now():
    return SIGNED_AT


def headers_of(body, secret=SECRET, timestamp="2026-11-20T10:00:00.000Z"):
    return {
        "X-Svc-Delivery-Id": "dlv_01",
        "X-Svc-Event": "flag.published",
        "X-Svc-Timestamp": timestamp,
        "X-Svc-Signature": sign(body, delivery_id="dlv_01", timestamp=timestamp, secret=secret),
    }


HEADERS = headers_of(BODY)


class Webhooks(unittest.TestCase):
    def test_a_genuine_delivery_in_every_form(self):
        message = Message()
        for name, value in HEADERS.items():
            message[name] = value
        for body in (BODY, BODY.decode(), bytearray(BODY), memoryview(BODY)):
            for headers in (
                HEADERS,
                {name.upper(): value for name, value in HEADERS.items()},
                {name: [value] for name, value in HEADERS.items()},
                {**HEADERS, "Cookie": None},
                UserDict(HEADERS),
                message,
                [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()],
            ):
                self.assertEqual(
                    verify_webhook(body, headers, SECRET, now=now),
                    VerifiedWebhook("dlv_01", "flag.published", SIGNED_AT, PAYLOAD),
                )

    def test_one_of_several_secrets(self):
        for secrets in ([SECRET, OTHER], (OTHER, SECRET)):
            self.assertEqual(verify_webhook(BODY, HEADERS, secrets, now=now).id, "dlv_01")

    def test_the_system_clock_is_the_default(self):
        fresh = headers_of(BODY, timestamp=datetime.now(timezone.utc).isoformat())
        self.assertEqual(verify_webhook(BODY, fresh, SECRET).payload, PAYLOAD)
        self.assertEqual(
            self.code(BODY, headers_of(BODY, timestamp="2020-01-01T00:00:00Z")), "timestamp_out_of_tolerance"
        )

    def test_the_tolerance(self):
        for milliseconds, tolerance, expected in [
            (-300_000, 300, None),
            (300_001, 300, "timestamp_out_of_tolerance"),
            (10_000, 10, None),
            (10_001, 10, "timestamp_out_of_tolerance"),
            (0, float("nan"), "timestamp_out_of_tolerance"),
        ]:
            moment = SIGNED_AT + timedelta(milliseconds=milliseconds)
            got = self.code(BODY, HEADERS, tolerance_seconds=tolerance, now=lambda: moment)
            self.assertEqual(got, expected)

    def test_any_changed_byte_is_refused(self):
        for index in range(len(BODY)):
            changed = BODY[:index] + bytes([BODY[index] ^ 1]) + BODY[index + 1 :]
            self.assertEqual(self.code(changed, HEADERS, now=now), "signature_mismatch")

    def test_two_signatures_are_malformed(self):
        pairs = [*HEADERS.items(), ("x-svc-signature", HEADERS["X-Svc-Signature"])]
        self.assertEqual(self.code(BODY, pairs, now=now), "malformed_signature")

    def test_a_wrong_call_raises_a_type_error(self):
        for body, secret in [
            (BODY, None),
            (BODY, ""),
            (BODY, []),
            (BODY, [SECRET, ""]),
            (PAYLOAD, SECRET),
            (None, SECRET),
        ]:
            with self.assertRaises(TypeError):
                verify_webhook(body, HEADERS, secret, now=now)

    def code(self, body, headers, **options):
        try:
            verify_webhook(body, headers, SECRET, **options)
        except WebhookVerificationError as refused:
            self.assertNotIn(SECRET, str(refused))
            return refused.code
        return None
