"""For programs with asyncio. Evaluations do not wait, so call those of the client as they are; these are the calls that
do wait.

    from svc_sdk import Client, aio

    client = Client("sdk_…", "https://flags.example.com")
    await aio.wait_until_ready(client, timeout=2)
    client.get_boolean("new-checkout", False, {"targetingKey": "u-17"})
    await aio.close(client)
"""

from __future__ import annotations

import asyncio
from typing import Optional

from ._client import Client

__all__ = ["close", "flush", "refresh", "wait_until_ready"]


async def wait_until_ready(client: Client, timeout: Optional[float] = 10.0) -> bool:
    """As :meth:`Client.wait_until_ready`, without blocking the event loop. It takes no thread, so any number of tasks
    can wait while the service is away."""
    loop = asyncio.get_running_loop()
    settled = asyncio.Event()

    def wake() -> None:
        try:
            loop.call_soon_threadsafe(settled.set)
        except RuntimeError:
            # The loop has ended while the task waited.
            pass

    forget = client._replica.when_settled(wake)
    try:
        await asyncio.wait_for(settled.wait(), timeout)
    except asyncio.TimeoutError:
        pass
    finally:
        forget()
    return client.wait_until_ready(0)


async def refresh(client: Client) -> None:
    """As :meth:`Client.refresh`, without blocking the event loop."""
    await asyncio.to_thread(client.refresh)


async def flush(client: Client) -> None:
    """As :meth:`Client.flush`, without blocking the event loop."""
    await asyncio.to_thread(client.flush)


async def close(client: Client) -> None:
    """As :meth:`Client.close`, without blocking the event loop."""
    await asyncio.to_thread(client.close)
