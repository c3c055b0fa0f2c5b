"""Open-R1: its GRPO script with the service's reward.

    accelerate launch … -m vitrine.open_r1 --config open-r1-webgen-r1.yaml

takes the place of src/open_r1/grpo.py and its options; reward_funcs may name "vitrine". See docs/trainers/open-r1.md.
The module can be imported without Open-R1."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from . import trl
from .errors import Unjudged
from .sync import run


def reward(**settings: Any) -> Callable[..., list[float]]:
    """`vitrine.trl.reward` for the TRL that Open-R1 pins, which awaits nothing and makes 0 of None: what could not be
    judged gets the mean of the same prompt's other outputs in the batch, where its advantage is near 0.

    Raises Unjudged where there is no other: a batch without rewards is no step."""
    judge = trl.reward(**settings)

    def vitrine_reward(prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> list[float]:
        found = run(judge(prompts=prompts, completions=completions, **columns))
        return [_mean(prompts, found, prompt) if value is None else value for prompt, value in zip(prompts, found, strict=True)]

    return vitrine_reward


def _mean(prompts: Sequence[Any], found: Sequence[float | None], prompt: Any) -> float:
    judged = [value for other, value in zip(prompts, found, strict=True) if other == prompt and value is not None]
    if not judged:
        raise Unjudged("no output of a prompt could be judged")
    return fmean(judged)


def main() -> None:
    """Open-R1's GRPO script, which chooses rewards from a table of its own."""
    from open_r1 import grpo

    listed = grpo.get_reward_funcs

    def get_reward_funcs(script_args: Any) -> list[Any]:
        found: list[Any] = []
        for name in script_args.reward_funcs:
            one = copy.copy(script_args)
            one.reward_funcs = [name]
            found += [reward()] if name == "vitrine" else listed(one)
        return found

    grpo.get_reward_funcs = get_reward_funcs
    parser = grpo.TrlParser((grpo.GRPOScriptArguments, grpo.GRPOConfig, grpo.ModelConfig))
    grpo.main(*parser.parse_args_and_config())


if __name__ == "__main__":
    main()
