"""The refine loop for OpenRLHF's multi-turn executor. Importing this needs OpenRLHF; `vitrine.openrlhf` gives it lazily.

OpenRLHF makes and masks the tokens: what this gives as environment_feedback is outside its action ranges. It only
appends, so rejected turns stay on the trajectory."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from openrlhf.utils.agent import AgentExecutorBase, AgentInstanceBase, MultiTurnAgentExecutor

from .answers import Loop
from .client import Client, Session
from .errors import Busy, NotFound, Unjudged, Unreachable
from .openrlhf import Groups, Scalar
from .settings import Settings
from .template import between
from .turns import task_of


class AgentInstance(AgentInstanceBase):
    """One refine session. The label is the task's id, or JSON with task_id or instruction.

    An infrastructure failure ends the trajectory without a reward; it never raises, since an exception
    would cost OpenRLHF the whole batch."""

    def __init__(self, settings: Settings, loop: Loop | None, tokenizer: Any) -> None:
        self.client = Client(settings)
        self.loop = loop
        self.tokenizer = tokenizer
        self.session: Session | None = None
        self.turns = 0
        self.reward: float | None = None

    async def reset(self, states: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Opens the session; the prompt stays as the data set has it."""
        with suppress(Busy, Unreachable):
            self.session = await self.client.session(loop=self.loop, **task_of(states.get("label")))
        return {"observation": states["observation"]}

    async def step(self, state_dict: dict[str, Any], **_: Any) -> dict[str, Any]:
        """One turn. OpenRLHF sums the rewards of turns, so each is 0, and the executor puts the session's at the end."""
        feedback = await self._judge(state_dict["action_text"])
        return {
            "rewards": Scalar(0.0),
            "scores": Scalar(0.0),
            "environment_feedback": "" if feedback is None else between(self.tokenizer, feedback),
            "done": feedback is None,
            "extra_logs": {},
        }

    async def _judge(self, text: str) -> str | None:
        """What the policy reads next, or None at the end."""
        if self.session is None:
            return None
        try:
            step = await self.session.step(text, len(self.tokenizer.encode(text, add_special_tokens=False)))
        except (Busy, NotFound, Unjudged, Unreachable):
            await self._drop()
            self.session = None
            return None
        self.turns, self.reward = self.turns + 1, step.reward
        return None if step.done else step.feedback

    async def end(self) -> float | None:
        """The session's reward, None if it was not judged. One that ran out of tokens ends with its best turn."""
        with suppress(Busy, NotFound, Unjudged, Unreachable):
            if self.session is not None and not self.session.done:
                self.reward = (await self.session.finish()).reward
        return self.reward

    async def close(self) -> None:
        """Leaves nothing behind at the service."""
        await self._drop()
        await self.client.close()

    async def _drop(self) -> None:
        if self.session is not None and not self.session.done:
            with suppress(Busy, Unreachable):  # the service forgets an idle session by itself
                await self.session.delete()


class AgentExecutor(AgentExecutorBase):
    """What OpenRLHF loads from --train.agent_func_path. Settings come from the environment; a file that needs others
    makes a subclass with its own `settings` and `loop`."""

    settings: Settings | None = None
    loop: Loop | None = None

    def __init__(self) -> None:
        self.groups = Groups()

    async def execute(
        self,
        prompt: str,
        label: str,
        sampling_params: Any,
        max_length: int,
        hf_tokenizer: Any,
        llm_engine: Any,
        images: Any = None,
    ) -> dict[str, Any]:
        """One trajectory. One that could not be judged gets its group's mean and extra_logs["infra_error"] 1."""
        key = (prompt, str(label))
        group, reward = self.groups.join(key), None
        instance = AgentInstance(self.settings or Settings.from_env(), self.loop, hf_tokenizer)
        try:
            executor = MultiTurnAgentExecutor(_always(instance))
            response: dict[str, Any] = await executor.execute(
                prompt, label, sampling_params, max_length, hf_tokenizer, llm_engine, images
            )
            reward = await instance.end()
        finally:
            self.groups.settle(key, group, reward)
            await instance.close()
        value = await self.groups.neutral(group) if reward is None else reward
        logs = {"infra_error": float(reward is None), "turns": float(instance.turns)}
        return {**response, "reward": value, "scores": value, "extra_logs": logs}


def _always(instance: AgentInstance) -> type[AgentInstanceBase]:
    """A class whose only instance is this one: OpenRLHF makes instances without arguments."""

    class Bound(AgentInstance):
        def __new__(cls) -> Any:
            return instance

    return Bound
