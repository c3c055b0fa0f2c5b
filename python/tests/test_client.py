"""The client against a service that fails on demand."""

from __future__ import annotations

import asyncio
import re
import socket
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from fakeserver import FakeServer, Fault
from vitrine import (
    Busy,
    Client,
    Conflict,
    InvalidInput,
    Loop,
    NotFound,
    ProtocolError,
    Result,
    Settings,
    SyncClient,
    Unauthorized,
    Unjudged,
    Unreachable,
    sync,
)
from vitrine.transport import retry_after

T = TypeVar("T")
PAGE = {"output": "score 70", "instruction": "a page"}


def ask(settings: Settings, work: Callable[[Client], Awaitable[T]]) -> T:
    async def main() -> T:
        async with Client(settings) as client:
            return await work(client)

    return asyncio.run(main())


def score(settings: Settings, *items: dict[str, Any], **options: Any) -> list[Result]:
    return ask(settings, lambda client: client.score(items, **options))


def test_scores_in_order_with_parts(server: FakeServer, settings: Settings) -> None:
    low, high = score(settings, {"output": "score 20"}, {"id": "x", "output": "score 90", "model": "m"}, recipe="quality")
    assert (low.id, low.reward, low.outcome) == ("0", 0.2, "rendered")
    assert (high.id, high.reward, high.parts) == ("x", 0.9, {"total": 0.9, "look": 0.9})
    assert high.timing_ms == {"capture": 1.5} and high.model == "m"
    assert server.bodies("/v1/score")[0]["recipe"] == "quality"


def test_a_bad_page_is_zero_and_an_unjudged_one_is_none(settings: Settings) -> None:
    bad, lost = score(settings, {"output": "nothing"}, {"output": "unjudged"})
    assert bad.reward == 0.0 and bad.judged
    assert lost.reward is None and not lost.judged
    assert lost.error is not None and lost.error.code == "judge_silent"
    assert lost.parts and set(lost.parts.values()) == {None}  # a part that was not judged is no number, either
    with pytest.raises(Unjudged, match="no verdict"):
        lost.require()


def test_nothing_to_score(server: FakeServer, settings: Settings) -> None:
    assert score(settings) == []
    assert server.seen == []


def test_a_long_list_is_split_and_keeps_its_order(server: FakeServer, settings: Settings) -> None:
    results = score(replace(settings, chunk=7), *({"output": f"score {i}"} for i in range(50)))
    assert [result.reward for result in results] == [i / 100 for i in range(50)]
    assert [result.id for result in results] == [str(i) for i in range(50)]
    assert sorted(len(body["items"]) for body in server.bodies("/v1/score")) == [1] + [7] * 7


@pytest.mark.parametrize(("status", "asked"), [(429, "7"), (503, "0"), (503, "3.5")])
def test_waits_as_long_as_it_is_asked_to(
    server: FakeServer, settings: Settings, pauses: list[float], status: int, asked: str
) -> None:
    server.inject("/v1/score", Fault(status=status, retry_after=asked), Fault(status=status, retry_after=asked))
    assert score(settings, PAGE)[0].reward == 0.7
    assert pauses == [float(asked)] * 2


def test_a_pause_beyond_the_deadline_is_not_taken(server: FakeServer, settings: Settings, pauses: list[float]) -> None:
    server.inject("/v1/score", Fault(status=429, retry_after="3600"))
    [result] = score(settings, PAGE)
    assert (result.reward, result.error and result.error.code) == (None, "busy")
    assert pauses == [] and len(server.seen) == 1


def test_backs_off_without_retry_after(server: FakeServer, settings: Settings, pauses: list[float]) -> None:
    server.inject("/v1/score", *[Fault(status=503)] * 6)
    assert score(settings, PAGE)[0].reward == 0.7
    assert len(pauses) == 6 and all(0 < pause <= 5 for pause in pauses)


@pytest.mark.parametrize("reset", ["before", "after"])
def test_a_broken_connection_is_tried_again(server: FakeServer, settings: Settings, pauses: list[float], reset: str) -> None:
    server.inject("/v1/score", Fault(reset=reset), Fault(reset=reset))
    assert score(settings, PAGE)[0].reward == 0.7
    assert len(pauses) == 2
    assert [body["items"] for body in server.bodies("/v1/score")] == [[{"id": "0", **PAGE}]] * 3


