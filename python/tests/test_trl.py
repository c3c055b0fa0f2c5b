"""TRL's reward function and rollout function."""

from __future__ import annotations

import asyncio
import inspect
import sys
import types
from typing import Any

import pytest
from fakeserver import FakeServer, Fault
from faketokens import CRITIC_1, FIRST, LAST, PROMPT, WORSE, FakeTokenizer, Policy, Trajectory, check
from vitrine import InvalidInput, Loop, NotFound, Unreachable
from vitrine.trl import RefineRollout, reward


def rewards(func: Any, completions: list[Any], **columns: Any) -> Any:
    prompts = columns.pop("prompts", [PROMPT] * len(completions))
    return asyncio.run(func(prompts=prompts, completions=completions, completion_ids=[], trainer_state=None, **columns))


def said(text: str) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": text}]


def test_one_call_for_a_batch_and_none_for_the_unjudged(server: FakeServer) -> None:
    assert "trl" not in sys.modules
    func = reward()
    assert inspect.iscoroutinefunction(func)  # TRL runs such functions beside each other
    completions = [said("score 40"), said("unjudged"), said("nothing")]
    assert rewards(func, completions, task_id=["a", "b", "c"]) == [0.4, None, 0.0]
    [body] = server.bodies("/v1/score")
    assert [item["task_id"] for item in body["items"]] == ["a", "b", "c"]


def test_plain_completions_take_the_prompt_as_instruction(server: FakeServer) -> None:
    assert rewards(reward(recipe="quality"), ["score 50"], prompts=["a page"]) == [0.5]
    assert server.bodies("/v1/score")[0]["items"] == [{"id": "0", "output": "score 50", "instruction": "a page"}]


def test_the_last_assistant_message_counts(server: FakeServer) -> None:
    parts = {"role": "assistant", "content": [{"type": "text", "text": "score 20"}]}
    talk = [*said("score 90"), {"role": "user", "content": "score 80"}, parts]
    assert rewards(reward(), [talk, []]) == [0.2, 0.0]
    assert server.bodies("/v1/score")[0]["items"][0]["instruction"] == "a pricing page"


def test_trl_logs_what_was_unjudged(server: FakeServer) -> None:
    metrics: dict[str, float] = {}
    extras: dict[str, list[Any]] = {}
    rewards(
        reward(), [said("score 40"), said("unjudged")], log_metric=metrics.__setitem__, log_extra=extras.__setitem__
    )
    assert metrics == {"vitrine/unjudged": 0.5}
    assert extras["vitrine_outcome"] == ["rendered", "rendered"]


def test_an_outage_is_none_but_not_on_the_first_batch(server: FakeServer, pauses: list[float]) -> None:
    func = reward()
    assert rewards(func, [said("score 40")]) == [0.4]
    server.inject("/v1/score", Fault(status=503, retry_after="3600"))
    assert rewards(func, [said("score 40")]) == [None]
    fresh = reward(url="http://127.0.0.1:1", deadline=0.1)
    with pytest.raises(Unreachable):
        rewards(fresh, [said("score 40")])


def test_a_mistake_is_raised(server: FakeServer) -> None:
    with pytest.raises(InvalidInput):
        rewards(reward(recipe="missing"), [said("score 40")])


class Trainer:
    """As much of a GRPOTrainer as a rollout function sees. Each prompt has a policy of its own."""

    def __init__(self, room: int, *policies: Policy) -> None:
        self.processing_class = FakeTokenizer()
        self.args = types.SimpleNamespace(max_completion_length=room)
        self.policies = list(policies)
        self.batches: list[int] = []
        self.logprobs = True

    def _generate_single_turn(self, prompt_ids: Any, images: Any, fields: Any, num_generations: int) -> Any:
        assert (images, fields, num_generations) == (None, {}, 1)
        self.batches.append(len(prompt_ids))
        lines = [self._policy(context).next(context) for context in prompt_ids]
        return [ids for ids, _ in lines], [logprobs for _, logprobs in lines] if self.logprobs else None

    def _policy(self, context: list[int]) -> Policy:
        text = FakeTokenizer().decode(context)
        return self.policies[int(text.split("page ")[1][0])]


def prompts(count: int) -> list[Any]:
    return [[{"role": "user", "content": f"page {i}"}] for i in range(count)]


