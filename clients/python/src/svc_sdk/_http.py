"""One HTTP request at a time over its own connection: with a deadline for all of it, through the proxies of the
environment, and without following redirects."""

from __future__ import annotations

import base64
import http.client
import io
import socket
import ssl
import zlib
from email.utils import parsedate_to_datetime
from threading import Lock
from typing import Any, Callable, Dict, Mapping, Optional, Set
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from ._values import cut
from ._version import SDK_VERSION

_PIECE_BYTES = 65_536
_USER_AGENT = f"svc-sdk-python/{SDK_VERSION}"


class Refusal(Exception):
    """The response is not the wanted one. ``retry_after`` is in seconds, 0 if the service does not say."""

    def __init__(self, status: int, retry_after: float, location: Optional[str] = None) -> None:
        hint = ", is the SDK key right?" if status == 404 else ""
        if 300 <= status < 400 and location:
            hint = f", a redirect to {_base_of(location)}: give the address that it leads to as base_url"
        super().__init__(f"HTTP {status}{hint}")
        self.status = status
        self.retry_after = retry_after


def _base_of(location: str) -> str:
    """Without the path of the SDK, which has its key."""
    return cut(location.split("?")[0].split("/api/sdk/")[0])


class Response:
    """A response whose body has not been read yet. Close it."""

    def __init__(self, line: "_Line", found: http.client.HTTPResponse, now: Callable[[], float]) -> None:
        self._line = line
        self._found = found
        self._now = now
        self.status: int = found.status

    def header(self, name: str) -> Optional[str]:
        return self._found.getheader(name)

    def retry_after(self) -> float:
        """Seconds of the header Retry-After, from a number or an HTTP date (RFC 9110); 0 if absent or invalid."""
        header = self.header("retry-after") or ""
        if header.isdigit() and header.isascii():
            return float(header)
        try:
            return max(parsedate_to_datetime(header).timestamp() - self._now(), 0)
        except (TypeError, ValueError, IndexError, OverflowError):
            return 0

    def refusal(self) -> Refusal:
        return Refusal(self.status, self.retry_after(), self.header("location"))

    def piece(self, timeout: float) -> bytes:
        """The next bytes of the body, within ``timeout`` seconds from now; empty at its end."""
        self._line.extend(timeout)
        return self._found.read1(_PIECE_BYTES)

    def text(self, limit_bytes: int) -> str:
        """The whole body. Raises if it exceeds the limit after decompression, is not UTF-8, or breaks off."""
        encoding = (self.header("content-encoding") or "identity").strip().lower()
        if encoding not in ("gzip", "identity"):
            raise ValueError(f"the response has the unknown encoding {encoding}")
        unpacker = zlib.decompressobj(wbits=31) if encoding == "gzip" else None
        body = bytearray()
        while True:
            piece = self._found.read1(_PIECE_BYTES)
            if not piece:
                break
            # One byte more than allowed is enough to refuse.
            body += unpacker.decompress(piece, limit_bytes + 1 - len(body)) if unpacker else piece
            if len(body) > limit_bytes:
                raise ValueError(f"the response has more than {limit_bytes} bytes")
        if self._found.length or (unpacker and not unpacker.eof):
            raise ValueError("the response is incomplete")
        return body.decode("utf-8-sig")

    def close(self) -> None:
        self._found.close()
        self._line.close()

    def __enter__(self) -> "Response":
        return self

    def __exit__(self, *_fault: object) -> None:
        self.close()


