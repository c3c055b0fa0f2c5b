"""The configurations of train/full-size, read by their trainers' own parsers.

fetch.sh brings the trainers' sources into a folder; VITRINE_TRAINERS names it. Without it these tests skip."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent.parent
SOURCES = os.environ.get("VITRINE_TRAINERS")
PUBLISHED: dict[str, dict[str, Any]] = {
    "verl-grpo-ar.sh": {
        "data.train_batch_size": 64, "actor_rollout_ref.rollout.n": 8, "actor_rollout_ref.actor.optim.lr": 3e-6,
        "actor_rollout_ref.actor.optim.lr_scheduler_type": "constant", "actor_rollout_ref.actor.optim.lr_warmup_steps_ratio": 0.0,
        "actor_rollout_ref.actor.clip_ratio_low": 0.5, "actor_rollout_ref.actor.clip_ratio_high": 0.5, "actor_rollout_ref.actor.kl_loss_coef": 0.001,
    },
    "verl-relook.sh": {
        "trainer.total_training_steps": 40, "data.train_batch_size": 32, "actor_rollout_ref.rollout.n": 8, "actor_rollout_ref.actor.optim.lr": 1e-6,
        "actor_rollout_ref.actor.clip_ratio_low": 0.2, "actor_rollout_ref.actor.kl_loss_coef": 0.01, "actor_rollout_ref.rollout.top_p": 0.7,
    },
    "openrlhf-webgen-r1.sh": {
        "rollout.batch_size": 16, "rollout.n_samples_per_prompt": 16, "train.batch_size": 256, "data.max_samples": 16 * 400, "actor.adam.lr": 5e-6,
        "actor.eps_clip_low_high": [0.2, 0.2], "algo.kl.init_coef": 0.01, "algo.kl.use_loss": True, "rollout.temperature": 0.7, "rollout.top_p": 0.95,
    },
    "slime-relook.sh": {
        "num_rollout": 40, "rollout_batch_size": 32, "n_samples_per_prompt": 8, "global_batch_size": 256, "lr": 1e-6, "eps_clip": 0.2, "eps_clip_high": 0.2,
        "kl_loss_coef": 0.01, "num_layers": 28,
    },
    "skyrl-grpo-ar.sh": {
        "trainer.train_batch_size": 64, "generator.n_samples_per_prompt": 8, "trainer.policy.optimizer_config.lr": 3e-6,
        "trainer.algorithm.eps_clip_low": 0.5, "trainer.algorithm.eps_clip_high": 0.5, "trainer.algorithm.kl_loss_coef": 0.001,
    },
    "prime-rl-grpo-ar.toml": {"orchestrator.batch_size": 512, "orchestrator.group_size": 8, "trainer.optim.lr": 3e-6, "orchestrator.max_steps": 312},
    "open-r1-sft.yaml": {"learning_rate": 1e-5, "num_train_epochs": 2, "warmup_ratio": 0.03, "max_length": 32768},
    "open-r1-webgen-r1.yaml": {
        "max_steps": 400, "num_generations": 16, "learning_rate": 5e-6, "epsilon": 0.2, "beta": 0.01, "temperature": 0.7, "top_p": 0.95,
        "max_prompt_length": 4096, "max_completion_length": 8192,
    },
    "llamafactory-sft.yaml": {"num_train_epochs": 3.0, "learning_rate": 1e-5, "warmup_ratio": 0.1, "lr_scheduler_type": "cosine", "cutoff_len": 8192},
    "llamafactory-rft.yaml": {"stage": "sft", "learning_rate": 3e-6, "lr_scheduler_type": "constant"},
    "llamafactory-hprm.yaml": {"stage": "rm", "model_name_or_path": "Qwen/Qwen3-VL-8B-Instruct"},
    "llamafactory-dpo.yaml": {"stage": "dpo", "learning_rate": 3e-6, "lr_scheduler_type": "constant"},
}  # fmt: skip
"""What the papers state, by the paths of the trainers' settings."""


def test_every_configuration_is_checked() -> None:
    files = {path.name for path in (HERE / "full-size").iterdir()} - {"fetch.sh", "commits.txt"}
    assert files == set(PUBLISHED)


@pytest.mark.skipif(not SOURCES, reason="VITRINE_TRAINERS is not set: train/full-size/fetch.sh DIR brings the trainers' sources")
@pytest.mark.parametrize("name", PUBLISHED)
def test_the_trainer_takes_its_configuration(name: str) -> None:
    command = [f"{SOURCES}/venv/bin/python", "-W", "ignore", "-m", "vitrine_train.full_size", str(SOURCES), f"full-size/{name}"]
    ran = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    settings = json.loads(ran.stdout.splitlines()[-1])
    assert {path: settings[path] for path in PUBLISHED[name]} == PUBLISHED[name]


def test_the_effective_batches() -> None:
    """Batches that a trainer gets by multiplication, on the GPUs that a file names."""
    for name, gpus, batch in (("open-r1-sft", 8, 32), ("open-r1-webgen-r1", 64, 256), ("llamafactory-sft", 8, 128), ("llamafactory-rft", 8, 64), ("llamafactory-dpo", 8, 64), ("llamafactory-hprm", 8, 32)):
        lines = dict(line.split("#")[0].strip().split(": ", 1) for line in (HERE / f"full-size/{name}.yaml").read_text().splitlines() if ": " in line.split("#")[0])
        assert int(lines["per_device_train_batch_size"]) * int(lines["gradient_accumulation_steps"]) * gpus == batch, name