def rollout(trainer: Trainer, count: int, **options: Any) -> tuple[dict[str, Any], list[Trajectory]]:
    found = RefineRollout(**options)(prompts(count), trainer)
    logprobs = found["logprobs"] or [None] * count
    return found, [
        Trajectory(*row) for row in zip(found["completion_ids"], found["env_mask"], logprobs, strict=True)
    ]


def test_rollouts_are_masked_and_rewarded(server: FakeServer) -> None:
    trainer = Trainer(1000, Policy(FIRST, LAST), Policy("score 50"), Policy(FIRST, WORSE, LAST))
    found, (refined, single, resampled) = rollout(trainer, 3)
    check(refined, FIRST, CRITIC_1, LAST)
    check(single, "score 50")
    check(resampled, FIRST, CRITIC_1, LAST)
    assert found["vitrine_reward"] == [0.8, 0.5, 0.8]
    assert [[(text, step.accepted) for text, step in row] for row in found["vitrine_history"]] == [
        [(FIRST, True), (LAST, True)], [("score 50", True)], [(FIRST, True), (WORSE, False), (LAST, True)]
    ]  # fmt: skip
    assert all(ids[:1] == [1] for ids in found["prompt_ids"])
    assert trainer.batches == [3, 2, 1]  # one generation a turn, of those that still run


def test_an_unjudged_rollout_has_tokens_but_no_reward(server: FakeServer) -> None:
    trainer = Trainer(1000, Policy("unjudged"), Policy("score 50"))
    found, (lost, _) = rollout(trainer, 2)
    check(lost, "unjudged")
    assert found["vitrine_reward"] == [None, 0.5]
    assert server.deleted == ["s0"]
    assert rewards(reward(), ["x", "y"], vitrine_reward=found["vitrine_reward"]) == [None, 0.5]
    assert server.bodies("/v1/score") == []


def test_a_full_service_costs_a_reward_not_the_run(server: FakeServer) -> None:
    server.inject("/v1/sessions", Fault(status=429, retry_after="3600"))
    found, (row,) = rollout(Trainer(1000, Policy("score 50")), 1)
    check(row, "score 50")
    assert found["vitrine_reward"] == [None]


def test_all_renders_of_a_turn_run_at_once(server: FakeServer) -> None:
    waiting = server.gather_steps(8)
    trainer = Trainer(1000, *(Policy("score 50") for _ in range(8)))
    found, _ = rollout(trainer, 8)
    assert found["vitrine_reward"] == [0.5] * 8 and waiting.broken is False


def test_the_completion_length_is_kept(server: FakeServer) -> None:
    found, (row,) = rollout(Trainer(len(FIRST) + 5, Policy(FIRST)), 1)
    check(row, FIRST)
    assert found["vitrine_reward"] == [0.3]


def test_without_log_probabilities(server: FakeServer) -> None:
    trainer = Trainer(1000, Policy(FIRST, LAST))
    trainer.logprobs = False
    found, (row,) = rollout(trainer, 1, loop=Loop(max_rounds=4))
    check(row, FIRST, CRITIC_1, LAST)
    assert found["logprobs"] is None


def test_an_error_of_the_trainers_leaves_no_session_behind(server: FakeServer) -> None:
    with pytest.raises(IndexError):
        rollout(Trainer(1000, Policy()), 1)
    assert server.deleted == ["s0"]


def test_an_unknown_session_is_a_lost_reward_and_a_mistake_is_raised(server: FakeServer) -> None:
    server.inject("/step", Fault(status=404))
    assert rollout(Trainer(1000, Policy("score 50")), 1)[0]["vitrine_reward"] == [None]
    server.inject("/v1/sessions", Fault(status=404))
    with pytest.raises(NotFound):
        rollout(Trainer(1000, Policy("score 50")), 1)


def test_vllm_in_server_mode_with_many_processes_is_refused(server: FakeServer) -> None:
    trainer = Trainer(1000, Policy("score 50"))
    trainer.use_vllm, trainer.vllm_mode = True, "server"  # type: ignore[attr-defined]
    trainer.accelerator = types.SimpleNamespace(num_processes=2)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="colocate"):
        rollout(trainer, 1)
