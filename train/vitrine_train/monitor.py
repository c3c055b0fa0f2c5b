"""What is kept of a run while it trains: curves.jsonl, samples.jsonl, alarms.jsonl, curves.png; and
a line on stdout for each step, which `vitrine train` shows."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

from .alarms import alarms

KEPT = {
    "loss": "loss", "reward": "reward", "reward_std": "reward_std", "kl": "kl", "entropy": "entropy", "grad_norm": "grad_norm",
    "learning_rate": "learning_rate", "completions/mean_length": "tokens", "completions/clipped_ratio": "cut_off",
    "frac_reward_zero_std": "flat_groups", "step_time": "seconds",
}  # fmt: skip
"""What is taken of TRL's logs, and its name here."""


def append(path: Path, row: dict[str, Any]) -> None:
    """Adds a line of JSON."""
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")


class Samples:
    """Counts what became of the samples of a step, and keeps those of some steps."""

    def __init__(self, run: Path, stage: str, every: int) -> None:
        self.path, self.stage, self.every = run / "samples.jsonl", stage, every
        self.step = 0
        self.rows: list[dict[str, Any]] = []
        self.seconds = 0.0

    def add(self, texts: Sequence[str], tasks: Sequence[dict[str, str]], results: Sequence[Any], seconds: float) -> None:
        """One batch of completions with what the service said of each."""
        self.seconds += seconds
        for text, task, result in zip(texts, tasks, results, strict=True):
            row = {"id": f"{self.stage}-{self.step + 1}-{len(self.rows)}", "stage": self.stage, "step": self.step + 1, **task, "output": text}
            self.rows.append({**row, "reward": result.reward, "outcome": result.outcome, "parts": dict(result.parts),
                              "error": result.error.code if result.error else ""})  # fmt: skip

    def close(self, step: int) -> dict[str, Any]:
        """The figures of the step's samples. Shares are of 1; those of what was not judged are left out of means."""
        rows, self.rows = self.rows, []
        seconds, self.seconds = self.seconds, 0.0
        self.step = step
        if not rows:
            return {}
        if step % self.every == 0 or step == 1:
            for row in rows:
                append(self.path, row)
        judged = [row for row in rows if row["reward"] is not None]
        causes: dict[str, int] = {}
        for row in rows:
            if row["error"]:
                causes[row["error"]] = causes.get(row["error"], 0) + 1
        figures: dict[str, Any] = {
            "unjudged": 1 - len(judged) / len(rows), "causes": causes, "unique": len({row["output"] for row in rows}) / len(rows),
            "seconds_reward": round(seconds, 3),
        }  # fmt: skip
        if judged:
            figures["rendered"] = sum(row["outcome"] == "rendered" for row in judged) / len(judged)
        for part in sorted({part for row in judged for part in row["parts"]}):
            values = [row["parts"][part] for row in judged if row["parts"].get(part) is not None]
            if values:
                figures[f"part_{part}"] = statistics.fmean(values)
        return figures


class Monitor(TrainerCallback):  # type: ignore[misc]
    """Writes a line of curves.jsonl at each step."""

    def __init__(self, run: Path, stage: str, samples: Samples | None = None) -> None:
        self.run, self.stage, self.samples = run, stage, samples
        self.curves: list[dict[str, Any]] = []
        self.said: set[str] = set()
        self.began = time.monotonic()

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
        self.curves.append(row)
        append(self.run / "curves.jsonl", row)
        print(json.dumps(row), flush=True)
        for kind, alarm in alarms(self.curves).items():
            if kind not in self.said:
                self.said.add(kind)
                append(self.run / "alarms.jsonl", {"stage": self.stage, "step": state.global_step, "alarm": alarm})
                print(json.dumps({"stage": self.stage, "alarm": alarm}), flush=True)


def draw(run: Path) -> None:
    """Draws curves.png of what curves.jsonl has."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rows = [json.loads(line) for line in open(run / "curves.jsonl", encoding="utf-8")]
    keys = [key for key in ("loss", "reward", "part_function", "part_looks", "rendered", "unique", "entropy", "tokens") if any(key in row for row in rows)]
    figure, axes = plt.subplots((len(keys) + 1) // 2, 2, figsize=(10, 2.2 * ((len(keys) + 1) // 2)), squeeze=False)
    for axis in axes.flat[len(keys) :]:
        axis.set_visible(False)
    for axis, key in zip(axes.flat, keys, strict=False):
        for stage in dict.fromkeys(row["stage"] for row in rows):
            points = {row["step"]: row[key] for row in rows if row["stage"] == stage and key in row}
            if points:
                axis.plot(list(points), list(points.values()), label=stage)
        axis.set_title(key)
        axis.set_xlabel("step")
        axis.xaxis.get_major_locator().set_params(integer=True)
    axes.flat[0].legend()
    figure.tight_layout()
    figure.savefig(run / "curves.png", dpi=110)
