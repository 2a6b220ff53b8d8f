"""Receives webhooks: verifies that a request is a delivery of your webhook, and reads it.

In Flask, for example:

    from svc_sdk.webhooks import WebhookVerificationError, verify_webhook

    try:
        delivery = verify_webhook(request.get_data(), request.headers, secret)
    except WebhookVerificationError:
        return "", 401
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Dict, List, Tuple, Union

from ._dates import read_date
from ._values import read_json

__all__ = ["VerifiedWebhook", "WebhookVerificationError", "sign", "verify_webhook"]

_ID = "X-Svc-Delivery-Id"
_EVENT = "X-Svc-Event"
_SIGNATURE = "X-Svc-Signature"
_TIMESTAMP = "X-Svc-Timestamp"
_SCHEME = re.compile("sha256=[0-9a-f]{64}")
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

Headers = Union[Mapping[str, Any], Iterable[Tuple[Any, Any]]]


class WebhookVerificationError(Exception):
    """The request is not a genuine delivery: ignore it and answer 401. The message is for your log, without secrets.

    ``code`` says what is wrong. If several apply, it is the first in this list:

    - ``missing_header``: a required header is missing or empty.
    - ``malformed_signature``: the signature header is not ``sha256=`` followed by 64 lowercase hexadecimal digits.
    - ``malformed_timestamp``: the timestamp header is not ISO 8601.
    - ``timestamp_out_of_tolerance``: the request was signed too long ago, or too far in the future of this clock.
    - ``signature_mismatch``: no secret gives this signature: the sender or secret is wrong, or the body was changed.
    - ``malformed_payload``: the signature is valid, but the body is not a JSON object in UTF-8.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class VerifiedWebhook:
    """A delivery whose signature is valid."""

    id: str
    """The id of the delivery, the same in all attempts. Act only once per id."""
    event: str
    """Name of the event, from the signed body. If the body has none, it comes from the header, which is not signed."""
    timestamp: datetime
    """When this attempt was signed. ``payload["timestamp"]`` is when the event happened."""
    payload: Dict[str, Any]
    """The body. New fields can be added: ignore fields that you do not know."""


def verify_webhook(
    body: Union[bytes, bytearray, memoryview, str],
    headers: Headers,
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = 300,
    now: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
) -> VerifiedWebhook:
    """Verifies that a request is a delivery of your webhook, that it was not changed and that it was sent recently.

    :param body: the bytes as received, or their text; never a value that was parsed and serialized again
    :param headers: a mapping, as in Flask and Django, or pairs of name and value, as in ASGI; case does not matter
    :param secret: the 64 characters that the service showed; during a rotation several, one of which must match
    :param tolerance_seconds: maximum distance of the timestamp from this clock, before or after it
    :param now: the clock that the timestamp is compared with
    :raises WebhookVerificationError: if the request must be refused
    :raises TypeError: if the call itself is wrong: no secret, or a body that is not raw
    """
    secrets = _secrets_in(secret)
    raw = _bytes_of(body)
    found = _read_headers(headers)
    delivery_id, timestamp, signature = (_header(found, name) for name in (_ID, _TIMESTAMP, _SIGNATURE))
    if not _SCHEME.fullmatch(signature):
        raise WebhookVerificationError(
            "malformed_signature", "The signature header is not sha256= followed by 64 lowercase hex digits."
        )
    signed_at = _timely(timestamp, now(), tolerance_seconds)
    # Each secret is tried, and each digest compared in constant time, so that the time tells nothing.
    matching = [
        hmac.compare_digest(sign(raw, delivery_id=delivery_id, timestamp=timestamp, secret=each), signature)
        for each in secrets
    ]
    if not any(matching):
        raise WebhookVerificationError("signature_mismatch", "The signature matches none of the secrets.")
    payload = _payload_in(raw)
    event = payload.get("event")
    return VerifiedWebhook(delivery_id, event if isinstance(event, str) else _header(found, _EVENT), signed_at, payload)


def sign(body: Union[bytes, bytearray, memoryview, str], *, delivery_id: str, timestamp: str, secret: str) -> str:
    """The signature header of a delivery, for tests of your receiver.

    The signed content is ``<delivery id>.<timestamp>.<body>``. The key is the characters of the secret, not the bytes
    that they encode.
    """
    content = f"{delivery_id}.{timestamp}.".encode() + _bytes_of(body)
    return f"sha256={hmac.new(secret.encode(), content, hashlib.sha256).hexdigest()}"


# A missing setting must not become an empty key, which anyone could sign with.
def _secrets_in(secret: Union[str, Sequence[str]]) -> List[str]:
    secrets = [secret] if isinstance(secret, str) else list(secret or [])
    if not secrets or not all(isinstance(each, str) and each for each in secrets):
        raise TypeError("verify_webhook: the secret is missing")
    return secrets


def _bytes_of(body: Any) -> bytes:
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise TypeError("verify_webhook: the body must be the raw bytes or text, not a parsed value")


def _read_headers(headers: Headers) -> Dict[str, str]:
    found: Dict[str, List[str]] = {}
    for name, value in headers.items() if hasattr(headers, "items") else headers:
        values = value if isinstance(value, (list, tuple)) else [value]
        found.setdefault(_text(name).lower(), []).extend(_text(each) for each in values if each is not None)
    return {name: ", ".join(values) for name, values in found.items()}


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name.lower())
    if not value:
        raise WebhookVerificationError("missing_header", f"The request has no header {name}.")
    return value


def _timely(timestamp: str, now: datetime, tolerance_seconds: float) -> datetime:
    signed_at = read_date(timestamp) if "T" in timestamp else None
    if signed_at is None:
        raise WebhookVerificationError("malformed_timestamp", "The timestamp is not ISO 8601.")
    distance = abs((read_date(now) or 0) - signed_at)
    # Written so that a tolerance of NaN refuses.
    if not distance <= tolerance_seconds * 1000:
        raise WebhookVerificationError(
            "timestamp_out_of_tolerance", f"The timestamp is more than {tolerance_seconds} s from this clock."
        )
    return _EPOCH + timedelta(milliseconds=signed_at)


def _payload_in(body: bytes) -> Dict[str, Any]:
    try:
        payload = read_json(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        payload = None
    if not isinstance(payload, dict):
        raise WebhookVerificationError("malformed_payload", "The body is not a JSON object.")
    return payload
