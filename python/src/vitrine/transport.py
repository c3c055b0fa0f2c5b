"""One HTTP call, tried until it is answered or its deadline is over."""

from __future__ import annotations

import asyncio
import email.utils
import io
import json
import logging
import math
import random
import time
from asyncio import sleep
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

import aiohttp

from .errors import Busy, ProtocolError, Unreachable, VitrineError, of_status
from .settings import Settings

# The service answers at the deadline of the request; its answer needs time to travel.
GRACE = 5.0
# Sockets of one client; what is over waits, and that counts towards its deadline.
SOCKETS = 512
# First and longest pause between two tries, where the service names none.
PAUSE, PAUSE_MAX = 0.1, 5.0
RETRY_STATUS = frozenset({429, 502, 503, 504})

Body = Mapping[str, Any] | Callable[[float], Mapping[str, Any]]


log = logging.getLogger("vitrine")


class Deadline:
    """A moment by which a call must be over, and how long it may take to reach the service at all."""

    def __init__(self, seconds: float, connect: float = math.inf) -> None:
        self.end = time.monotonic() + seconds
        self._connect = connect
        self._refused: float | None = None

    def reached(self) -> None:
        """Notes that the service is there."""
        self._refused = None

    def refused(self) -> bool:
        """Notes that the service could not be reached, and says whether that has gone on for too long."""
        now = time.monotonic()
        if self._refused is None:
            self._refused = now
        return now - self._refused >= self._connect

    def left(self) -> float:
        """Seconds until then; 0 when it is over."""
        return max(0.0, self.end - time.monotonic())


class Transport:
    """HTTP to one service. It belongs to the event loop that first uses it, and must be closed there."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._http: aiohttp.ClientSession | None = None
        self._failing = False

    async def __aenter__(self) -> Transport:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        if self._http is not None:
            await self._http.close()
            self._http = None

    @property
    def http(self) -> aiohttp.ClientSession:
        """The connections, opened when first needed, since that needs a running loop."""
        if self._http is None:
            token = self.settings.token
            self._http = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=SOCKETS),
                headers={"Authorization": f"Bearer {token}"} if token else None,
            )
        return self._http

    def url(self, path: str) -> str:
        """The address of a path of the service."""
        return self.settings.url.rstrip("/") + path

    async def call(self, method: str, path: str, body: Body | None = None, *, deadline: Deadline, idempotent: bool = True) -> Any:
        """Calls and gives the answer's JSON, or None if it has no body.

        Tried again: a service that is full or draining (429, 503), after the pause that it asks for; a refused
        connection, for as long as the settings' connect; and, if idempotent, one that breaks after the request went
        out. The first failure is logged. A body that is a function is made again for each try, of the seconds left.
        Raises Busy or Unreachable if the deadline comes first, and the error of the status for anything else.
        """
        attempt = 0
        while True:
            try:
                answer = await self._once(method, path, body, deadline)
                self.answers(deadline)
                return answer
            except (Busy, Unreachable) as error:
                pause = _pause(error, attempt)
                if not (idempotent or _not_taken(error)) or pause >= deadline.left() or self.fails(error, deadline):
                    raise
            await sleep(pause)
            attempt += 1

    def deadline(self, seconds: float | None = None) -> Deadline:
        """A deadline of so many seconds, or the settings', with the settings' connect."""
        return Deadline(self.settings.deadline if seconds is None else seconds, self.settings.connect)

    def answers(self, deadline: Deadline) -> None:
        """Notes an answer, and logs it after failures."""
        deadline.reached()
        if self._failing:
            self._failing = False
            log.warning("%s answers again", self.settings.url)

    def fails(self, error: VitrineError, deadline: Deadline) -> bool:
        """Notes a failure, logs the first in a row, and says whether to give up."""
        unreached = isinstance(error.__cause__, aiohttp.ClientConnectorError)
        if not unreached:
            deadline.reached()
        given_up = unreached and deadline.refused()
        if not self._failing and not given_up:
            self._failing = True
            most = min(deadline.left(), self.settings.connect) if unreached else deadline.left()
            log.warning("%s; trying again for up to %.0f s", error, most)
        return given_up

    async def _once(self, method: str, path: str, body: Body | None, deadline: Deadline) -> Any:
        left = deadline.left()
        limit = aiohttp.ClientTimeout(total=left + GRACE, sock_connect=min(10.0, left + GRACE))
        said = body(left) if callable(body) else body
        data = None if said is None else aiohttp.BytesIOPayload(io.BytesIO(json.dumps(said).encode()), content_type="application/json")
        try:
            # not as bytes, of which aiohttp warns from 1 MB on: a policy that does not end fills them
            async with self.http.request(method, self.url(path), data=data, timeout=limit) as answer:
                return _read(answer, await answer.read())
        except (aiohttp.ClientError, asyncio.TimeoutError, OSError) as error:
            raise self.unreachable(error) from error

    def unreachable(self, error: BaseException) -> Unreachable:
        """The error of a connection that failed."""
        found = Unreachable(
            f"no answer from {self.settings.url}: {error or type(error).__name__}",
            code="unreachable",
            fix="see that `vitrine serve` runs there and can be reached from this machine",
        )
        found.__cause__ = error
        return found


def _read(answer: aiohttp.ClientResponse, raw: bytes) -> Any:
    try:
        document = json.loads(raw) if raw.strip() else None
    except ValueError:
        document = None
        if answer.status < 400:
            raise ProtocolError(f"the answer to {answer.url.path} is not JSON: {raw[:80]!r}", status=answer.status) from None
    if answer.status >= 400:
        error = of_status(answer.status, document)
        if answer.status in RETRY_STATUS:
            setattr(error, "retry_after", retry_after(answer.headers.get("Retry-After")))
        raise error
    return document


def retry_after(header: str | None) -> float | None:
    """Seconds of a Retry-After header, which is a number or an HTTP date; None if there is none that can be read."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _pause(error: VitrineError, attempt: int) -> float:
    asked: float | None = getattr(error, "retry_after", None)
    if asked is not None:
        return asked
    # Full jitter: a fleet of workers that lost one service must not come back as one.
    return random.uniform(PAUSE / 2, min(PAUSE_MAX, PAUSE * 2 ** min(attempt, 16)))


def _not_taken(error: VitrineError) -> bool:
    """Whether the service surely did not begin: it said so, or no connection was made."""
    return isinstance(error, Busy) or isinstance(error.__cause__, aiohttp.ClientConnectorError)
