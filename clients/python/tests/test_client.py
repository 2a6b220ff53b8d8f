import asyncio
import json
import sys
import threading
from collections import UserDict, deque
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from ipaddress import ip_address
from uuid import UUID

from svc_sdk import SDK_VERSION, Change, Client, Details, Ready, SvcError, aio

from .service import NOW, Case, answer_status, answer_with, datafile_of, flag_of, test_of

GOOD = datafile_of(
    5, {"checkout": flag_of(True), "copy": flag_of("Pay"), "size": flag_of(10), "theme": flag_of({"a": [1]})}
)


def ruled(when, **changes):
    rule = {"id": "r", "type": "TARGETED_DELIVERY", "salt": "s", "variation": "on", "when": when}
    return datafile_of(5, {"flag": flag_of(False, rules=[{**rule, **changes}])})


def holds(attribute, operator, value=None):
    return ruled({"attribute": attribute, "operator": operator, "value": value})


class Plan(Enum):
    PRO = "pro"


class Level(Enum):
    HIGH = 3


class Shape(Enum):
    ROUND = object()


class Text(str):
    """Writes itself in other words than it holds, as texts of templates and enumerations can."""

    def __str__(self):
        return "another text"


class Scalar:
    """Stands for the numbers, texts, booleans and lists of NumPy."""

    dtype = "any"

    def __init__(self, value):
        self._value = value

    def tolist(self):
        return self._value


