"""What needs no trainer: tasks and alarms."""

from __future__ import annotations

import html.parser
import http.server
import json
import threading
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from vitrine import Settings
from vitrine_train.alarms import alarms
from vitrine_train.ladder import ARCHETYPES, NEW, ladder, read
from vitrine_train.rewards import Scorer, score
from vitrine_train.rows import append, best_and_worst, read_lines
from vitrine_train.samples import Samples, trajectories


def test_ladder_has_enough_tasks_and_no_task_in_two_splits() -> None:
    splits = ladder()
    said = [t.instruction for tasks in splits.values() for t in tasks]
    assert len(said) == len(set(said)) >= 400
    assert {t.archetype for t in splits["heldout"]} == set(ARCHETYPES)
    assert not {t.archetype for t in splits["train"] + splits["dev"]} & set(NEW)
    assert splits == ladder() != ladder(seed=2)


class Balance(html.parser.HTMLParser):
    """Notes the elements that are open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_pages_of_the_ladder_are_whole_and_short() -> None:
    for tasks in ladder().values():
        for task in tasks:
            page = Balance()
            page.feed(task.page)
            assert page.open == []
            assert len(task.page) < 1200, task.task_id


def test_tasks_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "tasks.jsonl"
    file.write_text(json.dumps({"instruction": "A page."}) + "\n")
    assert [(t.task_id, t.instruction) for t in read(str(file))] == [("1", "A page.")]
    file.write_text('{"instruction": "A page."}\n{"task_id": "x"}\n')
    with pytest.raises(ValueError, match=":2: want an object with an instruction"):
        read(str(file))


def test_tasks_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    file = tmp_path / "tasks.jsonl"
    for text, want in {
        "{": ":1: want an object", "\n[1]": ":2: want an object", '{"instruction": 5}': ":1: instruction, page or script, and archetype are texts",
        '{"task_id": "a", "instruction": "x"}\n{"task_id": "a", "instruction": "y"}': ":2: two tasks have the id a",
    }.items():  # fmt: skip
        file.write_text(text)
        with pytest.raises(ValueError, match=want):
            read(str(file))


def curve(**ends: tuple[float, float]) -> list[dict[str, float]]:
    return [{key: a + (b - a) * i / 29 for key, (a, b) in ends.items()} for i in range(30)]


def test_alarms() -> None:
    assert alarms(curve(reward=(0.3, 0.6), part_function=(0.4, 0.6), rendered=(0.9, 1), unique=(1, 1), unjudged=(0, 0))) == {}
    assert set(alarms(curve(reward=(0.3, 0.6), part_function=(0.6, 0.3)))) == {"part_function"}
    assert set(alarms(curve(reward=(0.3, 0.6), unique=(1, 0.3), rendered=(1, 0.5)))) == {"unique", "rendered"}
    assert set(alarms(curve(reward=(0.6, 0.3)))) == {"reward"}
    assert set(alarms(curve(reward=(0.3, 0.6), part_function=(0.4, 0.6), cut_off=(0, 1)))) == {"cut_off"}
    assert set(alarms(curve(reward=(0.3, 0.3), unjudged=(0, 0.2)))) == {"unjudged"}
    up_and_down = curve(reward=(0.3, 0.6)) + [{"reward": 0.33}] * 10
    assert alarms(up_and_down[:30]) == {} and "had risen" in alarms(up_and_down)["reward"]
    assert alarms(curve(reward=(0.3, 0.6)) + [{"reward": 0.35}] * 10) == {}, "it fell, and not to where it began"
    assert alarms(curve(reward=(0.6, 0.1))[:19]) == {}, "two windows are needed"
    assert set(alarms(curve(unjudged=(1, 1))[:1])) == {"unjudged"}, "what was not judged is said at once"


def test_a_policy_that_collapses_on_a_reward_model_is_said() -> None:
    """The rewards of a model are of any size: what counts as a rise is measured by how far they are spread at first."""
    steady = {"reward_recipe": (0.5, 0.6), "part_function": (0.5, 0.5), "reward_std": (2, 1)}
    assert alarms(curve(reward=(-3, 4), **steady)) == {}
    found = alarms(curve(reward=(-3, 4), reward_std=(2, 1), reward_recipe=(0.5, 0.2), part_function=(0.5, 0.1)))
    assert set(found) == {"reward_recipe", "part_function"}
    assert "the reward model's reward rose by 4.8" in found["reward_recipe"]
    assert all("the policy collapses on the reward model" in alarm for alarm in found.values())
    assert alarms(curve(reward=(0, 0.1), reward_std=(2, 2), reward_recipe=(0.5, 0.2))) == {}, "no rise among rewards that are so far spread"
    assert set(alarms(curve(reward=(0, 0.1), reward_std=(0.1, 0.1), reward_recipe=(0.5, 0.2)))) == {"reward_recipe"}
    assert alarms(curve(reward=(0, -0.3), reward_std=(2, 2), reward_recipe=(0.5, 0.5))) == {}
    fell = curve(reward=(0, 5), **steady) + [{"reward": 0.7, "reward_recipe": 0.5}] * 10
    assert "had risen" in alarms(fell)["reward"], "as in WebGen-R1 E.9"


def test_rows_outlive_a_kill(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    assert read_lines(file) == []
    append(file, {"id": 1, "text": "é\u2028"})
    with open(file, "a") as cut_off:
        cut_off.write('{"id": 2, "te')
    append(file, {"id": 3})
    append(file, {"id": 4, "loss": float("nan"), "text": "\ud800"})
    assert [row["id"] for row in read_lines(file)] == [1, 3, 4]
    assert read_lines(file)[2]["loss"] is None


def test_best_and_worst() -> None:
    rows = [{"task_id": t, "id": i, "reward": r} for i, (t, r) in enumerate([("a", 0.2), ("b", 0.5), ("a", 0.9), ("a", None), ("b", 0.5), ("c", None)])]
    assert [(best["id"], worst["id"]) for best, worst in best_and_worst(rows)] == [(2, 0)]


def test_samples_of_a_step(tmp_path: Path) -> None:
    samples = Samples(tmp_path, "grpo", every=2)
    fault = SimpleNamespace(code="starved")
    results = [
        SimpleNamespace(reward=0.5, outcome="rendered", parts={"function": 1.0}, error=None),
        SimpleNamespace(reward=0.0, outcome="no_artifact", parts={"function": 0.0}, error=None),
        SimpleNamespace(reward=None, outcome="", parts={"function": None}, error=fault),
    ]
    for step in (1, 2, 3):
        samples.generated(2.0)
        samples.add(["a", "a", "b"], [{"task_id": "t"}] * 3, results, 1.5)
        figures = samples.close(step)
    assert figures == {
        "unjudged": 1 / 3, "causes": {"starved": 1}, "unique": 2 / 3, "seconds_reward": 1.5, "seconds_generation": 2.0, "rendered": 0.5, "part_function": 0.5,
    }  # fmt: skip
    assert [row["step"] for row in read_lines(tmp_path / "samples.jsonl")] == [1, 1, 1, 2, 2, 2]
    assert samples.close(4) == {}


class Service(http.server.BaseHTTPRequestHandler):
    """Judges the output "good", says of the other that it is busy until it was asked thrice."""

    asked: list[list[str]] = []

    def do_POST(self) -> None:
        items = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["items"]
        self.asked.append([item["output"] for item in items])
        results = []
        for item in items:
            result = {"id": item["id"], "status": "scored", "reward": 1.0, "parts": {}, "outcome": "rendered"}
            if item["output"] != "good" and len(self.asked) < 3:
                result |= {"status": "unjudged", "reward": None, "error": {"stage": "queue", "code": "busy", "message": "full"}}
            results.append(result)
        body = json.dumps({"results": results}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_what_has_no_answer_is_asked_for_again() -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings = Settings(url=f"http://127.0.0.1:{server.server_address[1]}")
        results = score(settings, [{"output": "good"}, {"output": "late"}], patience=60, pause=0.01)
        assert [result.reward for result in results] == [1.0, 1.0]
        assert Service.asked == [["good", "late"], ["late"], ["late"]]
        server.shutdown()
    with pytest.raises(ConnectionError, match="has not answered"):
        score(Settings(url=settings.url), [{"output": "good"}], patience=0.1, pause=0.01)


class Slow(Service):
    """Judges an output that is a number of seconds after them, by itself."""

    def do_POST(self) -> None:
        items = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["items"]
        time.sleep(float(items[0]["output"]))
        body = json.dumps({"results": [{"id": items[0]["id"], "status": "scored", "reward": float(items[0]["output"]), "parts": {}, "outcome": "rendered"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def test_outputs_are_scored_as_they_come_and_given_in_their_order() -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        scorer = Scorer(Settings(url=f"http://127.0.0.1:{server.server_address[1]}"))
        for step in (0.0, 0.1):
            for i in (2, 0, 1):
                scorer.begin(i, str(step + (0.3 if i == 0 else 0.0)), "a page")
            assert [result.reward for result in scorer.results(3)] == pytest.approx([step + 0.3, step, step])
        server.shutdown()


class Dying(Service):
    """Goes away in the middle of the first two answers for each output, as a service that is killed does."""

    asked_for: Counter[str] = Counter()

    def do_POST(self) -> None:
        items = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["items"]
        output = items[0]["output"]
        self.asked_for[output] += 1
        body = json.dumps({"results": [{"id": items[0]["id"], "status": "scored", "reward": len(output) / 10, "parts": {}, "outcome": "rendered"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body if self.asked_for[output] > 2 else body[: len(body) // 2])
        self.close_connection = True


def test_a_service_that_dies_twice_in_a_step_loses_and_doubles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vitrine_train.rewards.PAUSE", 0.01)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Dying) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        scorer = Scorer(Settings(url=f"http://127.0.0.1:{server.server_address[1]}"))
        outputs = ["", "a", "bb", "ccc"]
        for i, output in enumerate(outputs):
            scorer.begin(i, output, "a page")
        assert [result.reward for result in scorer.results(4)] == pytest.approx([0.0, 0.1, 0.2, 0.3])
        assert set(Dying.asked_for.values()) == {3}
        server.shutdown()


def test_a_service_that_comes_late_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vitrine_train.rewards.PAUSE", 0.01)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow, bind_and_activate=False) as server:
        server.server_bind()  # the port is ours, and nobody listens yet
        scorer = Scorer(Settings(url=f"http://127.0.0.1:{server.server_address[1]}"))
        scorer.begin(0, "0.1", "a page")
        time.sleep(0.2)
        server.server_activate()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert [result.reward for result in scorer.results(1)] == pytest.approx([0.1])
        server.shutdown()


def test_trajectories_of_a_step() -> None:
    def row(*scores: tuple[float, bool]) -> dict[str, object]:
        return {"turns": [{"output": "", "score": score, "accepted": accepted, "feedback": "x" if accepted and i == 0 else ""} for i, (score, accepted) in enumerate(scores)]}

    assert trajectories([]) == trajectories([{"output": "a page"}]) == {}
    assert "acceptance" not in trajectories([row((0.5, True))]), "nothing was revised"
    found = trajectories([row((0.2, True), (0.1, False), (0.5, True)), row((0.4, True), (0.4, False))])
    want = {"accepted_turns": 1.5, "reflections": 1, "resampled": 1, "score": 0.45, "score_gain": 0.15, "acceptance": 1 / 3}
    assert found == pytest.approx(want)
