"""A service on loopback, clients of it and their clock, for the tests."""

import gzip
import json
import logging
import threading
import time
import unittest
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from svc_sdk import Client
from svc_sdk._platform import Platform

LIMIT_SECONDS = 30
NOW = 1_795_168_800.0
ISO_NOW = "2026-11-20T10:00:00.000Z"

# Tests that look for a warning use `assertLogs`, which changes this.
logging.getLogger("svc_sdk").setLevel(logging.CRITICAL)


def flag_of(value, **changes):
    """A flag that serves a value to everyone."""
    kinds = {bool: "BOOLEAN", str: "STRING", int: "NUMBER", float: "NUMBER"}
    is_boolean = isinstance(value, bool)
    return {
        "id": "f-1",
        "type": kinds.get(type(value), "JSON"),
        "enabled": True,
        "variations": {"on": "true", "off": "false"}
        if is_boolean
        else {"a": value if isinstance(value, str) else json.dumps(value)},
        "defaultVariation": ("on" if value else "off") if is_boolean else "a",
        "rules": [],
        **changes,
    }


def test_of(rule_id="r-1", **changes):
    """A boolean flag with an A/B test."""
    split = [{"variation": "on", "end": 5_000}, {"variation": "off", "end": 10_000}]
    return flag_of(False, rules=[{"id": rule_id, "type": "AB_TEST", "salt": "s", "split": split, **changes}])


def datafile_of(revision, flags=None, **changes):
    return {
        "schemaVersion": 1,
        "revision": revision,
        "environment": {"id": "e-1", "key": "production"},
        "publishedAt": ISO_NOW,
        "audiences": {},
        "exclusionGroups": {},
        "flags": flags or {},
        "events": {},
        **changes,
    }


def etag_of(file):
    return f'"r{file["revision"]}-{file["environment"]["id"]}"'


def answer_with(file):
    """Serves a data file as the service does."""

    def answer(request):
        etag = etag_of(file)
        if request.headers.get("If-None-Match") == etag:
            return request.reply(304, b"", {"ETag": etag})
        body = json.dumps(file).encode()
        if "gzip" not in request.headers.get("Accept-Encoding", ""):
            return request.reply(200, body, {"ETag": etag})
        return request.reply(200, gzip.compress(body), {"ETag": etag, "Content-Encoding": "gzip"})

    return answer


def answer_status(status, body=b"", headers=None):
    return lambda request: request.reply(status, body.encode() if isinstance(body, str) else body, headers or {})


def answer_stream(text=""):
    """Opens an event stream, which stays open until the service closes."""

    def answer(request):
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream; charset=utf-8")
        request.end_headers()
        request.wfile.write(text.encode())
        request.wfile.flush()
        request.service.streams.append(request)
        request.service.ended.wait()

    return answer


def event_of(revision):
    return f'id: {revision}\ndata: {{"type":"refetchEvaluation","etag":"\\"r{revision}\\""}}\n\n'


def change_event_of(revision, before, flags):
    """An event with a change to the file that came before."""
    change = {"from": etag_of(before), "publishedAt": ISO_NOW, "flags": flags}
    etag = etag_of({**before, "revision": revision})
    return f"id: {revision}\ndata: {json.dumps({'type': 'refetchEvaluation', 'etag': etag, 'change': change})}\n\n"


class Request(BaseHTTPRequestHandler):
    def do_GET(self):
        self.service.gate.wait()
        if self.path.startswith("/api/sdk/v1/stream/"):
            self.service.stream_requests.append(self)
            return self.service.stream_answer(self)
        self.service.requests.append(self)
        return self.service.answer(self)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/api/sdk/heartbeat":
            self.service.heartbeats.append(body)
            return self.service.heartbeat_answer(self)
        if self.path == "/api/sdk/v1/recommendations":
            self.service.asked.append(body)
            return self.service.recommendations_answer(self)
        self.service.batches.append(body)
        return self.service.events_answer(self)

    def reply(self, status, body, headers):
        self.send_response(status)
        for name, value in {"Content-Length": len(body), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def push(self, text):
        self.wfile.write(text.encode())
        self.wfile.flush()

    def log_message(self, *_arguments):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_arguments):
        """Clients hang up, that is what the tests are about."""


