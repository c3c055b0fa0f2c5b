"""ReLook's training on TRL's own trainer, with a random model of two layers and a service that stands in."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (train/setup.sh)")
trl = pytest.importorskip("trl", reason="TRL is not installed (train/setup.sh)")

from datasets import Dataset  # noqa: E402
from tiny import letters, random_model  # noqa: E402
from vitrine_train import relook, stages  # noqa: E402
from vitrine_train.monitor import Monitor  # noqa: E402
from vitrine_train.policy import Trainer  # noqa: E402
from vitrine_train.rollout import Sampler  # noqa: E402
from vitrine_train.rows import read_lines  # noqa: E402
from vitrine_train.samples import Samples  # noqa: E402

CRITIC = "larger heading"
SCORES = [0.2, 0.1, 0.6]
"""Of the turns of a session: the second is no better than the first and is rejected."""


class Sessions(http.server.BaseHTTPRequestHandler):
    """Refine sessions of three turns, whose rewards differ. A session whose instruction is "lost" is never judged."""

    count = 0
    opened: list[dict[str, Any]] = []
    lock = threading.Lock()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/v1/sessions":
            with self.lock:
                Sessions.count += 1
                answer: dict[str, Any] = {"id": f"{body['instruction']}-{self.count}", "turn": 0, "done": False, "observation": {"text": ""}}
            self.opened.append(body)
        else:
            answer = self.step(self.path.split("/")[3], body["turn"])
        self.say(answer)

    def do_DELETE(self) -> None:
        self.say({})

    def step(self, id: str, turn: int) -> dict[str, Any]:
        if id.startswith("lost"):
            return {"turn": turn, "status": "unjudged", "accepted": False, "action": "resample", "score": None, "reward": None, "done": False}
        last = turn == len(SCORES)
        action, accepted = ["revise", "resample", "done"][turn - 1], turn != 2
        reward = int(id.rsplit("-", 1)[1]) % 4 / 4 if last else None
        return {
            "turn": turn, "status": "scored", "outcome": "rendered", "accepted": accepted, "action": action, "score": SCORES[turn - 1], "reward": reward,
            "done": last, "observation": {"text": "" if last else CRITIC},
        }  # fmt: skip

    def say(self, answer: dict[str, Any]) -> None:
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    Sessions.count, Sessions.opened = 0, []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sessions) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


STAGE = {"rounds": 2, "resamples": 2, "ask": "always", "reward": "relook", "max_tokens": 6, "temperature": 1.0}


def made(url: str, run: Path, instructions: tuple[str, ...] = ("first", "second"), **settings: Any) -> Trainer:
    """A trainer at the start of a step of two prompts with four trajectories each."""
    tokenizer = letters()
    samples = Samples(run, "relook", every=1)
    config = trl.GRPOConfig(
        output_dir=str(run / "relook"), use_cpu=True, bf16=False, gradient_checkpointing=False, dataloader_pin_memory=False, report_to="none", max_steps=1,
        learning_rate=1e-3, save_strategy="no", logging_steps=1, disable_tqdm=True, per_device_train_batch_size=8, num_generations=4,
        max_completion_length=relook.room(STAGE), scale_rewards="batch", loss_type="dapo", **settings,
    )  # fmt: skip
    rows = [{"prompt": [{"role": "user", "content": i}], "instruction": i, "task_id": i, "archetype": "page"} for i in instructions]
    return Trainer(
        model=random_model(), args=config, train_dataset=Dataset.from_list(rows), processing_class=tokenizer, callbacks=[Monitor(run, "relook", samples)],
        rollout_func=relook.rollout(STAGE, url, Sampler(tokenizer, 6, 1.0), samples), reward_funcs=[relook.reward(samples)],
    )  # fmt: skip


def batch(trainer: Trainer) -> dict[str, Any]:
    """Trajectories of a step as TRL has them, with the log-probabilities of a policy that was a little different."""
    trainer.model.train()
    inputs: dict[str, Any] = trainer._generate_and_score_completions([dict(row) for row in trainer.train_dataset for _ in range(4)])
    with torch.no_grad():
        ids, mask = (torch.cat([inputs["prompt" + key], inputs["completion" + key]], 1) for key in ("_ids", "_mask"))
        now = trainer._get_per_token_logps_and_entropies(trainer.model, ids, mask, inputs["completion_ids"].shape[1])[0]
        inputs["old_per_token_logps"] = now + torch.empty_like(now).uniform_(-0.1, 0.1)
    trainer.current_gradient_accumulation_steps = 1
    return inputs


def loss(trainer: Trainer, inputs: dict[str, Any], change: Any) -> tuple[Any, list[Any], Any]:
    """The loss, its gradient by each weight and by each token's log-probability, with log-probabilities changed by so much."""
    change = change.clone().requires_grad_()
    compute = trainer._get_per_token_logps_and_entropies

    def changed(*args: Any, **kwargs: Any) -> Any:
        logps, *others = compute(*args, **kwargs)
        return logps + change, *others

    trainer._get_per_token_logps_and_entropies = changed  # type: ignore[method-assign]
    try:
        value = trainer._compute_loss(trainer.model, inputs)
    finally:
        trainer._get_per_token_logps_and_entropies = compute  # type: ignore[method-assign]
    value.backward()
    weights = [weight.grad.clone() for weight in trainer.model.parameters()]
    trainer.model.zero_grad()
    return value.detach(), weights, change.grad


