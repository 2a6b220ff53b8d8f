"""S1: whatever the service or a proxy does, the client keeps the last valid file, never raises, and tries again."""

import gzip
import json
import threading

from .service import Case, ManualPlatform, answer_status, answer_with, datafile_of, flag_of

GOOD = datafile_of(5, {"checkout": flag_of(True)})
NEXT = datafile_of(6, {"checkout": flag_of(False)})
TEXT = json.dumps(NEXT)
HUNDRED_MEGABYTES = 100_000_000
MOST_SENT_BYTES = 40_000_000
PACKED = gzip.compress(bytes(HUNDRED_MEGABYTES), 9)


def cut(request):
    request.connection.close()


def break_off(request):
    request.send_response(200)
    request.send_header("Content-Length", len(TEXT))
    request.end_headers()
    request.wfile.write(TEXT[:40].encode())


def break_off_in_a_chunk(request):
    request.send_response(200)
    request.send_header("Transfer-Encoding", "chunked")
    request.end_headers()
    request.wfile.write(b"ff\r\n" + TEXT[:40].encode())


def send_megabytes(count):
    def answer(request):
        request.send_response(200)
        if count is not None:
            request.send_header("Content-Length", count * 1_000_000)
        request.end_headers()
        piece = b" " * 1_000_000
        sent = 0
        while count is None or sent < count:
            request.wfile.write(piece)
            sent += 1
            request.service.sent_bytes = sent * len(piece)

    return answer


def endless_headers(request):
    request.send_response(200)
    for index in range(100_000):
        request.wfile.write(f"X-{index}: {index}\r\n".encode())


def endless_continues(request):
    while True:
        request.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")


def redirect(request):
    request.reply(302, b"", {"Location": request.path})


def with_flags(flags):
    return answer_status(200, json.dumps({**NEXT, "flags": flags}))


