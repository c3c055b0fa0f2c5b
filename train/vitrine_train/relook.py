"""ReLook's training: each sample is the trajectory of a refine session of the service (ReLook 2.3 to 2.6)."""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from vitrine import Loop
from vitrine.trl import RefineRollout

from .rewards import PATIENCE
from .rollout import Sampler
from .samples import Samples

FEEDBACK = 1200
"""Most characters of one critique, as the service has it by default."""
AROUND = 100
"""Tokens that a chat template and the tags put around a critique, at most."""

ASKING = (
    "You write one complete HTML page. Unless you are sure that it has no flaw, end with <get_feedback>: what a critic sees "
    "comes back between <mlm_feedback> and </mlm_feedback>. Answer that with a better page, again all of it."
)


def room(stage: dict[str, Any]) -> int:
    """Tokens of a trajectory, so many that none is cut short: all versions and the critiques between them."""
    rounds: int = stage["rounds"]
    return rounds * stage["max_tokens"] + (rounds - 1) * (FEEDBACK + AROUND)


def rollout(stage: dict[str, Any], url: str, sampler: Sampler, samples: Samples) -> Any:
    """TRL's rollout function: for each prompt of a step a refine session, all turn by turn together. The service accepts or
    rejects; a rejected version leaves the trajectory and is sampled again. The critic's tokens are 0 in `env_mask`."""

    def generate(contexts: list[list[int]], trainer: Any) -> tuple[list[list[int]], None]:
        began = time.monotonic()
        made = sampler.after(trainer.accelerator.unwrap_model(trainer.model), contexts, lambda i, ids: None)
        samples.generated(time.monotonic() - began)
        return made, None

    loop = Loop(max_rounds=stage["rounds"], max_resamples=stage["resamples"], ask=stage["ask"], reward="relook", max_feedback_chars=FEEDBACK)
    refine = RefineRollout(url=url, recipe=stage["reward"], loop=loop, deadline=PATIENCE, generate=generate)
    refine.settings = replace(refine.settings, connect=PATIENCE)

    def rollout_func(prompts: Any, trainer: Any) -> dict[str, Any]:
        began = time.monotonic()
        found = refine(prompts, trainer)
        if all(reward is None for reward in found["vitrine_reward"]):
            raise ConnectionError(f"the service at {url} has judged no trajectory of the step")  # a training must not go on on nothing
        samples.waited(time.monotonic() - began - samples.sampling)
        return found

    return rollout_func


def reward(samples: Samples) -> Any:
    """TRL's reward function: the rewards that the sessions gave, None where one was not judged to its end. Trajectories
    are kept with the score of each version."""

    def vitrine_reward(prompts: Any, completions: Any, vitrine_reward: Any, vitrine_history: Any, **columns: Any) -> list[float | None]:
        about, results, texts = [], [], []
        for i, (value, history) in enumerate(zip(vitrine_reward, vitrine_history, strict=True)):
            turns = [
                {"output": text, "score": step.score, "accepted": step.accepted, "feedback": step.feedback if step.action == "revise" else ""}
                for text, step in history
            ]
            best = max((k for k, turn in enumerate(turns) if turn["accepted"]), default=None)  # each accepted one is better than those before
            texts.append("" if best is None else turns[best]["output"])
            about.append({**{key: columns[key][i] for key in ("task_id", "archetype", "instruction")}, "turns": turns})
            outcome = "" if best is None else history[best][1].outcome
            results.append(SimpleNamespace(reward=value, outcome=outcome, parts={}, error=SimpleNamespace(code="unjudged") if value is None else None))
        samples.add(texts, about, results, 0.0)
        return list(vitrine_reward)

    return vitrine_reward
