"""What is ours between TRL and the model, on a random model of two layers."""

from __future__ import annotations

import errno
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (train/setup.sh)")
pytest.importorskip("trl", reason="TRL is not installed (train/setup.sh)")

from transformers import LlamaConfig, LlamaForCausalLM, MistralConfig, MistralForCausalLM  # noqa: E402
from vitrine_train.policy import Trainer  # noqa: E402
from vitrine_train.rollout import Sampler, Step  # noqa: E402

END = 1


@pytest.fixture
def model() -> Any:
    torch.manual_seed(1)
    config = LlamaConfig(vocab_size=12, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2, tie_word_embeddings=True)
    return LlamaForCausalLM(config).eval()


class Tokens:
    """A tokenizer of digits; 0 pads, 1 ends."""

    pad_token_id, eos_token_id = 0, END

    def apply_chat_template(self, prompt: Any, **_: Any) -> str:
        return str(prompt[-1]["content"])

    def __call__(self, text: str, **_: Any) -> dict[str, list[int]]:
        return {"input_ids": [int(digit) for digit in text]}


def here(amp: bool = False) -> Any:
    return SimpleNamespace(temperature=0.7, accelerator=SimpleNamespace(autocast=lambda: torch.autocast("cpu", torch.bfloat16, enabled=amp)))


def test_log_probabilities_and_gradients_are_those_of_the_whole_computation(model: Any) -> None:
    ids = torch.randint(2, 12, (3, 9))
    mask = torch.ones_like(ids)
    mask[0, :2], mask[0, 7:], mask[1, :1], mask[1, 6:], mask[2, :1], mask[2, 7:] = 0, 0, 0, 0, 0, 0  # no row has the first or the last two
    keep, weight = 5, torch.randn(3, 5)
    there = mask[:, -keep:].bool()

    def whole() -> tuple[Any, Any]:
        logs = torch.log_softmax(model(input_ids=ids, attention_mask=mask).logits[:, -keep - 1 : -1] / 0.7, -1)
        return logs.gather(-1, ids[:, -keep:].unsqueeze(-1)).squeeze(-1), -(logs.exp() * logs).sum(-1)

    seen = []
    for compute in (whole, lambda: Trainer._of(here(), model, ids, mask, keep)):
        logps, entropies = compute()
        (logps * weight * there).sum().backward()
        seen.append((logps[there].detach(), entropies[there].detach(), model.lm_head.weight.grad.clone(), model.model.layers[0].mlp.up_proj.weight.grad.clone()))
        model.zero_grad()
    for ours, theirs in zip(*seen, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-4)
    assert (Trainer._of(here(), model, ids, mask, keep)[0][~there] == 0).all()


def test_outputs_are_sampled_from_the_distribution_of_the_model(model: Any) -> None:
    """Frequencies of the second token given the first, of many outputs that end at different times, against the model's."""
    sampler = Sampler(Tokens(), max_tokens=2, temperature=1.0)
    torch.manual_seed(2)
    prompts = [[{"content": "234"}], [{"content": "5"}]] * 3000  # of different lengths: the shorter is padded
    _, made = sampler.sample(model, prompts, lambda i, ids: None)
    assert all(len(ids) == 2 or ids == [END] for ids in made)
    for prompt, outputs in ((["234", made[0::2]]), (["5", made[1::2]])):
        given = torch.tensor([[int(digit) for digit in prompt] + [7]])
        with torch.no_grad():
            want = torch.softmax(model(given).logits[0, -1], -1)
        after = torch.tensor([ids[1] for ids in outputs if ids[0] == 7])
        got = torch.bincount(after, minlength=12) / len(after)
        assert len(after) > 100
        assert (got - want).abs().max() < 5 * (0.25 / len(after)) ** 0.5  # five standard errors


