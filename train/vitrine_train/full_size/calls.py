"""python -m vitrine_train.full_size.calls SOURCES TRAINER URL < OUTPUTS

Asks a running service for the rewards of outputs (a JSON list) by the code that the trainer itself asks with, at the
pinned commit, and prints them."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from . import stubs

Rewards = Coroutine[Any, Any, list[float]]
TASK = {"instruction": "a tea shop"}


class _Tokens(list[int]):
    """As much of a tensor as verl's reward manager asks of one."""

    @property
    def shape(self) -> tuple[int]:
        return (len(self),)

    def sum(self) -> int:
        return sum(self)

    def __getitem__(self, key: Any) -> Any:
        return _Tokens(super().__getitem__(key)) if isinstance(key, slice) else super().__getitem__(key)


class _Data:
    """As much of verl's DataProto: one sample whose response is one token, and slices of it."""

    def __init__(self) -> None:
        self.batch = {"responses": _Tokens([1]), "attention_mask": _Tokens([1])}
        self.non_tensor_batch = {"data_source": "vitrine", "reward_model": {"ground_truth": ""}, "extra_info": dict(TASK)}

    def __getitem__(self, key: Any) -> _Data:
        return self


async def verl(sources: Path, url: str, outputs: Sequence[str]) -> list[float]:
    """get_custom_reward_fn loads our function by the configuration, and NaiveRewardManager calls it."""
    stubs.install("verl", always=("torch", "transformers", "accelerate", "numpy"))
    sys.path.insert(0, str(sources / "verl"))
    from omegaconf import OmegaConf
    from verl.experimental.reward_loop.reward_manager.naive import NaiveRewardManager
    from verl.trainer.ppo.reward import get_custom_reward_fn

    setting = {"path": "pkg://vitrine.verl", "name": "compute_score", "reward_kwargs": {"url": url, "recipe": "quality"}}
    function = get_custom_reward_fn(OmegaConf.create({"reward": {"custom_reward_function": setting}}))

    async def one(output: str) -> float:
        manager = NaiveRewardManager(None, SimpleNamespace(decode=lambda ids, skip_special_tokens: output), function)
        found = await manager.run_single(_Data())
        assert found["reward_extra_info"]["score"] == found["reward_score"]
        return float(found["reward_score"])

    return list(await asyncio.gather(*map(one, outputs)))


async def openrlhf(sources: Path, url: str, outputs: Sequence[str]) -> list[float]:
    """SingleTurnAgentExecutor generates, on an engine that says the output, and asks the address for the reward."""
    stubs.install("openrlhf", always=("torch", "transformers", "sympy"))
    sys.path.insert(0, str(sources / "OpenRLHF"))
    from openrlhf.utils.agent import SingleTurnAgentExecutor

    executor = SingleTurnAgentExecutor(remote_rm_url=[f"{url}/openrlhf/get_reward?recipe=quality"])

    async def one(output: str) -> float:
        query = "<|im_start|>user\na tea shop<|im_end|>\n<|im_start|>assistant\n"
        [found] = await executor._fetch_rewards_via_http([query + output], [query], [json.dumps(TASK)])
        assert set(found) == {"rewards", "scores", "extra_logs"}
        return float(found["rewards"][0])

    return list(await asyncio.gather(*map(one, outputs)))


async def slime(sources: Path, url: str, outputs: Sequence[str]) -> list[float]:
    """batched_async_rm asks as --rm-type remote_rm does; Sample.get_reward_value takes --reward-key."""
    stubs.install("slime", always=("torch", "transformers", "numpy", "sympy", "pylatexenc"))
    sys.path.insert(0, str(sources / "slime"))
    from slime.rollout import rm_hub
    from slime.utils.types import Sample

    args = SimpleNamespace(custom_rm_path=None, rm_type="remote_rm", rm_url=f"{url}/slime/rm?recipe=quality", reward_key="reward")
    samples = [Sample(prompt="a tea shop", response=output, label=json.dumps(TASK)) for output in outputs]
    for sample, reward in zip(samples, await rm_hub.batched_async_rm(args, samples), strict=True):
        sample.reward = reward
    await rm_hub._get_shared_session().close()
    return [float(sample.get_reward_value(args)) for sample in samples]


async def skyrl(sources: Path, url: str, outputs: Sequence[str]) -> list[float]:
    """skyrl_gym makes our environment by its id, as the generator does, and takes one turn in it."""
    stubs.install("skyrl_gym", always=("torch", "pandas"))
    sys.path.insert(0, str(sources / "SkyRL/skyrl-gym"))
    import skyrl_gym

    skyrl_gym.register(id="vitrine", entry_point="vitrine.skyrl:VitrineEnv")

    def one(output: str) -> float:
        env = skyrl_gym.make("vitrine", env_config={"url": url, "recipe": "quality"}, extras={"extra_info": TASK, "max_turns": 1})
        env.init([{"role": "user", "content": "a tea shop"}])
        step = env.step(output)
        env.close()
        assert step["done"]
        return float(step["reward"])

    return list(await asyncio.gather(*(asyncio.to_thread(one, output) for output in outputs)))


async def prime_rl(sources: Path, url: str, outputs: Sequence[str]) -> list[float]:
    """verifiers' task set openenv plays an episode with a policy that says the output once, by OpenEnv's client."""
    stubs.replace("fastmcp")  # OpenEnv imports it for tools, for which it is not asked
    from verifiers.v1.tasksets.openenv import taskset

    async def one(output: str) -> float:
        player = _Player(output)
        data = SimpleNamespace(base_url=f"{url}/openenv", env=None, reset={**TASK, "recipe": "quality"})
        await taskset.OpenEnvEnv.run(SimpleNamespace(), SimpleNamespace(data=data), SimpleNamespace(player=player))
        return float(player.rewards["openenv_reward"])

    return list(await asyncio.gather(*map(one, outputs)))


class _Player:
    """As much of verifiers' agent and its interaction: a policy that answers with one text."""

    def __init__(self, output: str) -> None:
        self.output, self.rewards, self.trace = output, dict[str, float](), self

    def interaction(self, task: Any) -> _Player:
        return self

    async def __aenter__(self) -> _Player:
        return self

    async def __aexit__(self, *error: Any) -> None:
        pass

    async def turn(self, observation: str) -> Any:
        assert "action_schema" in json.loads(observation)
        return SimpleNamespace(terminated=False, last_reply=self.output)

    def record_reward(self, name: str, value: float) -> None:
        self.rewards[name] = value


CALLS: dict[str, Callable[[Path, str, Sequence[str]], Rewards]] = {"verl": verl, "openrlhf": openrlhf, "slime": slime, "skyrl": skyrl, "prime-rl": prime_rl}

if __name__ == "__main__":
    sources, trainer, url = sys.argv[1:]
    print(json.dumps(asyncio.run(CALLS[trainer](Path(sources).resolve(), url, json.load(sys.stdin)))))
