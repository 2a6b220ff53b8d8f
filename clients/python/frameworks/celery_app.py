"""Tasks in Celery. The broker is a folder, so that the test needs no other program."""

import os

from celery import Celery, signals

from svc_sdk import Client

FOLDER = os.environ["SVC_TEST_FOLDER"]
# Made once, where the module is loaded, before the workers are forked.
client = Client("sdk_1", os.environ["SVC_TEST_URL"], poll_interval=300)
client.wait_until_ready(timeout=30)
app = Celery("shop", broker="filesystem://", backend=f"file://{FOLDER}/results")
app.conf.broker_transport_options = {"data_folder_in": f"{FOLDER}/queue", "data_folder_out": f"{FOLDER}/queue"}
app.conf.worker_hijack_root_logger = False
LOADED_IN = os.getpid()


@signals.worker_process_shutdown.connect
def send_last_events(**_):
    client.flush()


@app.task
def shop(visitor):
    return {
        "checkout": client.get_boolean("checkout", True, {"targetingKey": visitor}),
        "test": client.get_boolean("test", False, {"targetingKey": visitor}),
        "revision": client.revision,
        "streaming": client.streaming,
        "worker": os.getpid(),
        "loaded_in": LOADED_IN,
    }
