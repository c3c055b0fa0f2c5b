"""What vitrine data export writes goes through the whole readers of TRL, verl and LLaMA-Factory, and in TRL through a step of
training: on a tokenizer of bytes and a model of a few thousand random weights. They need PyTorch, which test.sh does not
install; docs/data/pipelines.md says how."""

from __future__ import annotations

import importlib.util
import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from test_data_export import export, needs_binary

pytestmark = [needs_binary, pytest.mark.filterwarnings("default")]  # warnings are the trainers' own
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
ASKED = "<|im_start|>user\nA shop<|im_end|>\n<|im_start|>assistant\n"
PAGE, GOOD, BAD = ("<p>" + name + "</p>" for name in ("page", "good", "bad"))


def need(*modules: str) -> list[Any]:
    return [pytest.importorskip(name, exc_type=ImportError) for name in modules]


def tokenizer() -> Any:
    """Every byte is a token."""
    need("torch")
    tokenizers, transformers = need("tokenizers", "transformers")
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    bytes_alone = tokenizers.Tokenizer(tokenizers.models.BPE({letter: i for i, letter in enumerate(alphabet)}, []))
    bytes_alone.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytes_alone.decoder = tokenizers.decoders.ByteLevel()
    found = transformers.PreTrainedTokenizerFast(tokenizer_object=bytes_alone, eos_token="<|im_end|>", pad_token="<|pad|>")
    found.add_special_tokens({"additional_special_tokens": ["<|im_start|>"]})
    found.chat_template = CHATML
    return found


@pytest.mark.parametrize(
    ("shape", "trainer", "settings", "read"),
    [
        ("sft", "SFT", {}, {"input_ids": ASKED + PAGE}),
        ("rft", "SFT", {}, {"input_ids": ASKED + PAGE}),
        ("dpo", "DPO", {}, {"prompt_ids": ASKED, "chosen_ids": GOOD, "rejected_ids": BAD}),
        ("rm", "Reward", {}, {"chosen_ids": ASKED + GOOD, "rejected_ids": ASKED + BAD}),
        ("grpo", "GRPO", {"num_generations": 2, "per_device_train_batch_size": 2, "max_completion_length": 4}, {}),
    ],
)
def test_trl_trains_on_the_rows(tmp_path: Path, shape: str, trainer: str, settings: dict[str, Any], read: dict[str, str]) -> None:
    words = tokenizer()
    datasets, transformers, trl = need("datasets", "transformers", "trl")
    config = transformers.LlamaConfig(
        vocab_size=len(words), hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        pad_token_id=words.pad_token_id, eos_token_id=words.eos_token_id, num_labels=1,
    )
    policy = str(tmp_path / "policy")
    (transformers.LlamaForSequenceClassification if trainer == "Reward" else transformers.LlamaForCausalLM)(config).save_pretrained(policy)
    rows = datasets.load_dataset("json", data_files=str(export(tmp_path, shape) / "rows.jsonl"), cache_dir=str(tmp_path / "cache"), split="train")
    asked: list[str] = []
    if trainer == "GRPO":
        settings["reward_funcs"] = lambda task_id, completions, **_: asked.extend(task_id) or [0.0, 1.0]
    reward = {name: settings.pop(name) for name in list(settings) if name == "reward_funcs"}
    args = getattr(trl, trainer + "Config")(
        output_dir=str(tmp_path / "model"), max_steps=1, report_to=[], use_cpu=True, bf16=False, save_strategy="no", disable_tqdm=True, **settings
    )
    run = getattr(trl, trainer + "Trainer")(model=policy, args=args, train_dataset=rows, processing_class=words, **reward)
    for column, text in read.items():
        assert words.decode(run.train_dataset[0][column]).startswith(text)
    assert run.train().global_step == 1
    assert asked == (["t", "t"] if trainer == "GRPO" else [])


def test_verl_reads_prompts_and_conversations(tmp_path: Path) -> None:
    words = tokenizer()
    omegaconf, rl, sft = need("omegaconf", "verl.utils.dataset.rl_dataset", "verl.utils.dataset.multiturn_sft_dataset")
    for shape in "grpo", "sft":
        (tmp_path / shape).mkdir()
    config = omegaconf.OmegaConf.create({"cache_dir": str(tmp_path / "cache"), "max_length": 128})
    [prompt] = rl.RLHFDataset(str(export(tmp_path / "grpo", "grpo", "--format", "parquet") / "rows.parquet"), words, config)
    assert prompt["raw_prompt"] == [{"role": "user", "content": "A shop"}] and prompt["reward_model"]["ground_truth"] == "t"
    talk = sft.MultiTurnSFTDataset(str(export(tmp_path / "sft", "sft", "--format", "parquet") / "rows.parquet"), words, config)[0]
    read, learnt = talk["input_ids"][talk["attention_mask"] == 1], talk["input_ids"][talk["loss_mask"] == 1]
    assert words.decode(read) == ASKED + PAGE + "<|im_end|>\n" and words.decode(learnt).startswith(PAGE)


@pytest.mark.parametrize("shape", ["sft", "rft", "sharegpt", "sharegpt-dpo"])
def test_llama_factory_loads_what_dataset_info_names(tmp_path: Path, shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISABLE_VERSION_CHECK", "1")  # it asks for older versions of what the others need
    words = tokenizer()
    [transformers] = need("transformers")
    if importlib.util.find_spec("torchaudio") is None:  # for sound alone, and has to be of the very build of torch
        monkeypatch.setitem(sys.modules, "torchaudio", types.ModuleType("torchaudio"))
    data, hparams = need("llamafactory.data", "llamafactory.hparams")
    out = export(tmp_path, shape)
    [name] = json.loads((out / "dataset_info.json").read_text())
    settings = hparams.DataArguments(template="qwen", dataset=name, dataset_dir=str(out))
    model = hparams.ModelArguments(model_name_or_path="none", cache_dir=str(tmp_path / "cache"))
    args = transformers.Seq2SeqTrainingArguments(output_dir=str(tmp_path / "model"), use_cpu=True, report_to=[])
    template = data.get_template_and_fix_tokenizer(words, settings)
    [row] = data.get_dataset(template, model, settings, args, "rm" if "dpo" in shape else "sft", words)["train_dataset"]
    learnt = {name: words.decode([i for i in ids if i >= 0]) for name, ids in row.items() if name.endswith("labels")}
    want = {"chosen_labels": GOOD, "rejected_labels": BAD} if "dpo" in shape else {"labels": PAGE}
    assert {name: text.removesuffix("\n").removesuffix("<|im_end|>") for name, text in learnt.items()} == want
