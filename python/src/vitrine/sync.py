"""The client for code that has no event loop: threads, notebooks, trainers that call plain functions."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from types import TracebackType
from typing import Any, TypeVar

from .answers import Job, Loop, Result, State, Step
from .client import Client, Item, Session
from .outputs import Output
from .settings import Settings

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine on the background loop of this process and waits for it. Any thread may call it."""
    future = asyncio.run_coroutine_threadsafe(work, _loop(os.getpid()))
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


_loops: dict[int, asyncio.AbstractEventLoop] = {}


def _loop(pid: int) -> asyncio.AbstractEventLoop:
    """The background loop. One for all clients of a process, since hundreds of environments may each have a client, and
    also where threads ask for the first time together; by process id, since threads do not survive a fork."""
    if pid not in _loops:
        mine = asyncio.new_event_loop()
        if _loops.setdefault(pid, mine) is mine:
            threading.Thread(target=mine.run_forever, name=f"vitrine-{pid}", daemon=True).start()
        else:
            mine.close()
    return _loops[pid]


class SyncClient:
    """Client without `await`. Threads may share one."""

    def __init__(self, settings: Settings | str | None = None) -> None:
        """settings is a Settings, the service's URL, or None for what the environment says."""
        self._client = Client(settings)
        self.settings = self._client.settings

    def __enter__(self) -> SyncClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        run(self._client.close())

    def ready(self) -> None:
        """See Client.ready."""
        run(self._client.ready())

    def score(
        self, items: Sequence[Item], recipe: str | None = None, deadline: float | None = None, *, findings: bool = False
    ) -> list[Result]:
        """See Client.score."""
        return run(self._client.score(items, recipe, deadline, findings=findings))

    def session(
        self, *, task_id: str = "", instruction: str = "", recipe: str | None = None, loop: Loop | None = None
    ) -> SyncSession:
        """See Client.session."""
        return SyncSession(run(self._client.session(task_id=task_id, instruction=instruction, recipe=recipe, loop=loop)))

    def submit(self, items: Sequence[Item], recipe: str | None = None, *, findings: bool = False) -> Job:
        """See Client.submit."""
        return run(self._client.submit(items, recipe, findings=findings))

    def job(self, id: str) -> Job:
        """See Client.job."""
        return run(self._client.job(id))

    def cancel(self, id: str) -> None:
        """See Client.cancel."""
        run(self._client.cancel(id))

    def follow(self, id: str) -> Iterator[Result]:
        """See Client.follow."""
        results = self._client.follow(id)
        try:
            while (result := run(_next(results))) is not None:
                yield result
        finally:
            run(results.aclose())  # type: ignore[attr-defined]


class SyncSession:
    """Session without `await`."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.id = session.id
        self.observation = session.observation

    @property
    def done(self) -> bool:
        """Whether the session has ended."""
        return self._session.done

    def step(self, output: Output, tokens: int | None = None) -> Step:
        """See Session.step."""
        return run(self._session.step(output, tokens))

    def finish(self) -> State:
        """See Session.finish."""
        return run(self._session.finish())

    def state(self) -> State:
        """See Session.state."""
        return run(self._session.state())

    def delete(self) -> None:
        """See Session.delete."""
        run(self._session.delete())


async def _next(results: AsyncIterator[Result]) -> Result | None:
    return await anext(results, None)
