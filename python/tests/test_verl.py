"""verl's reward function, and its agent loop on a stand-in for verl's base class."""

from __future__ import annotations

import asyncio
import inspect
import sys
import types
from typing import Any

import pytest
from fakeserver import FakeServer, Fault
from faketokens import CRITIC_1, FIRST, LAST, PROMPT, WORSE, FakeTokenizer, Policy, Trajectory, check
from vitrine import NotFound, Unjudged
from vitrine import verl as adapter


def scores(*calls: dict[str, Any], **options: Any) -> list[Any]:
    async def main() -> list[Any]:
        work = [adapter.compute_score("web", c["text"], c.get("truth", "t1"), c.get("info"), **options) for c in calls]
        return await asyncio.gather(*work, return_exceptions=True)

    return asyncio.run(main())


def test_imports_without_verl() -> None:
    assert "verl" not in sys.modules
    assert inspect.iscoroutinefunction(adapter.compute_score)  # that is how verl tells
    with pytest.raises(ImportError):
        adapter.VitrineRefineLoop  # noqa: B018
    assert not hasattr(adapter, "other")


def test_calls_of_one_moment_are_one_request(server: FakeServer) -> None:
    found = scores(*({"text": f"score {i}"} for i in range(60)))
    assert [result["score"] for result in found] == [i / 100 for i in range(60)]
    assert [len(body["items"]) for body in server.bodies("/v1/score")] == [60]


def test_keys_are_fixed_and_values_are_numbers(server: FakeServer) -> None:
    good, bad = scores({"text": "score 60"}, {"text": "nothing"})
    assert list(good) == list(bad) == ["score", "rendered", "part_look", "part_total"]
    assert all(type(value) is float for value in [*good.values(), *bad.values()])
    assert (good["rendered"], bad["rendered"], bad["score"]) == (1.0, 0.0, 0.0)


def test_what_is_unjudged_raises_and_its_neighbours_do_not(server: FakeServer) -> None:
    good, lost = scores({"text": "score 60"}, {"text": "unjudged"})
    assert good["score"] == 0.6
    assert isinstance(lost, Unjudged) and lost.code == "judge_silent"


def test_one_bad_item_fails_alone(server: FakeServer) -> None:
    good, bad, other = scores({"text": "score 60"}, {"text": "score 60", "truth": "unknown"}, {"text": "score 10"})
    assert (good["score"], other["score"]) == (0.6, 0.1)
    assert isinstance(bad, NotFound)


def test_the_session_is_asked_not_the_text(server: FakeServer) -> None:
    async def main() -> dict[str, float]:
        from vitrine import Client

        async with Client() as client:
            session = await client.session(task_id="t1")
            await session.step("score 90")
        return await adapter.compute_score("web", "score 10 ```html critic```", "t1", {"vitrine_session": session.id, "index": 4})

    assert asyncio.run(main())["score"] == 0.9
    assert server.bodies("/v1/score")[0]["items"] == [{"id": "0", "session_id": "s0", "group_id": "4"}]


def test_tasks_and_options(server: FakeServer) -> None:
    scores({"text": "a", "truth": None, "info": {"instruction": "a page", "index": 2}}, recipe="quality", name="run-7")
    [body] = server.bodies("/v1/score")
    assert body["items"] == [{"id": "0", "output": "a", "instruction": "a page", "group_id": "2"}]
    assert (body["recipe"], body["client"]) == ("quality", "run-7")


def test_a_service_that_is_away_raises_for_each(server: FakeServer) -> None:
    server.inject("/v1/score", Fault(status=503, retry_after="3600"))
    found = scores({"text": "a"}, {"text": "b"})
    assert [error.code for error in found] == ["busy", "busy"]


def test_a_whole_step_at_once_with_faults(server: FakeServer, pauses: list[float]) -> None:
    faults = [Fault(status=429, retry_after="1"), Fault(reset="before"), Fault(reset="after"), Fault(status=503)]
    server.inject("/v1/score", *faults * 4)
    texts = ["unjudged" if i % 20 == 0 else f"score {i % 100}" for i in range(2048)]
    found = scores(*({"text": text} for text in texts))
    for text, result in zip(texts, found, strict=True):
        if text == "unjudged":
            assert isinstance(result, Unjudged)
        else:
            assert result["score"] == float(text.removeprefix("score ")) / 100


class Merged:
    def __init__(self, ids: list[int]) -> None:
        self.token_ids = ids


