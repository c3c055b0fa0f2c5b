"""How many workers a step needs."""

from __future__ import annotations

import pytest
from vitrine_train import size


def test_the_cost_of_webgen_r1_s_step() -> None:
    assert size.cost(64, 16, 0.007) == pytest.approx(7.168)


def test_the_queue() -> None:
    assert size.finish([0.0] * 10, [3.0] * 10, 4) == 9.0, "all at once: three rounds of four"
    assert size.finish([0.0, 10.0, 20.0], [3.0, 3.0, 3.0], 1) == 23.0, "each is done before the next one comes"
    assert size.finish([5.0, 0.0, 5.0], [1.0, 9.0, 1.0], 2) == 9.0, "a slow one holds one worker up"


def test_waits_are_between_their_bounds() -> None:
    outputs, seconds = 256, 4.0
    for workers in (8, 32, 64):
        # of all at once, the work over the workers, and at most one output more (Graham); of those spread, less
        at_once = size.wait(outputs, seconds, 0.0, 0.0, 0.3, workers)
        assert at_once == pytest.approx(outputs * seconds / workers)
        assert size.wait(outputs, seconds, 0.0, 30.0, 0.3, workers) < at_once
    assert size.wait(outputs, seconds, 0.5, 0.0, 0.3, 8) > outputs * seconds / 8 * 0.98


@pytest.mark.parametrize("generation", [0.0, 120.0])
def test_the_fewest_workers(generation: float) -> None:
    found = size.workers(512, 3.0, 0.5, generation, 0.3, 60.0)
    assert found is not None
    assert size.wait(512, 3.0, 0.5, generation, 0.3, found) <= 60.0 < size.wait(512, 3.0, 0.5, generation, 0.3, found - 1)


def test_nothing_waits_less_than_its_slowest_output() -> None:
    assert size.workers(16, 100.0, 0.5, 0.0, 0.3, 60.0) is None


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", "size --prompts 64 --samples 16 --seconds 12 --generation 300 --price 0.007".split())
    size.main()
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == "1024 outputs of 12 s: 12288 s of work, $7.168 a step"
    assert len(rest) == 3 and all(" workers wait " in line for line in rest)
