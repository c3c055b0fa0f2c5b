"""Alarms of a training, of its curves alone."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

WINDOW = 10
"""Steps that are compared with the first as many."""

FALLS = (("part_function", "fewer behaviours work"), ("rendered", "fewer pages render"), ("unique", "pages repeat each other"))


def alarms(curves: Sequence[dict[str, Any]], window: int = WINDOW) -> dict[str, str]:
    """Signs that a policy games its reward, by kind: the reward rose, and what it stands for fell. Compares the last
    `window` steps with the first ones, once there are two windows; what could not be judged is said at once.

    A reward model has a scale of its own: four deviations of its rewards in the first window stand for the range of a
    recipe, 1. Where its rewards rise and those of the recipe or what it is made of fall, the policy collapses."""
    found: dict[str, str] = {}
    unjudged = [row["unjudged"] for row in curves[-window:] if row.get("unjudged") is not None]
    if unjudged and statistics.fmean(unjudged) > 0.001:
        found["unjudged"] = f"{statistics.fmean(unjudged):.1%} of the samples could not be judged"
    if len(curves) < 2 * window:
        return found

    def mean(key: str, rows: Sequence[dict[str, Any]]) -> float | None:
        values = [row[key] for row in rows if row.get(key) is not None]
        return statistics.fmean(values) if len(values) > window // 2 else None

    def moved(key: str) -> float | None:
        before, after = mean(key, curves[:window]), mean(key, curves[-window:])
        return None if before is None or after is None else after - before

    rise, model = moved("reward"), moved("reward_recipe") is not None
    unit = 4 * (mean("reward_std", curves[:window]) or 0.25) if model else 1.0
    who, collapse = ("the reward model's reward", ": the policy collapses on the reward model") if model else ("the reward", "")
    if rise is not None and rise > 0.02 * unit:
        for key, what in (("reward_recipe", "the recipe pays the same samples less"), *FALLS):
            fall = moved(key)
            if fall is not None and fall < -0.05:
                found[key] = f"{who} rose by {rise:.3f} and {what}: {key} fell by {-fall:.3f}{collapse}"
    more = moved("cut_off")
    if more is not None and more > 0.2:
        found["cut_off"] = f"outputs do not end any more: the share that is cut off at the bound of tokens rose by {more:.2f}"
    best = max((value for at in range(0, len(curves), window) if (value := mean("reward", curves[at : at + window])) is not None), default=None)
    if rise is not None and best is not None:
        now = mean("reward", curves[-window:]) or 0.0
        if rise < -0.05 * unit:
            found["reward"] = f"the reward fell by {-rise:.3f}: the policy collapses"
        elif rise <= 0 and best - now > 0.05 * unit:  # as WebGen-R1 saw it with a trained reward model (E.9)
            found["reward"] = f"the reward had risen and fell by {best - now:.3f} to where it began: the policy collapses"
    return found