class Service:
    """Set ``answer`` and its like at any time."""

    def __init__(self, answer):
        self.answer = answer
        self.heartbeat_answer = answer_status(200, '{"success":true}')
        self.stream_answer = answer_status(404)
        self.events_answer = answer_status(202, '{"accepted":1,"duplicates":0,"rejected":[]}')
        self.recommendations_answer = answer_status(503)
        self.asked = []
        self.requests, self.stream_requests, self.streams = [], [], []
        self.heartbeats, self.batches = [], []
        self.ended = threading.Event()
        # Closed while a client gets its listeners.
        self.gate = threading.Event()
        self.gate.set()
        handler = type("Handler", (Request,), {"service": self})
        self._server = Server(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def events(self):
        return [event for batch in self.batches for event in batch["events"]]

    def close(self):
        self.ended.set()
        self.gate.set()
        self._server.shutdown()
        self._server.server_close()


class ManualPlatform(Platform):
    """Its time stands still until ``advance`` moves it."""

    def __init__(self, chance=0.5):
        super().__init__(lambda: NOW + self.elapsed)
        self.elapsed = 0.0
        self.chance = chance
        self._waiting = {}
        self._lock = threading.Lock()

    def monotonic(self):
        return self.elapsed

    def random(self):
        return self.chance

    def wait(self, changed, seconds):
        with self._lock:
            self._waiting[changed] = seconds
        changed.wait()
        with self._lock:
            self._waiting.pop(changed, None)

    def pending(self):
        """How long each thread that waits wants to."""
        with self._lock:
            return sorted(self._waiting.values())

    def advance(self, seconds):
        self.elapsed += seconds
        with self._lock:
            waiting = list(self._waiting)
        for changed in waiting:
            with changed:
                changed.notify_all()


class Case(unittest.TestCase):
    maxDiff = None

    def service(self, answer=None):
        service = Service(answer or answer_status(500))
        self.addCleanup(service.close)
        return service

    def client(self, service=None, **options):
        """A client whose clock stands still, with what it tells."""
        options = {"stream": False, "_platform": ManualPlatform(), **options}
        if service:
            service.gate.clear()
        client = Client("sdk_1", service.url if service else "http://127.0.0.1:9", **options)
        self.addCleanup(client.close)
        client.time = options["_platform"]
        client.told = []
        client.on("ready", lambda ready: client.told.append(f"ready {ready.revision}"))
        client.on("change", lambda change: client.told.append(f"change {change.revision} {change.changed_flags}"))
        client.on("status", client.told.append)
        client.on("error", lambda error: client.told.append(str(error.__cause__)))
        if service:
            service.gate.set()
        return client

    def offline(self, file, **options):
        return self.client(offline=True, bootstrap=file, **options)

    @contextmanager
    def assertNoWarning(self):
        """As ``assertNoLogs``, which Python 3.9 does not have."""
        with self.assertLogs("svc_sdk", "WARNING") as logs:
            logging.getLogger("svc_sdk").warning("the only one")
            yield
        self.assertEqual([record.getMessage() for record in logs.records], ["the only one"])

    def ready(self, client):
        """Waits until the client has its first file and is done with it, so that `refresh` asks again."""
        self.assertTrue(client.wait_until_ready(LIMIT_SECONDS))
        with client._replica._turning:
            pass

    def eventually(self, get, expected=True):
        """Waits until ``get`` returns what is expected."""
        ends_at = time.monotonic() + LIMIT_SECONDS
        while True:
            got = get()
            if got == expected or time.monotonic() > ends_at:
                self.assertEqual(got, expected)
                return
            time.sleep(0.002)
