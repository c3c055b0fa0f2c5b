"""Server-sent events, taken up again where a connection broke."""

from __future__ import annotations

import asyncio
import json
from asyncio import sleep
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import aiohttp

from .errors import ProtocolError, Unreachable, of_status
from .transport import RETRY_STATUS, Transport, retry_after


@dataclass(frozen=True)
class Event:
    """One event: its name ("message" where it has none), its data, and the id to resume after it."""

    name: str
    data: str
    id: str

    def document(self) -> Any:
        """The data as JSON."""
        try:
            return json.loads(self.data)
        except ValueError as error:
            raise ProtocolError(f"the data of event {self.name} is not JSON: {self.data[:80]!r}") from error


class Parser:
    """Reads the lines of an event stream (HTML standard, section 9.2.6)."""

    def __init__(self, last_id: str = "") -> None:
        self.last_id = last_id
        self._name = ""
        self._data: list[str] = []

    def line(self, text: str) -> Event | None:
        """Takes one line without its end; gives an event when the line ends one."""
        if not text:
            return self._end()
        key, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if key == "event":
            self._name = value
        elif key == "data":
            self._data.append(value)
        elif key == "id" and "\0" not in value:
            self.last_id = value
        return None

    def _end(self) -> Event | None:
        name, data, self._name, self._data = self._name, self._data, "", []
        return Event(name or "message", "\n".join(data), self.last_id) if data else None


async def stream(transport: Transport, path: str) -> AsyncIterator[Event]:
    """Events of a path without end: the caller stops. Raises Unreachable after the settings' deadline without one."""
    last_id, patience = "", transport.deadline()
    while True:
        pause, why = 0.1, "the stream ended early"
        try:
            async for event in _connection(transport, path, last_id):
                last_id, patience = event.id, transport.deadline()
                transport.answers(patience)
                yield event
        except _Again as again:
            pause, why = again.pause, str(again)
        except (aiohttp.ClientError, asyncio.TimeoutError, OSError) as error:
            lost = transport.unreachable(error)
            why = str(lost)
            if transport.fails(lost, patience):
                raise lost from error
        if patience.left() <= pause:
            raise Unreachable(f"no event from {path}: {why}", code="unreachable")
        await sleep(pause)


class _Again(Exception):
    def __init__(self, status: int, pause: float) -> None:
        super().__init__(f"HTTP {status}")
        self.pause = pause


async def _connection(transport: Transport, path: str, last_id: str) -> AsyncIterator[Event]:
    headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last_id} if last_id else {})
    limit = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=transport.settings.deadline)
    async with transport.http.get(transport.url(path), headers=headers, timeout=limit, read_bufsize=2**22) as answer:
        if answer.status in RETRY_STATUS:
            asked = retry_after(answer.headers.get("Retry-After"))
            raise _Again(answer.status, 1.0 if asked is None else asked)
        if answer.status != 200:
            raise of_status(answer.status, await _problem(answer))
        parser, rest = Parser(last_id), b""
        async for block in answer.content.iter_any():
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                if event := parser.line(line.removesuffix(b"\r").decode()):
                    yield event


async def _problem(answer: aiohttp.ClientResponse) -> Any:
    try:
        return json.loads(await answer.read())
    except ValueError:
        return None
