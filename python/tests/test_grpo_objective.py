"""The objectives of internal/grpo against TRL's own, on the vectors that the Go tests use."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

torch: Any = pytest.importorskip("torch", reason="torch is not installed: pip install trl torch")
trainer: Any = pytest.importorskip("trl.trainer.grpo_trainer", reason="TRL is not installed: pip install trl torch")

VECTORS = Path(__file__).parents[2] / "testdata" / "vectors" / "grpo"
LOSS = {"per-sample": "grpo", "token": "bnpo"}  # what TRL calls the two means


def vectors(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((VECTORS / name).read_text())
    return rows


def padded(rows: list[list[float]]) -> Any:
    width = max([1, *(len(row) for row in rows)])
    return torch.tensor([row + [0.0] * (width - len(row)) for row in rows], dtype=torch.float64)


def loss(case: dict[str, Any]) -> float:
    """What TRL's trainer computes of a group whose log-probabilities are given."""
    group = case["group"]
    policy = padded([t["policy"] for t in group])
    mask = padded([[float(not critic) for critic in t["critic"] or [False] * len(t["policy"])] for t in group])
    fake = MagicMock(
        beta=case["beta"], epsilon_low=case["epsilon"], epsilon_high=case["epsilon"], loss_type=LOSS[case["mean"]],
        importance_sampling_level="token", off_policy_mask_threshold=None, top_entropy_quantile=1.0, use_vllm=False,
        aux_loss_enabled=False, _entropy_bonus_enabled=False, use_adaptive_entropy=False,
        args=SimpleNamespace(delta=None, use_bias_correction_kl=False), model=SimpleNamespace(training=False),
        _metrics={"eval": defaultdict(list)},
    )
    fake.accelerator.gather.side_effect = lambda value: value
    fake._get_per_token_logps_and_entropies.return_value = (policy, torch.zeros_like(policy), None)
    empty = torch.zeros(len(group), 0, dtype=torch.long)
    result = trainer.GRPOTrainer._compute_loss(fake, None, {
        "prompt_ids": empty, "prompt_mask": empty, "completion_ids": torch.zeros_like(policy, dtype=torch.long),
        "completion_mask": mask, "advantages": torch.tensor([t["advantage"] for t in group], dtype=torch.float64),
        "old_per_token_logps": padded([t["old"] for t in group]),
        "ref_per_token_logps": padded([t["ref"] for t in group]),
    })  # fmt: skip
    return float(result)


def divides_otherwise(case: dict[str, Any]) -> bool:
    """ReLook Eq. 2 counts the critic's tokens in the denominator, which TRL does not."""
    return case["count_critic"] and any(any(t["critic"] or []) for t in case["group"])


# A trainer has no group without outputs.
CASES = [case for case in vectors("objectives.json") if case["group"] and not divides_otherwise(case)]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['name']}-{c['mean']}-{c['epsilon']}")
def test_objectives(case: dict[str, Any]) -> None:
    assert -loss(case) == pytest.approx(case["want"]["total"], rel=1e-9, abs=1e-12)


def test_most_vectors_are_compared() -> None:
    assert len(CASES) >= 30


def test_advantages_differ_by_the_divisor_alone() -> None:
    """TRL divides by the deviation of a sample (G - 1) and adds 1e-4; the papers, by that of the group."""
    compared = 0
    for case in vectors("advantages.json"):
        for rewards, ours in zip(case["rewards"], case["group"], strict=True):
            known = [i for i, r in enumerate(rewards) if r is not None]
            if len(known) < 2 or not any(ours):
                continue
            values = torch.tensor([float(rewards[i]) for i in known], dtype=torch.float64)
            spread = float(trainer.nanstd(values))
            theirs = (values - values.mean()) / (spread + 1e-4)
            g = len(known)
            factor = (g / (g - 1)) ** 0.5 * (spread + 1e-4) / spread
            assert [ours[i] for i in known] == pytest.approx((theirs * factor).tolist(), rel=1e-6, abs=1e-9)
            compared += 1
    assert compared >= 10
