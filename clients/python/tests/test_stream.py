import json

from svc_sdk._stream import EventReader

from .service import (
    Case,
    answer_status,
    answer_stream,
    answer_with,
    change_event_of,
    datafile_of,
    event_of,
    flag_of,
)

GOOD = datafile_of(5, {"checkout": flag_of(True), "copy": flag_of("Pay")})
NEXT = datafile_of(6, {"checkout": flag_of(False), "copy": flag_of("Pay")})


def is_relaxed(client):
    """Whether it polls every 5 minutes, which it does after the first poll with a stream."""
    if not any(300 < wait <= 360 for wait in client.time.pending()):
        client.refresh()
        return False
    return True


class Streams(Case):
    def streaming(self, text=""):
        service = self.service(answer_with(GOOD))
        service.stream_answer = answer_stream(text)
        client = self.client(service, stream=True)
        self.ready(client)
        self.eventually(lambda: (client.streaming, len(service.streams), len(service.heartbeats) > 0), (True, 1, True))
        return service, client

    def test_it_connects_when_the_service_answers_again(self):
        for headers, connections in [({}, 2), ({"Retry-After": "600"}, 1)]:
            service = self.service(answer_status(500))
            service.stream_answer = answer_status(503, "", headers)
            client = self.client(service, stream=True)
            self.eventually(lambda: len(service.stream_requests), 1)
            client.refresh()
            self.eventually(lambda: len(client.time.pending()), 3)
            service.answer, service.stream_answer = answer_with(GOOD), answer_stream()
            client.refresh()
            self.eventually(lambda: len(service.stream_requests), connections)
            self.eventually(lambda: client.streaming, connections == 2)

    def test_an_announcement_makes_it_fetch_at_once(self):
        service, client = self.streaming()
        service.answer = answer_with(NEXT)
        service.streams[0].push(event_of(6))
        self.eventually(lambda: (client.revision, client.get_boolean("checkout", True)), (6, False))
        self.assertEqual(len(service.requests), 2)
        self.eventually(lambda: service.heartbeats[-1]["revision"], 6)

    def test_a_change_in_the_announcement_needs_no_request(self):
        service, client = self.streaming()
        service.streams[0].push(change_event_of(6, GOOD, {"checkout": flag_of(False), "copy": None, "new": flag_of(1)}))
        self.eventually(lambda: client.revision, 6)
        self.eventually(lambda: client.told[-1], "change 6 ('checkout', 'copy', 'new')")
        self.assertEqual(set(client.data_file["flags"]), {"checkout", "new"})
        self.assertEqual(len(service.requests), 1)
        # The next change applies to the file that this one made.
        service.streams[0].push(change_event_of(7, {**GOOD, "revision": 6}, {"checkout": flag_of(True)}))
        self.eventually(lambda: client.revision, 7)
        self.assertEqual(len(service.requests), 1)

    def test_a_change_to_another_file_is_not_applied(self):
        service, client = self.streaming()
        service.answer = answer_with(NEXT)
        service.streams[0].push(change_event_of(6, datafile_of(4), {"copy": None}))
        self.eventually(lambda: client.data_file, NEXT)

    def test_what_is_not_a_change_makes_it_fetch(self):
        for data in (
            "",
            "garbage",
            "[]",
            '{"change":7,"etag":"x"}',
            '{"change":{"from":"\\"r5-e-1\\"","flags":[]},"etag":"x"}',
        ):
            with self.subTest(data):
                service, client = self.streaming()
                service.answer = answer_with(NEXT)
                service.streams[0].push(f"id: 6\ndata: {data}\n\n")
                self.eventually(lambda: client.data_file, NEXT)

    def test_while_it_is_open_polls_are_rare_and_heartbeats_regular(self):
        service, client = self.streaming()
        self.eventually(lambda: is_relaxed(client))
        before = len(service.heartbeats)
        client.time.advance(60)
        # The heartbeat of the start may still be on its way when they are counted.
        self.eventually(lambda: len(service.heartbeats) > before)
        asked = len(service.requests)
        client.time.advance(280)
        self.eventually(lambda: len(service.requests), asked + 1)

    def test_it_says_which_revision_it_has(self):
        service = self.service(answer_with(GOOD))
        service.stream_answer = answer_stream()
        client = self.client(service, stream=True, bootstrap=GOOD)
        self.eventually(lambda: client.streaming)
        [request] = service.stream_requests
        self.assertEqual((request.headers["Last-Event-ID"], request.headers["Accept"]), ("5", "text/event-stream"))
        self.assertEqual(request.path, "/api/sdk/v1/stream/sdk_1")

    def test_an_older_file_from_a_cache_is_asked_for_again(self):
        service, client = self.streaming()
        service.streams[0].push(event_of(7))
        # It has asked twice, because the first answer could have been on its way before.
        self.eventually(lambda: 2 in client.time.pending())
        self.assertEqual(client.revision, 5)
        service.answer = answer_with({**NEXT, "revision": 7})
        client.time.advance(2)
        self.eventually(lambda: client.revision, 7)

    def test_a_lost_stream_is_opened_again_and_polled_meanwhile(self):
        service, client = self.streaming()
        self.eventually(lambda: is_relaxed(client))
        service.stream_answer = answer_status(503, "", {"Retry-After": "7"})
        service.ended.set()
        self.eventually(lambda: client.streaming, False)
        self.eventually(lambda: 30 in client.time.pending())
        self.eventually(lambda: 1 in client.time.pending())
        client.time.advance(1)
        self.eventually(lambda: 7.7 in [round(wait, 6) for wait in client.time.pending()])
        service.ended.clear()
        service.stream_answer = answer_stream()
        client.time.advance(8)
        self.eventually(lambda: client.streaming)

    def test_what_is_no_stream_leaves_polling(self):
        for answer in (
            answer_status(404),
            answer_status(200, "{}"),
            answer_status(200, "x" * 20_000, {"Content-Type": "text/event-stream"}),
            answer_status(200, b"data: \xff\n\n", {"Content-Type": "text/event-stream"}),
        ):
            service = self.service(answer_with(GOOD))
            service.stream_answer = answer
            client = self.client(service, stream=True)
            self.ready(client)
            self.eventually(lambda: (30 in client.time.pending(), 1 in client.time.pending()), (True, True))
            self.assertEqual((client.streaming, client.status), (False, "ready"))

    def test_closing_ends_it(self):
        service, client = self.streaming()
        client.close()
        self.assertEqual((client.streaming, client.status), (False, "closed"))
        self.eventually(lambda: service.streams[0].connection.recv(1), b"")


