"""The environment of SkyRL. Importing this needs skyrl-gym; `vitrine.skyrl` gives it lazily."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

from .answers import Loop
from .errors import Unjudged
from .settings import Settings
from .sync import SyncClient, SyncSession
from .turns import task_of


class VitrineEnv(BaseTextEnv):
    """One refine session. SkyRL keeps the tokens, masks what is observed, and only appends: rejected turns stay.

    A turn that could not be judged raises Unjudged, as SkyRL knows no missing reward."""

    def __init__(self, env_config: Any = None, extras: Mapping[str, Any] | None = None) -> None:
        """env_config may hold url, recipe, deadline, name and loop, else the environment says them. extras is the row:
        task_id or instruction at its top or in extra_info, else reward_spec.ground_truth as the task's id."""
        super().__init__()
        config, row = env_config or {}, extras or {}
        names = ("url", "recipe", "deadline", "name")
        self.client = SyncClient(Settings.from_env(**{key: _member(config, key) for key in names}))
        loop = _member(config, "loop")
        self.loop = Loop(**loop) if loop else None
        self.sources = (row, row.get("extra_info"), (row.get("reward_spec") or {}).get("ground_truth"))
        self.max_turns = int(row.get("max_turns") or 0)
        self.session: SyncSession | None = None
        self.metrics: dict[str, float] = {}

    def init(self, prompt: Any) -> tuple[Any, dict[str, Any]]:
        """Opens the session; the prompt stays as the data set has it."""
        self.session = self.client.session(loop=self.loop, **task_of(*self.sources, prompt=prompt))
        return prompt, {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """One turn. The reward is 0 until the last, which has the session's."""
        assert self.session is not None, "init comes first"
        self.turns += 1
        step = self.session.step(action)
        reward, done = step.reward, step.done
        if not done and self.max_turns and self.turns >= self.max_turns:
            reward, done = self.session.finish().reward, True
        if done and reward is None:
            raise Unjudged(f"session {self.session.id} ended without a reward", step.error)
        self.metrics = {"turns": float(self.turns)}
        if step.best_score is not None:
            self.metrics["best_score"] = step.best_score
        return BaseTextEnvStepOutput(
            observations=[] if done else [{"role": "user", "content": step.feedback}],
            reward=reward if done and reward is not None else 0.0,
            done=done,
            metadata={"vitrine_session": self.session.id, "accepted": step.accepted},
        )

    def get_metrics(self) -> dict[str, Any]:
        """Turns and best score of the episode."""
        return self.metrics

    def close(self) -> None:
        """Leaves nothing behind at the service."""
        try:
            if self.session is not None and not self.session.done:
                self.session.delete()
        finally:
            self.client.close()


def _member(config: Any, key: str) -> Any:
    """A member of SkyRL's configuration, which is a mapping or a dataclass; None where it has none."""
    return config.get(key) if hasattr(config, "get") else getattr(config, key, None)
