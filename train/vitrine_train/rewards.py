"""Rewards of the service for a batch of outputs, however long the service is away."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from vitrine import Client, Settings
from vitrine.sync import run

PATIENCE = 3600.0
"""Seconds that a batch is asked for again where the service was away or too busy to answer."""
PAUSE = 5.0
AT_ONCE = 32
"""Outputs that the service is asked for at once."""
PER_ITEM = 60.0
"""Seconds that a request has for each of its items, as if they were scored one by one."""
AWAY = ("unreachable", "busy", "deadline")
"""Causes that say nothing of an output: it is asked for again."""


class Scorer:
    """Scores the outputs of a step, each from when it is whole on."""

    def __init__(self, settings: Settings) -> None:
        self.settings = replace(settings, deadline=max(settings.deadline, PER_ITEM * AT_ONCE))  # an output waits for those before it
        self.pool = ThreadPoolExecutor(AT_ONCE)
        self.begun: dict[int, Future[list[Any]]] = {}

    def begin(self, i: int, output: str, instruction: str, kind: str = "page") -> None:
        """Begins to score output i of the step. What holds a page the service finds out itself."""
        self.begun[i] = self.pool.submit(score, self.settings, [{"output": output, "instruction": instruction, **marked(kind)}])

    def results(self, n: int) -> list[Any]:
        """The results of outputs 0 to n-1, when there are all of them. Raises what score does."""
        begun, self.begun = self.begun, {}
        return [begun[i].result()[0] for i in range(n)]


def marked(kind: str) -> dict[str, str]:
    """What a row of an output says of its kind: nothing of a page, so that an output of any form is looked for one."""
    return {} if kind == "page" else {"kind": kind}


def score(settings: Settings, items: Sequence[dict[str, Any]], patience: float = PATIENCE, pause: float | None = None) -> list[Any]:
    """One result for each item, in order. Those that the service judged are not asked for again. Raises
    ConnectionError if some have no answer after `patience` seconds: a training must not go on on nothing."""
    settings = replace(settings, deadline=max(settings.deadline, PER_ITEM * len(items)), connect=min(60.0, patience))
    return run(_score(settings, items, patience, PAUSE if pause is None else pause))


async def _score(settings: Settings, items: Sequence[dict[str, Any]], patience: float, pause: float) -> list[Any]:
    loop = asyncio.get_running_loop()
    until = loop.time() + patience
    results: dict[int, Any] = {}
    async with Client(settings) as client:
        while True:
            open_ = [i for i in range(len(items)) if i not in results or (results[i].error and results[i].error.code in AWAY)]
            if not open_:
                return [results[i] for i in range(len(items))]
            if results and loop.time() > until:
                raise ConnectionError(f"the service at {settings.url} has not answered for {patience:.0f} s: {results[open_[0]].error.message}")
            if results:
                await asyncio.sleep(pause)
            results.update(zip(open_, await client.score([items[i] for i in open_]), strict=True))
