"""What happens to a client when its process forks or ends, with real time and real processes."""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

from .service import (
    LIMIT_SECONDS,
    Case,
    answer_status,
    answer_stream,
    answer_with,
    datafile_of,
    event_of,
    flag_of,
    test_of,
)

GOOD = datafile_of(5, {"checkout": flag_of(True), "test": test_of()})
NEXT = datafile_of(6, {"checkout": flag_of(False), "test": test_of()})
BEGINNING = """
import asyncio, multiprocessing, os, sys, threading
from svc_sdk import Client, aio

client = Client("sdk_1", sys.argv[1], poll_interval=300{options})
"""


class Processes(Case):
    def start(self, service, program, options=""):
        environment = {
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[1] / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        # Python 3.12 warns of every fork of a process with threads.
        source = BEGINNING.format(options=options) + program
        command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", source, service.url]
        child = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.PIPE, text=True, env=environment
        )
        self.addCleanup(child.communicate)
        self.addCleanup(child.kill)
        return child

    def output(self, child):
        printed, errors = child.communicate(timeout=LIMIT_SECONDS)
        self.assertEqual((child.returncode, errors), (0, ""))
        return sorted(printed.split("\n")[:-1])


@unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
class Forks(Processes):
    def test_parent_and_child_follow_the_service_each_by_itself(self):
        service = self.service(answer_with(GOOD))
        service.stream_answer = answer_stream()
        child = self.start(
            service,
            """
client.wait_until_ready()
while not client.streaming: threading.Event().wait(0.01)
client.track("paid", {"targetingKey": "before"})
pid = os.fork()
changed = threading.Event()
client.on("change", lambda change: changed.set())
role = "parent" if pid else "child"
changed.wait()
client.get_boolean("test", False, {"targetingKey": role})
client.close()
os.write(1, f"{role} {client.revision} {client.get_boolean('checkout', True)}\\n".encode())
if pid: os.waitpid(pid, 0)
""",
        )
        self.eventually(lambda: len(service.streams), 2)
        # The heartbeats say that both have begun.
        self.eventually(lambda: len({beat["instanceId"] for beat in service.heartbeats}), 2)
        service.answer = answer_with(NEXT)
        for stream in service.streams:
            stream.push(event_of(6))
        self.assertEqual(self.output(child), ["child 6 False", "parent 6 False"])
        self.assertEqual(sorted(event["unit"] for event in service.events), ["before", "child", "parent"])

    def test_children_of_children_and_closed_clients(self):
        service = self.service(answer_with(GOOD))
        child = self.start(
            service,
            """
client.wait_until_ready()
closed = Client("sdk_1", sys.argv[1])
closed.close()
for depth in range(3):
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        break
    client.refresh()
os.write(1, f"{depth} {client.status} {closed.status} {threading.active_count() > 1}\\n".encode())
client.close()
""",
        )
        self.assertEqual(self.output(child), [f"{depth} ready closed True" for depth in (0, 1, 2, 2)])

    def test_a_fork_in_the_middle_of_everything(self):
        service = self.service(answer_with(GOOD))
        child = self.start(
            service,
            """
client.wait_until_ready()
done = threading.Event()
def work():
    while not done.is_set():
        client.get_boolean("test", False, {"targetingKey": os.urandom(4).hex()})
        client.refresh()
        client.flush()
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
pids = []
for _ in range(20):
    pid = os.fork()
    if pid == 0:
        client.refresh()
        client.get_boolean("test", False, {"targetingKey": "child"})
        client.flush()
        os._exit(0 if client.status == "ready" else 1)
    pids.append(pid)
print([os.waitpid(pid, 0)[1] for pid in pids] == [0] * 20)
done.set()
for thread in threads: thread.join()
""",
        )
        self.assertEqual(self.output(child), ["True"])
        self.assertEqual(sum(event["unit"] == "child" for event in service.events), 20)

    def test_workers_of_multiprocessing(self):
        service = self.service(answer_with(GOOD))
        child = self.start(
            service,
            """
def work(number):
    client.get_boolean("test", False, {"targetingKey": f"u-{number}"})
    client.flush()
    return client.get_boolean("checkout", False)

client.wait_until_ready()
with multiprocessing.get_context("fork").Pool(3) as pool:
    print(pool.map(work, range(9)) == [True] * 9)
""",
        )
        self.assertEqual(self.output(child), ["True"])
        self.assertEqual(sorted(event["unit"] for event in service.events), [f"u-{number}" for number in range(9)])


class Ends(Processes):
    def test_a_program_that_does_not_close_ends_and_sends_its_last_events(self):
        service = self.service(answer_with(GOOD))
        service.stream_answer = answer_stream()
        child = self.start(service, 'client.wait_until_ready()\nclient.track("paid", {"targetingKey": "u-17"})')
        self.assertEqual(self.output(child), [])
        self.assertEqual(len(service.events), 1)

    def test_a_program_ends_although_nothing_answers(self):
        def never(request):
            request.service.ended.wait()

        service = self.service(never)
        service.stream_answer = service.heartbeat_answer = service.events_answer = never
        # If the end of a program waited as long as other requests, this one would not end in time.
        child = self.start(
            service,
            'client.track("paid", {"targetingKey": "u-17"})\nprint(client.get_boolean("a", True))',
            ", request_timeout=600",
        )
        printed, errors = child.communicate(timeout=LIMIT_SECONDS)
        self.assertEqual((child.returncode, printed), (0, "True\n"))
        found = re.fullmatch(r"events are lost: no response within ([0-9.]+) s\n", errors)
        self.assertIsNotNone(found, errors)
        self.assertLessEqual(float(found[1]), 2)

    def test_a_program_that_asks_once_ends_although_the_service_fails(self):
        child = self.start(self.service(answer_status(500)), 'print(client.get_boolean("a", True), file=sys.stdout)')
        printed, errors = child.communicate(timeout=LIMIT_SECONDS)
        self.assertEqual((child.returncode, printed), (0, "True\n"))
        self.assertNotIn("Traceback", errors)

    def test_asyncio(self):
        service = self.service(answer_with(GOOD))
        child = self.start(
            service,
            """
async def main():
    ticks = 0
    async def tick():
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)
    ticking = asyncio.create_task(tick())
    print(await aio.wait_until_ready(client, timeout=20))
    client.get_boolean("test", False, {"targetingKey": "u-17"})
    await aio.flush(client)
    await aio.refresh(client)
    await aio.close(client)
    ticking.cancel()
    print(client.status, ticks > 10)
asyncio.run(main())
""",
        )
        self.assertEqual(self.output(child), ["True", "closed True"])
        self.assertEqual(len(service.events), 1)
