import base64
import os
import socket
import ssl
import subprocess
import tempfile
import threading
import time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from unittest import mock

from svc_sdk import Client
from svc_sdk._http import Transport
from svc_sdk._timing import Turn, next_delay

from .service import NOW, Case, Server, answer_status, answer_with, datafile_of, flag_of

GOOD = datafile_of(5, {"checkout": flag_of(True)})


class Proxy(BaseHTTPRequestHandler):
    """Forwards what it is told to, whatever the host is called, to one service."""

    def do_GET(self):
        self.seen.append((self.command, self.path, self.headers["Proxy-Authorization"]))
        self.close_connection = True
        path = self.path.split("/", 3)[3]
        with socket.create_connection(self.service) as service:
            service.sendall(f"GET /{path} HTTP/1.0\r\nHost: x\r\n\r\n".encode())
            while piece := service.recv(65_536):
                self.wfile.write(piece)

    def do_CONNECT(self):
        self.seen.append((self.command, self.path, self.headers["Proxy-Authorization"]))
        self.send_response(200)
        self.end_headers()
        service = socket.create_connection(self.service)
        back = threading.Thread(target=self._pump, args=(service, self.connection))
        back.start()
        self._pump(self.connection, service)
        back.join()
        service.close()

    def _pump(self, one, other):
        try:
            while piece := one.recv(65_536):
                other.sendall(piece)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(502)
        self.end_headers()

    def log_message(self, *_arguments):
        pass


class Proxies(Case):
    def proxy(self, service):
        seen = []
        address = ("127.0.0.1", int(service.url.rpartition(":")[2]))
        server = Server(("127.0.0.1", 0), type("Handler", (Proxy,), {"seen": seen, "service": address}))
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return seen, f"127.0.0.1:{server.server_port}"

    def use(self, **variables):
        patch = mock.patch.dict(os.environ, variables)
        patch.start()
        self.addCleanup(patch.stop)

    def test_http_goes_through_the_proxy_of_the_environment(self):
        seen, address = self.proxy(self.service(answer_with(GOOD)))
        self.use(http_proxy=f"http://user:p%40ss@{address}")
        client = Client("sdk_1", "http://flags.example.com:8080/a", stream=False)
        self.addCleanup(client.close)
        self.assertTrue(client.wait_until_ready())
        login = f"Basic {base64.b64encode(b'user:p@ss').decode()}"
        self.assertEqual(seen[0], ("GET", "http://flags.example.com:8080/a/api/sdk/v1/datafile/sdk_1.json", login))

    def test_https_goes_through_a_tunnel(self):
        folder = (
            Path(self.enterContext(tempfile.TemporaryDirectory())) if hasattr(self, "enterContext") else self.folder()
        )
        service = self.service(answer_with(GOOD))
        context = encrypt(service, folder)
        seen, address = self.proxy(service)
        self.use(https_proxy=address)
        client = Client("sdk_1", "https://flags.example.com", stream=False, ssl_context=context)
        self.addCleanup(client.close)
        self.assertTrue(client.wait_until_ready())
        self.assertEqual(seen[0], ("CONNECT", "flags.example.com:443", None))

    def folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Path(folder.name)

    def test_no_proxy_is_heeded(self):
        service = self.service(answer_with(GOOD))
        seen, address = self.proxy(service)
        self.use(http_proxy=address, no_proxy="localhost,127.0.0.1")
        self.assertTrue(self.client(service).wait_until_ready())
        self.assertEqual(seen, [])

    def test_another_kind_of_proxy_is_refused(self):
        self.use(http_proxy="socks5://127.0.0.1:9")
        client = self.client(self.service(answer_with(GOOD)))
        client.refresh()
        self.assertEqual(client.told[0], "a proxy with socks5 is not supported")


class Tls(Case):
    def test_a_certificate_is_checked_and_an_authority_of_your_own_can_be_given(self):
        with tempfile.TemporaryDirectory() as folder:
            service = self.service(answer_with(GOOD))
            context = encrypt(service, Path(folder))
            url = service.url.replace("http://127.0.0.1", "https://localhost")
            trusting = Client("sdk_1", url, stream=False, ssl_context=context)
            self.addCleanup(trusting.close)
            self.assertTrue(trusting.wait_until_ready())
            errors = []
            doubting = Client("sdk_1", url, stream=False)
            self.addCleanup(doubting.close)
            doubting.on("error", errors.append)
            doubting.refresh()
            doubting.refresh()
            self.assertIsNone(doubting.revision)
            self.assertIsInstance(errors[0].__cause__, ssl.SSLCertVerificationError)


def encrypt(service, folder):
    """Serves with a certificate of its own. Returns a context that trusts it."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        + ["-subj", "/CN=flags", "-addext", "subjectAltName=DNS:localhost,DNS:flags.example.com"]
        + ["-keyout", str(key), "-out", str(certificate)],
        check=True,
        capture_output=True,
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, key)
    service._server.socket = server.wrap_socket(service._server.socket, server_side=True)
    return ssl.create_default_context(cafile=str(certificate))


class Requests(Case):
    def test_a_redirect_is_not_followed(self):
        other = self.service(answer_with(GOOD))
        service = self.service(answer_status(307, "", {"Location": f"{other.url}/api/sdk/v1/datafile/sdk_1.json"}))
        client = self.client(service)
        client.refresh()
        hint = f"HTTP 307, a redirect to {other.url}: give the address that it leads to as base_url"
        self.assertIn(hint, client.told[0])
        self.assertNotIn("sdk_1", client.told[0])
        self.assertEqual(other.requests, [])

    def test_retry_after_is_a_number_or_a_date(self):
        for header, expected in [
            ("120", 120),
            (formatdate(NOW + 60, usegmt=True), 60),
            (formatdate(NOW - 60, usegmt=True), 0),
            ("soon", 0),
            ("-5", 0),
            ("", 0),
            ("²", 0),
        ]:
            with self.subTest(header):
                service = self.service(answer_status(503, "", {"Retry-After": header.encode().decode("latin-1")}))
                transport = Transport(None, lambda: NOW, time.monotonic)
                with transport.request("GET", f"{service.url}/x", timeout=10, headers={}) as response:
                    self.assertEqual(response.refusal().retry_after, expected)

    def test_the_next_delay(self):
        for failures, interval, retry_after, chance, expected in [
            (0, 30, 0, 0.5, 30),
            (0, 30, 0, 0, 24),
            (0, 30, 0, 1, 36),
            (1, 30, 0, 0.5, 1),
            (2, 30, 0, 0.5, 2),
            (6, 30, 0, 0.5, 32),
            (7, 30, 0, 0.5, 60),
            (10_000, 30, 0, 0.5, 60),
            (10_000, 300, 0, 0.5, 300),
            (1, 30, 120, 0, 120),
            (1, 30, 120, 1, 144),
            (1, 30, 10**9, 0, 3_600),
            (0, 30, 5, 0.5, 30),
        ]:
            with self.subTest(failures=failures, interval=interval, retry_after=retry_after, chance=chance):
                self.assertAlmostEqual(
                    next_delay(failures, interval, Turn(failures > 0, retry_after), chance), expected
                )