class StandInBase:
    """As much of verl's AgentLoopBase as its documentation promises, on the fake tokenizer."""

    def __init__(self, policy: Policy, room: int) -> None:
        self.tokenizer = FakeTokenizer()
        self.rollout_config = types.SimpleNamespace(response_length=room)
        self.server_manager = self
        self._policy = policy

    async def generate(self, request_id: str, prompt_ids: list[int], sampling_params: dict[str, Any]) -> Any:
        ids, logprobs = self._policy.next(prompt_ids)
        extra = {"max_global_steps": len(self._policy.shown), "min_global_steps": len(self._policy.shown)}
        return types.SimpleNamespace(token_ids=ids, log_probs=logprobs, extra_fields=extra)

    async def ct_build_initial_tokens(self, messages: list[dict[str, str]]) -> list[int]:
        text = self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        return self.tokenizer.encode(text, add_special_tokens=False)

    async def ct_merge_assistant_token(self, ids: Any, new: Any, mask: Any, logprobs: Any, assistant_logprobs: Any) -> Any:
        return Merged(ids + new), mask + [1] * len(new), logprobs + assistant_logprobs

    async def ct_merge_context_msg(self, before: Any, after: Any, ids: Any, mask: Any, logprobs: Any) -> Any:
        assert after[: len(before)] == before
        old = self.tokenizer.apply_chat_template(before, tokenize=False, add_generation_prompt=False)
        whole = self.tokenizer.apply_chat_template(after, tokenize=False, add_generation_prompt=True)
        new = self.tokenizer.encode("\n" + whole[len(old) :], add_special_tokens=False)
        return Merged(ids + new), mask + [0] * len(new), logprobs + [0.0] * len(new)


class Output(types.SimpleNamespace):
    pass


@pytest.fixture
def loop_class(monkeypatch: pytest.MonkeyPatch) -> type:
    module = types.ModuleType("verl.experimental.agent_loop.agent_loop")
    module.__dict__.update(AgentLoopBase=StandInBase, AgentLoopOutput=Output, register=lambda name: lambda cls: cls)
    for name in ("verl", "verl.experimental", "verl.experimental.agent_loop"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    found: type = adapter.VitrineRefineLoop
    return found


def run_loop(loop_class: type, *lines: str, room: int = 1000, info: dict[str, str] | None = None, **options: Any) -> Any:
    agent = loop_class(Policy(*lines), room, **options)
    row = {"raw_prompt": PROMPT, "extra_info": info or {"task_id": "t1"}, "reward_model": {"ground_truth": ""}}
    return asyncio.run(agent.run({"temperature": 1.0}, **row))


def test_the_refine_loop_masks_the_critic(server: FakeServer, loop_class: type) -> None:
    output = run_loop(loop_class, FIRST, WORSE, LAST, loop={"max_rounds": 3})
    check(Trajectory(output.response_ids, output.response_mask, output.response_logprobs), FIRST, CRITIC_1, LAST)
    assert FakeTokenizer().decode(output.prompt_ids).endswith("a pricing page<|im_end|>\n<|im_start|>assistant\n")
    assert (output.reward_score, output.num_turns) == (0.8, 4)
    assert output.extra_fields["vitrine_session"] == "s0"
    assert output.extra_fields["reward_extra_info"] == {"score": 0.8, "turns": 3.0, "rejected": 1.0}
    assert (output.extra_fields["min_global_steps"], output.extra_fields["max_global_steps"]) == (1, 3)
    assert server.bodies("/v1/sessions") == [{"task_id": "t1", "loop": {"max_rounds": 3}}]


def test_the_refine_loop_stops_where_the_response_is_full(server: FakeServer, loop_class: type) -> None:
    output = run_loop(loop_class, FIRST, room=len(FIRST) + 5)
    check(Trajectory(output.response_ids, output.response_mask, output.response_logprobs), FIRST)
    assert output.reward_score == 0.3


def test_unanswered_words_are_cut_off(server: FakeServer, loop_class: type) -> None:
    output = run_loop(loop_class, FIRST, WORSE, loop={"max_resamples": 1})
    check(Trajectory(output.response_ids, output.response_mask, output.response_logprobs), FIRST)


def test_an_unjudged_session_raises(server: FakeServer, loop_class: type) -> None:
    with pytest.raises(Unjudged):
        run_loop(loop_class, "unjudged")
    assert server.deleted == ["s0"]
