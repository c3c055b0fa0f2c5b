"""What needs no trainer: tasks and alarms."""

from __future__ import annotations

import html.parser
import json
from pathlib import Path

import pytest
from vitrine_train.alarms import alarms
from vitrine_train.ladder import ARCHETYPES, NEW, ladder, read


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
    with pytest.raises(ValueError, match=":2: a task needs an instruction"):
        read(str(file))


def curve(**ends: tuple[float, float]) -> list[dict[str, float]]:
    return [{key: a + (b - a) * i / 29 for key, (a, b) in ends.items()} for i in range(30)]


def test_alarms() -> None:
    assert alarms(curve(reward=(0.3, 0.6), part_function=(0.4, 0.6), rendered=(0.9, 1), unique=(1, 1), unjudged=(0, 0))) == {}
    assert set(alarms(curve(reward=(0.3, 0.6), part_function=(0.6, 0.3)))) == {"part_function"}
    assert set(alarms(curve(reward=(0.3, 0.6), unique=(1, 0.3), rendered=(1, 0.5)))) == {"unique", "rendered"}
    assert set(alarms(curve(reward=(0.6, 0.3)))) == {"reward"}
    assert set(alarms(curve(reward=(0.3, 0.3), unjudged=(0, 0.2)))) == {"unjudged"}
    assert alarms(curve(reward=(0.6, 0.1))[:19]) == {}, "two windows are needed"
