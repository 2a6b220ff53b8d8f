"""The Python client of Svc: feature flags and A/B tests, evaluated locally.

    from svc_sdk import Client

    with Client("sdk_…", "https://flags.example.com") as client:
        client.wait_until_ready(timeout=2)
        print(client.get_boolean("new-checkout", False, {"targetingKey": "u-17"}))

``svc_sdk.aio`` is for asyncio, ``svc_sdk.webhooks`` for receivers of webhooks.
"""

from ._client import Client
from ._details import Details, ErrorCode, Reason, Status
from ._events import Change, Ready, SvcError
from ._recommended import Recommended
from ._store import FileStore, StickyStore, Store
from ._version import SDK_VERSION

__all__ = [
    "SDK_VERSION",
    "Change",
    "Client",
    "Details",
    "ErrorCode",
    "FileStore",
    "Ready",
    "Reason",
    "Recommended",
    "Status",
    "StickyStore",
    "Store",
    "SvcError",
]
