"""slime: `generate` for the refine loop, `drop_infra` for groups that could not be judged.

    --custom-generate-function-path vitrine.slime.generate
    --dynamic-sampling-filter-path vitrine.slime.drop_infra

Single-turn rewards need no Python: see docs/trainers/slime.md. The module can be imported without slime."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .answers import Loop
from .errors import Busy, NotFound, Unjudged, Unreachable
from .settings import Settings
from .template import between_ids, prompt_ids
from .turns import Draft, Rollout, opened, refine, task_of

UNJUDGED = "vitrine_unjudged"
"""Member of a sample's metadata: why it has no reward."""


async def generate(args: Any, sample: Any, sampling_params: dict[str, Any]) -> Any:
    """slime's custom generation: one refine session for one sample. Its reward is the session's.

    Settings come from the environment, or from args.vitrine_url, vitrine_recipe, vitrine_deadline and vitrine_loop
    (the members of vitrine.Loop). The task is the metadata's task_id or instruction, else the label.
    A session that could not be judged leaves the sample aborted and without reward: `drop_infra` drops its group.
    """
    from slime.rollout.sglang_rollout import GenerateState

    state = GenerateState(args)
    settings = Settings.from_env(
        **{key: getattr(args, f"vitrine_{key}", None) for key in ("url", "recipe", "deadline", "name")}
    )
    loop = getattr(args, "vitrine_loop", None)
    writer = _Writer(args, sample, sampling_params, state.tokenizer)
    try:
        task = task_of(sample.metadata, sample.label, prompt=sample.prompt)
        async with opened(settings, Loop(**loop) if loop else None, task) as session:
            rollout = await refine(session, writer)
    except _Aborted:
        sample.status = type(sample).Status.ABORTED
    except (Busy, NotFound, Unjudged, Unreachable) as error:
        sample.status = type(sample).Status.ABORTED
        sample.metadata = {**(sample.metadata or {}), UNJUDGED: error.code or type(error).__name__}
    else:
        _reward(args, sample, rollout)
    return sample


def drop_infra(args: Any, samples: Sequence[Any], **_: Any) -> Any:
    """slime's dynamic sampling filter: keeps a group only if all of its samples were judged. slime samples another."""
    lost = any(sample.reward is None or UNJUDGED in (sample.metadata or {}) for sample in _flat(samples))
    try:
        from slime.rollout.filter_hub.base_types import DynamicFilterOutput
    except ImportError:
        return not lost  # slime before it had reasons
    return DynamicFilterOutput(keep=not lost, reason=UNJUDGED if lost else None)


def _flat(samples: Sequence[Any]) -> Iterator[Any]:
    """A group's samples: one generation may give one or a list."""
    for sample in samples:
        yield from sample if isinstance(sample, list) else [sample]


def _reward(args: Any, sample: Any, rollout: Rollout) -> None:
    keys = {key for key in (getattr(args, "reward_key", None), getattr(args, "eval_reward_key", None)) if key}
    sample.reward = dict.fromkeys(keys, rollout.reward) if keys else rollout.reward
    turns = {"vitrine_turns": rollout.turns, "vitrine_rejected": rollout.rejected}
    sample.metadata = {**(sample.metadata or {}), **turns}


class _Aborted(Exception):
    """slime stops its generations when it has enough."""


class _Writer:
    """A draft goes on the sample only once it is kept: what slime replays of a draft (experts, nuclei) cannot be
    taken off again."""

    def __init__(self, args: Any, sample: Any, sampling_params: dict[str, Any], tokenizer: Any) -> None:
        self.args = args
        self.sample = sample
        self.sampling = sampling_params
        self.tokenizer = tokenizer
        self.heard: list[int] = []
        self.heard_text = ""
        self.room: int = sampling_params["max_new_tokens"]
        sample.tokens = prompt_ids(tokenizer, sample.prompt)
        sample.response, sample.response_length = "", 0
        sample.loss_mask = sample.rollout_log_probs = None
        sample.rollout_top_p_token_ids = sample.rollout_top_p_token_offsets = None

    async def write(self) -> Draft | None:
        from slime.rollout.sglang_rollout import get_model_url
        from slime.utils.http_utils import post

        left = self.room - self.sample.response_length - len(self.heard)
        if left <= 0:
            return None
        payload = {
            "input_ids": self.sample.tokens + self.heard,
            "sampling_params": {**self.sampling, "max_new_tokens": left},
            "return_logprob": True,
        }
        if getattr(self.args, "use_rollout_routing_replay", False):
            payload["return_routed_experts"] = True
        answer = await post(get_model_url(self.args, "default"), payload)
        meta = answer["meta_info"]
        if meta["finish_reason"]["type"] == "abort":
            raise _Aborted
        logprobs, ids = [pair[0] for pair in meta["output_token_logprobs"]], [pair[1] for pair in meta["output_token_logprobs"]]
        return Draft(self.tokenizer.decode(ids, skip_special_tokens=True), ids, logprobs, extra=answer)

    async def keep(self, draft: Draft) -> None:
        if self.heard:
            self.sample.append_response_tokens(self.args, tokens=self.heard, trainable=False, text=self.heard_text)
            self.heard, self.heard_text = [], ""
        self.sample.append_response_tokens(
            self.args,
            tokens=list(draft.ids),
            log_probs=draft.logprobs,
            trainable=True,
            meta_info=draft.extra["meta_info"],
            text=draft.extra["text"],
        )

    async def hear(self, text: str) -> bool:
        ids = between_ids(self.tokenizer, text, self.sample.tokens)
        if self.sample.response_length + len(ids) >= self.room:
            return False
        self.heard, self.heard_text = ids, self.tokenizer.decode(ids)
        return True
