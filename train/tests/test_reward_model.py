"""A reward model and GRPO on it, on TRL's own trainers, with a random model of two layers and a service that stands in."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (train/setup.sh)")
pytest.importorskip("trl", reason="TRL is not installed (train/setup.sh)")

from tiny import letters, random_model  # noqa: E402
from vitrine_train import stages  # noqa: E402
from vitrine_train.ladder import Task  # noqa: E402
from vitrine_train.reward_model import Judge, named  # noqa: E402
from vitrine_train.rows import best_and_worst, read_lines  # noqa: E402


class Vowels(http.server.BaseHTTPRequestHandler):
    """Rewards the share of vowels; an output that begins with "x" is not judged."""

    recipes: set[str] = set()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.recipes.add(body["recipe"])
        results = []
        for item in body["items"]:
            text = item["output"]
            result: dict[str, Any] = {"id": item["id"], "status": "scored", "reward": sum(c in "aeiou" for c in text) / 8, "parts": {}, "outcome": "rendered"}
            if text.startswith("x"):
                result |= {"status": "unjudged", "reward": None, "outcome": "", "error": {"stage": "capture", "code": "starved", "message": ""}}
            results.append(result)
        answer = json.dumps({"results": results}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    Vowels.recipes = set()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Vowels) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


COMMON: dict[str, Any] = {
    "steps": 2, "batch": 4, "samples": 4, "limit": 0, "max_tokens": 8, "learning_rate": 0.01, "warmup": 0, "temperature": 1.0, "report_to": "", "save_every": 2,
    "sample_every": 1,
}  # fmt: skip
JUDGE = {**COMMON, "name": "judge", "method": "reward-model", "reward": "looks"}
GRPO = {
    **COMMON, "name": "grpo", "method": "grpo", "reward": "model", "prompts": 1, "beta": 0.0, "epsilon": 0.2, "loss": "grpo", "scale_rewards": "group",
    "updates": 1, "overlong": "score", "advantage_clip": 0, "distill": 0, "choose": 0,
}  # fmt: skip
TASKS = {"train": [Task(name, "page", f"write {name}", "") for name in ("one", "two", "three", "four")]}


def test_a_reward_model_of_pairs_and_grpo_on_it(url: str, tmp_path: Path) -> None:
    start = str(tmp_path / "start")
    random_model().save_pretrained(start)
    letters().save_pretrained(start)
    (tmp_path / "settings.json").write_text(json.dumps({"stages": [JUDGE, GRPO]}))

    assert stages.STAGES["reward-model"](JUDGE, start, TASKS, tmp_path, 1, url) == start, "what judges does not write"
    assert best_and_worst(read_lines(tmp_path / "judge.jsonl")), "there were pairs"
    rows = [row for row in read_lines(tmp_path / "curves.jsonl") if row["stage"] == "judge"]
    assert [row["step"] for row in rows] == [1, 2]
    assert all(row["loss"] > 0 and 0 <= row["accuracy"] <= 1 for row in rows)

    model = stages.STAGES["grpo"](GRPO, start, TASKS, tmp_path, 1, url)
    assert model == str(tmp_path / "grpo" / "model")
    assert Vowels.recipes == {"looks"}, "the recipe of the pairs scores the samples"
    judge = Judge(stages._trained(tmp_path / "judge"), 3)
    samples = read_lines(tmp_path / "samples.jsonl")
    prompts = [stages.prompt(sample["instruction"]) for sample in samples]
    assert [sample["reward"] for sample in samples] == pytest.approx(judge(prompts, [sample["output"] for sample in samples]), abs=1e-5)
    assert {sample["reward_recipe"] for sample in samples} <= {n / 8 for n in range(9)} | {None}
    rows = [row for row in read_lines(tmp_path / "curves.jsonl") if row["stage"] == "grpo"]
    for row in rows:
        step = [sample for sample in samples if sample["step"] == row["step"]]
        judged = [sample["reward_recipe"] for sample in step if sample["reward_recipe"] is not None]
        assert len(step) == 4
        assert row["reward"] == pytest.approx(sum(sample["reward"] for sample in step) / 4, abs=1e-4)
        assert row["reward_recipe"] == pytest.approx(sum(judged) / len(judged))
        assert row["unjudged"] == 1 - len(judged) / 4
    with pytest.raises(FileNotFoundError, match="none has no checkpoint any more: remove none.done"):
        stages._trained(tmp_path / "none")


def test_a_reward_model_learns_which_output_is_better(url: str, tmp_path: Path) -> None:
    start = str(tmp_path / "start")
    random_model().save_pretrained(start)
    letters().save_pretrained(start)
    stages.STAGES["reward-model"]({**JUDGE, "samples": 16, "steps": 40}, start, TASKS, tmp_path, 1, url)
    judge = Judge(stages._trained(tmp_path / "judge"), 2)
    pairs = best_and_worst(read_lines(tmp_path / "judge.jsonl"))
    prompts = [stages.prompt(best["instruction"]) for best, _ in pairs]
    best, worst = (judge(prompts, [rows[k]["output"] for rows in pairs]) for k in (0, 1))
    assert all(a > b for a, b in zip(best, worst, strict=True))
    prompts, outputs = prompts[:1] * 4, ["a", "", "aaaaaaaa", "x y"]
    alone = [judge([prompt], [output])[0] for prompt, output in zip(prompts, outputs, strict=True)]
    assert judge(prompts, outputs) == pytest.approx(alone, abs=1e-5), "an output's reward does not depend on those beside it"


def test_without_a_pair_there_is_no_reward_model(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "_sample", lambda *_: [{"task_id": "a", "reward": 0.5}, {"task_id": "a", "reward": 0.5}, {"task_id": "b", "reward": None}])
    with pytest.raises(ValueError, match="reward-model: no task has two samples of different rewards"):
        stages.STAGES["reward-model"](JUDGE, "", TASKS, tmp_path, 1, url)


def test_which_model_gives_the_reward(tmp_path: Path) -> None:
    order = [JUDGE, {**JUDGE, "name": "second"}, GRPO, {**JUDGE, "name": "late"}]
    (tmp_path / "settings.json").write_text(json.dumps({"stages": order}))
    for reward, want in {"model": "second", "judge": "judge", "quality": None, "late": None}.items():
        found = named({**GRPO, "reward": reward}, tmp_path)
        assert (found and found["name"]) == want