FAULTS = {
    "cuts the connection": cut,
    "answers 500": answer_status(500, TEXT),
    "answers 204": answer_status(204),
    "answers 206": answer_status(206, TEXT),
    "answers 429 for an hour": answer_status(429, "", {"Retry-After": "3600"}),
    "no longer knows the SDK key": answer_status(404),
    "sends an empty body": answer_status(200),
    "sends garbage": answer_status(200, "\x00\ufffd garbage"),
    "sends a sign-in page": answer_status(200, "<!doctype html>", {"Content-Type": "text/html"}),
    "sends half a file": answer_status(200, TEXT[: len(TEXT) // 2]),
    "breaks off in the middle": break_off,
    "breaks off in a chunk": break_off_in_a_chunk,
    "sends no HTTP": lambda request: request.wfile.write(b"garbage\r\n\r\n"),
    "sends bytes that are not gzip": answer_status(200, TEXT, {"Content-Encoding": "gzip"}),
    "breaks off in gzip": answer_status(200, gzip.compress(TEXT.encode())[:-9], {"Content-Encoding": "gzip"}),
    "sends an unknown encoding": answer_status(200, TEXT, {"Content-Encoding": "br"}),
    "sends an older revision": answer_with(datafile_of(4)),
    "sends an endless body": send_megabytes(None),
    "sends a hundred megabytes": send_megabytes(100),
    "sends a few bytes that unpack to a hundred megabytes": answer_status(200, PACKED, {"Content-Encoding": "gzip"}),
    "sends endless headers": endless_headers,
    "redirects in a loop": redirect,
    "sends a different schema version": answer_status(200, '{"schemaVersion":2,"revision":7,"flags":{}}'),
    "sends a schema version that is true": answer_status(200, '{"schemaVersion":true,"revision":7,"flags":{}}'),
    "sends a revision as a string": answer_status(200, '{"schemaVersion":1,"revision":"7","flags":{}}'),
    "sends an infinite revision": answer_status(200, '{"schemaVersion":1,"revision":1e999,"flags":{}}'),
    "sends a revision of 5,000 digits": answer_status(
        200, f'{{"schemaVersion":1,"revision":{"9" * 5_000},"flags":{{}}}}'
    ),
    "sends a list of flags": with_flags([]),
    "sends null as its flags": with_flags(None),
    "sends a number": answer_status(200, "7"),
    "sends NaN": answer_status(200, '{"schemaVersion":1,"revision":7,"flags":{"a":NaN}}'),
    "sends bytes that are not UTF-8": answer_status(200, TEXT.replace("checkout", "ch\xe9ckout").encode("latin-1")),
    "sends a list": answer_status(200, "[]"),
    "sends endless opening brackets": answer_status(200, "[" * 1_000_000),
}


class Faults(Case):
    def test_the_last_valid_file_stays_in_use_and_the_service_is_asked_again(self):
        for name, answer in FAULTS.items():
            with self.subTest(name):
                service = self.service(answer_with(GOOD))
                client = self.client(service)
                self.ready(client)
                # Not before the first turn has ended.
                self.eventually(lambda: 30 in client.time.pending())
                service.answer = answer
                client.refresh()
                self.assertEqual(
                    (client.status, client.revision, client.get_boolean("checkout", False)), ("stale", 5, True)
                )
                self.assertEqual(client.told, ["ready 5", "ready", client.told[2], "stale"])
                self.assertTrue(client.told[2])
                service.answer = answer_with(NEXT)
                client.time.advance(3_601 * 1.2)
                self.eventually(lambda: (client.status, client.revision), ("ready", 6))
                client.close()
                service.close()

    def test_at_the_start_the_stored_file_is_in_use(self):
        for name, answer in FAULTS.items():
            with self.subTest(name):
                service = self.service(answer)
                service.heartbeat_answer = service.stream_answer = answer
                store = Shelf(json.dumps(GOOD))
                client = self.client(service, store=store, stream=True)
                self.assertTrue(client.wait_until_ready())
                client.refresh()
                self.assertEqual(
                    (client.status, client.revision, client.get_boolean("checkout", False)), ("stale", 5, True)
                )
                self.assertEqual((store.saved, client.streaming), ([], False))
                client.close()
                service.close()

    def test_not_modified_is_no_answer_to_a_question_without_a_condition(self):
        client = self.client(self.service(answer_status(304)), store=Shelf(json.dumps(GOOD)))
        client.refresh()
        self.assertEqual((client.status, client.told[-2:]), ("stale", ["ready 5", "HTTP 304"]))

    def test_silence_and_a_byte_now_and_then_end_with_the_time_limit(self):
        def silent(request):
            request.service.ended.wait()

        def drip(write):
            def answer(request):
                while not request.service.ended.wait(0.01):
                    write(request)

            return answer

        def drip_body(request):
            request.send_response(200)
            request.end_headers()
            drip(lambda request: request.wfile.write(b" "))(request)

        for name, answer in {
            "nothing": silent,
            "bytes of the status line": drip(lambda request: request.wfile.write(b"H")),
            "interim responses": drip(lambda request: request.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")),
            "bytes of the body": drip_body,
        }.items():
            with self.subTest(name):
                # A file that is there already: a busy machine can take more than a second to answer, too.
                client = self.client(self.service(answer), request_timeout=1, store=Shelf(json.dumps(GOOD)))
                client.refresh()
                self.assertEqual((client.status, client.revision), ("stale", 5))
                self.assertIn("no response within 1 s", client.told)

    def test_endless_interim_responses_end_too(self):
        service = self.service(endless_continues)
        client = self.client(service, request_timeout=1)
        client.refresh()
        self.assertEqual((client.status, client.told[-1]), ("connecting", "no response within 1 s"))

    def test_malformed_flags_evaluate_to_the_default(self):
        for name, flags in {
            "a flag that is null": {"checkout": None, "color": 7, "new": []},
            "flags of the wrong types": {"checkout": {**flag_of(True), "rules": "all", "variations": []}},
            "flags with the names of built-in attributes": {"__class__": {}, "items": None, "keys": 1},
        }.items():
            with self.subTest(name):
                service = self.service(with_flags(flags))
                client = self.client(service)
                self.ready(client)
                service.answer = answer_status(200, json.dumps({**NEXT, "revision": 7, "flags": {**flags, "more": {}}}))
                client.refresh()
                self.eventually(lambda: (client.status, client.revision), ("ready", 7))
                for key in [*flags, "__init__", "more"]:
                    found = client.get_details(key, True)
                    self.assertEqual((found.value, found.reason), (True, "ERROR"))

    def test_a_file_of_a_hundred_megabytes_is_refused_without_reading_all_of_it(self):
        service = self.service(answer_status(500))
        client = self.client(service)
        client.refresh()
        service.answer = send_megabytes(100)
        client.refresh()
        self.assertEqual(client.told[-1], "the response has more than 20000000 bytes")
        self.assertLess(service.sent_bytes, MOST_SENT_BYTES)

    def test_the_clients_of_a_failing_service_do_not_retry_all_at_once(self):
        delays = []
        for chance in (0, 0.25, 0.5, 0.75, 1):
            client = self.client(self.service(answer_status(500)), _platform=ManualPlatform(chance))
            self.eventually(lambda: len(client.time.pending()), 2)
            delays.append(round(min(client.time.pending()), 6))
        self.assertEqual(delays, [0.8, 0.9, 1, 1.1, 1.2])

    def test_a_failure_is_logged_once_in_a_row(self):
        service = self.service(answer_status(500))
        client = self.client(service)
        self.eventually(lambda: len(client.time.pending()), 2)
        with self.assertLogs("svc_sdk", "WARNING") as logs:
            service.answer = answer_with(GOOD)
            client.refresh()
            service.answer = answer_status(500)
            client.refresh()
            client.refresh()
        self.assertEqual(
            [record.getMessage() for record in logs.records],
            [f"no new data file, trying again. {service.url}/api/sdk/v1/datafile/sdk_1.json: HTTP 500"],
        )

    def test_an_answer_of_another_protocol_stays_in_its_line_of_the_log(self):
        service = self.service(answer_with(GOOD))
        client = self.client(service)
        self.eventually(lambda: len(client.time.pending()), 2)
        service.answer = lambda request: request.wfile.write(b"220 mail\x1b[2J\rERROR forged\r\n")
        with self.assertLogs("svc_sdk", "WARNING") as logs:
            client.refresh()
        self.assertTrue(logs.records[0].getMessage().endswith("/sdk_1.json: 220 mail [2J ERROR forged"))

    def test_a_service_that_is_not_there(self):
        client = self.client()
        client.refresh()
        self.assertEqual((client.status, client.get_boolean("checkout", True)), ("connecting", True))


class Shelf:
    """A store in memory."""

    def __init__(self, text=None):
        self.text = text
        self.saved = []
        self.lock = threading.Lock()

    def load(self, key):
        return self.text

    def save(self, key, text):
        self.text = text
        self.saved.append((key, json.loads(text)))
