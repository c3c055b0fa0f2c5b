"""What became of the samples of a step."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .rows import Row, append


class Samples:
    """Counts what became of the samples of a step, and keeps those of some steps."""

    def __init__(self, run: Path, stage: str, every: int) -> None:
        self.path, self.stage, self.every = run / "samples.jsonl", stage, every
        self.step = 0
        """The last step that is done; a run that goes on sets it."""
        self.rows: list[Row] = []
        self.seconds = 0.0
        self.sampling = 0.0

    def generated(self, seconds: float) -> None:
        """Counts seconds in which outputs were sampled."""
        self.sampling += seconds

    def waited(self, seconds: float) -> None:
        """Counts seconds in which rewards were waited for."""
        self.seconds += seconds

    def add(self, texts: Sequence[str], tasks: Sequence[dict[str, Any]], results: Sequence[Any], seconds: float, learned: Sequence[float] | None = None) -> None:
        """One batch of completions with what the service said of each. Of a trajectory, the text is its best version, and
        the task has its versions as turns: output, score, accepted, feedback. Where a reward model gave the rewards that
        are learned from, that of the service is kept beside as reward_recipe."""
        self.waited(seconds)
        for i, (text, task, result) in enumerate(zip(texts, tasks, results, strict=True)):
            row = {"id": f"{self.stage}-{self.step + 1}-{len(self.rows)}", "stage": self.stage, "step": self.step + 1, **task, "output": text}
            rewards = {"reward": result.reward} if learned is None else {"reward": learned[i], "reward_recipe": result.reward}
            self.rows.append({**row, **rewards, "outcome": result.outcome, "parts": dict(result.parts),
                              "error": result.error.code if result.error else ""})  # fmt: skip

    def close(self, step: int) -> dict[str, Any]:
        """The figures of the step's samples. Shares are of 1; those of what was not judged are left out of means."""
        rows, self.rows = self.rows, []
        seconds, self.seconds = self.seconds, 0.0
        sampling, self.sampling = self.sampling, 0.0
        self.step = step
        if not rows:
            return {}
        if step % self.every == 0 or step == 1:
            for row in rows:
                append(self.path, row)
        judged = [row for row in rows if row.get("reward_recipe", row["reward"]) is not None]
        causes: dict[str, int] = {}
        for row in rows:
            if row["error"]:
                causes[row["error"]] = causes.get(row["error"], 0) + 1
        figures: dict[str, Any] = {
            "unjudged": (len(rows) - len(judged)) / len(rows), "causes": causes, "unique": len({row["output"] for row in rows}) / len(rows),
            "seconds_reward": round(seconds, 3), "seconds_generation": round(sampling, 3),
        }  # fmt: skip
        if judged:
            figures["rendered"] = sum(row["outcome"] == "rendered" for row in judged) / len(judged)
            if "reward_recipe" in judged[0]:
                figures["reward_recipe"] = statistics.fmean(row["reward_recipe"] for row in judged)
        for part in sorted({part for row in judged for part in row["parts"]}):
            values = [row["parts"][part] for row in judged if row["parts"].get(part) is not None]
            if values:
                figures[f"part_{part}"] = statistics.fmean(values)
        return figures | trajectories(judged)


def trajectories(rows: Sequence[Row]) -> dict[str, float]:
    """What judged trajectories came to, none where there is none: for each, how many versions were accepted, how many were
    not, how many critiques were answered, the score of the best version and what it has over the first; and the share
    of all revisions that was accepted."""
    done = [row["turns"] for row in rows if row.get("turns")]
    if not done:
        return {}
    revisions = [turn for turns in done for turn in turns[1:]]
    accepted = [[turn for turn in turns if turn["accepted"]] for turns in done]
    found = {
        "accepted_turns": statistics.fmean(len(turns) for turns in accepted),
        "reflections": statistics.fmean(sum(bool(turn["feedback"]) for turn in turns) for turns in done),
        "resampled": statistics.fmean(sum(not turn["accepted"] for turn in turns) for turns in done),
        "score": statistics.fmean(turns[-1]["score"] for turns in accepted if turns),
        "score_gain": statistics.fmean(turns[-1]["score"] - turns[0]["score"] for turns in accepted if turns),
    }
    if revisions:
        found["acceptance"] = statistics.fmean(turn["accepted"] for turn in revisions)
    return found
