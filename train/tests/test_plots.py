"""Tasks that ask for a plot: what they are, and what stages make of them."""

from __future__ import annotations

import http.server
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from vitrine_train.ladder import Task, ladder, read
from vitrine_train.plots import ARCHETYPES, NEW, plots


def test_plots_are_split_as_the_ladder_is() -> None:
    splits = plots()
    said = [t.instruction for tasks in splits.values() for t in tasks]
    assert len(said) == len(set(said)) >= 60
    assert {t.archetype for t in splits["heldout"]} == set(ARCHETYPES)
    assert not {t.archetype for t in splits["train"] + splits["dev"]} & set(NEW)
    assert {t.kind for tasks in splits.values() for t in tasks} == {"plot"}
    assert {t.kind for tasks in ladder().values() for t in tasks} == {"page"}
    assert splits == plots() != plots(seed=2)


def test_scripts_are_short_and_have_the_numbers_of_their_instruction() -> None:
    for tasks in plots().values():
        for task in tasks:
            compile(task.page, task.task_id, "exec")
            assert len(task.page) < 400, task.task_id
            assert set(re.findall(r"\d+", task.instruction)) <= set(re.findall(r"\d+", task.page)), task.task_id


def test_scripts_draw() -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed (train/setup.sh)")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    for name in ARCHETYPES:
        task = next(t for t in plots()["heldout"] if t.archetype == name)
        exec(compile(task.page.replace("plt.show()", ""), task.task_id, "exec"), {})
        [axes] = pyplot.gcf().axes
        assert f"titled {axes.get_title()}" in task.instruction
        assert axes.patches or axes.lines or axes.collections, name
        pyplot.close("all")


def test_plots_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "tasks.jsonl"
    file.write_text('{"instruction": "a", "script": "plot()"}\n{"instruction": "b", "kind": "plot"}\n{"instruction": "c", "page": "<p>"}\n')
    assert [(t.kind, t.page) for t in read(str(file))] == [("plot", "plot()"), ("plot", ""), ("page", "<p>")]
    for text in ('{"instruction": "a", "script": "x", "kind": "page"}', '{"instruction": "a", "kind": "video"}'):
        file.write_text(text)
        with pytest.raises(ValueError, match=":1: kind: want page, or plot"):
            read(str(file))


class Drawn(http.server.BaseHTTPRequestHandler):
    """Keeps what it is asked to score; each output draws."""

    items: list[dict[str, Any]] = []

    def do_POST(self) -> None:
        items = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["items"]
        self.items.extend(items)
        results = [{"id": item["id"], "status": "scored", "reward": len(item["output"]) / 8, "parts": {}, "outcome": "rendered"} for item in items]
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
    Drawn.items = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Drawn) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


MIXED = [Task("a", "page", "a page", "<p>"), Task("b", "bar", "a plot", "plot()", "plot")]


def test_stages_ask_for_scripts_and_have_them_scored_as_plots(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("trl", reason="TRL is not installed (train/setup.sh)")
    from tiny import letters, random_model
    from vitrine_train import stages
    from vitrine_train.rows import read_lines

    imitated: list[dict[str, Any]] = []
    monkeypatch.setattr(stages, "_imitate", lambda stage, model, rows, run, seed: imitated.extend(rows))
    tasks: stages.Tasks = {"train": MIXED, "dev": [], "heldout": MIXED}
    stages.STAGES["sft"]({"method": "sft"}, "", tasks, tmp_path, 1, url)
    assert [(row["prompt"][0]["content"], row["completion"][0]["content"]) for row in imitated] == [(stages.SYSTEMS["page"], "<p>"), (stages.SYSTEMS["plot"], "plot()")]

    start = str(tmp_path / "start")
    random_model().save_pretrained(start)
    letters().save_pretrained(start)
    stage = {"name": "after", "method": "evaluate", "reward": "drawn", "samples": 4, "limit": 0, "max_tokens": 8, "temperature": 1.0}
    stages.STAGES["evaluate"](stage, start, tasks, tmp_path, 1, url)
    rows = read_lines(tmp_path / "after.jsonl")
    assert [row.get("kind") for row in rows] == [None] * 4 + ["plot"] * 4
    assert sorted((item["instruction"], item.get("kind")) for item in Drawn.items) == [("a page", None)] * 4 + [("a plot", "plot")] * 4

    imitated.clear()
    stages.STAGES["rft"]({**stage, "name": "rft", "method": "rft"}, start, tasks, tmp_path, 1, url)
    assert {row["prompt"][1]["content"]: row["prompt"][0]["content"] for row in imitated}["a plot"] == stages.SYSTEMS["plot"]
    with pytest.raises(ValueError, match="some tasks ask for a plot"):
        stages.STAGES["relook"]({**stage, "name": "relook", "method": "relook"}, start, tasks, tmp_path, 1, url)


def test_samples_of_a_step_say_that_they_are_plots(tmp_path: Path) -> None:
    pytest.importorskip("trl", reason="TRL is not installed (train/setup.sh)")
    from types import SimpleNamespace

    from vitrine_train import stages
    from vitrine_train.samples import Samples

    samples = Samples(tmp_path, "grpo", every=1)
    scorer: Any = SimpleNamespace(results=lambda n: [SimpleNamespace(reward=1.0, outcome="rendered", parts={}, error=None)] * n)
    reward = stages._reward(scorer, samples, None)
    reward([stages.prompt("a"), stages.prompt("b", "plot")], ["x", "y"], [[1], [1]], task_id="ab", archetype="ab", instruction="ab")
    assert [row.get("kind") for row in samples.rows] == [None, "plot"]