def in_place(model: Any, given: list[list[int]], sampler: Sampler) -> list[list[int]]:
    """What a GPU does in place of growing a cache. Without one, the steps are computed and not replayed."""
    width = max(len(ids) for ids in given)
    ids = torch.tensor([[0] * (width - len(row)) + row for row in given], device=model.device)
    mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in given], device=model.device)
    made: list[list[int]] = [[] for _ in given]
    told: dict[int, list[int]] = {}
    sampler._in_place(sampler._in_bfloat16(model), ids, mask, made, lambda i, ids: told.update({i: list(ids)}))
    assert [told[i] for i in range(len(given))] == made
    return made


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU"))])
def test_a_gpu_samples_what_a_processor_does(model: Any, device: str) -> None:
    """Outputs that end at different times, after prompts of different lengths, twice with the same memory and new weights
    the second time: the tokens are those of a cache that grows, and so are the random numbers."""
    model.to(device)
    ours, theirs = (Sampler(Tokens(), max_tokens=40, temperature=1.0) for _ in range(2))
    given = [[2, 3, 4, 5], [6]] * 20
    step = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Step, "suits", lambda policy: False)  # of theirs
        for _ in range(2):
            torch.manual_seed(5)
            got = in_place(model, given, ours)
            torch.manual_seed(5)
            want = theirs.after(model, given, lambda i, ids: None)
            assert len({len(ids) for ids in want}) > 5
            assert sum(a == b for a, b in zip(got, want, strict=True)) >= 36  # sums of 16 bits differ by their order
            assert step in (None, ours.step)
            step = ours.step
            with torch.no_grad():
                model.lm_head.weight.mul_(3)


def test_a_model_that_sees_a_window_is_sampled_with_a_cache_that_grows(model: Any) -> None:
    config = MistralConfig(vocab_size=12, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=2, sliding_window=4)
    assert not Step.suits(MistralForCausalLM(config))
    assert Step.suits(model)


def test_each_output_is_given_out_once_when_it_is_whole(model: Any) -> None:
    told: dict[int, list[int]] = {}

    def ended(i: int, ids: list[int]) -> None:
        assert i not in told
        told[i] = list(ids)

    given, made = Sampler(Tokens(), max_tokens=30, temperature=1.0).sample(model, [[{"content": "23"}]] * 40, ended)
    assert given == [[2, 3]] * 40
    assert [told[i] for i in range(40)] == made
    assert {len(ids) for ids in made} - {30}, "some end before the bound"
    assert all(ids[-1] == END or len(ids) == 30 for ids in made)
    assert all(END not in ids[:-1] for ids in made)


def test_sampling_follows_the_weights_and_leaves_them_as_they_are(model: Any) -> None:
    sampler = Sampler(Tokens(), max_tokens=1, temperature=1e-3)
    likeliest = []
    for token in (3, 4):
        with torch.no_grad():
            model.lm_head.weight[token] = 100 * model.model(torch.tensor([[2]])).last_hidden_state[0, -1]
        likeliest.append(sampler.sample(model, [[{"content": "2"}]], lambda i, ids: None)[1][0][0])
        with torch.no_grad():
            model.lm_head.weight[token] = 0
    assert likeliest == [3, 4]
    assert next(model.parameters()).dtype == torch.float32
    assert next(sampler.copy.parameters()).dtype == torch.bfloat16
    assert sampler.copy.model.rotary_emb.inv_freq.dtype == torch.float32


def test_random_numbers_of_an_output_do_not_depend_on_when_others_end(model: Any) -> None:
    seen = []
    for first in (END, 5):
        chances: list[float] = []

        def draw(logits: Any, chance: Any, first: int = first, chances: list[float] = chances) -> Any:
            chances.append(chance[-1].item())
            return torch.tensor([[first]] * (len(logits) - 1) + [[5]])

        sampler = Sampler(Tokens(), max_tokens=6, temperature=1.0)
        sampler._draw = draw  # type: ignore[method-assign]
        torch.manual_seed(3)
        sampler.sample(model, [[{"content": "2"}]] * 4, lambda i, ids: None)
        seen.append(chances)
    assert len(set(seen[0])) == 6
    assert seen[0] == seen[1]