def check_the_critic_is_masked(trainer: Trainer, inputs: dict[str, Any], critic: Any) -> None:
    """No token of the critic has a gradient or changes loss or gradient; each of the policy that has an advantage does."""
    none = torch.zeros_like(critic, dtype=torch.float)
    value, weights, by_token = loss(trainer, inputs, none)
    assert (by_token[critic] == 0).all(), "tokens of the critic have a gradient"
    other, others, _ = loss(trainer, inputs, none.masked_fill(critic, 0.05))
    assert other == value
    assert all(torch.equal(a, b) for a, b in zip(weights, others, strict=True))
    policy = inputs["completion_mask"].bool() & ~critic & (inputs["advantages"] != 0).unsqueeze(1)
    assert policy.any()
    assert (by_token[policy] != 0).all()
    at = policy.nonzero()[0]
    one = none.clone()
    one[at[0], at[1]] = 0.05
    other, others, _ = loss(trainer, inputs, one)
    assert other != value
    assert not all(torch.equal(a, b) for a, b in zip(weights, others, strict=True))


def critics(trainer: Trainer, inputs: dict[str, Any]) -> Any:
    """Where the critic's words are, found by their text and not by the mask: what stands between the first version's end and
    the beginning of the next turn's answer, of shape (trajectories, tokens)."""
    found = torch.zeros_like(inputs["completion_ids"], dtype=torch.bool)
    said = trainer.processing_class.encode(f"|{CRITIC}!|", add_special_tokens=False)
    for row, ids in zip(found, inputs["completion_ids"].tolist(), strict=True):
        [at] = [k for k in range(len(ids)) if ids[k : k + len(said)] == said]
        row[min(at, 6) : at + len(said)] = True  # with the end of a version that was cut off, which the policy did not write
    return found


def test_tokens_of_the_critic_get_no_gradient(url: str, tmp_path: Path) -> None:
    trainer = made(url, tmp_path)
    inputs = batch(trainer)
    critic = critics(trainer, inputs)
    check_the_critic_is_masked(trainer, inputs, critic)
    unmasked = {key: value for key, value in inputs.items() if key != "tool_mask"}
    with pytest.raises(AssertionError, match="have a gradient"):
        check_the_critic_is_masked(trainer, unmasked, critic)


