"""Alarms of a training, of its curves alone."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

WINDOW = 10
"""Steps that are compared with the first as many."""


def alarms(curves: Sequence[dict[str, Any]], window: int = WINDOW) -> dict[str, str]:
    """Signs that a policy games its reward, by kind: the reward rose, and what it stands for fell. Compares the last
    `window` steps with the first ones, once there are two windows; what could not be judged is said at once."""
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

    rise = moved("reward")
    if rise is not None and rise > 0.02:
        for key, what in (("part_function", "fewer behaviours work"), ("rendered", "fewer pages render"), ("unique", "pages repeat each other")):
            fall = moved(key)
            if fall is not None and fall < -0.05:
                found[key] = f"the reward rose by {rise:.3f} and {what}: {key} fell by {-fall:.3f}"
    more = moved("cut_off")
    if more is not None and more > 0.2:
        found["cut_off"] = f"outputs do not end any more: the share that is cut off at the bound of tokens rose by {more:.2f}"
    best = max((value for at in range(0, len(curves), window) if (value := mean("reward", curves[at : at + window])) is not None), default=None)
    if rise is not None and best is not None:
        now = mean("reward", curves[-window:]) or 0.0
        if rise < -0.05:
            found["reward"] = f"the reward fell by {-rise:.3f}: the policy collapses"
        elif rise <= 0 and best - now > 0.05:  # as WebGen-R1 saw it with a trained reward model (E.9)
            found["reward"] = f"the reward had risen and fell by {best - now:.3f} to where it began: the policy collapses"
    return found
