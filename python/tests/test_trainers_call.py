"""Each trainer's own code asks Vitrine for rewards, at the commit that train/full-size/fetch.sh brings (VITRINE_TRAINERS).

verl's reward manager, OpenRLHF's executor, slime's remote reward, SkyRL's registry of environments, and verifiers' task
set on OpenEnv's client, which prime-rl trains on."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from test_service import BLANK, GOOD, url  # noqa: F401, a fixture
from vitrine import SyncClient

SOURCES = os.environ.get("VITRINE_TRAINERS")
TRAIN = Path(__file__).parents[2] / "train"


@pytest.mark.skipif(not SOURCES, reason="VITRINE_TRAINERS is not set: train/full-size/fetch.sh DIR brings the trainers' sources")
@pytest.mark.parametrize("trainer", ["verl", "openrlhf", "slime", "skyrl", "prime-rl"])
def test_the_trainers_own_code_gets_our_rewards(url: str, trainer: str) -> None:  # noqa: F811
    outputs = [GOOD, BLANK, "I cannot do that."]
    with SyncClient(url) as client:
        want = [result.reward for result in client.score([{"output": output, "instruction": "a tea shop"} for output in outputs], recipe="quality")]
    command = [f"{SOURCES}/venv/bin/python", "-W", "ignore", "-m", "vitrine_train.full_size.calls", str(SOURCES), trainer, url]
    environment = {**os.environ, "PYTHONPATH": f"{TRAIN}:{TRAIN.parent}/python/src"}
    ran = subprocess.run(command, input=json.dumps(outputs), env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert json.loads(ran.stdout.splitlines()[-1]) == want
