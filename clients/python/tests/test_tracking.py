import json
import re
from datetime import datetime, timezone
from decimal import Decimal
from enum import Enum
from uuid import UUID

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

    def test_an_order_has_its_fields_as_properties(self):
        service, client = self.started()
        items = [{"itemId": "SKU-17-M", "quantity": 3, "price": Decimal("19.99")}]
        placed = {"orderId": "100234", "currency": "EUR", "total": "59.97", "tax": 9.57, "items": items}
        client.order(placed, U17)
        client.flush()
        [event] = service.events
        self.assertEqual((event["type"], event["eventKey"], event["unit"]), ("track", "order", "u-17"))
        price = event["properties"].pop("items")[0].pop("price")
        self.assertEqual(str(price), "19.99")
        self.assertEqual(event["properties"], {"orderId": "100234", "currency": "EUR", "total": "59.97", "tax": 9.57})

    def test_recommendations_are_asked_for_and_reported(self):
        service, client = self.started()
        item = {"productId": "G4", "itemId": "SKU-4", "product": {"title": "Mug"}}
        service.recommendations_answer = answer_status(200, json.dumps({"recommendationId": "r-1", "items": [item]}))
        result = client.recommend("home", U17, product_ids=["G17"], limit=4)
        self.assertEqual((result.items, result.variant), ([item], "default"))
        [asked] = service.asked
        self.assertEqual((asked["unit"], asked["productIds"], asked["limit"]), ("u-17", ["G17"], 4))
        self.assertNotIn("filter", asked)
        result.shown()
        result.shown()
        result.clicked("G4")
        client.flush()
        named = {"placement": "home", "recommendationId": "r-1"}
        self.assertEqual(
            [(event["eventKey"], event["properties"]) for event in service.events],
            [("recommendation_shown", named), ("recommendation_clicked", {**named, "productId": "G4"})],
        )

    def test_ids_of_products_have_types_of_their_own(self):
        service, client = self.started()
        service.recommendations_answer = answer_status(200, json.dumps({"recommendationId": "r-1", "items": []}))
        one = UUID(int=1)
        client.recommend("home", U17, product_ids=[17, one, Decimal("18")], exclude=[2**64])
        [asked] = service.asked
        self.assertEqual((asked["productIds"], asked["exclude"]), ([17, str(one), 18], [str(2**64)]))

    def test_the_flag_of_a_placement_chooses_the_variant(self):
        split = [{"variation": "none", "end": 10_000}]
        flag = flag_of(
            "default",
            variations={"default": "default", "none": "none"},
            defaultVariation="default",
            rules=[{"id": "r-1", "type": "AB_TEST", "salt": "s", "split": split}],
        )
        service = self.service(answer_with(datafile_of(5, {"recommend-home": flag})))
        client = self.client(service)
        self.ready(client)
        result = client.recommend("home", U17)
        result.shown()
        client.flush()
        self.assertEqual((result.variant, result.items, service.asked), ("none", [], []))
        self.assertEqual([event["variationKey"] for event in service.events], ["none"])

    def test_a_page_gets_no_products_if_the_service_does_not_answer(self):
        service, client = self.started()
        for answer in (answer_status(503), answer_status(200, "[]")):
            service.recommendations_answer = answer
            with self.assertLogs("svc_sdk", "WARNING"):
                result = client.recommend("home", None, recent=[{"productId": "G4", "action": "product_viewed"}])
            self.assertEqual((result.recommendation_id, result.items), (None, []))

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

    def waiting(self, **options):
        """A client whose events wait, and a function that takes them."""
        client = Client("sdk_1", "http://127.0.0.1:9", stream=False, bootstrap=FILE, tracking=False, **options)
        self.addCleanup(client.close)

        def take():
            events = [json.loads(event) for event in client._tracking._queue]
            client._tracking._queue.clear()
            return events

        return client, take

    def test_values_of_libraries_are_sent_as_what_they_mean(self):
        class Plan(Enum):
            PRO = "pro"

        for given, sent in [
            (Decimal("9.90"), 9.9),
            (Decimal("3"), 3.0),
            (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
            (Plan.PRO, "pro"),
            (datetime(2026, 1, 2), "2026-01-02T00:00:00"),
            (True, True),
            (None, None),
            (12_345_678_901_234_567_890, "12345678901234567890"),
            ({"a": (Decimal(1), {UUID(int=1): b"x".hex()})}, {"a": [1.0, {str(UUID(int=1)): "78"}]}),
        ]:
            with self.subTest(given=given):
                client, take = self.waiting(dimensions=["fact"])
                client.get_boolean("test", False, {**U17, "fact": given})
                client.track("paid", U17, properties={"fact": given})
                exposure, tracked = take()
                self.assertEqual(exposure["context"], {"fact": sent})
                self.assertEqual(tracked["properties"], {"fact": sent})

    def test_a_fact_that_cannot_be_sent_is_left_out_and_told_once(self):
        cycle = {}
        cycle["cycle"] = [cycle, cycle]
        for fact in (object(), b"x", 1j, float("nan"), Decimal("Infinity"), cycle, {"a": [object()]}, {(1, 2): 3}):
            with self.subTest(fact=repr(fact)[:40]):
                client, take = self.waiting(dimensions=["fact", "plan"])
                with self.assertLogs("svc_sdk", "WARNING") as logs:
                    for unit in ("a", "b"):
                        client.get_boolean("test", False, {"targetingKey": unit, "fact": fact, "plan": "pro"})
                        client.track("paid", U17, value=1, properties={"fact": fact, "plan": "pro"})
                events = take()
                facts = [event.get("context") or event.get("properties") for event in events]
                self.assertEqual(facts, [{"plan": "pro"}] * 4)
                # The request for the data file fails at any time, which is told, too.
                messages = [record.getMessage() for record in logs.records]
                told = [" ".join(text.split()[:3]) for text in messages if " is left out of events" in text]
                self.assertEqual(told, ["the dimension fact", "the property fact"])

    def test_properties_that_are_no_mapping_are_left_out(self):
        client, take = self.waiting()
        with self.assertLogs("svc_sdk", "WARNING"):
            client.track("paid", U17, value=2, properties=["a"])
        self.assertEqual([(event["value"], event["properties"]) for event in take()], [(2, {})])

    def test_a_value_that_is_no_finite_number_is_left_out_and_told(self):
        client, take = self.waiting()
        for value in ("49.90", float("nan"), float("inf"), 10**400, 10**5_000, "9" * 5_000, True, [], 1j):
            with self.assertLogs("svc_sdk", "WARNING") as logs:
                client.track("paid", U17, value=value)
            self.assertIn("must be a finite number", logs.output[0])
            self.assertLess(len(logs.output[0]), 250)
            [event] = take()
            self.assertNotIn("value", event)

    def test_a_value_can_be_of_any_type_of_number(self):
        client, take = self.waiting()
        for value in (49, 49.9, Decimal("49.9"), -0.5, 10**17):
            client.track("paid", U17, value=value)
        self.assertEqual([event["value"] for event in take()], [49, 49.9, 49.9, -0.5, 1e17])

    def test_without_an_event_key_or_a_visitor_nothing_is_sent(self):
        client, take = self.waiting()
        for given in (("paid",), ("", U17), (None, U17), ("paid", {"targetingKey": b"x"})):
            with self.assertLogs("svc_sdk", "WARNING"):
                client.track(*given)
        self.assertEqual(take(), [])

    def test_a_visitor_is_seen_only_when_the_event_waits(self):
        client, take = self.waiting()
        draw = client._tracking._platform.bits

        def fail(_count):
            raise OSError("no random numbers")

        client._tracking._platform.bits = fail
        with self.assertLogs("svc_sdk", "WARNING"):
            client.get_boolean("test", False, U17)
        client._tracking._platform.bits = draw
        client.get_boolean("test", False, U17)
        self.assertEqual(len(take()), 1)

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

    def test_refused_events_are_dropped_and_counted(self):
        for status in (400, 401, 413):
            service, client = self.started()
            service.events_answer = answer_status(status)
            client.track("paid", U17)
            with self.assertLogs("svc_sdk", "WARNING") as logs:
                client.flush()
            client.flush()
            self.assertEqual((len(service.batches), client.dropped_events), (1, 1))
            self.assertIn(f"1 event is refused and dropped: HTTP {status}", logs.output[0])

    def test_an_ingest_key_is_in_requests_with_events_and_in_no_other(self):
        keys = {"events": [], "others": []}

        def noting(kind, answer):
            def note(request):
                keys[kind].append(request.headers.get("Authorization"))
                return answer(request)

            return note

        service = self.service(noting("others", answer_with(FILE)))
        service.heartbeat_answer = noting("others", answer_status(200))
        service.events_answer = noting("events", answer_status(202))
        client = self.client(service, ingest_key="svc_ing_0123456789")
        self.ready(client)
        client.track("paid", U17)
        client.flush()
        self.eventually(lambda: len(service.heartbeats), 1)
        self.assertEqual(keys["events"], ["Bearer svc_ing_0123456789"])
        self.assertGreater(len(keys["others"]), 1)
        self.assertEqual(set(keys["others"]), {None})
        self.assertNotIn("0123456789", repr(client._settings))

    def test_a_refused_ingest_key_keeps_the_events_until_it_is_accepted(self):
        service, client = self.started(ingest_key="svc_ing_0123456789")
        service.events_answer = answer_status(401)
        client.track("paid", U17)
        with self.assertLogs("svc_sdk", "WARNING") as logs:
            client.flush()
        told = "the service refuses the ingest key or the SDK key: events are kept and sent again"
        self.assertIn(told, logs.output[0])
        self.assertNotIn("0123456789", logs.output[0])
        service.events_answer = answer_status(202)
        client.flush()
        self.assertEqual(len(service.events), 2)
        self.assertEqual(service.events[0], service.events[1])
        self.assertEqual(client.dropped_events, 0)

    def test_a_refused_ingest_key_is_told_once_also_after_other_failures(self):
        service, client = self.started(ingest_key="svc_ing_0123456789")
        for statuses, expected in [
            ((503, 503, 401, 401, 503, 401, 202), [False, True]),
            ((401, 503, 401, 202), [True]),
            ((503, 401, 202), [False, True]),
        ]:
            client.track("paid", U17)
            with self.assertLogs("svc_sdk", "WARNING") as logs:
                for status in statuses:
                    service.events_answer = answer_status(status)
                    client.flush()
            self.assertEqual(["refuses the ingest key" in line for line in logs.output], expected)

    def test_an_answer_that_says_nothing_about_the_events_keeps_them(self):
        for status in (301, 302, 303, 307, 308, 403, 404, 405, 408, 415, 422, 425, 429, 500, 502, 503, 504):
            service, client = self.started()
            service.events_answer = answer_status(status, "", {"Location": "https://flags.test/api/sdk/v1/events"})
            client.track("paid", U17)
            with self.assertLogs("svc_sdk", "WARNING") as logs:
                client.flush()
            self.assertIn("events are kept and sent again", logs.output[0])
            self.assertEqual("a redirect to https://flags.test" in logs.output[0], status < 400)
            service.events_answer = answer_status(202)
            client.flush()
            self.assertEqual(len(service.events), 2)
            self.assertEqual(service.events[0], service.events[1])
            self.assertEqual(client.dropped_events, 0)

    def test_an_answer_that_cannot_be_read_is_an_answer(self):
        for body in ("", "<html>", "[]", '{"rejected":7}', '{"rejected":[{}]}', "x" * 1_100_000):
            service, client = self.started()
            service.events_answer = answer_status(202, body)
            client.track("paid", U17)
            client.flush()
            client.flush()
            self.assertEqual(len(service.batches), 1)

    def test_rejected_events_are_told_once_an_answer(self):
        service, client = self.started(tracking=False)
        rejection = {"index": 0, "code": "unknown_rule", "message": "There is no such rule."}
        service.events_answer = answer_status(202, json.dumps({"accepted": 1, "rejected": [rejection] * 400}))
        for _ in range(401):
            client.track("paid", U17)
        with self.assertLogs("svc_sdk", "WARNING") as logs:
            client.set_tracking(True)
            self.eventually(lambda: len(logs.records), 1)
        self.assertEqual(
            [record.getMessage() for record in logs.records],
            ["events are rejected (400 of 401), the first with unknown_rule: There is no such rule."],
        )
        self.assertEqual(client.dropped_events, 400)

    def test_batches_are_cut_by_bytes(self):
        service, client = self.started(tracking=False)
        for _ in range(400):
            client.track("paid", U17, properties={"text": "é" * 1_000})
        client.set_tracking(True)
        client.flush()
        self.eventually(lambda: len(service.events), 400)
        sizes = [len(json.dumps(batch, separators=(",", ":"))) for batch in service.batches]
        self.assertLess(max(sizes), 510_000)
        self.assertLess(len(sizes), 10)

    def test_a_batch_that_is_too_large_is_halved_and_an_event_that_is_too_large_is_given_up(self):
        service, client = self.started(tracking=False)
        taken = []

        def answer(request):
            batch = service.batches[-1]["events"]
            large = any(event.get("properties") for event in batch)
            if large or len(batch) > 100:
                return answer_status(413)(request)
            taken.extend(batch)
            return answer_status(202)(request)

        service.events_answer = answer
        for index in range(400):
            client.track("paid", U17, value=index, properties={"large": True} if index in (7, 230) else None)
        client.set_tracking(True)
        client.flush()
        self.eventually(lambda: len(taken), 398)
        self.assertEqual([event["value"] for event in taken], [each for each in range(400) if each not in (7, 230)])
        self.assertEqual(client.dropped_events, 2)
        self.assertLess(len(service.batches), 60)

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
    def test_the_first_of_several_refused_ones_is_told(self):
        refused = answer_status(301, "", {"Location": "https://flags.test/svc/api/sdk/heartbeat?key=sdk_1"})
        answers = iter([refused, refused, answer_status(200), refused])
        service = self.service(answer_with(FILE))

        def answer_next(request):
            next(answers)(request)

        service.heartbeat_answer = answer_next
        hint = "HTTP 301, a redirect to https://flags.test/svc: give the address that it leads to as base_url"
        told = f"WARNING:svc_sdk:heartbeats are refused: {hint}"
        with self.assertLogs("svc_sdk", "WARNING") as logs:
            client = self.client(service)
            self.ready(client)
            for beats, count in enumerate([1, 1, 1, 2], 1):
                self.eventually(lambda beats=beats: len(service.heartbeats), beats)
                self.eventually(lambda: logs.output, [told] * count)
                if beats < 4:
                    client.refresh()

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

    def test_flush_and_close_tell_which_flags_were_evaluated(self):
        for end in (Client.flush, Client.close):
            service = self.service(answer_with(FILE))
            client = self.client(service)
            self.ready(client)
            self.eventually(lambda: len(service.heartbeats), 1)
            client.get_boolean("plain", False, U17)
            end(client)
            end(client)
            self.assertEqual([beat["evaluatedFlags"] for beat in service.heartbeats], [[], ["plain"]])

    def test_a_new_data_file_does_not_forget_which_flags_were_evaluated(self):
        service = self.service(answer_with(FILE))
        client = self.client(service)
        self.ready(client)
        client.get_boolean("plain", False, U17)
        client.get_boolean("test", False, U17)
        service.answer = answer_with(datafile_of(6, {"plain": flag_of(True)}))
        client.refresh()
        client.flush()
        told = [key for beat in service.heartbeats for key in beat["evaluatedFlags"]]
        self.assertEqual(told.count("plain"), 1)

    def test_a_flag_that_is_evaluated_no_more_is_told_no_more(self):
        service = self.service(answer_with(FILE))
        client = self.client(service)
        self.ready(client)
        self.eventually(lambda: len(service.heartbeats), 1)
        client.get_boolean("plain", False, U17)
        client.flush()
        for seconds, expected in [(3_599, 2), (1, 3), (3_600, 3)]:
            client.get_boolean("plain", False, U17) if seconds < 3_600 else None
            client.time.elapsed += seconds
            client.flush()
            self.assertEqual(sum("plain" in beat["evaluatedFlags"] for beat in service.heartbeats), expected - 1)

    def test_events_are_sent_when_the_service_answers_again(self):
        for headers, sent in [({}, 2), ({"Retry-After": "600"}, 1)]:
            service = self.service(answer_with(FILE))
            client = self.client(service)
            self.ready(client)
            service.answer = answer_status(500)
            service.events_answer = answer_status(503, "", headers)
            client.refresh()
            client.track("paid", U17)
            client.flush()
            service.answer = answer_with(FILE)
            client.refresh()
            self.eventually(lambda: len(service.batches), sent)
