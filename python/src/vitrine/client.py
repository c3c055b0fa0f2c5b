"""The service's API, asynchronously. `vitrine.sync` has the same for code without an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import Any
from urllib.parse import quote

from . import events
from .answers import Fault, Job, Loop, Result, State, Step
from .errors import Busy, ProtocolError, Unjudged, Unreachable, VitrineError
from .outputs import Output, item_of, output_text
from .settings import Settings
from .transport import Deadline, Transport

Item = Output
"""What is to be scored: "output" (the model's text), "files" (path to text) or "session_id"; "instruction" or
"task_id"; and optionally "id", "model", "kind", "group_id", "meta". Other members go to "meta".
Or the output alone, in any form that vitrine.outputs knows: a text, chat messages, a list of one of these."""


class Client:
    """Talks to one service. Use it as `async with Client(…) as vitrine:`, in one event loop."""

    def __init__(self, settings: Settings | str | None = None) -> None:
        """settings is a Settings, the service's URL, or None for what the environment says."""
        if settings is None or isinstance(settings, str):
            settings = Settings.from_env(url=settings)
        self.settings = settings
        self._transport = Transport(settings)

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._transport.close()

    async def call(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, idempotent: bool = True) -> Any:
        """Any call of the API, with this client's deadline and retries. Gives the answer's JSON."""
        deadline = self._transport.deadline()
        return await self._transport.call(method, path, body, deadline=deadline, idempotent=idempotent)

    async def ready(self) -> None:
        """Returns when the service can judge. Raises Busy with its reason, or Unreachable, at the deadline."""
        await self.call("GET", "/readyz")

    async def score(
        self, items: Sequence[Item], recipe: str | None = None, deadline: float | None = None, *, findings: bool = False
    ) -> list[Result]:
        """Scores items: one result for each, in order. recipe and deadline (seconds) default to the settings'.

        What could not be judged in time, because the service was slow, full or away, is a result without reward
        and with error.code "deadline", "busy" or "unreachable": one lost request does not cost the others.
        A mistake of the caller's raises InvalidInput, Unauthorized or NotFound.
        """
        until = self._transport.deadline(deadline)
        named, base = self._request(items, recipe, findings)
        lanes = asyncio.Semaphore(self.settings.lanes)

        async def lane(chunk: list[dict[str, Any]]) -> list[Result]:
            async with lanes:
                return await self._score(chunk, base, until)

        size = self.settings.chunk
        tasks = [asyncio.ensure_future(lane(named[i : i + size])) for i in range(0, len(named), size)]
        try:
            return [result for chunk in await asyncio.gather(*tasks) for result in chunk]
        finally:
            for task in tasks:
                task.cancel()  # those that run on when another raised

    def _request(
        self, items: Sequence[Item], recipe: str | None, findings: bool
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """The items, each with an id, and the members that go with every request."""
        base = {"recipe": recipe or self.settings.recipe, "client": self.settings.name, "findings": findings}
        if isinstance(items, (str, Mapping)):  # one alone; a text would be taken apart into its letters
            items = [items]
        return [item_of(i, item) for i, item in enumerate(items)], {key: value for key, value in base.items() if value}

    async def _score(self, items: list[dict[str, Any]], base: dict[str, Any], until: Deadline) -> list[Result]:
        def body(left: float) -> dict[str, Any]:
            return {**base, "deadline_ms": max(1, int(left * 1000)), "items": items}

        try:
            answer = await self._transport.call("POST", "/v1/score", body, deadline=until)
        except (Busy, Unreachable) as error:
            fault = Fault("client", _cause(error, until), str(error), error.fix)
            return [Result.unjudged(item["id"], fault) for item in items]
        results = [Result.parse(line) for line in _list(answer, "results")]
        if [result.id for result in results] != [item["id"] for item in items]:
            raise ProtocolError(f"{len(items)} items were asked about, and the {len(results)} results are not theirs")
        return results

    async def recipes(self) -> Any:
        """The recipes that the service knows: name, hash, parts, range."""
        return await self.call("GET", "/v1/recipes")

    async def tasks(self, split: str = "", limit: int = 100, offset: int = 0) -> tuple[list[Mapping[str, Any]], int]:
        """Tasks of a split from offset on (id, instruction, category), and how many there are in all."""
        answer = await self.call("GET", f"/v1/tasks?split={quote(split, safe='')}&limit={limit}&offset={offset}")
        return _list(answer, "tasks"), int(answer.get("total") or 0)

    async def task(self, id: str) -> Any:
        """One task."""
        return await self.call("GET", f"/v1/tasks/{quote(id, safe='')}")

    async def session(
        self, *, task_id: str = "", instruction: str = "", recipe: str | None = None, loop: Loop | None = None
    ) -> Session:
        """Opens a refine session for a task of the service, or for an instruction."""
        body = {"task_id": task_id, "instruction": instruction, "recipe": recipe or self.settings.recipe, "client": self.settings.name}
        body = {key: value for key, value in body.items() if value}
        if loop is not None:
            body["loop"] = loop.body()  # type: ignore[assignment]
        answer = State.parse(await self.call("POST", "/v1/sessions", body, idempotent=False))
        return Session(self, answer)

    async def submit(self, items: Sequence[Item], recipe: str | None = None, *, findings: bool = False) -> Job:
        """Queues items as a job and returns at once; `follow` gives the results as they come."""
        named, base = self._request(items, recipe, findings)
        body = {**base, "items": named}
        return Job.parse(await self.call("POST", "/v1/jobs", body, idempotent=False))

    async def job(self, id: str) -> Job:
        """The job and its results so far."""
        return Job.parse(await self.call("GET", f"/v1/jobs/{quote(id, safe='')}"))

    async def cancel(self, id: str) -> None:
        """Cancels a job."""
        await self.call("DELETE", f"/v1/jobs/{quote(id, safe='')}")

    async def follow(self, id: str) -> AsyncIterator[Result]:
        """The results of a job, each once, as they are finished; a connection that breaks is taken up again.
        Raises Unreachable after the settings' deadline without one event."""
        async for event in events.stream(self._transport, f"/v1/jobs/{quote(id, safe='')}/events"):
            if event.name == "done":
                return
            if event.name == "result":
                yield Result.parse(event.document())


class Session:
    """One refine session, stepped turn by turn. It counts the turns."""

    def __init__(self, client: Client, state: State) -> None:
        self._client = client
        self.id = state.id
        self.observation = state.observation
        """What the service says first, usually the instruction."""
        self.turn = state.turn
        """Turns consumed so far."""
        self.done = state.done

    @property
    def _path(self) -> str:
        return f"/v1/sessions/{quote(self.id, safe='')}"

    async def step(self, output: Output, tokens: int | None = None) -> Step:
        """Gives the policy's next output, with its length in tokens if known.

        A turn that could not be judged is asked for again, up to the settings' tries; then Unjudged is raised,
        and the same turn may still be stepped.
        """
        body = {"turn": self.turn + 1, "output": output_text(output)} | ({} if tokens is None else {"tokens": tokens})
        step = Step.parse(await self._client.call("POST", self._path + "/step", body))
        for _ in range(self._client.settings.tries - 1):
            if step.status != "unjudged":
                break
            step = Step.parse(await self._client.call("POST", self._path + "/step", body))
        if step.status == "unjudged":
            raise Unjudged(f"turn {body['turn']} of session {self.id} could not be judged", step.error)
        self.turn, self.done = self.turn + 1, step.done
        return step

    async def finish(self) -> State:
        """Ends the session with its best turn so far."""
        state = State.parse(await self._client.call("POST", self._path + "/finish"))
        self.done = True
        return state

    async def state(self) -> State:
        """The session as the service has it, with its trajectory."""
        return State.parse(await self._client.call("GET", self._path))

    async def delete(self) -> None:
        """Forgets the session; one that is gone already is no error."""
        try:
            await self._client.call("DELETE", self._path)
        except VitrineError as error:
            if error.status != 404:
                raise


def _cause(error: Busy | Unreachable, until: Deadline) -> str:
    if until.left() == 0:
        return "deadline"
    return "busy" if isinstance(error, Busy) else "unreachable"


def _list(answer: Any, key: str) -> list[Any]:
    if not isinstance(answer, Mapping) or not isinstance(answer.get(key), list):
        raise ProtocolError(f"the answer has no list {key!r}")
    found: list[Any] = answer[key]
    return found
