"""SkyRL's environment, on a stand-in for its base class and on the real one."""

from __future__ import annotations

import importlib
import sys
import types
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import wheels
from fakeserver import FakeServer
from faketokens import CRITIC_1, FIRST, LAST, PROMPT, WORSE, FakeTokenizer, Policy, Trajectory, check
from vitrine import Unjudged


class StandIn:
    def __init__(self) -> None:
        self.turns, self.max_turns = 0, 1


def base(kind: str) -> types.ModuleType:
    module = types.ModuleType("skyrl_gym.envs.base_text_env")
    if kind == "real":
        gym = types.ModuleType("skyrl_gym")
        core = wheels.source("skyrl_gym", "skyrl_gym/core.py")
        exec(compile(core, "skyrl_gym/core.py", "exec"), gym.__dict__)
        sys.modules["skyrl_gym"] = gym
        text = wheels.source("skyrl_gym", "skyrl_gym/envs/base_text_env.py")
        exec(compile(text, "skyrl_gym/envs/base_text_env.py", "exec"), module.__dict__)
    else:
        module.__dict__.update(BaseTextEnv=StandIn, BaseTextEnvStepOutput=dict)
    return module


@pytest.fixture(params=["stand-in", "real"])
def env_class(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    for name in ("skyrl_gym", "skyrl_gym.envs"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "skyrl_gym.envs.base_text_env", base(request.param))
    found = importlib.import_module("vitrine.skyrl").VitrineEnv
    return found


ROW = {"env_class": "vitrine", "reward_spec": {"method": "rule", "ground_truth": "t1"}}


def test_an_episode(server: FakeServer, env_class: Any) -> None:
    env = env_class({"loop": {"max_rounds": 3}}, extras=ROW)
    assert env.init(PROMPT) == (PROMPT, {})
    first = env.step(FIRST)
    assert (first["reward"], first["done"]) == (0.0, False)
    assert first["observations"] == [{"role": "user", "content": CRITIC_1}]
    assert env.step(WORSE)["done"] is False
    last = env.step(LAST)
    assert (last["reward"], last["done"], last["observations"]) == (0.8, True, [])
    assert env.get_metrics() == {"turns": 3.0, "best_score": 80.0}
    env.close()
    assert server.bodies("/v1/sessions") == [{"task_id": "t1", "loop": {"max_rounds": 3}}]
    assert server.deleted == []


def test_a_configuration_may_be_an_object(server: FakeServer, env_class: Any) -> None:
    env = env_class(types.SimpleNamespace(recipe="quality"), extras=ROW)
    env.init(PROMPT)
    assert server.bodies("/v1/sessions") == [{"task_id": "t1", "recipe": "quality"}]
    env.close()


def test_observations_are_all_that_is_masked(server: FakeServer, env_class: Any) -> None:
    """SkyRL tokenizes observations with the chat template and masks them; what the policy said is trained on."""
    tokenizer, policy = FakeTokenizer(), Policy(FIRST, LAST)
    env = env_class(extras={"task_id": "t1"})
    env.init(PROMPT)
    found = Trajectory([], [])
    done = False
    while not done:
        ids, _ = policy.next([])
        step = env.step(tokenizer.decode(ids, skip_special_tokens=True))
        found.ids, found.mask, done = found.ids + ids, found.mask + [1] * len(ids), step["done"]
        if not done:
            text = "\n" + tokenizer.apply_chat_template(step["observations"], tokenize=False, add_generation_prompt=True)
            heard = tokenizer.encode(text, add_special_tokens=False)
            found.ids, found.mask = found.ids + heard, found.mask + [0] * len(heard)
    check(found, FIRST, CRITIC_1, LAST)
    env.close()


def test_the_last_turn_that_skyrl_allows_ends_with_the_best(server: FakeServer, env_class: Any) -> None:
    env = env_class(extras={**ROW, "max_turns": 2})
    env.init(PROMPT)
    env.step(FIRST)
    last = env.step(WORSE)
    assert (last["reward"], last["done"]) == (0.3, True)
    env.close()


def test_unjudged_raises_and_nothing_is_left_behind(server: FakeServer, env_class: Any) -> None:
    env = env_class(extras=ROW)
    env.init(PROMPT)
    with pytest.raises(Unjudged):
        env.step("unjudged")
    env.close()
    assert server.deleted == ["s0"]


def test_many_threads(server: FakeServer, env_class: Any) -> None:
    def episode(i: int) -> float:
        env = env_class(extras={"instruction": f"page {i}"})
        env.init(PROMPT)
        reward: float = env.step(f"score {i}")["reward"]
        env.close()
        return reward

    with ThreadPoolExecutor(32) as pool:
        assert list(pool.map(episode, range(64))) == [i / 100 for i in range(64)]


def test_the_module_imports_without_skyrl() -> None:
    module = importlib.import_module("vitrine.skyrl")
    with pytest.raises(ImportError):
        module.VitrineEnv
