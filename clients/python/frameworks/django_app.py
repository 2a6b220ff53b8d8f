"""The same shop in Django, in one file."""

import os

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse, JsonResponse
from django.urls import path

from svc_sdk import Client
from svc_sdk.webhooks import WebhookVerificationError, verify_webhook

SECRET = "0123456789abcdef" * 4
settings.configure(ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, SECRET_KEY="not-for-production", MIDDLEWARE=[])
django.setup()
client = Client("sdk_1", os.environ["SVC_TEST_URL"], poll_interval=300)
client.wait_until_ready(timeout=30)
LOADED_IN = os.getpid()


def shop(request):
    visitor = {"targetingKey": request.GET["visitor"]}
    return JsonResponse(
        {
            "checkout": client.get_boolean("checkout", True, visitor),
            "test": client.get_boolean("test", False, visitor),
            "revision": client.revision,
            "streaming": client.streaming,
            "worker": os.getpid(),
            "loaded_in": LOADED_IN,
        }
    )


def hooks(request):
    try:
        delivery = verify_webhook(request.body, request.headers, SECRET)
    except WebhookVerificationError as refused:
        return HttpResponse(refused.code, status=401)
    return HttpResponse(delivery.event)


urlpatterns = [path("shop", shop), path("hooks", hooks)]
app = get_wsgi_application()
