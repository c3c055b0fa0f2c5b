"""What is kept of a run while it trains: curves.jsonl, samples.jsonl, alarms.jsonl, curves.png; and
a line on stdout for each step, which `vitrine train` shows."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

from .alarms import alarms
from .rows import append, finite, read_lines
from .samples import Samples

KEPT = {
    "loss": "loss", "reward": "reward", "reward_std": "reward_std", "kl": "kl", "entropy": "entropy", "grad_norm": "grad_norm",
    "learning_rate": "learning_rate", "completions/mean_length": "tokens", "completions/clipped_ratio": "cut_off",
    "frac_reward_zero_std": "flat_groups", "step_time": "seconds", "accuracy": "accuracy", "distillation": "distillation",
}  # fmt: skip
"""What is taken of TRL's logs, and its name here."""


class Monitor(TrainerCallback):  # type: ignore[misc]
    """Writes a line of curves.jsonl at each step."""

    def __init__(self, run: Path, stage: str, samples: Samples | None = None) -> None:
        self.run, self.stage, self.samples = run, stage, samples
        self.curves: dict[int, dict[str, Any]] = {row["step"]: row for row in read_lines(run / "curves.jsonl") if row["stage"] == stage}
        self.said = {row["kind"] for row in read_lines(run / "alarms.jsonl") if row["stage"] == stage}
        self.began = time.monotonic()

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """A run that goes on has forgotten what came after its checkpoint."""
        self.curves = {step: row for step, row in self.curves.items() if step <= state.global_step}
        if self.samples:
            self.samples.step = state.global_step

    def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self.began = time.monotonic()

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any) -> None:
        logs = logs or {}
        if "loss" not in logs:
            return  # the summary at the end
        row: dict[str, Any] = {"stage": self.stage, "step": state.global_step, "of": state.max_steps, "seconds": round(time.monotonic() - self.began, 3)}
        row.update({name: float(logs[key]) for key, name in KEPT.items() if logs.get(key) is not None})
        if self.samples:
            row.update(self.samples.close(state.global_step))
        row = finite(row)
        self.curves[state.global_step] = row
        append(self.run / "curves.jsonl", row)
        print(json.dumps(row), flush=True)
        for kind, alarm in alarms([self.curves[step] for step in sorted(self.curves)]).items():
            if kind not in self.said:
                self.said.add(kind)
                append(self.run / "alarms.jsonl", {"stage": self.stage, "step": state.global_step, "kind": kind, "alarm": alarm})
                print(json.dumps({"stage": self.stage, "alarm": alarm}), flush=True)


def draw(run: Path) -> None:
    """Draws curves.png of what curves.jsonl has."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rows = read_lines(run / "curves.jsonl")
    keys = [key for key in ("loss", "accuracy", "reward", "reward_recipe", "part_function", "part_looks", "rendered", "unique", "entropy", "tokens", "reflections", "acceptance", "accepted_turns", "score_gain", "distillation") if any(row.get(key) is not None for row in rows)]
    figure, axes = plt.subplots((len(keys) + 1) // 2, 2, figsize=(10, 2.2 * ((len(keys) + 1) // 2)), squeeze=False)
    for axis in axes.flat[len(keys) :]:
        axis.set_visible(False)
    for axis, key in zip(axes.flat, keys, strict=False):
        for stage in dict.fromkeys(row["stage"] for row in rows):
            points = {row["step"]: row[key] for row in rows if row["stage"] == stage and row.get(key) is not None}
            if points:
                axis.plot(list(points), list(points.values()), label=stage)
        axis.set_title(key)
        axis.set_xlabel("step")
        axis.xaxis.get_major_locator().set_params(integer=True)
    axes.flat[0].legend()
    figure.tight_layout()
    figure.savefig(run / "curves.png", dpi=110)