class Transport:
    """Makes requests and can end them all."""

    def __init__(
        self, ssl_context: Optional[ssl.SSLContext], now: Callable[[], float], monotonic: Callable[[], float]
    ) -> None:
        self._ssl_context = ssl_context
        self._now = now
        self._monotonic = monotonic
        self._lock = Lock()
        self._open: Set[_Line] = set()
        self._closed = False

    def request(
        self,
        method: str,
        url: str,
        *,
        timeout: float,
        headers: Mapping[str, str],
        body: Optional[bytes] = None,
    ) -> Response:
        """Sends a request and reads the head of the response. Every wait, also for the body, ends ``timeout`` seconds
        from now. Raises what ``http.client`` and sockets raise."""
        line = _Line(timeout, self._monotonic, self._forget)
        connection, target, more = self._connection(urlsplit(url), url, timeout)
        try:
            connection.connect()
            line.take(connection.sock)
            with self._lock:
                if self._closed:
                    raise ConnectionAbortedError("the client is closed")
                self._open.add(line)
            connection.sock = _Handle(line)
            sent = {"User-Agent": _USER_AGENT, "Connection": "close", **more, **headers}
            connection.request(method, target, body, sent)
            return Response(line, connection.getresponse(), self._now)
        except BaseException:
            connection.close()
            line.close()
            raise

    def close(self) -> None:
        """Ends the running requests and refuses others."""
        with self._lock:
            self._closed = True
        self.abort()

    def abort(self) -> None:
        """Ends the running requests."""
        with self._lock:
            lines = list(self._open)
        for line in lines:
            line.abort()

    def after_fork(self) -> None:
        """Lets go of the connections of the parent process, which still uses them."""
        self._lock = Lock()
        lines, self._open = self._open, set()
        for line in lines:
            line.close()

    def _forget(self, line: "_Line") -> None:
        with self._lock:
            self._open.discard(line)

    def _connection(self, parts: SplitResult, url: str, timeout: float) -> "tuple[Any, str, Dict[str, str]]":
        """The connection, the target of its request and what a proxy wants to know."""
        host = parts.hostname or ""
        path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
        proxy = None if proxy_bypass(parts.netloc.rpartition("@")[2]) else getproxies().get(parts.scheme)
        if not proxy:
            return self._to(parts.scheme, host, parts.port, timeout), path, {}
        through = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        if through.scheme != "http":
            raise ValueError(f"a proxy with {through.scheme} is not supported")
        login = _login_of(through)
        if parts.scheme == "http":
            return self._to("http", through.hostname or "", through.port, timeout), url, login
        tunnel = self._to("https", through.hostname or "", through.port or 80, timeout)
        tunnel.set_tunnel(host, parts.port or 443, login)
        return tunnel, path, {}

    def _to(self, scheme: str, host: str, port: Optional[int], timeout: float) -> http.client.HTTPConnection:
        if scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=timeout)
        if self._ssl_context is None:
            self._ssl_context = ssl.create_default_context()
        return http.client.HTTPSConnection(host, port, timeout=timeout, context=self._ssl_context)


def _login_of(proxy: SplitResult) -> Dict[str, str]:
    if proxy.username is None:
        return {}
    login = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {base64.b64encode(login.encode()).decode()}"}


class _Line:
    """The socket of a request. A timeout of the socket itself is for one wait: a byte now and then would evade it."""

    def __init__(self, timeout: float, monotonic: Callable[[], float], forget: Callable[["_Line"], None]) -> None:
        self._monotonic = monotonic
        self._forget = forget
        self._socket: Optional[socket.socket] = None
        self.extend(timeout)

    def take(self, connected: socket.socket) -> None:
        self._socket = connected

    def extend(self, timeout: float) -> None:
        """Moves the deadline to ``timeout`` seconds from now."""
        self._timeout = timeout
        self._deadline = self._monotonic() + timeout

    def ready(self) -> socket.socket:
        """The socket, which waits at most until the deadline."""
        left = self._deadline - self._monotonic()
        if self._socket is None:
            raise ConnectionAbortedError("the request has ended")
        if left <= 0:
            raise self._too_late()
        self._socket.settimeout(left)
        return self._socket

    def sendall(self, data: Any) -> None:
        try:
            self.ready().sendall(data)
        except socket.timeout:
            raise self._too_late() from None

    def read_into(self, buffer: Any) -> int:
        try:
            return self.ready().recv_into(buffer)
        except socket.timeout:
            raise self._too_late() from None

    def abort(self) -> None:
        """Ends the waits of another thread."""
        connected = self._socket
        try:
            if connected is not None:
                connected.shutdown(socket.SHUT_RDWR)
        except OSError:
            # It has ended by itself.
            pass

    def close(self) -> None:
        connected, self._socket = self._socket, None
        self._forget(self)
        if connected is not None:
            connected.close()

    def _too_late(self) -> TimeoutError:
        return TimeoutError(f"no response within {self._timeout:g} s")


class _Handle:
    """What ``http.client`` takes for the socket."""

    def __init__(self, line: _Line) -> None:
        self._line = line

    def sendall(self, data: Any) -> None:
        self._line.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self._line))

    def close(self) -> None:
        """Does nothing: ``http.client`` closes the connection before the body is read."""


class _Reader(io.RawIOBase):
    def __init__(self, line: _Line) -> None:
        self._line = line

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._line.read_into(buffer)
