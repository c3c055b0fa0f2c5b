"""The refine loop as an agent loop of verl. Importing this needs verl; `vitrine.verl` gives it lazily."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput, register

from .answers import Loop
from .settings import Settings
from .turns import Draft, opened, refine, task_of
from .verl import SESSION


@register("vitrine_refine")
class VitrineRefineLoop(AgentLoopBase):
    """Generates, has the page judged, reads the critique, revises, until the service ends the session.

    The reward is the session's, so verl's reward worker is not asked. An unjudged session raises: verl's trainer
    then drops the prompt's group.
    """

    def __init__(
        self,
        *args: Any,
        url: str | None = None,
        recipe: str | None = None,
        loop: Mapping[str, Any] | None = None,
        keep_rejected: bool = False,
        deadline: float | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        """url, recipe, deadline (seconds), name and loop (the members of vitrine.Loop) come from the YAML of
        agent_loop_config_path, else from the environment. keep_rejected trains on rejected revisions, too."""
        super().__init__(*args, **kwargs)
        self.vitrine = Settings.from_env(url=url, recipe=recipe, deadline=deadline, name=name)
        self.refine_loop = Loop(**loop) if loop else None
        self.keep_rejected = keep_rejected

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> AgentLoopOutput:
        """One trajectory for one row of the data set."""
        messages = list(row["raw_prompt"])
        ground_truth = (row.get("reward_model") or {}).get("ground_truth")
        task = task_of(row.get("extra_info"), ground_truth, prompt=messages)
        writer = _Writer(self, sampling_params, messages)
        await writer.start()
        async with opened(self.vitrine, self.refine_loop, task) as session:
            rollout = await refine(session, writer, keep_rejected=self.keep_rejected)
        assert rollout.reward is not None
        return writer.output(
            rollout.reward,
            {
                SESSION: session.id,
                "reward_extra_info": {
                    "score": rollout.reward,
                    "turns": float(rollout.turns),
                    "rejected": float(rollout.rejected),
                },
            },
        )


class _Writer:
    """verl's own merging of tokens keeps mask and log-probabilities aligned, boundary tokens of the template
    included; each merge gives new lists, so a draft is dropped by not taking them."""

    def __init__(self, agent: Any, sampling_params: dict[str, Any], messages: list[dict[str, Any]]) -> None:
        self.agent = agent
        self.sampling = sampling_params
        self.messages = messages
        self.request = uuid4().hex
        self.room: int = agent.rollout_config.response_length
        self.ids: list[int] = []
        self.mask: list[int] = []
        self.logprobs: list[float] | None = None
        self.extra: dict[str, Any] = {}
        self.metrics: dict[str, Any] = {"generate_sequences": 0.0, "num_preempted": -1}
        self.turns = 0
        self._kept: tuple[list[int], list[int], list[float] | None] = ([], [], None)
        # Current verl calls it by the first name, older versions by the second.
        self._hear = getattr(agent, "ct_merge_context_msg", None) or agent.ct_merge_non_assistant_msg

    async def start(self) -> None:
        self.ids = await self.agent.ct_build_initial_tokens(self.messages)
        self._kept = (self.ids, self.mask, self.logprobs)

    async def write(self) -> Draft | None:
        left = self.room - len(self.mask)
        if left <= 0:
            return None
        began = time.monotonic()
        output = await self.agent.server_manager.generate(
            request_id=self.request, prompt_ids=self.ids, sampling_params=dict(self.sampling)
        )
        self.metrics["generate_sequences"] += time.monotonic() - began
        ids = list(output.token_ids)[:left]
        logprobs = list(output.log_probs)[:left] if output.log_probs else None
        text = self.agent.tokenizer.decode(ids, skip_special_tokens=True)
        return Draft(text, ids, logprobs, extra=dict(output.extra_fields or {}))

    async def keep(self, draft: Draft) -> None:
        old = self.logprobs
        if old is None and draft.logprobs is not None:
            old = [0.0] * len(self.mask)
        merged, self.mask, self.logprobs = await self.agent.ct_merge_assistant_token(
            self.ids, list(draft.ids), self.mask, old, assistant_logprobs=draft.logprobs
        )
        self.ids = merged.token_ids
        self._kept = (self.ids, self.mask, self.logprobs)
        self.messages = [*self.messages, {"role": "assistant", "content": draft.text}]
        self.extra = {**draft.extra, **self.extra} | {
            key: value for key, value in draft.extra.items() if key == "max_global_steps"
        }
        self.turns += 1

    async def hear(self, text: str) -> bool:
        heard = [*self.messages, {"role": "user", "content": text}]
        merged, mask, logprobs = await self._hear(self.messages, heard, self.ids, self.mask, self.logprobs)
        if len(mask) >= self.room:
            return False
        self.messages, self.ids, self.mask, self.logprobs = heard, merged.token_ids, mask, logprobs
        self.turns += 1
        return True

    def output(self, reward: float, extra: dict[str, Any]) -> AgentLoopOutput:
        """What verl trains on, up to the last draft kept: what was heard after it has no answer."""
        ids, mask, logprobs = self._kept
        start = len(ids) - len(mask)
        return AgentLoopOutput(
            prompt_ids=ids[:start],
            response_ids=ids[start:][: self.room],
            response_mask=mask[: self.room],
            response_logprobs=logprobs[: self.room] if logprobs else None,
            multi_modal_data={},
            reward_score=reward,
            num_turns=self.turns + 1,
            metrics=self.metrics,
            # The keys of verl's own loops, so that batches mix.
            extra_fields={**self.extra, "turn_scores": [], "tool_rewards": [], **extra},
        )
