"""Single calls gathered into batches, for trainers that ask for one sample at a time."""

from __future__ import annotations

import asyncio
from typing import Any

from .answers import Result
from .client import Client, Item
from .errors import InvalidInput, NotFound
from .settings import Settings

# Long enough to gather a step's samples, and nothing compared with a render.
WINDOW = 0.02
# A batch that is full goes at once.
FULL = 256


class Batcher:
    """Gathers the items of one event loop and scores them together. All methods run in that loop."""

    def __init__(self, settings: Settings, window: float = WINDOW) -> None:
        """window is in seconds, from the first item of a batch."""
        self._settings = settings
        self._window = window
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._sent: set[asyncio.Task[None]] = set()

    async def score(self, item: Item) -> Result:
        """The result of one item. A caller that is cancelled does not disturb the others."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._waiting.append((item, future))
        if len(self._waiting) >= FULL:
            self._send()
        elif self._timer is None:
            self._timer = loop.call_later(self._window, self._send)
        return await future

    def _send(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        batch, self._waiting = self._waiting, []
        task = asyncio.ensure_future(self._answer(batch))
        self._sent.add(task)  # a loop holds its tasks weakly
        task.add_done_callback(self._sent.discard)

    async def _answer(self, batch: list[tuple[Item, asyncio.Future[Result]]]) -> None:
        try:
            async with Client(self._settings) as client:
                results = await client.score([item for item, _ in batch])
        except (InvalidInput, NotFound) as error:
            await self._alone(batch, error)
        except BaseException as error:
            for _, future in batch:
                _fail(future, error)
        else:
            for (_, future), result in zip(batch, results, strict=True):
                if not future.done():
                    future.set_result(result)

    async def _alone(self, batch: list[tuple[Item, asyncio.Future[Result]]], error: Exception) -> None:
        """One bad item fails its request: asked one by one, it fails alone."""
        if len(batch) == 1:
            _fail(batch[0][1], error)
        else:
            await asyncio.gather(*(self._answer([one]) for one in batch))


def _fail(future: asyncio.Future[Any], error: BaseException) -> None:
    if future.done():
        return
    if isinstance(error, asyncio.CancelledError):
        future.cancel()
    else:
        future.set_exception(error)
