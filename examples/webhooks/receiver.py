"""Receives webhooks: verifies each request, answers at once and acts once per delivery. Press Ctrl-C to stop.

    WEBHOOK_SECRET=… python3 examples/webhooks/receiver.py

It needs Python 3.8 or later and no packages. It listens for plain HTTP on this machine. Put your TLS proxy in front
of it.
"""

import hashlib
import hmac
import json
import os
import re
import sys
import threading
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
BODY_LIMIT_BYTES = 5_000_000
READ_TIMEOUT_SECONDS = 10
REMEMBERED_IDS = 10_000


class Refused(Exception):
    """The request is not a valid delivery."""


def verify(body, headers, secrets, now=None, tolerance_seconds=TOLERANCE_SECONDS):
    """Returns the id and payload of a delivery signed with one of the secrets. Raises Refused for anything else."""
    headers = {name.lower(): value for name, value in headers.items()}
    delivery_id = headers.get("x-svc-delivery-id")
    timestamp = headers.get("x-svc-timestamp")
    signature = headers.get("x-svc-signature")
    if not (delivery_id and timestamp and signature):
        raise Refused("missing_header")
    if not re.fullmatch("sha256=[0-9a-f]{64}", signature):
        raise Refused("malformed_signature")
    age = (now or datetime.now(timezone.utc)) - signed_at(timestamp)
    if abs(age.total_seconds()) > tolerance_seconds:
        raise Refused("timestamp_out_of_tolerance")
    content = f"{delivery_id}.{timestamp}.".encode() + body
    digests = [hmac.new(secret.encode(), content, hashlib.sha256).hexdigest() for secret in secrets]
    if not any(hmac.compare_digest(f"sha256={digest}", signature) for digest in digests):
        raise Refused("signature_mismatch")
    return delivery_id, payload_in(body)


def signed_at(timestamp):
    try:
        moment = datetime.fromisoformat(timestamp.replace("Z", "+00:00"))
    except ValueError:
        raise Refused("malformed_timestamp") from None
    if moment.tzinfo is None:
        raise Refused("malformed_timestamp")
    return moment


def payload_in(body):
    try:
        payload = json.loads(body.decode("utf-8"))
    except ValueError:
        raise Refused("malformed_payload") from None
    if not isinstance(payload, dict):
        raise Refused("malformed_payload")
    return payload


# In production, store the ids in a database with the id as the key, so that they survive a restart.
seen = {}
seen_lock = threading.Lock()


def remember(delivery_id):
    with seen_lock:
        if delivery_id in seen:
            return False
        seen[delivery_id] = True
        if len(seen) > REMEMBERED_IDS:
            del seen[next(iter(seen))]
        return True


def act(delivery_id, payload):
    name = (payload.get("project") or {}).get("name")
    # One string: threads that print several pieces mix their lines.
    print(f"{payload.get('event')} {delivery_id} {json.dumps(name, ensure_ascii=False)}\n", end="", flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = READ_TIMEOUT_SECONDS

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > BODY_LIMIT_BYTES:
            return self.answer(413)
        try:
            delivery_id, payload = verify(self.rfile.read(int(length)), self.headers, SECRETS)
        except Refused as refused:
            print(f"refused: {refused}", file=sys.stderr, flush=True)
            return self.answer(401)
        if remember(delivery_id):
            threading.Thread(target=act, args=(delivery_id, payload)).start()
        return self.answer(204)

    def do_GET(self):
        self.answer(405)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, format, *arguments):
        pass


if __name__ == "__main__":
    if not os.environ.get("WEBHOOK_SECRET"):
        sys.exit("Set WEBHOOK_SECRET to the secret of the webhook. During a rotation, set both secrets, separated by a comma.")
    SECRETS = os.environ["WEBHOOK_SECRET"].split(",")
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()