def test_the_words_of_the_critic_are_distilled(url: str, tmp_path: Path) -> None:
    """The gradient that distillation adds is that of the cross-entropy of the critic's tokens, and of no others."""
    trainer = made(url, tmp_path)
    inputs = batch(trainer)
    critic = critics(trainer, inputs)
    none = torch.zeros_like(critic, dtype=torch.float)
    without, before, _ = loss(trainer, inputs, none)
    trainer.distill = 0.1
    value, after, _ = loss(trainer, inputs, none)
    ids, mask = (torch.cat([inputs["prompt" + key], inputs["completion" + key]], 1) for key in ("_ids", "_mask"))
    logits = trainer.model(input_ids=ids, attention_mask=mask).logits[:, -critic.shape[1] - 1 : -1]
    by_token = torch.nn.functional.cross_entropy(logits.transpose(1, 2), inputs["completion_ids"], reduction="none")
    want = 0.1 * torch.stack([row[said].mean() for row, said in zip(by_token, critic, strict=True)]).mean()
    assert (value - without).item() == pytest.approx(want.item(), rel=1e-3)
    want.backward()
    for weight, a, b in zip(trainer.model.parameters(), before, after, strict=True):
        torch.testing.assert_close(b - a, weight.grad, rtol=1e-3, atol=1e-6)


def test_a_step_of_training(url: str, tmp_path: Path) -> None:
    trainer = made(url, tmp_path)
    before = [weight.clone() for weight in trainer.model.parameters()]
    trainer.train()
    assert any(not torch.equal(a, b) for a, b in zip(before, trainer.model.parameters(), strict=True))
    [row] = read_lines(tmp_path / "curves.jsonl")
    want = {"accepted_turns": 2, "resampled": 1, "reflections": 1, "acceptance": 0.5, "score": 0.6, "score_gain": 0.4, "rendered": 1, "unjudged": 0, "reward": 0.375}
    assert {key: row[key] for key in want} == pytest.approx(want)
    assert row["tokens"] <= 12, "the critic's tokens are not the policy's"
    samples = read_lines(tmp_path / "samples.jsonl")
    assert sorted(sample["reward"] for sample in samples) == [0, 0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75]
    for sample in samples:
        assert [turn["accepted"] for turn in sample["turns"]] == [True, False, True]
        assert [turn["feedback"] for turn in sample["turns"]] == [CRITIC, "", ""]
        assert sample["output"] == sample["turns"][2]["output"]
    loop = {"max_rounds": 2, "max_resamples": 2, "ask": "always", "reward": "relook", "max_feedback_chars": 1200}
    assert [(body["recipe"], body["loop"]) for body in Sessions.opened] == [("relook", loop)] * 8


def test_what_was_not_judged_leaves_its_group(url: str, tmp_path: Path) -> None:
    trainer = made(url, tmp_path, instructions=("first", "lost"))
    inputs = batch(trainer)
    assert (inputs["advantages"][4:] == 0).all()
    assert (inputs["advantages"][:4] != 0).any()


def test_a_step_without_any_reward_ends_the_training(url: str, tmp_path: Path) -> None:
    with pytest.raises(ConnectionError, match="judged no trajectory"):
        batch(made(url, tmp_path, instructions=("lost", "lost")))


def test_advantages_are_clipped(url: str, tmp_path: Path) -> None:
    trainer = made(url, tmp_path)
    trainer.advantage_clip = 0.5
    assert batch(trainer)["advantages"].abs().max() == 0.5


def test_the_checkpoint_with_the_highest_mean_reward_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rewards: dict[str, list[float | None]] = {"2": [0.2, None], "10": [0.9, 0.5], "4": [0.7, 0.7], "12": [None, None]}
    for step in rewards:
        (tmp_path / "relook" / f"checkpoint-{step}").mkdir(parents=True)

    def sample(stage: dict[str, Any], model: str, *_: Any) -> list[dict[str, Any]]:
        step = model.rsplit("-", 1)[1]
        assert (stage["name"], stage["limit"], stage["samples"]) == (f"relook-{step}", 5, 1)
        return [{"reward": reward} for reward in rewards[step]]

    monkeypatch.setattr(stages, "_sample", sample)
    chosen = stages._chosen({"name": "relook", "choose": 5}, "last", [], tmp_path, 1, "")
    assert chosen == str(tmp_path / "relook" / "checkpoint-4"), "the first of equals"
    assert [(row["step"], row["n"], row["reward"]) for row in read_lines(tmp_path / "chosen.jsonl")] == [(2, 1, 0.2), (4, 2, 0.7), (10, 2, 0.7), (12, 0, None)]