class Reader(Case):
    def read(self, *pieces):
        got = []
        reader = EventReader(lambda revision, data: got.append((revision, data)))
        for piece in pieces:
            reader.read(piece)
        return got, reader.retry_after

    def test_events(self):
        for pieces, expected in [
            (["id: 6\n\n"], [(6, "")]),
            (["id: 6\r\ndata: x\r\n\r\n"], [(6, "x")]),
            (["id:6\ndata:{}\n", "\n"], [(6, "{}")]),
            (list("id: 6\ndata: a: b\n\nid: 7\n\n"), [(6, "a: b"), (7, "")]),
            (["data: x\n\n"], []),
            ([": ping\n\n", "event: y\n", "id: six\n\n", "id: 1234567890123456\n\n"], []),
            (["id: 6\n"], []),
            (["id: ٣\n\n"], []),
        ]:
            with self.subTest(pieces):
                self.assertEqual(self.read(*pieces)[0], expected)

    def test_retry_is_in_milliseconds(self):
        self.assertEqual(self.read("retry: 1500\n\n"), ([], 1.5))

    def test_a_long_line_is_refused(self):
        self.read("x" * 10_000)
        with self.assertRaises(ValueError):
            self.read("x" * 5_000, "x" * 5_001)

    def test_json_in_the_data_stays_text(self):
        self.assertEqual(json.loads(self.read('id: 1\ndata: {"a":1}\n\n')[0][0][1]), {"a": 1})
