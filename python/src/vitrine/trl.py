"""TRL: a reward function, and a rollout function for the refine loop.

    GRPOTrainer(..., reward_funcs=[reward(url="http://vitrine:7400", recipe="quality")])
    GRPOTrainer(..., reward_funcs=[reward()], rollout_func=RefineRollout(url="http://vitrine:7400"))

See docs/trainers/trl.md. The module can be imported without TRL."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from .answers import Loop, Result
from .client import Client
from .errors import Busy, NotFound, Unjudged, Unreachable
from .outputs import output_text
from .settings import Settings
from .sync import run
from .template import between_ids, prompt_ids
from .turns import Draft, Rollout, Transcript, task_of

Generate = Callable[[list[list[int]], Any], tuple[list[list[int]], list[list[float]] | None]]
"""Contexts (token ids) and the trainer, to completions and their log-probabilities, one for each context."""


def reward(
    url: str | None = None, recipe: str | None = None, deadline: float | None = None, name: str | None = None
) -> Callable[..., Coroutine[Any, Any, list[float | None]]]:
    """A reward function for `reward_funcs`. deadline is in seconds; what is None comes from the environment.

    It asks once for a whole batch and gives None for what could not be judged; TRL leaves such a row out of its
    group's mean. The task is the column task_id or instruction, else the prompt's last user message. Rewards
    that RefineRollout has already brought are passed on.

    The first batch raises where the service cannot be reached, so that a wrong address does not train on nothing;
    later ones do not, so that a restart of the service does not end a run.
    """
    settings = Settings.from_env(url=url, recipe=recipe, deadline=deadline, name=name)
    met = False

    async def vitrine_reward(
        prompts: Sequence[Any], completions: Sequence[Any], vitrine_reward: Sequence[float | None] | None = None, **columns: Any
    ) -> list[float | None]:
        nonlocal met
        if vitrine_reward is not None:
            _log(columns, list(vitrine_reward), {})
            return list(vitrine_reward)
        items = [item_of(i, prompts[i], completions[i], columns) for i in range(len(completions))]
        async with Client(settings) as client:
            if not met:
                await client.ready()
                met = True
            results = await client.score(items)
        rewards = [result.reward for result in results]
        _log(columns, rewards, _extras(results))
        return rewards

    return vitrine_reward


def item_of(index: int, prompt: Any, completion: Any, columns: dict[str, Any]) -> dict[str, Any]:
    """What is asked of the service about one row of a batch."""
    row = {key: columns[key][index] for key in ("task_id", "instruction") if columns.get(key)}
    return {"output": output_text(completion), **task_of(row, prompt=prompt)}


class RefineRollout:
    """A rollout function: every prompt becomes one refine session.

    All sessions go turn by turn together: one batched generation, then all renders at once. Gives "env_mask"
    (1 policy, 0 environment) and "vitrine_reward", which `reward` passes on; None where a session was unjudged.
    "vitrine_history" has each session's drafts with what the service said of them.
    """

    def __init__(
        self,
        url: str | None = None,
        recipe: str | None = None,
        loop: Loop | None = None,
        keep_rejected: bool = False,
        deadline: float | None = None,
        name: str | None = None,
        generate: Generate | None = None,
    ) -> None:
        """generate replaces the trainer's own generation; deadline is in seconds, for each turn."""
        self.settings = Settings.from_env(url=url, recipe=recipe, deadline=deadline, name=name)
        self.loop = loop
        self.keep_rejected = keep_rejected
        self.generate = generate or _generate

    def __call__(self, prompts: list[Any], trainer: Any) -> dict[str, Any]:
        """TRL's call: one rollout for each prompt it gives."""
        tokenizer = getattr(trainer.processing_class, "tokenizer", trainer.processing_class)
        room = int(trainer.args.max_completion_length)
        rows = [_Row(tokenizer, prompt, room) for prompt in prompts]
        run_rows = _Rows(self, rows)
        try:
            run(run_rows.open())
            while active := [row for row in rows if row.active]:
                ids, logprobs = self.generate([row.transcript.context for row in active], trainer)
                drafts = [row.draft(ids[i], logprobs[i] if logprobs else None) for i, row in enumerate(active)]
                run(run_rows.take(active, drafts))
        finally:
            run(run_rows.close())
        known = all(row.known for row in rows)
        return {
            "prompt_ids": [row.transcript.prompt for row in rows],
            "completion_ids": [row.transcript.ids for row in rows],
            "logprobs": [row.transcript.logprobs for row in rows] if known else None,
            "env_mask": [row.transcript.mask for row in rows],
            "vitrine_reward": [row.reward for row in rows],
            "vitrine_history": [row.rollout.history if row.rollout else [] for row in rows],
        }


