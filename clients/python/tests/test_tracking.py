import re
from datetime import datetime, timezone

from svc_sdk import Client

from .service import ISO_NOW, NOW, Case, answer_status, answer_with, datafile_of, flag_of, test_of

U17 = {"targetingKey": "u-17"}
FILE = datafile_of(5, {"test": test_of(), "plain": flag_of(True), "by-team": test_of("r-2", bucketBy=["team"])})


class Events(Case):
    def started(self, **options):
        service = self.service(answer_with(FILE))
        client = self.client(service, **options)
        self.ready(client)
        return service, client

    def test_a_test_counts_a_visitor_once(self):
        service, client = self.started(dimensions=["country", "since", "none"])
        visitor = {**U17, "country": "NL", "email": "a@b.c", "since": datetime(2026, 1, 2, tzinfo=timezone.utc)}
        value = client.get_boolean("test", False, visitor)
        client.get_details("test", False, visitor)
        client.flush()
        [event] = service.events
        self.assertRegex(event.pop("id"), r"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$")
        self.assertEqual(
            event,
            {
                "ts": ISO_NOW,
                "type": "exposure",
                "unit": "u-17",
                "flagKey": "test",
                "ruleId": "r-1",
                "variationKey": "on" if value else "off",
                "reason": "SPLIT",
                "context": {"country": "NL", "since": "2026-01-02T00:00:00+00:00"},
            },
        )
        self.assertEqual(service.batches[0]["sdkKey"], "sdk_1")

    def test_who_is_not_counted(self):
        service, client = self.started()
        client.peek_boolean("test", False, U17)
        client.peek_details("test", False, U17)
        client.get_all_details(U17)
        client.get_boolean("plain", False, U17)
        client.get_boolean("test", False)
        client.get_string("test", "", U17)
        client.flush()
        self.assertEqual(service.batches, [])

    def test_the_unit_is_the_one_that_the_rule_draws_by(self):
        service, client = self.started()
        client.get_boolean("by-team", False, {**U17, "team": 7})
        client.flush()
        self.assertEqual([event["unit"] for event in service.events], ["7"])

    def test_after_half_an_hour_a_visitor_counts_again(self):
        service, client = self.started()
        for seconds, expected in [(0, 1), (1_799, 1), (1, 2), (0, 2)]:
            client.time.advance(seconds)
            client.get_boolean("test", False, U17)
            client.flush()
            self.assertEqual(len(service.events), expected)

    def test_a_tracked_event(self):
        service, client = self.started()
        client.track("paid", U17, value=49.9, properties={"at": datetime(2026, 1, 2), "items": {"a"}})
        client.track("seen", {"targetingKey": 7})
        client.flush()
        for event in service.events:
            event.pop("id")
        self.assertEqual(
            service.events,
            [
                {
                    **{"ts": ISO_NOW, "type": "track", "unit": "u-17", "eventKey": "paid", "value": 49.9},
                    "properties": {"at": "2026-01-02T00:00:00", "items": ["a"]},
                },
                {"ts": ISO_NOW, "type": "track", "unit": "7", "eventKey": "seen"},
            ],
        )

    def test_what_cannot_be_sent_is_left_out_and_told(self):
        client = Client("sdk_1", "http://127.0.0.1:9", stream=False, bootstrap=FILE)
        self.addCleanup(client.close)
        cycle = {}
        cycle["cycle"] = cycle
        for given in [
            lambda: client.track("paid"),
            lambda: client.track("", U17),
            lambda: client.track(None, U17),
            lambda: client.track("paid", U17, value=float("nan")),
            lambda: client.track("paid", U17, properties=cycle),
            lambda: client.track("paid", U17, properties={"a": object()}),
        ]:
            with self.assertLogs("svc_sdk", "WARNING"):
                given()
        self.assertEqual(client._tracking._queue, [])

    def test_events_are_sent_after_five_seconds_or_when_fifty_wait(self):
        service, client = self.started()
        client.track("paid", U17)
        self.eventually(lambda: 5 in client.time.pending())
        client.time.advance(4.9)
        self.assertEqual(service.batches, [])
        client.time.advance(0.1)
        self.eventually(lambda: len(service.events), 1)
        # Else the sending that is under way may take the first of the fifty with it.
        client.flush()
        for _ in range(50):
            client.track("paid", U17)
        self.eventually(lambda: len(service.events), 51)

    def test_a_program_that_changes_what_it_tracked_changes_nothing(self):
        service, client = self.started()
        properties = {"items": [1]}
        client.track("paid", U17, properties=properties)
        properties["items"].append(2)
        client.flush()
        self.assertEqual(service.events[0]["properties"], {"items": [1]})

    def test_a_failure_keeps_events_and_sends_the_same_ids(self):
        for answer, delay in [
            (answer_status(500), 10),
            (answer_status(429, "", {"Retry-After": "40"}), 44),
            (lambda request: request.connection.close(), 10),
        ]:
            service, client = self.started()
            service.events_answer = answer
            client.track("paid", U17)
            client.flush()
            client.track("paid", U17)
            self.eventually(lambda: delay in [round(wait, 6) for wait in client.time.pending()])
            self.assertEqual(len(service.batches), 1)
            service.events_answer = answer_status(202)
            client.time.advance(delay)
            self.eventually(lambda: len(service.batches), 2)
            self.assertEqual(service.batches[1]["events"][0], service.batches[0]["events"][0])
            client.flush()
            self.assertEqual(len(service.batches), 2)

    def test_refused_events_are_dropped(self):
        service, client = self.started()
        service.events_answer = answer_status(400)
        client.track("paid", U17)
        client.flush()
        client.flush()
        self.assertEqual(len(service.batches), 1)

    def test_at_most_a_thousand_wait_and_five_hundred_go_at_once(self):
        service, client = self.started(tracking=False)
        for index in range(1_203):
            client.track("paid", U17, value=index)
        client.set_tracking(True)
        client.flush()
        self.eventually(lambda: [len(batch["events"]) for batch in service.batches], [500, 500])
        self.assertEqual(client.dropped_events, 203)
        self.assertEqual(service.events[0]["value"], 203)

    def test_without_consent_nothing_is_sent_and_what_waits_can_be_forgotten(self):
        service, client = self.started(tracking=False)
        client.get_boolean("test", False, U17)
        client.flush()
        client.set_tracking(False)
        client.set_tracking(True)
        client.flush()
        self.assertEqual(service.batches, [])
        client.get_boolean("test", False, U17)
        client.flush()
        self.assertEqual(len(service.events), 1)

    def test_close_sends_what_waits(self):
        service, client = self.started()
        client.track("paid", U17)
        client.close()
        self.assertEqual(len(service.events), 1)
        client.track("paid", U17)
        client.close()
        self.assertEqual(len(service.events), 1)

    def test_ids_of_one_moment_differ_and_sort_by_time(self):
        service, client = self.started()
        for _ in range(10):
            client.track("paid", U17)
        client.time.advance(1)
        client.track("paid", U17)
        client.flush()
        ids = [event["id"] for event in service.events]
        self.assertEqual(len(set(ids)), 11)
        self.assertEqual(max(ids), ids[-1])
        self.assertEqual(int(re.sub("-", "", ids[0])[:12], 16), NOW * 1000)


