"""What vitrine data export writes loads as Hugging Face's datasets load it, from JSON lines and from Parquet alike."""

from __future__ import annotations

import ast
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from wheels import function, source

BIN = os.environ.get("VITRINE_BIN")
OUTPUT = {"id": "a", "task_id": "t", "instruction": "A shop", "output": "<p>page</p>"}
PAIR = {"id": "p", "instruction": "A shop", "chosen": "<p>good</p>", "rejected": "<p>bad</p>"}
USER = [{"role": "user", "content": "A shop"}]
WANT: dict[str, dict[str, Any]] = {
    "sft": {"id": "a", "messages": [*USER, {"role": "assistant", "content": "<p>page</p>"}]},
    "grpo": {"id": "a", "task_id": "t", "prompt": USER},
    "dpo": {"id": "p", "prompt": USER, "chosen": [{"role": "assistant", "content": "<p>good</p>"}], "rejected": [{"role": "assistant", "content": "<p>bad</p>"}]},
    "sharegpt": {"id": "a", "conversations": [{"from": "human", "value": "A shop"}, {"from": "gpt", "value": "<p>page</p>"}]},
}


@pytest.mark.skipif(not BIN, reason="VITRINE_BIN is not set")
@pytest.mark.parametrize("shape", sorted(WANT))
@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_rows_load_as_they_were_written(tmp_path: Path, shape: str, form: str) -> None:
    datasets: Any = pytest.importorskip("datasets", reason="datasets is not installed: pip install datasets")
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps(PAIR if shape == "dpo" else OUTPUT) + "\n")
    command = [str(BIN), "data", "export", str(rows), "--as", shape, "--format", form, "--out", str(tmp_path / "out")]
    subprocess.run(command, check=True, capture_output=True)
    loaded = datasets.load_dataset(
        "json" if form == "jsonl" else "parquet", data_files=str(tmp_path / "out" / f"rows.{form}"), cache_dir=str(tmp_path / "cache"), split="train"
    )
    assert loaded.to_list() == [WANT[shape]]


@pytest.mark.parametrize("shape", ["dpo", "grpo", "sft"])
def test_trl_takes_the_rows_for_conversations(shape: str) -> None:
    found = function(source("trl", "trl/data_utils.py"), "is_conversational")
    assert found is not None
    scope: dict[str, Any] = {"Any": Any}
    exec(ast.unparse(found), scope)  # TRL's own function, without the torch that its package imports
    assert scope["is_conversational"](WANT[shape])