class _Row:
    """One prompt's trajectory."""

    def __init__(self, tokenizer: Any, prompt: Any, room: int) -> None:
        self.tokenizer = tokenizer
        self.task = task_of(prompt=prompt)
        self.transcript = Transcript(prompt_ids(tokenizer, prompt), room)
        self.rollout: Rollout | None = None
        self.active = True
        self.reward: float | None = None
        self.known = True
        """Whether log-probabilities are known for every policy token."""

    def draft(self, ids: Sequence[int], logprobs: Sequence[float] | None) -> Draft:
        left = self.transcript.left
        ids = list(ids)[:left]
        text = self.tokenizer.decode(ids, skip_special_tokens=True)
        return Draft(text, ids, list(logprobs)[:left] if logprobs is not None else None)

    async def keep(self, draft: Draft) -> None:
        self.known = self.known and draft.logprobs is not None
        self.transcript.keep(draft)

    async def hear(self, text: str) -> bool:
        return self.transcript.hear(between_ids(self.tokenizer, text, self.transcript.ids))


class _Rows:
    """The sessions of a batch."""

    def __init__(self, rollout: RefineRollout, rows: list[_Row]) -> None:
        self.settings = rollout
        self.client = Client(rollout.settings)
        self.rows = rows

    async def open(self) -> None:
        await _all([self._open(row) for row in self.rows])

    async def _open(self, row: _Row) -> None:
        try:
            session = await self.client.session(loop=self.settings.loop, **row.task)
        except (Busy, Unreachable):
            return  # it is generated once, for the trainer needs tokens, and has no reward
        row.rollout = Rollout(session, row, self.settings.keep_rejected)

    async def take(self, rows: list[_Row], drafts: list[Draft]) -> None:
        await _all([self._take(row, draft) for row, draft in zip(rows, drafts, strict=True)])

    async def _take(self, row: _Row, draft: Draft) -> None:
        try:
            row.active = row.rollout is not None and not await row.rollout.take(draft)
            row.reward = row.rollout.reward if row.rollout else None
        except (Busy, Unreachable, Unjudged, NotFound):  # NotFound: the session expired
            row.active = False
        if not row.active and not row.transcript.ids:
            await row.keep(draft)

    async def close(self) -> None:
        """Deletes what did not end, so that nothing is left behind at the service."""
        open_ = [row.rollout.session for row in self.rows if row.rollout and not row.rollout.session.done]
        await asyncio.gather(*(session.delete() for session in open_), return_exceptions=True)
        await self.client.close()


async def _all(work: list[Coroutine[Any, Any, None]]) -> None:
    """Runs all to their end, then raises the first error: none is left running behind the caller's back."""
    for error in await asyncio.gather(*work, return_exceptions=True):
        if error is not None:
            raise error


def _generate(contexts: list[list[int]], trainer: Any) -> tuple[list[list[int]], list[list[float]] | None]:
    """The trainer's own generation of one turn, for as many contexts as there are."""
    remote = getattr(trainer, "use_vllm", False) and getattr(trainer, "vllm_mode", "") == "server"
    if remote and trainer.accelerator.num_processes > 1:
        raise ValueError(
            "vLLM in server mode makes all processes generate together, but their sessions differ in length: "
            "use vllm_mode='colocate', one process, or give RefineRollout a generate function"
        )
    turn = trainer._generate_single_turn
    once = {"num_generations": 1} if "num_generations" in inspect.signature(turn).parameters else {}
    ids, logprobs = turn(contexts, None, {}, **once)
    return ids, logprobs


def _extras(results: list[Result]) -> dict[str, list[Any]]:
    return {
        "vitrine_outcome": [result.outcome or (result.error.code if result.error else "") for result in results],
        "vitrine_evidence": [result.evidence for result in results],
    }


def _log(columns: dict[str, Any], rewards: list[float | None], extras: dict[str, list[Any]]) -> None:
    """Shows in TRL's own logs how many rows had no reward."""
    if (metric := columns.get("log_metric")) and rewards:
        metric("vitrine/unjudged", sum(reward is None for reward in rewards) / len(rewards))
    if extra := columns.get("log_extra"):
        for name, values in extras.items():
            extra(name, values)
