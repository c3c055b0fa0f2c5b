"""Open-R1's GRPO script, on a stand-in for it, and TRL's call as the version has it that Open-R1 pins."""

from __future__ import annotations

import sys
import types
from collections.abc import Sequence
from typing import Any

import pytest
from fakeserver import FakeServer
from vitrine import Unjudged, open_r1

def said(text: str) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": text}]


def trl_0_18(reward_func: Any, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> list[float]:
    """What GRPOTrainer of TRL 0.18 does with a reward function: it is called and its values are taken at once; a None
    becomes nan, and nansum makes 0 of it."""
    found = reward_func(prompts=prompts, completions=completions, completion_ids=[[1]] * len(completions), **columns)
    return [0.0 if value is None else float(value) for value in found]


def test_rewards_are_there_when_the_call_returns(server: FakeServer) -> None:
    completions = [said("score 40"), said("score 20")]
    assert trl_0_18(open_r1.reward(), ["a", "a"], completions, task_id=["1", "1"]) == [0.4, 0.2]
    assert [item["task_id"] for item in server.bodies("/v1/score")[0]["items"]] == ["1", "1"]


def test_what_was_not_judged_gets_the_mean_of_its_prompt(server: FakeServer) -> None:
    completions = [said(text) for text in ("score 80", "unjudged", "score 20", "score 40", "unjudged")]
    assert trl_0_18(open_r1.reward(), ["a", "a", "b", "a", "b"], completions) == pytest.approx([0.8, 0.6, 0.2, 0.4, 0.2])
    with pytest.raises(Unjudged):
        trl_0_18(open_r1.reward(), ["a", "x", "b", "a", "b"], completions)


def test_the_script_gets_our_reward_beside_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Any] = []
    args = types.SimpleNamespace(reward_funcs=["format", "vitrine"])
    grpo = types.ModuleType("open_r1.grpo")
    grpo.__dict__.update(
        get_reward_funcs=lambda script_args: [name.upper() for name in script_args.reward_funcs],
        TrlParser=lambda kinds: types.SimpleNamespace(parse_args_and_config=lambda: (args, "training", "model")),
        GRPOScriptArguments=1, GRPOConfig=2, ModelConfig=3,
        main=lambda script_args, *rest: ran.append((grpo.__dict__["get_reward_funcs"](script_args), rest)),
    )  # fmt: skip
    package = types.ModuleType("open_r1")
    package.__dict__["grpo"] = grpo
    monkeypatch.setitem(sys.modules, "open_r1", package)
    open_r1.main()
    [(rewards, rest)] = ran
    assert rewards[0] == "FORMAT" and rewards[1].__name__ == "vitrine_reward" and rest == ("training", "model")
    assert args.reward_funcs == ["format", "vitrine"]