class Evaluation(Case):
    def test_each_type_has_its_value(self):
        client = self.offline(GOOD)
        self.assertIs(client.get_boolean("checkout", False), True)
        self.assertEqual(client.get_string("copy", "Buy"), "Pay")
        self.assertEqual(client.get_number("size", 3), 10)
        self.assertIsInstance(client.get_number("size", 3), int)
        self.assertEqual(client.get_json("theme", {}), {"a": [1]})
        self.assertEqual([client.peek_boolean("checkout", False), client.peek_string("copy", "")], [True, "Pay"])
        self.assertEqual([client.peek_number("size", 0), client.peek_json("theme", None)], [10, {"a": [1]}])

    def test_details_say_why(self):
        client = self.offline(GOOD)
        self.assertEqual(client.get_details("copy", ""), Details("Pay", "a", None, "DEFAULT"))
        self.assertEqual(client.peek_details("size", 1.5), Details(10, "a", None, "DEFAULT"))
        self.assertEqual(client.get_details("none", 7), Details(7, None, None, "ERROR", "FLAG_NOT_FOUND"))
        for default in ("x", 1, 1.5, None, {}, []):
            self.assertEqual(client.get_details("checkout", default).error_code, "TYPE_MISMATCH")
        for default in (True, "x", 1):
            self.assertEqual(
                client.get_details("theme", default), Details(default, None, None, "ERROR", "TYPE_MISMATCH")
            )

    def test_a_number_is_no_boolean(self):
        client = self.offline(datafile_of(1, {"one": flag_of(1), "yes": flag_of(True)}))
        self.assertIs(client.get_boolean("one", False), False)
        self.assertEqual(client.get_number("yes", 7), 7)

    def test_the_program_can_change_a_json_value(self):
        client = self.offline(GOOD)
        client.get_json("theme", {})["a"].append(2)
        client.get_details("theme", {}).value["a"].append(3)
        client.get_all_details()["theme"].value["a"].append(4)
        self.assertEqual(client.get_json("theme", {}), {"a": [1]})

    def test_all_flags_at_once(self):
        malformed = {"type": "BOOLEAN", "enabled": 1}
        client = self.offline(datafile_of(1, {"checkout": flag_of(True), "broken": malformed, "test": test_of()}))
        found = client.get_all_details({"targetingKey": "u-17"})
        self.assertEqual(found["checkout"], Details(True, "on", None, "DEFAULT"))
        self.assertEqual(found["broken"], Details(None, None, None, "ERROR", "PARSE_ERROR"))
        self.assertEqual(found["test"], client.peek_details("test", True, {"targetingKey": "u-17"}))
        self.assertTrue(found["test"].measured)

    def test_before_the_first_file_there_are_only_defaults(self):
        client = self.client(self.service())
        self.assertEqual(client.get_details("checkout", True), Details(True, None, None, "ERROR", "NOT_READY"))
        self.assertEqual([client.get_all_details(), client.revision, client.data_file], [{}, None, None])
        self.assertEqual(client.status, "connecting")

    def test_whatever_the_program_passes_nothing_raises(self):
        class Hostile(UserDict):
            def __getitem__(self, key):
                raise RuntimeError("no")

        client = self.offline(
            datafile_of(1, {"test": test_of(), **ruled({"attribute": "a.b", "operator": "exists"})["flags"]})
        )
        for context in (
            None,
            [],
            "x",
            7,
            {1: 2},
            {"targetingKey": []},
            {"a": object()},
            Hostile(a=1, targetingKey="u"),
        ):
            for key in ("test", "flag", "none", None, [], {}):
                self.assertIs(client.get_boolean(key, True, context) in (True, False), True)
                client.get_details(key, None, context)
            client.get_all_details(context)
            client.track("paid", context)
            client.track(None, context, value=float("nan"), properties={"a": {1, 2}, "b": object()})
        self.assertEqual(client.get_details("flag", True, Hostile(a=1)).error_code, "PARSE_ERROR")

    def test_a_context_can_be_any_mapping(self):
        client = self.offline(holds("user.plan", "equals", "beta"))
        self.assertTrue(client.get_boolean("flag", False, UserDict(user=UserDict(plan="beta"))))
        self.assertFalse(client.get_boolean("flag", False, UserDict(user=["plan"])))

    def test_values_of_python_are_attributes(self):
        noon = datetime(2026, 11, 20, 12, tzinfo=timezone.utc)
        for attribute, operator, value, expected in [
            (noon, "after", "2026-11-20T11:59:59.999Z", True),
            (noon, "after", "2026-11-20T12:00:00Z", False),
            (noon.astimezone(timezone(timedelta(hours=5))), "before", "2026-11-20T12:00:00.001Z", True),
            (noon.replace(tzinfo=None), "before", "2026-11-20T12:00:00.001Z", True),
            (date(2026, 11, 20), "before", "2026-11-20T00:00:00.001Z", True),
            (date(2026, 11, 20), "after", "2026-11-19T23:59:59.999Z", True),
            (("a", "b"), "includesAll", ["b", "a"], True),
            ({"a", "b"}, "includesAny", ["b"], True),
            (True, "equals", 1, False),
            (1, "equals", True, False),
            (1, "equals", 1.0, True),
            (True, "greaterThan", 0, False),
            (10**400, "greaterThan", 0, False),
            (float("nan"), "notEquals", 1, True),
            (b"a", "equals", "a", False),
            (UUID(int=1), "equals", "00000000-0000-0000-0000-000000000001", True),
            (UUID(int=1), "startsWith", "00000000-", True),
            ([UUID(int=1)], "includesAny", ["00000000-0000-0000-0000-000000000001"], True),
            (Decimal("19"), "greaterThan", 18, True),
            (Decimal("9.90"), "equals", 9.9, True),
            (Decimal("NaN"), "notEquals", 1, True),
            (Decimal("sNaN"), "greaterThan", 0, False),
            ({Decimal("2")}, "includesAll", [2], True),
            (Fraction(1, 2), "in", [0.5], True),
            (Fraction(10**400, 1), "greaterThan", 0, False),
            (1j, "greaterThan", 0, False),
            (Plan.PRO, "equals", "pro", True),
            (Plan.PRO, "matches", "^p", True),
            (Level.HIGH, "greaterThan", 2, True),
            (Shape.ROUND, "equals", "ROUND", True),
            (Text("pro"), "equals", "pro", True),
            (Text("PRO"), "contains", "R", True),
            (Scalar(19), "greaterThan", 18, True),
            (Scalar(True), "equals", True, True),
            (Scalar(True), "greaterThan", 0, False),
            (Scalar([1, 2]), "includesAll", [2, 1], True),
            (Decimal("1795168800000"), "after", "2026-11-20T09:59:59.999Z", True),
            (ip_address("10.1.2.3"), "inCidr", "10.0.0.0/8", True),
            ({"a": 1}.keys(), "includesAny", ["a"], True),
            (deque("ab"), "includesAll", ["a"], True),
            (range(3), "includesAny", [2], True),
        ]:
            with self.subTest(attribute=attribute, operator=operator, value=value):
                client = self.offline(holds("a", operator, value))
                self.assertIs(client.get_boolean("flag", False, {"a": attribute}), expected)

    def test_ids_of_any_common_type_are_units(self):
        rule = {"id": "r", "type": "TARGETED_DELIVERY", "salt": "s", "variation": "on", "traffic": 9_999}
        for given, unit in [
            (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
            (Plan.PRO, "pro"),
            (Text("u-17"), "u-17"),
            (Scalar("u-17"), "u-17"),
            (Scalar(17), "17"),
            (17, "17"),
            (17.0, "17"),
            (-0.0, "0"),
            (1e21, "1e+21"),
            (Decimal("17"), "17"),
            (Decimal("17.00"), "17"),
            (Decimal("1.50"), "1.5"),
            (12_345_678_901_234_567_890, "12345678901234567890"),
            (Decimal("12345678901234567890"), "12345678901234567890"),
            (-(2**53) - 1, "-9007199254740993"),
            (10**400, f"1{'0' * 400}"),
            (Decimal("1e999999"), None),
            (10**5_000, None),
            (Decimal("Infinity"), None),
            (float("nan"), None),
            (True, None),
            (Scalar(True), None),
            (b"u-17", None),
            ("", None),
            ([], None),
        ]:
            with self.subTest(given=given):
                file = datafile_of(1, {"flag": flag_of(False, rules=[rule], overrides={unit: "on"} if unit else {})})
                found = self.offline(file).get_details("flag", False, {"targetingKey": given})
                self.assertEqual(found.reason, "OVERRIDE" if unit else "UNIT_MISSING")

    def test_what_matches_with_case_matches_without(self):
        texts = [
            "ΟΔΟΣ",
            "ΟΔΟΣΗΜΑ",
            "Σ",
            "ς",
            "\N{GREEK SMALL LETTER SIGMA}",
            "ΔΡΟΜΟΣ",
            "İstanbul",
            "i",
            "SS",
            "ß",
            "x",
            "",
        ]
        for operator in ("equals", "contains", "startsWith", "endsWith", "in", "includesAny", "includesAll"):
            is_list, are_lists = operator in ("in", "includesAny", "includesAll"), operator.startswith("includes")
            for value in texts:
                given = {"attribute": "a", "operator": operator, "value": [value] if is_list else value}
                with_case, without = (self.offline(ruled({**given, "caseSensitive": each})) for each in (True, False))
                for text in texts:
                    visitor = {"a": [text] if are_lists else text}
                    if with_case.get_boolean("flag", False, visitor):
                        self.assertTrue(without.get_boolean("flag", False, visitor), (operator, value, text))

    def test_a_text_that_is_too_long_for_patterns_has_no_match(self):
        for pattern in ("^[0-9]+$", "^[^/]+$", "1", "1\\b"):
            client = self.offline(holds("a", "matches", pattern))
            found = [client.get_boolean("flag", False, {"a": "1" * count}) for count in (256, 257, 8_192, 8_193)]
            self.assertEqual(found, [True, True, True, False])

    def test_a_context_without_a_visitor_is_told_once(self):
        rule = {"id": "r", "type": "TARGETED_DELIVERY", "salt": "s", "variation": "on", "traffic": 9_999}
        file = datafile_of(1, {"flag": flag_of(False, rules=[rule]), "plain": flag_of(True)})
        for context, key, words in [
            ({"userId": "u-17"}, "flag", "no targetingKey, only userId"),
            ({"key": "u-17"}, "plain", "no targetingKey, only key"),
            ({"plan": "pro", "country": "NL"}, "flag", "only plan, country"),
            ({}, "flag", "only nothing"),
            ("u-17", "plain", "of type str"),
            (["u-17"], "flag", "of type list"),
            ({"targetingKey": b"u-17"}, "plain", "targetingKey is of type bytes"),
            ({"targetingKey": ""}, "flag", "targetingKey is of type str"),
        ]:
            for ask in (lambda client: client.get_boolean(key, False, context), lambda c: c.get_all_details(context)):
                with self.subTest(context=context), self.assertLogs("svc_sdk", "WARNING") as logs:
                    client = Client("sdk_1", "http://x", offline=True, bootstrap=file)
                    ask(client)
                    ask(client)
                    self.assertEqual(len(logs.records), 1)
                    self.assertIn(words, logs.output[0])

    def test_each_type_that_is_no_visitor_is_told_once(self):
        client = Client("sdk_1", "http://x", offline=True, bootstrap=GOOD)
        wrong = [b"u-1", b"u-2", bytearray(b"u"), [], ["u-1"], object(), True, {"id": 7}]
        with self.assertLogs("svc_sdk", "WARNING") as logs:
            for given in wrong * 2:
                client.get_boolean("checkout", False, {"targetingKey": given})
            for context in ("u-1", "u-2", 7, {"userId": "u-1"}, {"key": "u-1"}, {"user_id": "u-1"}):
                client.get_boolean("checkout", False, context)
        told = [record.getMessage().split(" and ")[0] for record in logs.records]
        types = ["bytes", "bytearray", "list", "object", "bool", "dict"]
        self.assertEqual(told[:6], [f"targetingKey is of type {each}" for each in types])
        self.assertEqual(told[6:8], ["a context is of type str", "a context is of type int"])
        self.assertEqual([each.split(":")[0] for each in told[8:]], ["a context has no targetingKey, only userId"])

    def test_a_context_that_needs_no_visitor_is_not_told(self):
        with self.assertNoWarning():
            client = Client("sdk_1", "http://x", offline=True, bootstrap=GOOD)
            for context in (None, {}, {"plan": "pro"}, {"targetingKey": 7}, UserDict(targetingKey="u-17")):
                client.get_boolean("checkout", False, context)
                client.get_all_details(context)

    def test_the_clock_can_be_replaced(self):
        client = Client(
            "sdk_1", "http://x", offline=True, bootstrap=holds("$now", "equals", NOW * 1000), now=lambda: NOW
        )
        self.assertTrue(client.get_boolean("flag", False))
        self.assertTrue(client.get_all_details()["flag"].value)

    def test_an_unknown_flag_is_told_once_for_at_most_100_keys(self):
        client = Client("sdk_1", "http://x", offline=True, bootstrap=GOOD)
        with self.assertLogs("svc_sdk") as logs:
            for _round in range(2):
                for index in range(150):
                    client.get_boolean(f"none-{index}", False)
        self.assertEqual(len(logs.records), 100)
        self.assertEqual(logs.records[0].getMessage(), "the data file has no flag none-0")

    def test_flags_with_the_names_of_built_in_attributes(self):
        client = self.offline(GOOD)
        for key in ("__class__", "__proto__", "keys", "get"):
            self.assertEqual(client.get_details(key, True).error_code, "FLAG_NOT_FOUND")

    def test_a_deeply_nested_condition_is_malformed_for_itself_alone(self):
        when = {"all": []}
        for _ in range(sys.getrecursionlimit() * 2):
            when = {"not": when}
        file = ruled(when)
        file["flags"]["other"] = flag_of(True)
        client = self.offline(file)
        self.assertEqual(client.get_details("flag", True).error_code, "PARSE_ERROR")
        self.assertTrue(client.get_boolean("other", False))

    def test_a_deeply_nested_value_is_malformed(self):
        for levels, expected in [
            (64, None),
            (200, None),
            (201, "PARSE_ERROR"),
            (700, "PARSE_ERROR"),
            (90_000, "PARSE_ERROR"),
        ]:
            flag = {**flag_of({}), "variations": {"a": "[" * levels + "]" * levels}}
            client = self.offline(datafile_of(1, {"theme": flag}))
            self.assertEqual(client.get_details("theme", None).error_code, expected)
            self.assertEqual(client.get_json("theme", 7) == 7, expected is not None)

    def test_threads_share_a_client(self):
        audiences = {
            f"a{i}": {"all": [{"attribute": "plan", "operator": "equals", "value": "beta"}]} for i in range(50)
        }
        flags = {}
        for i in range(50):
            flags.update({f"f{i}": ruled({"audience": f"a{i}"})["flags"]["flag"]})
        client = self.offline(datafile_of(1, flags, audiences=audiences))
        wrong = []
        begin = threading.Barrier(8)

        def ask():
            begin.wait()
            for i in range(50):
                if client.get_details(f"f{i}", False, {"plan": "beta"}).reason != "TARGETING_MATCH":
                    wrong.append(i)

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        self.addCleanup(sys.setswitchinterval, interval)
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Life(Case):
    def test_the_first_file_makes_it_ready(self):
        service = self.service(answer_with(GOOD))
        client = self.client(service)
        self.assertTrue(client.wait_until_ready())
        client.refresh()
        self.assertEqual((client.status, client.revision, client.get_boolean("checkout", False)), ("ready", 5, True))
        self.assertEqual(client.data_file, GOOD)
        self.assertEqual(service.requests[0].path, "/api/sdk/v1/datafile/sdk_1.json")
        self.assertEqual(service.requests[0].headers["User-Agent"], f"svc-sdk-python/{SDK_VERSION}")

    def test_it_asks_again_after_the_interval_and_only_for_what_is_new(self):
        service = self.service(answer_with(GOOD))
        client = self.client(service, poll_interval=20)
        self.ready(client)
        self.eventually(lambda: 20 in client.time.pending())
        service.answer = answer_with(datafile_of(6, {"checkout": flag_of(False), "copy": flag_of("Pay")}))
        client.time.advance(20)
        self.eventually(lambda: client.revision, 6)
        self.eventually(lambda: client.told[-1], "change 6 ('checkout', 'size', 'theme')")
        self.eventually(lambda: 20 in client.time.pending())
        client.time.advance(20)
        self.eventually(lambda: len(service.requests), 3)
        self.assertEqual(
            [request.headers["If-None-Match"] for request in service.requests], [None, '"r5-e-1"', '"r6-e-1"']
        )
        self.assertEqual(client.status, "ready")

    def test_the_delays_of_clients_differ(self):
        for chance, expected in [(0, 24), (0.5, 30), (1, 36)]:
            from .service import ManualPlatform

            client = self.client(self.service(answer_with(GOOD)), _platform=ManualPlatform(chance))
            self.eventually(lambda: expected in [round(wait, 6) for wait in client.time.pending()])

    def test_listeners_hear_of_each_event_in_order(self):
        service = self.service(answer_status(500))
        client = self.client(service)
        client.refresh()
        service.answer = answer_with(GOOD)
        client.refresh()
        service.answer = answer_status(404)
        client.refresh()
        self.assertEqual(
            [each for each in client.told if not each.startswith("HTTP 500")],
            ["ready 5", "ready", "HTTP 404, is the SDK key right?", "stale"],
        )

    def test_payloads_are_objects(self):
        service = self.service(answer_with(GOOD))
        client = self.client(service)
        self.ready(client)
        got = []
        for event in ("ready", "change", "status", "error"):
            client.on(event, got.append)
        client.refresh()
        service.answer = answer_with(datafile_of(7, {}))
        client.refresh()
        service.answer = answer_status(500)
        client.refresh()
        self.assertEqual(got[0], Ready(5))
        self.assertIn(Change(7, 5, ("checkout", "copy", "size", "theme")), got)
        [error] = [each for each in got if isinstance(each, SvcError)]
        self.assertEqual(str(error), f"{service.url}/api/sdk/v1/datafile/sdk_1.json: HTTP 500")

    def test_a_listener_that_comes_late_hears_that_the_client_is_ready(self):
        client = self.offline(GOOD)
        self.assertEqual(client.told, ["ready 5"])

    def test_a_listener_can_be_removed(self):
        service = self.service(answer_with(GOOD))
        client = self.client(service)
        self.ready(client)
        got = []
        stop = client.on("change", got.append)
        stop()
        stop()
        service.answer = answer_with(datafile_of(7, {}))
        client.refresh()
        self.eventually(lambda: client.revision, 7)
        self.assertEqual(got, [])

    def test_a_listener_that_raises_harms_nobody(self):
        service = self.service(answer_with(GOOD))
        client = self.client(service)
        client.on("ready", lambda _ready: 1 / 0)
        client.on("change", lambda _change: 1 / 0)
        got = []
        client.on("change", got.append)
        self.ready(client)
        service.answer = answer_with(datafile_of(7, {}))
        client.refresh()
        client.refresh()
        self.eventually(lambda: len(got), 1)
        self.assertEqual(client.status, "ready")

    def test_a_listener_can_use_and_close_the_client(self):
        service = self.service(answer_with(GOOD))
        client = self.client(service)
        self.ready(client)
        client.on("change", lambda _change: (client.refresh(), client.get_boolean("checkout", False), client.close()))
        service.answer = answer_with(datafile_of(7, {}))
        client.refresh()
        client.refresh()
        self.eventually(lambda: client.status, "closed")
        self.assertEqual(client.revision, 7)

    def test_an_overdue_poll_makes_the_file_stale_and_comes_with_the_next_call(self):
        asks = [
            lambda client: client.get_boolean("checkout", False),
            lambda client: client.get_all_details(),
            lambda client: client.wait_until_ready(0),
        ]
        for ask in asks:
            service = self.service(answer_with(GOOD))
            client = self.client(service)
            self.ready(client)
            self.eventually(lambda: client.time.pending() != [])
            # As after a sleep: no thread was woken, and time has passed.
            client.time.elapsed += 59
            self.assertEqual(client.status, "ready")
            ask(client)
            client.time.elapsed += 2
            self.assertEqual((client.status, len(service.requests)), ("stale", 1))
            service.answer = answer_with(datafile_of(6))
            ask(client)
            self.eventually(lambda: (client.status, client.revision), ("ready", 6))
            self.assertEqual(len(service.requests), 2)

    def test_a_clock_that_stood_still_during_a_sleep_hides_no_overdue_poll(self):
        moments = [NOW]
        service = self.service(answer_with(GOOD))
        client = self.client(service)
        client.time.now = lambda: moments[0]
        self.ready(client)
        client.refresh()
        moments[0] += 61
        self.assertEqual(client.status, "stale")
        client.get_boolean("checkout", False)
        self.eventually(lambda: client.status, "ready")

    def test_a_clock_of_the_program_that_fails_harms_nobody(self):
        def fail():
            raise OSError("no clock")

        client = self.offline(GOOD)
        client.time.now = fail
        self.assertTrue(client.get_boolean("checkout", False))
        self.assertEqual(client.status, "ready")

    def test_tasks_that_wait_take_no_threads_and_leave_nothing_behind(self):
        client = self.client(self.service())

        async def wait():
            waits = [asyncio.ensure_future(aio.wait_until_ready(client, 0.05)) for _ in range(200)]
            await asyncio.sleep(0)
            self.assertEqual([each for each in threading.enumerate() if each.name.startswith("asyncio")], [])
            self.assertEqual(await asyncio.gather(*waits), [False] * 200)
            forever = asyncio.ensure_future(aio.wait_until_ready(client, None))
            await asyncio.sleep(0)
            forever.cancel()
            await asyncio.gather(forever, return_exceptions=True)
            self.assertEqual(client._replica._waiters, [])
            last = asyncio.ensure_future(aio.wait_until_ready(client, None))
            await asyncio.sleep(0)
            client._replica.close()
            return await last

        self.assertIs(asyncio.run(wait()), False)
        self.assertIs(asyncio.run(aio.wait_until_ready(self.offline(GOOD))), True)

    def test_there_are_no_other_events(self):
        with self.assertRaisesRegex(
            ValueError, "there is no event changes. The events are ready, change, status, error"
        ):
            self.offline(GOOD).on("changes", print)

    def test_waiting_ends_with_the_time_with_close_and_offline(self):
        client = self.client(self.service(answer_status(500)))
        self.assertFalse(client.wait_until_ready(timeout=0.01))
        threading.Timer(0.01, client.close).start()
        self.assertFalse(client.wait_until_ready(timeout=None))
        self.assertFalse(self.client(offline=True).wait_until_ready())
        self.assertTrue(self.offline(GOOD).wait_until_ready())

    def test_a_closed_client_evaluates_and_asks_no_more(self):
        service = self.service(answer_with(GOOD))
        with self.client(service) as client:
            self.ready(client)
        self.assertEqual(client.status, "closed")
        self.assertTrue(client.get_boolean("checkout", False))
        self.assertTrue(client.wait_until_ready())
        before = len(service.requests)
        client.refresh()
        client.close()
        self.assertEqual(len(service.requests), before)

    def test_closing_ends_a_request_at_once(self):
        waiting = threading.Event()

        def never(request):
            waiting.set()
            request.service.ended.wait()

        client = self.client(self.service(never))
        waiting.wait()
        client.close()
        self.eventually(lambda: sum(thread.name.startswith("svc-sdk") for thread in threading.enumerate()), 0)
        self.assertEqual(client.told, [])

    def test_offline_makes_no_request_and_no_thread(self):
        service = self.service(answer_with(GOOD))
        before = threading.enumerate()
        client = self.client(service, offline=True, bootstrap=json.dumps(GOOD))
        client.track("paid", {"targetingKey": "u-17"})
        client.refresh()
        client.flush()
        self.assertEqual((client.status, client.revision), ("ready", 5))
        # Threads of earlier tests can end meanwhile.
        self.assertEqual([thread for thread in threading.enumerate() if thread not in before], [])
        self.assertEqual((service.requests, service.batches), ([], []))

    def test_a_bootstrap_that_is_no_data_file_is_ignored(self):
        for bootstrap in ("garbage", "[" * 100_000, {}, 7, [], "null"):
            with self.subTest(bootstrap=str(bootstrap)[:10]), self.assertLogs("svc_sdk", "WARNING") as logs:
                client = Client("sdk_1", "http://x", offline=True, bootstrap=bootstrap)
                self.assertEqual((client.status, client.revision), ("connecting", None))
            self.assertIn("bootstrap is ignored", logs.output[0])

    def test_a_bootstrap_is_in_use_until_the_service_answers(self):
        service = self.service(answer_with(datafile_of(6, {"checkout": flag_of(False)})))
        client = self.client(service, bootstrap=GOOD)
        self.eventually(lambda: client.revision, 6)
        self.assertEqual(client.told[0], "ready 5")

    def test_a_moved_key_and_a_restored_service(self):
        service = self.service(answer_with(GOOD))
        client = self.client(service)
        self.ready(client)
        for file, expected in [
            (datafile_of(3, {}, environment={"id": "e-2", "key": "test"}), 3),
            (datafile_of(3, {"new": flag_of(True)}, environment={"id": "e-2", "key": "test"}, publishedAt=None), 3),
        ]:
            service.answer = answer_with({**file, "environment": {**file["environment"]}})
            service.answer = answer_status(200, json.dumps(file))
            client.refresh()
            self.eventually(lambda: client.data_file, file)
            self.assertEqual(client.revision, expected)

    def test_what_changed_includes_flags_that_use_a_changed_audience(self):
        rule = {"id": "r", "type": "TARGETED_DELIVERY", "salt": "s", "variation": "on", "when": {"audience": "a"}}
        flags = {"used": flag_of(False, rules=[rule]), "other": flag_of(True), "one": flag_of(1)}
        always = {"a": {"all": []}}
        service = self.service(answer_with(datafile_of(5, flags, audiences=always)))
        client = self.client(service)
        self.ready(client)
        changed = {**flags, "one": {**flags["one"], "enabled": 1}}
        service.answer = answer_with(datafile_of(6, changed, audiences={"a": {"any": []}}))
        client.refresh()
        self.eventually(lambda: client.told[-1], "change 6 ('one', 'used')")


class Options(Case):
    def test_wrong_options_raise(self):
        for given, message in [
            ({"sdk_key": ""}, "sdk_key must be the SDK key of an environment"),
            ({"sdk_key": None}, "sdk_key must be"),
            ({"sdk_key": "\ud800"}, "sdk_key must be"),
            ({"base_url": "flags.example.com"}, "base_url must be the http"),
            ({"base_url": "ftp://flags.example.com"}, "base_url must be"),
            ({"base_url": "http://x?a=b"}, "base_url must be"),
            ({"base_url": "http://x:99999"}, "base_url must be"),
            ({"base_url": "http://:80"}, "base_url must be"),
            ({"base_url": "http://x/ä"}, "base_url must be"),
            ({"base_url": None}, "base_url must be"),
            ({"poll_interval": 0.5}, "poll_interval must be a number of seconds >= 1"),
            ({"poll_interval": float("nan")}, "poll_interval must be"),
            ({"poll_interval": True}, "poll_interval must be"),
            ({"request_timeout": 0}, "request_timeout must be"),
            ({"stream": None}, "stream must be a boolean"),
            ({"offline": 1}, "offline must be a boolean"),
            ({"tracking": "no"}, "tracking must be a boolean"),
            ({"store": "/tmp"}, "store must be an object with load and save"),
            ({"sticky_store": {}}, "sticky_store must be an object with get and set"),
            ({"dimensions": "country"}, "dimensions must be a list of at most 20 names"),
            ({"dimensions": ["a"] * 21}, "dimensions must be"),
            ({"dimensions": [1]}, "dimensions must be"),
            ({"ingest_key": "svc_svc_abc"}, "ingest_key must be an ingest key of the environment"),
            ({"ingest_key": "svc_ing_a\r\nX: y"}, "ingest_key must be an ingest key of the environment"),
            ({"ingest_key": ""}, "ingest_key must be an ingest key of the environment"),
            ({"ssl_context": True}, "ssl_context must be an ssl.SSLContext"),
            ({"now": 7}, "now must be a function"),
            ({"interval": 7}, "unexpected keyword argument 'interval'"),
        ]:
            with self.subTest(**given), self.assertRaisesRegex(TypeError, message):
                Client(**{"sdk_key": "sdk_1", "base_url": "http://x", "offline": True, **given})

    def test_a_token_is_no_sdk_key_and_is_not_repeated(self):
        for token in (
            "svc_svc_abcdefghijkl",
            "svc_pat_abcdefghijkl",
            " svc_svc_abcdefghijkl",
            '"svc_svc_abcdefghijkl"',
            "Bearer svc_x_abcdefghijkl",
        ):
            with self.assertRaises(TypeError) as raised:
                Client(token, "http://x", offline=True)
            self.assertIn("is a token", str(raised.exception))
            self.assertNotIn("abcdefghijkl", str(raised.exception))

    def test_messages_contain_no_whole_sdk_key(self):
        class Failing:
            def load(self, key):
                raise OSError(f"cannot read {key}")

            def save(self, key, text):
                raise OSError(f"cannot write {key}")

        service = self.service(answer_status(307, "", {"Location": "https://x.test/sdk_ABCDEFGHIJK.json"}))
        errors = []
        with self.assertLogs("svc_sdk", "WARNING") as logs:
            client = Client("sdk_ABCDEFGHIJK", service.url, stream=False, store=Failing())
            self.addCleanup(client.close)
            client.on("error", errors.append)
            client.refresh()
            client.refresh()
        for text in [*logs.output, *map(str, errors), repr(client._settings)]:
            self.assertNotIn("sdk_ABCDE", text)
        self.assertIn("sdk_ABCD…", str(errors[0]))

    def test_an_address_can_have_a_path_and_a_slash(self):
        service = self.service(answer_with(GOOD))
        client = Client("sdk_1/ä", f"{service.url}/flags//", stream=False)
        self.addCleanup(client.close)
        self.ready(client)
        self.assertEqual(service.requests[0].path, "/flags/api/sdk/v1/datafile/sdk_1%2F%C3%A4.json")
