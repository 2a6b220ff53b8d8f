import json
import os
import tempfile
from pathlib import Path

from svc_sdk import Client, FileStore

from .service import Case, answer_status, answer_with, datafile_of, flag_of, test_of
from .test_faults import Shelf

GOOD = datafile_of(5, {"checkout": flag_of(True)})
NEXT = datafile_of(6, {"checkout": flag_of(False)})


class Broken:
    def load(self, key):
        raise OSError("the disk is gone")

    def save(self, key, text):
        raise OSError("the disk is gone")


class Stores(Case):
    def test_the_stored_file_is_in_use_at_once_and_stale_until_confirmed(self):
        service = self.service(answer_with(GOOD))
        service.gate.clear()
        client = self.client(service, store=Shelf(json.dumps(GOOD)))
        self.assertEqual(client.told[0], "ready 5")
        self.eventually(lambda: client.status, "ready")
        self.assertEqual(client.told, ["ready 5", "ready"])

    def test_offline_it_is_all_there_is(self):
        client = self.client(offline=True, store=Shelf(json.dumps(GOOD)))
        self.assertEqual((client.status, client.revision, client.wait_until_ready()), ("stale", 5, True))

    def test_a_new_file_is_saved(self):
        store = Shelf()
        service = self.service(answer_with(GOOD))
        client = self.client(service, store=store)
        self.ready(client)
        self.assertEqual(store.saved, [("svc-sdk_1", GOOD)])
        client.refresh()
        client.refresh()
        self.assertEqual(len(store.saved), 1)

    def test_a_newer_file_of_another_process_is_taken_and_not_overwritten(self):
        store = Shelf()
        service = self.service(answer_with(GOOD))
        client = self.client(service, store=store)
        self.ready(client)
        store.text = json.dumps(datafile_of(9))
        service.answer = answer_with(NEXT)
        client.refresh()
        self.eventually(lambda: client.revision, 9)
        self.assertEqual(len(store.saved), 1)
        self.assertEqual(client.status, "stale")

    def test_an_older_file_from_the_service_does_not_replace_a_stored_one(self):
        store = Shelf(json.dumps(NEXT))
        client = self.client(self.service(answer_with(GOOD)), store=store)
        client.refresh()
        self.assertEqual((client.revision, client.status, store.saved), (6, "stale", []))
        self.assertIn("revision 5 is older than 6", client.told)

    def test_a_store_that_fails_or_holds_garbage_does_no_harm(self):
        for store in (Broken(), Shelf("garbage"), Shelf("[" * 100_000), Shelf(7), Shelf("x" * 20_000_001)):
            with self.assertLogs("svc_sdk", "WARNING") as logs:
                client = self.client(self.service(answer_with(GOOD)), store=store)
            client.refresh()
            self.assertEqual((client.status, client.revision), ("ready", 5))
            self.assertIn("the store failed", logs.output[0])

    def test_half_a_character_can_be_stored(self):
        store = Shelf()
        file = datafile_of(5, {"checkout": flag_of("\ud83d")})
        client = self.client(self.service(answer_with(file)), store=store)
        self.eventually(lambda: store.saved, [("svc-sdk_1", file)])
        self.assertEqual(client.get_string("checkout", ""), "\ud83d")


class Files(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "new" / "folder"

    def test_it_survives_a_restart(self):
        service = self.service(answer_with(GOOD))
        path = self.folder / "svc-sdk_1.json"
        self.client(service, store=FileStore(self.folder))
        self.eventually(path.exists)
        self.assertEqual(json.loads(path.read_text(encoding="utf-8")), GOOD)
        self.assertEqual(os.listdir(self.folder), [path.name])
        client = self.client(self.service(answer_status(500)), store=FileStore(str(self.folder)))
        self.assertEqual((client.revision, client.get_boolean("checkout", False)), (5, True))

    def test_a_missing_and_a_huge_file_are_none(self):
        store = FileStore(self.folder)
        self.assertIsNone(store.load("svc-x"))
        self.folder.mkdir(parents=True)
        with open(self.folder / "svc-x.json", "wb") as file:
            file.truncate(20_000_001)
        self.assertIsNone(store.load("svc-x"))

    def test_what_killed_processes_left_is_removed_and_what_others_write_is_not(self):
        self.folder.mkdir(parents=True)
        old, new = self.folder / "svc-x.json.1.tmp", self.folder / "svc-x.json.2.tmp"
        other = self.folder / "svc-y.json.1.tmp"
        for path in (old, new, other):
            path.write_text("half")
        for path in (old, other):
            os.utime(path, (0, 0))
        FileStore(self.folder).save("svc-x", "text")
        self.assertEqual(sorted(os.listdir(self.folder)), ["svc-x.json", "svc-x.json.2.tmp", "svc-y.json.1.tmp"])

    def test_a_folder_that_cannot_be_written_is_told(self):
        self.folder.parent.mkdir(parents=True)
        self.folder.write_text("a file")
        with self.assertLogs("svc_sdk", "WARNING"):
            client = self.client(self.service(answer_with(GOOD)), store=FileStore(self.folder))
            client.refresh()
        self.assertEqual(client.status, "ready")


class Sticky(Case):
    class Kept(dict):
        def set(self, key, variation_key):
            self[key] = variation_key

    def file(self, end, sticky=True):
        split = [{"variation": "on", "end": end}, {"variation": "off", "end": 10_000}]
        return datafile_of(1, {"test": test_of(split=split, sticky=sticky)})

    def test_a_visitor_keeps_the_variation(self):
        kept = self.Kept()
        for end, sticky, expected in [(10_000 - 1, True, True), (1, True, True), (1, False, False)]:
            client = self.offline(self.file(end, sticky), sticky_store=kept)
            self.assertIs(client.get_boolean("test", False, {"targetingKey": "u-17"}), expected)
        self.assertEqual(kept, {"e-1.r-1.u-17": "on"})

    def test_a_renewed_key_keeps_the_variation(self):
        kept = self.Kept()
        for key in ["sdk_1", "sdk_2"]:
            end = 10_000 - 1 if key == "sdk_1" else 1
            client = Client(
                key, "http://127.0.0.1:9", offline=True, stream=False, bootstrap=self.file(end), sticky_store=kept
            )
            self.addCleanup(client.close)
            self.assertTrue(client.get_boolean("test", False, {"targetingKey": "u-17"}))

    def test_what_is_not_in_the_split_is_drawn_again(self):
        kept = self.Kept({"e-1.r-1.u-17": "gone"})
        client = self.offline(self.file(1), sticky_store=kept)
        self.assertFalse(client.get_boolean("test", True, {"targetingKey": "u-17"}))
        self.assertEqual(kept, {"e-1.r-1.u-17": "off"})

    def test_without_a_store_or_if_it_fails_it_draws_and_tells_once(self):
        class Failing(Broken):
            get = Broken.load
            set = Broken.save

        for store, message in [
            (None, "a sticky rule needs the option sticky_store"),
            (Failing(), "sticky_store failed"),
        ]:
            client = self.offline(self.file(1), sticky_store=store)
            with self.assertLogs("svc_sdk", "WARNING") as logs:
                self.assertFalse(client.get_boolean("test", True, {"targetingKey": "u-17"}))
                client.get_boolean("test", True, {"targetingKey": "u-18"})
            self.assertEqual(len(logs.output), 1)
            self.assertIn(message, logs.output[0])
