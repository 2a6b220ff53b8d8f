"""A shop in Flask, as a program of its own has it."""

import os

from flask import Flask, abort, jsonify, request

from svc_sdk import Client
from svc_sdk.webhooks import WebhookVerificationError, verify_webhook

SECRET = "0123456789abcdef" * 4
# Made once, where the module is loaded: with --preload before the workers are forked.
client = Client("sdk_1", os.environ["SVC_TEST_URL"], poll_interval=300)
client.wait_until_ready(timeout=30)
app = Flask(__name__)


@app.get("/shop")
def shop():
    visitor = {"targetingKey": request.args["visitor"]}
    return jsonify(
        checkout=client.get_boolean("checkout", True, visitor),
        test=client.get_boolean("test", False, visitor),
        revision=client.revision,
        streaming=client.streaming,
        worker=os.getpid(),
        loaded_in=LOADED_IN,
    )


@app.post("/hooks")
def hooks():
    try:
        delivery = verify_webhook(request.get_data(), request.headers, SECRET)
    except WebhookVerificationError as refused:
        abort(401, refused.code)
    return delivery.event


LOADED_IN = os.getpid()