def test_the_deadline_shrinks_with_each_try(server: FakeServer, settings: Settings, pauses: list[float]) -> None:
    server.inject("/v1/score", Fault(status=503), Fault(status=503))
    score(settings, PAGE, deadline=9.0)
    told = [body["deadline_ms"] for body in server.bodies("/v1/score")]
    assert told == sorted(told, reverse=True) and 0 < told[-1] <= told[0] <= 9000


def test_a_service_that_hangs_is_a_typed_none(
    server: FakeServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vitrine.transport.GRACE", 0.0)
    server.inject("/v1/score", Fault(hang=True))
    [result] = score(settings, PAGE, deadline=0.05)
    assert (result.reward, result.error and result.error.code) == (None, "deadline")


def test_one_lost_request_does_not_cost_the_others(server: FakeServer, settings: Settings) -> None:
    server.inject("/v1/score", Fault(status=429, retry_after="3600"))
    results = score(replace(settings, chunk=1, lanes=1), PAGE, PAGE, PAGE)
    assert [result.reward for result in results] == [None, 0.7, 0.7]


def test_parts_of_the_unjudged_are_none_whatever_the_service_says(server: FakeServer, settings: Settings) -> None:
    server.inject("/v1/score", Fault(raw=answer(status="unjudged", reward=None, parts={"look": 0.0, "code": 0})))
    [result] = score(settings, PAGE)
    assert (result.reward, result.parts) == (None, {"look": None, "code": None})


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def test_a_wrong_port_is_said_at_once_and_waited_for_shortly(pauses: list[float], caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings(url=f"http://127.0.0.1:{free_port()}", deadline=3600, connect=0.1, chunk=1, lanes=2)
    assert Settings().connect == 30.0
    results = score(settings, *[PAGE] * 4)
    assert [result.error and result.error.code for result in results] == ["unreachable"] * 4  # long before the deadline
    [said] = caplog.records  # one line for all that failed
    assert said.name == "vitrine" and said.levelname == "WARNING"
    assert settings.url in said.getMessage() and "vitrine serve" in said.getMessage()
    with pytest.raises(Unreachable, match="vitrine serve"):
        ask(settings, lambda client: client.ready())


def test_the_first_failure_is_said_before_the_first_pause(
    server: FakeServer, settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    said: list[int] = []

    async def note(_: float) -> None:
        said.append(len(caplog.records))

    monkeypatch.setattr("vitrine.transport.sleep", note)
    server.inject("/v1/score", Fault(status=503), Fault(status=503))
    score(settings, PAGE)
    assert said == [1, 1]
    assert [record.getMessage().endswith("answers again") for record in caplog.records] == [False, True]


def test_a_job_that_cannot_be_followed_ends_shortly(pauses: list[float], caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings(url=f"http://127.0.0.1:{free_port()}", deadline=3600, connect=0.1)
    with pytest.raises(Unreachable, match="vitrine serve"):
        with SyncClient(settings) as client:
            list(client.follow("job"))
    assert len(caplog.records) == 1


def test_the_version_has_one_source() -> None:
    import vitrine

    project = (Path(__file__).parent.parent / "pyproject.toml").read_text()
    assert 'dynamic = ["version"]' in project and "vitrine.__version__" in project
    assert re.fullmatch(r"\d+\.\d+\.\d+", vitrine.__version__)


def test_nobody_there(pauses: list[float]) -> None:
    settings = Settings(url=f"http://127.0.0.1:{free_port()}", deadline=0.2)
    [result] = score(settings, PAGE)
    assert result.reward is None and result.error and result.error.code in ("unreachable", "deadline")
    with pytest.raises(Unreachable, match="vitrine serve"):
        ask(settings, lambda client: client.ready())


@pytest.mark.parametrize(
    ("status", "kind"), [(400, InvalidInput), (401, Unauthorized), (404, NotFound), (409, Conflict), (413, InvalidInput), (500, ProtocolError)]
)
def test_other_errors_are_raised_at_once(server: FakeServer, settings: Settings, status: int, kind: type[Exception]) -> None:
    server.inject("/v1/score", Fault(status=status))
    with pytest.raises(kind, match="an injected fault") as caught:
        score(settings, PAGE)
    assert caught.value.code == "injected"  # type: ignore[attr-defined]
    assert len(server.seen) == 1


def test_the_services_fix_is_shown(settings: Settings) -> None:
    with pytest.raises(InvalidInput, match="no recipe missing .choose quality"):
        score(settings, PAGE, recipe="missing")


def answer(**members: Any) -> bytes:
    import json

    line = {"id": "0", "status": "scored", "reward": 0.5, "parts": {}, "error": None, **members}
    return json.dumps({"results": [line]}).encode()


@pytest.mark.parametrize(
    "raw",
    [
        answer(reward=None),
        answer(status="unjudged"),
        answer(status="done"),
        answer(reward="0.5"),
        answer(reward=True),
        answer(reward=float("nan")),
        answer(parts={"total": "x"}),
        answer(id="7"),
        answer(error="broken"),
        b'{"results":[]}',
        b'{"results":[3]}',
        b'{"results":{}}',
        b"[]",
        b"<html>",
        b"",
    ],
)
def test_an_answer_that_breaks_the_contract_is_no_number(server: FakeServer, settings: Settings, raw: bytes) -> None:
    server.inject("/v1/score", Fault(raw=raw))
    with pytest.raises(ProtocolError):
        score(settings, PAGE)


def test_retry_after_forms() -> None:
    assert retry_after("12") == 12.0
    assert retry_after("-3") == 0.0
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
    assert (retry_after("Wed, 21 Oct 2099 07:28:00 GMT") or 0) > 1e6
    assert retry_after("soon") is None and retry_after(None) is None


def test_the_token_goes_with_every_request_and_into_no_repr(server: FakeServer, settings: Settings) -> None:
    settings = replace(settings, token="secret-token")
    score(settings, PAGE)
    assert server.headers[0]["Authorization"] == "Bearer secret-token"
    assert "secret-token" not in repr(settings)


def test_settings_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VITRINE_URL", "http://somewhere:7400/under")
    monkeypatch.setenv("VITRINE_DEADLINE", "30")
    settings = Settings.from_env(recipe="relook", url=None)
    assert (settings.url, settings.deadline, settings.recipe) == ("http://somewhere:7400/under", 30.0, "relook")
    for wrong in ({"url": "vitrine:7400"}, {"deadline": 0}):
        with pytest.raises(ValueError):
            Settings.from_env(**wrong)
    with pytest.raises(TypeError, match="receipt"):
        Settings.from_env(receipt="relook")


def test_tasks_are_paged(settings: Settings) -> None:
    tasks, total = ask(settings, lambda client: client.tasks(limit=2, offset=3))
    assert [task["id"] for task in tasks] == ["t3", "t4"] and total == 5


def test_a_session_to_its_end(server: FakeServer, settings: Settings) -> None:
    async def work(client: Client) -> None:
        session = await client.session(instruction="a page", loop=Loop(max_rounds=2))
        assert session.observation == "a page"
        first = await session.step("score 30 <get_feedback>", tokens=5)
        assert (first.accepted, first.action, first.done, first.reward) == (True, "revise", False, None)
        assert "heading" in first.feedback
        worse = await session.step("score 10")
        assert (worse.accepted, worse.action, worse.best_score) == (False, "resample", 30.0)
        last = await session.step("score 60")
        assert (last.done, last.reward, last.best_turn) == (True, 0.6, 3)
        assert [segment["turn"] for segment in (await session.state()).trajectory] == [1, 2, 3]

    ask(settings, work)
    assert server.bodies("/v1/sessions") == [{"instruction": "a page", "loop": {"max_rounds": 2}}]
    assert [body["turn"] for body in server.bodies("/step")] == [1, 2, 3]


def test_a_step_whose_answer_was_lost_is_judged_once(server: FakeServer, settings: Settings, pauses: list[float]) -> None:
    async def work(client: Client) -> float | None:
        session = await client.session(task_id="t1")
        server.inject("/step", Fault(reset="after"), Fault(reset="after"))
        return (await session.step("score 40")).reward

    assert ask(settings, work) == 0.4
    assert server.work == 1


def test_an_unjudged_turn_is_asked_for_again_and_not_consumed(server: FakeServer, settings: Settings) -> None:
    server.unjudged_once.add("score 40")

    async def work(client: Client) -> None:
        session = await client.session(task_id="t1", loop=Loop(max_rounds=5))
        assert (await session.step("score 40")).score == 40
        with pytest.raises(Unjudged, match="turn 1"):
            await (other := await client.session(task_id="t1")).step("unjudged")
        assert (await other.step("score 50")).turn == 1

    ask(settings, work)
    assert [body["turn"] for body in server.bodies("/step")] == [1] * 6


def test_another_output_for_a_taken_turn_is_a_conflict(settings: Settings) -> None:
    async def work(client: Client) -> None:
        session = await client.session(task_id="t1", loop=Loop(max_rounds=5))
        await session.step("score 40 <get_feedback>")
        session.turn = 0
        with pytest.raises(Conflict):
            await session.step("score 50")

    ask(settings, work)


def test_opening_a_session_is_not_repeated_when_its_answer_is_lost(server: FakeServer, settings: Settings) -> None:
    server.inject("/v1/sessions", Fault(reset="after"))
    with pytest.raises(Unreachable):
        ask(settings, lambda client: client.session(task_id="t1"))
    assert len(server.bodies("/v1/sessions")) == 1


def test_a_full_service_may_be_asked_for_a_session_again(server: FakeServer, settings: Settings, pauses: list[float]) -> None:
    server.inject("/v1/sessions", Fault(status=429, retry_after="2"))
    assert ask(settings, lambda client: client.session(task_id="t1")).id == "s0"
    assert pauses == [2.0]
    server.inject("/v1/sessions", Fault(status=429, retry_after="3600"))
    with pytest.raises(Busy):
        ask(settings, lambda client: client.session(task_id="t1"))


def test_a_job_is_followed_over_broken_connections(server: FakeServer, settings: Settings, pauses: list[float]) -> None:
    server.job_break_after = [2, 4]

    async def work(client: Client) -> list[float | None]:
        job = await client.submit([{"output": f"score {i}"} for i in range(6)])
        assert (job.status, job.total) == ("queued", 6)
        found = [result.reward async for result in client.follow(job.id)]
        assert (await client.job(job.id)).results[3].reward == 0.03
        await client.cancel(job.id)
        return found

    assert ask(settings, work) == [i / 100 for i in range(6)]
    resumed = [headers.get("Last-Event-ID") for headers in server.headers if "event-stream" in headers.get("Accept", "")]
    assert resumed == [None, "2", "4"]


def test_following_an_unknown_job(settings: Settings) -> None:
    async def work(client: Client) -> None:
        async for _ in client.follow("nothing"):
            raise AssertionError

    server_error = pytest.raises((NotFound, ProtocolError))
    with server_error:
        ask(settings, work)


def test_without_an_event_loop(server: FakeServer, settings: Settings) -> None:
    with SyncClient(settings) as client:
        client.ready()
        assert client.score([PAGE])[0].reward == 0.7
        session = client.session(task_id="t1")
        assert session.step("score 30").reward == 0.3 and session.done
        job = client.submit([PAGE, PAGE])
        assert [result.reward for result in client.follow(job.id)] == [0.7, 0.7]
        session.delete()
        session.delete()  # one that is gone is no error
    assert server.deleted == [session.id]


def test_threads_that_begin_together_share_one_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vitrine.sync._loops", {})
    begin = threading.Barrier(32)

    async def where() -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def work(_: int) -> asyncio.AbstractEventLoop:
        begin.wait()
        return sync.run(where())

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(32) as threads:
            assert len(set(threads.map(work, range(32)))) == 1
    finally:
        sys.setswitchinterval(interval)
