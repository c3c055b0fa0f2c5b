"""A service that speaks the HTTP contract without a browser, and fails on demand.

It judges by what the output says: "score 70" scores 70 of 100, "unjudged" cannot be judged, anything else is 0.
A session follows strict acceptance: a turn counts if it scores more than the best so far."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import threading
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

TRIGGER = "<get_feedback>"


@dataclass
class Fault:
    """What happens to one request instead of, or after, its answer."""

    status: int = 0
    """Answer with this status."""
    retry_after: str | None = None
    reset: str = ""
    """"before" or "after" the work is done: the connection breaks without an answer."""
    hang: bool = False
    """No answer until the server stops."""
    raw: bytes | None = None
    """Answer with these bytes."""


@dataclass
class Held:
    """A session."""

    id: str
    max_rounds: int
    max_resamples: int
    answers: dict[tuple[int, str], dict[str, Any]] = field(default_factory=dict)
    turn: int = 0
    round: int = 0
    resamples: int = 0
    best: float | None = None
    best_turn: int | None = None
    done: bool = False
    trajectory: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Gate:
    """Opens when `count` have come; gives up after ten seconds."""

    count: int
    broken: bool = False
    come: int = 0
    open: asyncio.Event = field(default_factory=asyncio.Event)

    async def enter(self) -> None:
        self.come += 1
        if self.come >= self.count:
            self.open.set()
        try:
            await asyncio.wait_for(self.open.wait(), 10)
        except asyncio.TimeoutError:
            self.broken = True


class FakeServer:
    """Runs in a thread of its own. `seen` has every request as (method, path, body); `work` counts what was judged."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.work = 0
        self.unjudged_once: set[str] = set()
        self.sessions: dict[str, Held] = {}
        self.jobs: dict[str, list[dict[str, Any]]] = {}
        self.job_break_after: list[int] = []
        self.deleted: list[str] = []
        self._gate: Gate | None = None
        self.most_items = 10_000
        self._faults: list[tuple[str, Fault]] = []
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def inject(self, path: str, *faults: Fault) -> None:
        """The next requests whose path ends so meet these faults, one each."""
        self._faults += [(path, fault) for fault in faults]

    def gather_steps(self, count: int) -> Gate:
        """From now on a step is answered only once so many are there; alone, it breaks the gate."""
        self._gate = Gate(count)
        return self._gate

    def bodies(self, path: str) -> list[Any]:
        """The bodies of the requests whose path ends so."""
        return [body for _, seen, body in self.seen if seen.endswith(path)]

    def __enter__(self) -> FakeServer:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)
        assert not self._thread.is_alive()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._main())
        self._loop.close()

    async def _main(self) -> None:
        self._stop = asyncio.Event()
        app = web.Application(middlewares=[self._faulty], client_max_size=2**28)
        app.router.add_get("/readyz", self._ok)
        app.router.add_get("/v1/recipes", self._recipes)
        app.router.add_get("/v1/tasks", self._tasks)
        app.router.add_post("/v1/score", self._score)
        app.router.add_post("/v1/jobs", self._job_new)
        app.router.add_get("/v1/jobs/{id}", self._job)
        app.router.add_delete("/v1/jobs/{id}", self._job_cancel)
        app.router.add_get("/v1/jobs/{id}/events", self._job_events)
        app.router.add_post("/v1/sessions", self._session_new)
        app.router.add_get("/v1/sessions/{id}", self._session)
        app.router.add_delete("/v1/sessions/{id}", self._session_delete)
        app.router.add_post("/v1/sessions/{id}/step", self._step)
        app.router.add_post("/v1/sessions/{id}/finish", self._finish)
        runner = web.AppRunner(app, shutdown_timeout=0.01)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._ready.set()
        await self._stop.wait()
        await runner.cleanup()

    @web.middleware
    async def _faulty(self, request: web.Request, handler: Any) -> web.StreamResponse:
        body = await request.json() if request.can_read_body else None
        self.seen.append((request.method, request.path, body))
        self.headers.append(dict(request.headers))
        fault = self._next_fault(request.path)
        if fault.hang:
            await self._stop.wait()
        if fault.raw is not None:
            return web.Response(body=fault.raw, content_type="application/json")
        if fault.status:
            headers = {"Retry-After": fault.retry_after} if fault.retry_after is not None else {}
            return problem(fault.status, "injected", "an injected fault", headers)
        if fault.reset == "before":
            return self._reset(request)
        answer = await handler(request)
        return self._reset(request) if fault.reset == "after" else answer

    def _next_fault(self, path: str) -> Fault:
        for i, (suffix, fault) in enumerate(self._faults):
            if path.endswith(suffix):
                del self._faults[i]
                return fault
        return Fault()

    def _reset(self, request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    async def _ok(self, _: web.Request) -> web.Response:
        return web.json_response({"status": "ready"})

    async def _recipes(self, _: web.Request) -> web.Response:
        return web.json_response({"recipes": [{"name": "quality", "hash": "3f9c", "parts": ["total"], "range": [0, 1]}]})

    async def _tasks(self, request: web.Request) -> web.Response:
        offset, limit = int(request.query["offset"]), int(request.query["limit"])
        tasks = [{"id": f"t{i}", "instruction": f"page {i}", "category": "x"} for i in range(5)]
        return web.json_response({"tasks": tasks[offset : offset + limit], "total": 5})

    async def _score(self, request: web.Request) -> web.Response:
        body = await request.json()
        if len(body["items"]) > self.most_items:
            return problem(413, "too_large", "too many items")
        if body.get("recipe") == "missing":
            return problem(400, "invalid_input", "no recipe missing", fix="choose quality")
        for i, item in enumerate(body["items"]):
            if not isinstance(item.get("output", ""), str):
                return problem(422, "invalid_input", f"items[{i}].output is not a string")
            if item.get("task_id") == "unknown":
                return problem(404, "unknown_task", f"items[{i}].task_id: no task unknown")
        results = [self._judge(str(item.get("id", i)), item) for i, item in enumerate(body["items"])]
        return web.json_response({"results": results, "recipe": "quality@3f9c", "server": "vitrine 0.0"})

    def _judge(self, id: str, item: dict[str, Any]) -> dict[str, Any]:
        self.work += 1
        if "session_id" in item:
            best = self.sessions[item["session_id"]].best
        else:
            best = self._mark(item.get("output") or "".join((item.get("files") or {}).values()))
        line = {"id": id, "task_id": item.get("task_id", ""), "model": item.get("model", ""), "recipe": "quality@3f9c"}
        line |= {"group_id": item.get("group_id", ""), "findings": [], "evidence": "/v1/evidence/ab/", "frames": []}
        line |= {"timing_ms": {"capture": 1.5}, "cost": {"usd": 0}, "cached": {"build": False}, "attempt": 1}
        if best is None:
            error = {"stage": "judge", "code": "judge_silent", "message": "no verdict", "fix": "ask again"}
            return line | {"status": "unjudged", "outcome": "rendered", "reward": None, "parts": {"total": None}, "error": error}
        return line | {
            "status": "scored",
            "outcome": "rendered" if best else "invalid_render",
            "reward": best / 100,
            "parts": {"total": best / 100, "look": best / 100},
            "error": None,
        }

    def _mark(self, output: str) -> float | None:
        if output in self.unjudged_once:
            self.unjudged_once.discard(output)
            return None
        if "unjudged" in output:
            return None
        found = re.search(r"score (\d+)", output)
        return float(found[1]) if found else 0.0

    async def _session_new(self, request: web.Request) -> web.Response:
        body = await request.json()
        loop = body.get("loop") or {}
        held = Held(f"s{len(self.sessions)}", loop.get("max_rounds", 3), loop.get("max_resamples", 10))
        self.sessions[held.id] = held
        text = body.get("instruction") or f"task {body['task_id']}"
        return web.json_response({"id": held.id, "turn": 0, "observation": {"text": text}, "done": False}, status=201)

    async def _step(self, request: web.Request) -> web.Response:
        held = self.sessions.get(request.match_info["id"])
        if held is None:
            return problem(404, "not_found", "no such session")
        if self._gate is not None:
            await self._gate.enter()
        body = await request.json()
        key = (body["turn"], hashlib.sha256(body["output"].encode()).hexdigest())
        if key in held.answers:
            return web.json_response(held.answers[key])
        if body["turn"] != held.turn + 1 or held.done:
            return problem(409, "conflict", f"turn {body['turn']} is taken")
        answer = self._turn(held, body["turn"], body["output"])
        if answer["status"] == "scored":
            held.turn, held.done, held.answers[key] = body["turn"], answer["done"], answer
        return web.json_response(answer)

    def _turn(self, held: Held, turn: int, output: str) -> dict[str, Any]:
        self.work += 1
        score = self._mark(output)
        answer: dict[str, Any] = {"id": held.id, "turn": turn, "round": held.round, "reward": None, "error": None}
        if score is None:
            error = {"stage": "judge", "code": "judge_silent", "message": "no verdict", "fix": ""}
            none = {"accepted": False, "score": None, "best_score": held.best, "best_turn": held.best_turn, "action": "resample"}
            return answer | none | {"status": "unjudged", "observation": {"text": "", "images": []}, "done": False, "error": error}
        accepted = held.best is None or score > held.best
        if accepted:
            held.best, held.best_turn, held.round = score, turn, held.round + 1
        else:
            held.resamples += 1
        action = self._action(held, accepted, output)
        text = f"Round {held.round}: make the {turn}. heading larger." if action == "revise" else ""
        text = "That was not better. Try again." if action == "resample" else text
        held.trajectory += [{"owner": "policy", "text": output, "turn": turn, "accepted": accepted, "score": score}]
        done = action == "done"
        return answer | {
            "round": held.round,
            "status": "scored",
            "outcome": "rendered",
            "accepted": accepted,
            "score": score,
            "best_score": held.best,
            "best_turn": held.best_turn,
            "action": action,
            "observation": {"text": text, "images": []},
            "reward": held.best / 100 if done and held.best is not None else None,
            "done": done,
        }

    def _action(self, held: Held, accepted: bool, output: str) -> str:
        if not accepted:
            return "resample" if held.resamples < held.max_resamples else "done"
        return "revise" if TRIGGER in output and held.round < held.max_rounds else "done"

    async def _finish(self, request: web.Request) -> web.Response:
        held = self.sessions[request.match_info["id"]]
        held.done = True
        return web.json_response(self._state(held))

    async def _session(self, request: web.Request) -> web.Response:
        held = self.sessions.get(request.match_info["id"])
        return web.json_response(self._state(held)) if held else problem(404, "not_found", "no such session")

    def _state(self, held: Held) -> dict[str, Any]:
        reward = held.best / 100 if held.done and held.best is not None else None
        state = {"id": held.id, "turn": held.turn, "done": held.done, "reward": reward, "best_score": held.best}
        return state | {"best_turn": held.best_turn, "observation": {"text": ""}, "trajectory": held.trajectory}

    async def _session_delete(self, request: web.Request) -> web.Response:
        id = request.match_info["id"]
        if self.sessions.pop(id, None) is None:
            return problem(404, "not_found", "no such session")
        self.deleted.append(id)
        return web.Response(status=204)

    async def _job_new(self, request: web.Request) -> web.Response:
        items = (await request.json())["items"]
        id = f"j{len(self.jobs)}"
        self.jobs[id] = [self._judge(str(item.get("id", i)), item) for i, item in enumerate(items)]
        return web.json_response({"id": id, "status": "queued", "total": len(items), "done": 0}, status=202)

    async def _job(self, request: web.Request) -> web.Response:
        results = self.jobs.get(request.match_info["id"])
        if results is None:
            return problem(404, "not_found", "no such job")
        job = {"id": request.match_info["id"], "status": "done", "total": len(results), "done": len(results)}
        return web.json_response({**job, "results": results})

    async def _job_cancel(self, request: web.Request) -> web.Response:
        self.deleted.append(request.match_info["id"])
        return web.Response(status=204)

    async def _job_events(self, request: web.Request) -> web.StreamResponse:
        results = self.jobs[request.match_info["id"]]
        answer = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await answer.prepare(request)
        first = int(request.headers.get("Last-Event-ID") or 0)
        end = self.job_break_after.pop(0) if self.job_break_after else len(results) + 1
        for i in range(first, min(end, len(results))):
            data = json.dumps(results[i], indent=1).replace("\n", "\ndata: ")
            await answer.write(f": ping\r\nid: {i + 1}\r\nevent: result\r\ndata: {data}\n\n".encode())
        if end > len(results):
            await answer.write(b'event: done\ndata: {"id":"j","total":1,"done":1}\n\n')
        return answer


def problem(status: int, code: str, detail: str, headers: dict[str, str] | None = None, fix: str = "") -> web.Response:
    body = {"type": "about:blank", "title": code, "status": status, "detail": detail, "code": code, "fix": fix}
    return web.json_response(body, status=status, headers=headers, content_type="application/problem+json")
