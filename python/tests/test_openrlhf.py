"""OpenRLHF's agent, on a stand-in for its executor and on the real one."""

from __future__ import annotations

import asyncio
import importlib
import logging
import sys
import types
from typing import Any

import pytest
import wheels
from fakeserver import FakeServer, Fault
from faketokens import CRITIC_1, FIRST, LAST, WORSE, FakeTokenizer, Policy, Trajectory, check, user_turn

PROMPT = "<|im_start|>user\na pricing page<|im_end|>\n<|im_start|>assistant\n"


class ExecutorBase:
    pass


class InstanceBase:
    pass


class StandIn(ExecutorBase):
    """Concatenates tokens and notes the policy's ranges, as OpenRLHF documents."""

    def __init__(self, instance_class: type) -> None:
        assert issubclass(instance_class, InstanceBase)
        self.instance_class = instance_class

    async def execute(
        self, prompt: str, label: str, params: Any, max_length: int, tokenizer: Any, engine: Any, images: Any = None
    ) -> dict[str, Any]:
        instance = self.instance_class()
        text = (await instance.reset({"observation": prompt, "label": label}))["observation"]
        tokens, ranges, total, done = tokenizer.encode(text, add_special_tokens=False), [], 0.0, False
        while not done and len(tokens) < max_length:
            params.max_tokens = max_length - len(tokens)
            said = (await engine.generate(tokens, params, multi_modal_data=None)).outputs[0]
            ranges.append((len(tokens), len(tokens) + len(said.token_ids)))
            step = await instance.step({"observation_text": text, "action_text": said.text, "label": label})
            total, done = total + step["rewards"].item(), step["done"]
            heard = tokenizer.encode(step["environment_feedback"], add_special_tokens=False)
            tokens = tokens + said.token_ids + heard
        return {"prompt": prompt, "reward": total, "scores": total, "observation_tokens": tokens, "action_ranges": ranges}


def stand_in() -> types.ModuleType:
    module = types.ModuleType("openrlhf.utils.agent")
    module.__dict__.update(AgentExecutorBase=ExecutorBase, AgentInstanceBase=InstanceBase, MultiTurnAgentExecutor=StandIn)
    return module


def real() -> types.ModuleType:
    text = wheels.source("openrlhf", "openrlhf/utils/agent.py")
    module = types.ModuleType("openrlhf.utils.agent")
    exec(compile(text, "openrlhf/utils/agent.py", "exec"), module.__dict__)
    return module


@pytest.fixture(params=["stand-in", "real"])
def executor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    assert "openrlhf" not in sys.modules
    logs = types.ModuleType("openrlhf.utils.logging_utils")
    logs.__dict__["init_logger"] = logging.getLogger
    for name in ("openrlhf", "openrlhf.utils"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, logs.__name__, logs)
    monkeypatch.setitem(sys.modules, "openrlhf.utils.agent", real() if request.param == "real" else stand_in())
    found = importlib.import_module("vitrine.openrlhf").AgentExecutor
    return found()


class Engine:
    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    async def generate(self, tokens: list[int], params: Any, multi_modal_data: Any = None) -> Any:
        ids, _ = self.policy.next(tokens)
        ids = ids[: params.max_tokens]
        text = FakeTokenizer().decode([i for i in ids if i != 2])  # vLLM's text is without the stop token
        return types.SimpleNamespace(outputs=[types.SimpleNamespace(token_ids=ids, text=text, logprobs=None, finish_reason="stop")])


def play(executor: Any, *policies: Policy, room: int = 10_000, label: str = "t1") -> list[dict[str, Any]]:
    async def one(policy: Policy) -> dict[str, Any]:
        params = types.SimpleNamespace(max_tokens=None, logprobs=None)
        found: dict[str, Any] = await executor.execute(
            PROMPT, label, params, len(FakeTokenizer().encode(PROMPT, False)) + room, FakeTokenizer(), Engine(policy)
        )
        return found

    async def main() -> list[dict[str, Any]]:
        return list(await asyncio.gather(*(one(policy) for policy in policies)))

    return asyncio.run(main())


def trajectory(response: dict[str, Any]) -> Trajectory:
    """Tokens after the prompt, with the mask that OpenRLHF makes of the action ranges."""
    tokens = response["observation_tokens"]
    mask = [0] * len(tokens)
    for start, end in response["action_ranges"]:
        mask[start:end] = [1] * (end - start)
    start = response["action_ranges"][0][0]
    return Trajectory(tokens[start:], mask[start:])


def test_the_critics_words_are_masked(server: FakeServer, executor: Any) -> None:
    [response] = play(executor, Policy(FIRST, WORSE, LAST))
    check(trajectory(response), FIRST, CRITIC_1, WORSE, "That was not better. Try again.", LAST)
    assert response["reward"] == response["scores"] == 0.8
    assert response["extra_logs"] == {"infra_error": 0.0, "turns": 3.0}
    assert server.bodies("/v1/sessions") == [{"task_id": "t1"}]


def test_a_trajectory_that_runs_out_of_tokens_has_its_best(server: FakeServer, executor: Any) -> None:
    heard = len(FakeTokenizer().encode(user_turn(CRITIC_1), False))
    [response] = play(executor, Policy(FIRST), room=len(FIRST) + 1 + heard)
    assert response["reward"] == 0.3


def test_an_unjudged_sample_is_neutral_in_its_group(server: FakeServer, executor: Any) -> None:
    responses = play(executor, Policy("score 20"), Policy("unjudged"), Policy("score 80"), Policy("unjudged"))
    assert [response["reward"] for response in responses] == [0.2, 0.5, 0.8, 0.5]
    assert [response["extra_logs"]["infra_error"] for response in responses] == [0.0, 1.0, 0.0, 1.0]
    check(trajectory(responses[1]), "unjudged")
    assert sorted(server.deleted) == ["s1", "s3"]


def test_a_group_without_a_reward_is_flat_at_the_mean_so_far(server: FakeServer, executor: Any) -> None:
    play(executor, Policy("score 20"), Policy("score 60"))
    responses = play(executor, Policy("unjudged"), Policy("unjudged"))
    assert [response["reward"] for response in responses] == [0.4, 0.4]


def test_a_service_that_is_full_does_not_end_the_run(server: FakeServer, executor: Any) -> None:
    server.inject("/v1/sessions", Fault(status=503, retry_after="3600"))
    first, second = play(executor, Policy("score 20"), Policy("score 20"))
    assert first["reward"] == second["reward"] == 0.2
    assert first["extra_logs"]["infra_error"] + second["extra_logs"]["infra_error"] == 1.0


def test_an_error_of_the_trainers_does_not_hold_its_group_up(server: FakeServer, executor: Any) -> None:
    with pytest.raises(IndexError):
        play(executor, Policy(), Policy("unjudged"))
    assert not executor.groups._groups


def test_the_module_that_openrlhf_loads() -> None:
    module = importlib.import_module("vitrine.openrlhf")
    with pytest.raises(ImportError):
        module.AgentExecutor
    assert not hasattr(module, "other")
