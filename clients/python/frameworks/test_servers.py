"""A client in Flask, Django and Celery, in processes of gunicorn, uWSGI and Celery: `npm run test:frameworks`."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from datetime import datetime, timezone
from pathlib import Path

from svc_sdk.webhooks import sign
from tests.service import LIMIT_SECONDS, Case, answer_stream, answer_with, datafile_of, event_of, flag_of, test_of

GOOD = datafile_of(5, {"checkout": flag_of(True), "test": test_of()})
NEXT = datafile_of(6, {"checkout": flag_of(False), "test": test_of()})
SECRET = "0123456789abcdef" * 4
ROOT = Path(__file__).parents[1]
GUIDE = (ROOT.parents[1] / "docs/python.md").read_text(encoding="utf-8")
WORKERS = 3
# Proxies of the machine are not for servers on loopback.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Server(Case):
    """A program under gunicorn, with a service of its own."""

    def start(self, module, *options):
        bind = self.free_address()
        self.run_server([sys.executable, "-m", "gunicorn", f"frameworks.{module}:app", "--bind", bind, *options])
        self.eventually(self.is_up)

    def free_address(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{free.getsockname()[1]}"
        return self.url.removeprefix("http://")

    def run_server(self, command, **environment):
        self.answering = self.service(answer_with(GOOD))
        self.answering.stream_answer = answer_stream()
        environment = {
            **{name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")},
            "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "SVC_TEST_URL": self.answering.url,
            **environment,
        }
        self.log = tempfile.TemporaryFile("w+")
        self.addCleanup(self.log.close)
        # A group of its own, so that no worker outlives a test that fails.
        self.process = subprocess.Popen(
            command, stdout=self.log, stderr=self.log, env=environment, cwd=ROOT, start_new_session=True
        )
        self.addCleanup(self.kill)

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    def is_up(self):
        try:
            self.ask("up")
        except urllib.error.URLError:
            return False
        return True

    def ask(self, visitor):
        with OPENER.open(f"{self.url}/shop?visitor={visitor}", timeout=LIMIT_SECONDS) as response:
            return json.load(response)

    def answers(self, count=60):
        """What the workers say, by process."""
        found = {}
        for index in range(count):
            answer = self.ask(f"u-{index}")
            found[answer["worker"]] = answer
        return found

    def all_workers(self, expected):
        """Waits until every worker says this."""

        def said():
            found = self.answers()
            if len(found) != WORKERS:
                return f"{len(found)} workers"
            return {tuple(answer[name] for name in expected) for answer in found.values()}

        self.eventually(said, {tuple(expected.values())})

    def publish(self, file):
        self.answering.answer = answer_with(file)
        for stream in list(self.answering.streams):
            stream.push(event_of(file["revision"]))

    def stop(self):
        """Ends the server as an operator does. Returns what it said."""
        self.process.send_signal(signal.SIGTERM)
        returned = self.process.wait(timeout=LIMIT_SECONDS)
        self.log.seek(0)
        errors = self.log.read()
        self.assertEqual(returned, 0, errors)
        self.assertNotIn("Traceback", errors)
        return errors

    def exposed(self):
        return sorted(event["unit"] for event in self.answering.events if event["type"] == "exposure")

    def follows(self, module):
        """Loaded before the fork: each worker goes on by itself, and its last events arrive."""
        self.start(module, "--preload", "--workers", str(WORKERS))
        self.all_workers({"revision": 5, "checkout": True, "streaming": True, "loaded_in": self.process.pid})
        self.publish(NEXT)
        self.all_workers({"revision": 6, "checkout": False, "streaming": True, "loaded_in": self.process.pid})
        instances = {beat["instanceId"] for beat in self.answering.heartbeats}
        # The first process has a client too.
        self.assertEqual(len(instances), WORKERS + 1)
        self.stop()
        self.assertEqual(sorted(set(self.exposed())), sorted({"up", *(f"u-{index}" for index in range(60))}))

    def verifies(self, module):
        self.start(module)
        timestamp = datetime.now(timezone.utc).isoformat()
        body = json.dumps({"event": "flag.published", "project": {"name": "Café ☕"}}).encode()
        headers = {
            "Content-Type": "application/json",
            "X-Svc-Delivery-Id": "dlv_01",
            "X-Svc-Event": "flag.published",
            "X-Svc-Timestamp": timestamp,
            "X-Svc-Signature": sign(body, delivery_id="dlv_01", timestamp=timestamp, secret=SECRET),
        }
        request = urllib.request.Request(f"{self.url}/hooks", body, headers)
        with OPENER.open(request, timeout=LIMIT_SECONDS) as response:
            self.assertEqual(response.read(), b"flag.published")
        forged = urllib.request.Request(f"{self.url}/hooks", body.replace(b"flag", b"flap"), headers)
        with self.assertRaises(urllib.error.HTTPError) as refused:
            OPENER.open(forged, timeout=LIMIT_SECONDS)
        with refused.exception as answer:
            self.assertEqual(answer.code, 401)
            self.assertIn(b"signature_mismatch", answer.read())


class Flask(Server):
    def test_workers_that_are_forked_after_the_client_was_made_follow_the_service(self):
        self.follows("flask_app")

    def test_a_delivery_of_a_webhook_is_verified(self):
        self.verifies("flask_app")

    def test_threads_of_a_worker_share_its_client(self):
        self.start("flask_app", "--workers", "1", "--threads", "8")
        self.publish(NEXT)
        self.eventually(lambda: self.ask("u-1")["revision"], 6)
        self.assertNotEqual(self.ask("u-1")["loaded_in"], self.process.pid)
        self.assertEqual({self.ask(f"u-{index}")["checkout"] for index in range(50)}, {False})
        self.assertEqual(len({beat["instanceId"] for beat in self.answering.heartbeats}), 1)
        self.stop()
        self.assertEqual(len(set(self.exposed())), 51)

    def test_workers_that_take_the_place_of_others_follow_too(self):
        self.start("flask_app", "--preload", "--workers", "2", "--max-requests", "10")
        seen = set()

        def has_changed():
            seen.add(self.ask(f"u-{len(seen)}")["worker"])
            return len(seen) >= 6

        self.eventually(has_changed)
        self.publish(NEXT)

        def is_next():
            answer = self.ask("late")
            return answer["revision"], answer["checkout"]

        self.eventually(is_next, (6, False))
        self.stop()
        self.assertIn("late", self.exposed())


class Django(Server):
    def test_workers_that_are_forked_after_the_client_was_made_follow_the_service(self):
        self.follows("django_app")

    def test_a_delivery_of_a_webhook_is_verified(self):
        self.verifies("django_app")


class Uwsgi(Server):
    def test_workers_with_the_settings_of_the_guide_follow_the_service_and_send_their_last_events(self):
        bind = self.free_address()
        settings = block_of("ini")
        own_settings = {"shop:app": "frameworks.flask_app:app", "127.0.0.1:8000": bind, "= 4": f"= {WORKERS}"}
        for given, own in own_settings.items():
            self.assertIn(given, settings)
            settings = settings.replace(given, own)
        with tempfile.NamedTemporaryFile("w", suffix=".ini") as file:
            file.write(settings)
            file.flush()
            self.run_server(["uwsgi", "--ini", file.name])
            self.eventually(self.is_up)
        self.all_workers({"revision": 5, "checkout": True, "streaming": True})
        self.publish(NEXT)
        self.all_workers({"revision": 6, "checkout": False, "streaming": True})
        self.assertEqual(len({beat["instanceId"] for beat in self.answering.heartbeats}), WORKERS)
        self.stop()
        self.assertEqual(sorted(set(self.exposed())), sorted({"up", *(f"u-{index}" for index in range(60))}))


class Celery(Server):
    def test_workers_that_are_forked_after_the_client_was_made_follow_the_service_and_send_their_last_events(self):
        from celery import Celery as App

        handler = block_of("py", GUIDE.split("### Celery\n")[1])
        self.assertIn(handler.split("\n\n\n")[1], (ROOT / "frameworks/celery_app.py").read_text(encoding="utf-8"))
        folder = self.folder()
        for name in ("queue", "results"):
            os.mkdir(f"{folder}/{name}")
        options = ["--pool", "prefork", "--concurrency", str(WORKERS), "--without-gossip", "--without-mingle"]
        self.run_server(
            [sys.executable, "-m", "celery", "-A", "frameworks.celery_app", "worker", *options], SVC_TEST_FOLDER=folder
        )
        app = App("test", broker="filesystem://", backend=f"file://{folder}/results")
        app.conf.broker_transport_options = {"data_folder_in": f"{folder}/queue", "data_folder_out": f"{folder}/queue"}

        def answers(count=12):
            asked = [app.send_task("frameworks.celery_app.shop", [f"u-{index}"]) for index in range(count)]
            return [each.get(timeout=LIMIT_SECONDS) for each in asked]

        def said():
            return {(each["revision"], each["checkout"], each["loaded_in"]) for each in answers()}

        self.eventually(said, {(5, True, self.process.pid)})
        self.publish(NEXT)
        self.eventually(said, {(6, False, self.process.pid)})
        self.assertNotIn(self.process.pid, {each["worker"] for each in answers()})
        self.stop()
        self.assertEqual(sorted(set(self.exposed())), sorted(f"u-{index}" for index in range(12)))

    def folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return folder.name


def block_of(language, text=GUIDE):
    """The first block of a text in a language."""
    return text.split(f"```{language}\n")[1].split("```")[0].rstrip("\n")
