"""What vitrine data export writes loads as Hugging Face's datasets load it, and is what the readers of TRL, verl and
LLaMA-Factory read: their own code runs on it, without what their packages import."""

from __future__ import annotations

import ast
import enum
import json
import logging
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from wheels import function, source

BIN = os.environ.get("VITRINE_BIN")
needs_binary = pytest.mark.skipif(not BIN, reason="VITRINE_BIN is not set")
OUTPUT = {"id": "a", "task_id": "t", "instruction": "A shop", "output": "<p>page</p>"}
PAIR = {"id": "p", "instruction": "A shop", "chosen": "<p>good</p>", "rejected": "<p>bad</p>"}
USER = [{"role": "user", "content": "A shop"}]
WANT: dict[str, dict[str, Any]] = {
    "sft": {"id": "a", "messages": [*USER, {"role": "assistant", "content": "<p>page</p>"}]},
    "grpo": {
        "id": "a",
        "task_id": "t",
        "prompt": USER,
        "data_source": "vitrine",
        "reward_model": {"style": "rule", "ground_truth": "t"},
        "extra_info": {"index": 0, "task_id": "t", "instruction": "A shop"},
    },
    "dpo": {"id": "p", "prompt": USER, "chosen": [{"role": "assistant", "content": "<p>good</p>"}], "rejected": [{"role": "assistant", "content": "<p>bad</p>"}]},
    "sharegpt": {"id": "a", "conversations": [{"from": "human", "value": "A shop"}, {"from": "gpt", "value": "<p>page</p>"}]},
    "sharegpt-dpo": {
        "id": "p",
        "conversations": [{"from": "human", "value": "A shop"}],
        "chosen": {"from": "gpt", "value": "<p>good</p>"},
        "rejected": {"from": "gpt", "value": "<p>bad</p>"},
    },
}
WANT |= {"rft": WANT["sft"], "rm": WANT["dpo"]}


def export(tmp_path: Path, shape: str, *flags: str) -> Path:
    """The folder of an export of one row."""
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps(PAIR if "dpo" in shape or shape == "rm" else OUTPUT) + "\n")
    out = tmp_path / "out"
    subprocess.run([str(BIN), "data", "export", str(rows), "--as", shape, *flags, "--out", str(out)], check=True, capture_output=True)
    return out


@needs_binary
@pytest.mark.parametrize("shape", sorted(WANT))
@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_rows_load_as_they_were_written(tmp_path: Path, shape: str, form: str) -> None:
    datasets: Any = pytest.importorskip("datasets", reason="datasets is not installed: pip install datasets")
    out = export(tmp_path, shape, "--format", form)
    loaded = datasets.load_dataset(
        "json" if form == "jsonl" else "parquet", data_files=str(out / f"rows.{form}"), cache_dir=str(tmp_path / "cache"), split="train"
    )
    assert loaded.to_list() == [WANT[shape]]


@pytest.mark.parametrize("shape", ["dpo", "grpo", "rft", "rm", "sft"])
def test_trl_takes_the_rows_for_conversations(shape: str) -> None:
    found = function(source("trl", "trl/data_utils.py"), "is_conversational")
    assert found is not None
    scope: dict[str, Any] = {"Any": Any}
    exec(ast.unparse(found), scope)  # TRL's own function, without the torch that its package imports
    assert scope["is_conversational"](WANT[shape])


@needs_binary
def test_folders_for_the_hub_and_archives_load(tmp_path: Path) -> None:
    datasets: Any = pytest.importorskip("datasets", reason="datasets is not installed: pip install datasets")
    (tmp_path / "hf").mkdir()
    hub = datasets.load_dataset(str(export(tmp_path / "hf", "hf")), cache_dir=str(tmp_path / "cache"))
    assert list(hub) == ["train"] and hub["train"].to_list() == [OUTPUT]
    (tmp_path / "tar").mkdir()
    archives = str(export(tmp_path / "tar", "webdataset") / "*.tar")
    [row] = datasets.load_dataset("webdataset", data_files=archives, cache_dir=str(tmp_path / "cache"), split="train").to_list()
    assert row["json"] == OUTPUT and row["txt"] == "A shop"


def test_verls_reader_hands_on_what_the_reward_reads() -> None:
    text, scope = source("verl", "verl/utils/dataset/rl_dataset.py"), {"torch": SimpleNamespace(tensor=lambda *_, **__: None, uint8=None), "logger": logging}
    for name in "_build_messages", "__getitem__":
        found = function(text, name, "RLHFDataset")
        assert found is not None
        exec("from __future__ import annotations\n" + ast.unparse(found), scope)
    reader: Any = SimpleNamespace(dataframe=[json.loads(json.dumps(WANT["grpo"]))], prompt_key="prompt", image_key="images", video_key="videos", audio_key="audios")
    reader.need_tools_kwargs, build = False, scope["_build_messages"]
    reader._build_messages = lambda row, key: build(reader, row, key)
    getitem: Any = scope["__getitem__"]
    row = getitem(reader, 0)
    assert row["raw_prompt"] == USER and row["index"] == 0 and row["data_source"] == "vitrine"
    assert row["extra_info"]["task_id"] == row["reward_model"]["ground_truth"] == "t"


class Role(str, enum.Enum):
    """LLaMA-Factory's roles."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    FUNCTION = "function"
    OBSERVATION = "observation"


def classes(package: str, path: str, *names: str) -> dict[str, Any]:
    """Classes of a wheel's file, made without its imports."""
    tree = ast.parse(source(package, path))
    tree.body = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name in names]
    scope: dict[str, Any] = {"dataclass": dataclass, "abstractmethod": lambda f: f, "Role": Role, "logger": logging}
    exec("from __future__ import annotations\n" + ast.unparse(tree), scope)
    return scope


@needs_binary
@pytest.mark.parametrize("shape", ["sft", "rft", "sharegpt", "sharegpt-dpo"])
def test_llama_factory_reads_rows_by_what_it_is_told(tmp_path: Path, shape: str) -> None:
    parser = classes("llamafactory", "llamafactory/data/parser.py", "DatasetAttr")
    converter = classes("llamafactory", "llamafactory/data/converter.py", "DatasetConverter", "SharegptDatasetConverter")
    out = export(tmp_path, shape)
    [(_, told)] = json.loads((out / "dataset_info.json").read_text()).items()
    attributes = parser["DatasetAttr"]("file", dataset_name=told["file_name"])
    attributes.join(told)
    read = converter["SharegptDatasetConverter"](attributes, None)(json.loads((out / told["file_name"]).read_text()))
    answers = ["<p>good</p>", "<p>bad</p>"] if "dpo" in shape else ["<p>page</p>"]
    assert read["_prompt"] == USER
    assert read["_response"] == [{"role": "assistant", "content": text} for text in answers]
