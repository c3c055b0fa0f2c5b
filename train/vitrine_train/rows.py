"""Rows of JSON lines that a run keeps."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def append(path: Path, row: Row) -> None:
    """Adds a line. A line before it that a kill cut off is ended first."""
    with open(path, "ab+") as file:
        if file.tell() > 0:
            file.seek(-1, 2)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write((json.dumps(finite(row), ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "replace"))


def finite(row: Row) -> Row:
    """The row with None for numbers that are none: JSON has no NaN, and one must not hide the rest of a row."""
    return {key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in row.items()}


def read_lines(path: Path) -> list[Row]:
    """The rows of a file, without a line that a kill cut off; none where there is no file."""
    rows = []
    if path.exists():
        for line in path.read_bytes().splitlines():
            try:
                rows.append(json.loads(line))
            except ValueError:
                continue
    return rows


def best_and_worst(rows: Iterable[Row]) -> list[tuple[Row, Row]]:
    """For each task the samples with the highest and the lowest reward, the first of equals. Samples that were not
    judged are left out, and so are tasks whose rewards are all equal: they say nothing of what is better."""
    by_task: dict[str, list[Row]] = {}
    for row in rows:
        if row["reward"] is not None:
            by_task.setdefault(row["task_id"], []).append(row)
    pairs = []
    for samples in by_task.values():
        best, worst = max(samples, key=lambda row: row["reward"]), min(samples, key=lambda row: row["reward"])
        if best["reward"] > worst["reward"]:
            pairs.append((best, worst))
    return pairs
