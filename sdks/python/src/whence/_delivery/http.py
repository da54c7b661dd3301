from __future__ import annotations

from whence._core import limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    import http.client
    import socket
    from typing import Any

    #: Family, kind, protocol, and what a socket connects to.
    Address = tuple[int, int, int, Any]

#: Marks connections of the client itself, whose requests aren't breadcrumbs.
OWN_MARK = "_whence_own"


class Answer:
    """What the service answered."""

    __slots__ = ("body", "retry_after", "status")

    def __init__(self, status: int, retry_after: float | None, body: bytes) -> None:
        self.status = status
        self.retry_after = retry_after
        self.body = body


class Connection:
    """One kept connection to the service. Ignores proxy variables, which are for other programs."""

    def __init__(self, endpoint: str, api_key: str) -> None:
        self._endpoint = endpoint
        scheme, _, rest = endpoint.partition("://")
        authority, slash, path = rest.partition("/")
        self._is_secure = scheme.lower() == "https"
        self._authority = authority.rpartition("@")[2]
        self._base = (slash + path).rstrip("/")
        self._api_key = api_key
        self._http: http.client.HTTPConnection | None = None
        #: Another handle of the socket: TLS takes the first one over.
        self._line: socket.socket | None = None
        self._is_aborted = False
        self.has_connected = False
        #: The address of the last connection, and whether another may be asked for.
        self._address: Address | None = None
        self._is_bound = False

    @property
    def is_numeric(self) -> bool:
        """Whether connecting needs no name server, whose silence has no timeout."""
        host = self._authority
        return (
            host.startswith(("[", "localhost"))
            or host.rpartition(":")[0].replace(".", "").isdigit()
        )

    def beside(self) -> Connection:
        """Return another connection to the same address, which asks no name server for it."""
        other = Connection(self._endpoint, self._api_key)
        other._address = self._address
        other._is_bound = True
        return other

    def post(self, path: str, body: bytes, timeout_s: float) -> Answer:
        """Post a JSON body, compressed when it is worth it. Raises OSError or HTTPException."""
        headers = {"content-type": "application/json", "x-api-key": self._api_key}
        if len(body) >= limits.GZIP_FROM_BYTES:
            import gzip

            body = gzip.compress(body, 5)
            headers["content-encoding"] = "gzip"
        connection = self._opened(timeout_s)
        try:
            connection.request("POST", self._base + path, body, headers)
            response = connection.getresponse()
            content = response.read(limits.ANSWER_BYTES_MAX)
        except BaseException:
            self.close()
            raise
        self.has_connected = True
        if response.will_close:
            self.close()
        return Answer(response.status, _seconds(response.getheader("retry-after")), content)

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        connection, self._http = self._http, None
        if connection is not None:
            connection.close()
        self._close_line()

    def abort(self) -> None:
        """End a request that another thread waits for, unless it waits for a name server.

        None begins before :meth:`resume`.
        """
        self._is_aborted = True
        line = self._line
        if line is not None:
            try:
                line.shutdown(2)
            except OSError:
                # It has ended already.
                return

    def resume(self) -> None:
        """Take requests again."""
        self._is_aborted = False

    def leave_to_parent(self) -> None:
        """Let go of a connection that a forked process has inherited, without ending it."""
        self._http = None
        self._close_line()

    def _opened(self, timeout_s: float) -> http.client.HTTPConnection:
        import http.client

        connection = self._http
        if connection is None:
            kind = http.client.HTTPSConnection if self._is_secure else http.client.HTTPConnection
            connection = kind(self._authority, timeout=timeout_s)
            setattr(connection, OWN_MARK, True)
            # Its own way to connect can't be ended by another thread.
            setattr(connection, "_create_connection", self._connected)  # noqa: B010
            self._http = connection
        connection.timeout = timeout_s
        if connection.sock is not None:
            connection.sock.settimeout(timeout_s)
        return connection

    def _close_line(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.close()

    def _connected(
        self, address: tuple[str, int], timeout_s: float | None, _source: object = None
    ) -> socket.socket:
        """Return a socket that is connected to one of a host's addresses."""
        import socket

        failed = OSError(f"{address[0]} has no address")
        for found in self._addresses(address):
            family, kind, protocol, at = found
            sock = socket.socket(family, kind, protocol)
            sock.settimeout(timeout_s)
            try:
                self._line = sock.dup()
                # After what an abort would end is known.
                if self._is_aborted:
                    raise ConnectionAbortedError
                sock.connect(at)
            except OSError as error:
                sock.close()
                self._close_line()
                failed = error
            else:
                self._address = found
                return sock
        raise failed

    def _addresses(self, address: tuple[str, int]) -> list[Address]:
        import socket

        if self._is_bound:
            return [] if self._address is None else [self._address]
        found = socket.getaddrinfo(*address, 0, socket.SOCK_STREAM)
        return [(family, kind, protocol, at) for family, kind, protocol, _, at in found]


def _seconds(value: str | None) -> float | None:
    """Return a ``Retry-After`` header in seconds (RFC 9110, section 10.2.3)."""
    if value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    import time
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(value).timestamp() - time.time()
    except (TypeError, ValueError):
        return None