class Heartbeats(Case):
    def test_each_answer_of_the_service_is_followed_by_one(self):
        service = self.service(answer_with(FILE))
        client = self.client(service)
        self.ready(client)
        self.eventually(lambda: len(service.heartbeats), 1)
        [beat] = service.heartbeats
        instance = beat.pop("instanceId")
        self.assertRegex(instance, "^[0-9a-f-]{36}$")
        self.assertEqual(
            beat,
            {"sdkKey": "sdk_1", "sdkType": "python", "sdkVersion": "0.1.0", "evaluatedFlags": [], "revision": 5},
        )
        client.refresh()
        self.eventually(lambda: len(service.heartbeats), 2)
        self.assertEqual(service.heartbeats[1]["instanceId"], instance)
        service.answer = answer_status(500)
        client.refresh()
        client.refresh()
        self.assertEqual(len(service.heartbeats), 2)

    def test_evaluated_flags_are_told_once_an_hour_in_batches(self):
        keys = [f"f{index:03}" for index in range(250)]
        service = self.service(answer_with(datafile_of(5, {key: flag_of(True) for key in [*keys, "unused"]})))
        client = self.client(service, bootstrap=datafile_of(4, {key: flag_of(True) for key in [*keys, "unused"]}))
        self.ready(client)
        self.eventually(lambda: len(service.heartbeats), 1)
        for key in keys:
            client.get_boolean(key, False)
        client.get_all_details()
        client.refresh()
        self.eventually(lambda: len(service.heartbeats), 2)
        self.assertEqual(len(service.heartbeats[1]["evaluatedFlags"]), 200)
        service.heartbeat_answer = answer_status(500)
        client.refresh()
        self.eventually(lambda: len(service.heartbeats), 3)
        service.heartbeat_answer = answer_status(200)
        client.refresh()
        self.eventually(lambda: len(service.heartbeats), 4)
        told = service.heartbeats[1]["evaluatedFlags"] + service.heartbeats[3]["evaluatedFlags"]
        self.assertEqual(sorted(told), keys)
        client.refresh()
        self.eventually(lambda: len(service.heartbeats), 5)
        self.assertEqual(service.heartbeats[4]["evaluatedFlags"], [])