def test_a_new_sampler_goes_on_as_the_old_one_would(model: Any) -> None:
    def sample(sampler: Sampler) -> Any:
        return sampler.sample(model, [[{"content": "2"}]] * 8, lambda i, ids: None)[1]

    old = Sampler(Tokens(), max_tokens=10, temperature=1.0)
    sample(old)
    state = torch.get_rng_state()
    want = sample(old)
    torch.set_rng_state(state)
    assert sample(Sampler(Tokens(), max_tokens=10, temperature=1.0)) == want


def test_a_model_that_writes_nothing_and_one_that_never_ends(model: Any) -> None:
    for token, want in ((END, [END]), (5, [5] * 50)):
        sampler = Sampler(Tokens(), max_tokens=50, temperature=1.0)
        sampler._draw = lambda logits, chance, token=token: torch.full((len(logits), 1), token)  # type: ignore[method-assign,misc]
        assert sampler.sample(model, [[{"content": "2"}]] * 3, lambda i, ids: None)[1] == [want] * 3


def test_a_full_disk_is_told_from_other_failures() -> None:
    from vitrine_train.stages import full

    assert full(OSError(errno.ENOSPC, "No space left on device"))
    assert full(RuntimeError("[enforce fail at inline_container.cc:671] . unexpected pos 725596352 vs 725596240"))
    assert not full(RuntimeError("shapes do not match"))
    assert not full(ConnectionError("the service has not answered"))


def test_what_is_cut_off_can_be_given_nothing(tmp_path: Any) -> None:
    from vitrine_train.samples import Samples
    from vitrine_train.stages import _reward, prompt

    results = [SimpleNamespace(reward=reward, outcome="rendered", parts={}, error=None) for reward in (0.8, 0.7, None)]
    columns: dict[str, Any] = {"task_id": "abc", "archetype": "abc", "instruction": "abc"}
    for bound, want in ((None, [0.8, 0.7, None]), (3, [0.8, 0.0, None])):
        scorer: Any = SimpleNamespace(results=lambda n: results)
        reward = _reward(scorer, Samples(tmp_path, "grpo", every=1), bound)
        assert reward([prompt("x")] * 3, ["a", "b", "c"], [[5, END], [5, 5, 5], [5, 5, 5]], **columns) == want


class Filling:
    """A trainer on a disk that is full at its second checkpoint, and is not when it goes on."""

    args = SimpleNamespace(max_steps=3)

    def __init__(self, folder: Path) -> None:
        self.folder, self.state, self.began_at = folder, SimpleNamespace(global_step=0), list[Any]()

    def remove_callback(self, kind: Any) -> None:
        pass

    def train(self, resume_from_checkpoint: str | None) -> None:
        self.began_at.append(resume_from_checkpoint)
        for step in (1, 2, 3):
            checkpoint = self.folder / f"checkpoint-{step}"
            checkpoint.mkdir(exist_ok=True)
            full = step == 2 and resume_from_checkpoint is None
            with open("/dev/full" if full else checkpoint / "weights", "w") as weights:
                weights.write("weights")
            (checkpoint / "trainer_state.json").write_text("{}")
        self.state.global_step = 3

    def save_model(self, to: str) -> None:
        Path(to).mkdir(exist_ok=True)


def test_a_training_whose_disk_is_full_says_so_and_goes_on_from_the_whole_checkpoint(tmp_path: Path) -> None:
    from vitrine_train.stages import _train

    trainer, tokenizer = Filling(tmp_path), SimpleNamespace(save_pretrained=lambda to: None)
    with pytest.raises(OSError, match="the disk is full, .* MB are free") as said:
        _train(trainer, tokenizer, tmp_path)
    assert said.value.errno == errno.ENOSPC
    assert _train(trainer, tokenizer, tmp_path) == str(tmp_path / "model")
    assert trainer.began_at == [None, str(tmp_path / "checkpoint-1")]
