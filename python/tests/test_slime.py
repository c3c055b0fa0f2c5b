"""slime's generation and filter, on a stand-in for its sample."""

from __future__ import annotations

import asyncio
import enum
import sys
import types
from dataclasses import dataclass, field
from typing import Any

import pytest
from fakeserver import FakeServer
from faketokens import CRITIC_1, FIRST, LAST, WORSE, FakeTokenizer, Policy, Trajectory, check
from vitrine import slime as adapter

PROMPT = "<|im_start|>user\na pricing page<|im_end|>\n<|im_start|>assistant\n"


@dataclass
class Sample:
    """slime's sample: what it checks when tokens are appended, this checks."""

    class Status(enum.Enum):
        PENDING = "pending"
        COMPLETED = "completed"
        ABORTED = "aborted"

    prompt: Any = PROMPT
    label: str | None = "t1"
    metadata: dict[str, Any] = field(default_factory=dict)
    tokens: list[int] = field(default_factory=list)
    response: str = ""
    response_length: int = 0
    reward: Any = None
    loss_mask: list[int] | None = None
    rollout_log_probs: list[float] | None = None
    status: Status = Status.PENDING

    def append_response_tokens(
        self, args: Any, *, tokens: Any, log_probs: Any = None, trainable: bool, meta_info: Any = None, text: str
    ) -> None:
        assert trainable == (log_probs is not None) and trainable == (meta_info is not None)
        self.tokens = self.tokens + list(tokens)
        self.response += text
        self.response_length += len(tokens)
        self.loss_mask = (self.loss_mask or []) + [int(trainable)] * len(tokens)
        self.rollout_log_probs = (self.rollout_log_probs or []) + list(log_probs or [0.0] * len(tokens))
        if meta_info:
            self.status = Sample.Status.COMPLETED


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> types.SimpleNamespace:
    """A stand-in for slime's modules; `policy` is asked for generations."""
    held = types.SimpleNamespace(policy=None, payloads=[], finish="stop")

    async def post(url: str, payload: dict[str, Any]) -> dict[str, Any]:
        held.payloads.append(payload)
        ids, logprobs = held.policy.next(payload["input_ids"])
        limit = payload["sampling_params"]["max_new_tokens"]
        pairs = [[logprob, token] for token, logprob in zip(ids, logprobs, strict=True)][:limit]
        meta = {"finish_reason": {"type": held.finish}, "output_token_logprobs": pairs}
        return {"text": FakeTokenizer().decode(ids[:limit]), "meta_info": meta}

    modules = {
        "slime.rollout.sglang_rollout": {
            "GenerateState": lambda args: types.SimpleNamespace(tokenizer=FakeTokenizer()),
            "get_model_url": lambda args, name: "http://engine",
        },
        "slime.utils.http_utils": {"post": post},
    }
    for name in ("slime", "slime.rollout", "slime.utils", *modules):
        module = types.ModuleType(name)
        module.__dict__.update(modules.get(name, {}))
        monkeypatch.setitem(sys.modules, name, module)
    return held


def play(engine: Any, *lines: str, room: int = 1000, sample: Sample | None = None, **args: Any) -> Sample:
    engine.policy = Policy(*lines)
    params = {"max_new_tokens": room, "temperature": 1.0}
    found: Sample = asyncio.run(adapter.generate(types.SimpleNamespace(**args), sample or Sample(), params))
    return found


def trajectory(sample: Sample) -> Trajectory:
    assert sample.response_length == len(sample.loss_mask or [])
    ids = sample.tokens[len(sample.tokens) - sample.response_length :]
    assert sample.response == FakeTokenizer().decode(ids)
    return Trajectory(ids, sample.loss_mask or [], sample.rollout_log_probs)


def test_the_critics_words_are_masked(server: FakeServer, engine: Any) -> None:
    sample = play(engine, FIRST, WORSE, LAST, vitrine_loop={"max_rounds": 4})
    check(trajectory(sample), FIRST, CRITIC_1, LAST)
    assert sample.reward == 0.8 and sample.status is Sample.Status.COMPLETED
    assert (sample.metadata["vitrine_turns"], sample.metadata["vitrine_rejected"]) == (3, 1)
    assert server.bodies("/step")[0]["output"] == FIRST  # without the template's marks
    assert engine.payloads[1]["input_ids"] == engine.payloads[2]["input_ids"]
    assert server.bodies("/v1/sessions") == [{"task_id": "t1", "loop": {"max_rounds": 4}}]


def test_a_reward_key_is_honoured(server: FakeServer, engine: Any) -> None:
    assert play(engine, LAST, reward_key="reward").reward == {"reward": 0.8}


def test_the_room_is_kept(server: FakeServer, engine: Any) -> None:
    sample = play(engine, FIRST, room=len(FIRST) + 5)
    check(trajectory(sample), FIRST)
    assert sample.reward == 0.3


def test_an_unjudged_sample_has_no_reward_and_its_group_is_dropped(server: FakeServer, engine: Any) -> None:
    lost, good = play(engine, "unjudged"), play(engine, LAST)
    assert lost.reward is None and lost.status is Sample.Status.ABORTED
    assert lost.metadata["vitrine_unjudged"] == "judge_silent"
    assert adapter.drop_infra(None, [good, lost]) is False
    assert adapter.drop_infra(None, [good, [good, lost]]) is False
    assert adapter.drop_infra(None, [good, [good]]) is True


def test_the_filter_gives_slime_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("slime.rollout.filter_hub.base_types")
    module.__dict__["DynamicFilterOutput"] = lambda keep, reason: (keep, reason)
    for name in ("slime", "slime.rollout", "slime.rollout.filter_hub"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert adapter.drop_infra(None, [Sample(reward=0.0)]) == (True, None)
    assert adapter.drop_infra(None, [Sample()]) == (False, "vitrine_unjudged")


def test_slime_may_stop_a_generation(server: FakeServer, engine: Any) -> None:
    engine.finish = "abort"
    sample = play(engine, FIRST)
    assert sample.status is Sample.Status.ABORTED and sample.reward is None
    assert server.deleted == ["s0"]


def test_a_row_without_a_task_is_seen(server: FakeServer, engine: Any) -> None:
    with pytest.raises(ValueError, match="names no task"):
        play(engine, FIRST, sample=Sample(prompt=[], label=None))
