"""The stages of a recipe: sft, grpo and evaluate, on TRL."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig, PrinterCallback, set_seed
from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer
from vitrine import Client, Settings
from vitrine.outputs import output_text
from vitrine.sync import run as wait

from .ladder import Task
from .monitor import Monitor, Samples, append

Tasks = dict[str, list[Task]]


def prompt(instruction: str) -> list[dict[str, str]]:
    """The messages that ask for a page."""
    return [{"role": "system", "content": "You write one complete HTML page and nothing else."}, {"role": "user", "content": instruction}]


def _common(stage: dict[str, Any], folder: Path, seed: int) -> dict[str, Any]:
    gpu = torch.cuda.is_available()
    return {
        "output_dir": str(folder), "max_steps": stage["steps"], "learning_rate": stage["learning_rate"], "logging_steps": 1, "seed": seed,
        "save_steps": stage["save_every"], "save_total_limit": 2, "report_to": stage["report_to"] or "none", "use_cpu": not gpu, "bf16": True,
        "gradient_checkpointing": gpu, "dataloader_pin_memory": gpu, "lr_scheduler_type": "constant_with_warmup",
        "warmup_steps": stage["warmup"], "max_grad_norm": 1.0, "disable_tqdm": True, "max_completion_length": stage["max_tokens"],
    }  # fmt: skip


def _last(folder: Path) -> str | None:
    """The newest checkpoint that was written whole: trainer_state.json is written last."""
    steps = [path for path in folder.glob("checkpoint-*") if (path / "trainer_state.json").exists()]
    return str(max(steps, key=lambda path: int(path.name.split("-")[1]))) if steps else None


def _train(trainer: Any, tokenizer: Any, folder: Path) -> str:
    """Trains from the last checkpoint on, and saves the model."""
    trainer.remove_callback(PrinterCallback)  # Monitor says it
    trainer.train(resume_from_checkpoint=_last(folder))
    model = folder / "model"
    trainer.save_model(str(model))
    tokenizer.save_pretrained(model)
    return str(model)


def sft(stage: dict[str, Any], model: str, tasks: Tasks, run: Path, seed: int) -> str:
    """Imitates the pages of the training tasks. Gives the folder of the model."""
    folder = run / stage["name"]
    rows = [{"prompt": prompt(t.instruction), "completion": [{"role": "assistant", "content": t.page}]} for t in tasks["train"] if t.page]
    if not rows:
        raise ValueError("sft: no training task has a page to be imitated")
    settings = _common(stage, folder, seed)
    del settings["max_completion_length"]
    config = SFTConfig(**settings, per_device_train_batch_size=stage["batch"], max_length=512 + stage["max_tokens"], completion_only_loss=True)
    tokenizer = AutoTokenizer.from_pretrained(model)
    trainer = SFTTrainer(model=model, args=config, train_dataset=Dataset.from_list(rows), processing_class=tokenizer, callbacks=[Monitor(run, stage["name"])])
    return _train(trainer, tokenizer, folder)


def grpo(stage: dict[str, Any], model: str, tasks: Tasks, run: Path, seed: int, url: str) -> str:
    """Learns from the rewards of the service. Gives the folder of the model."""
    folder = run / stage["name"]
    rows = [{"prompt": prompt(t.instruction), "instruction": t.instruction, "task_id": t.task_id, "archetype": t.archetype} for t in tasks["train"]]
    samples = Samples(run, stage["name"], stage["sample_every"])
    per_step = stage["prompts"] * stage["samples"]
    size = min(stage["batch"], per_step)
    config = GRPOConfig(
        **_common(stage, folder, seed), per_device_train_batch_size=size, gradient_accumulation_steps=per_step // size,
        num_generations=stage["samples"], temperature=stage["temperature"], top_k=0, top_p=1.0, beta=stage["beta"], epsilon=stage["epsilon"],
        loss_type=stage["loss"], scale_rewards=stage["scale_rewards"], num_iterations=stage["updates"],
    )  # fmt: skip
    tokenizer = AutoTokenizer.from_pretrained(model)
    trainer = GRPOTrainer(
        model=model, args=config, train_dataset=Dataset.from_list(rows), processing_class=tokenizer,
        reward_funcs=[_reward(Settings.from_env(url=url, recipe=stage["reward"]), samples)], callbacks=[Monitor(run, stage["name"], samples)],
    )  # fmt: skip
    return _train(trainer, tokenizer, folder)


def _reward(settings: Settings, samples: Samples) -> Any:
    """TRL's reward function: rewards of the service, None for what could not be judged."""

    def vitrine_reward(prompts: Any, completions: Any, **columns: Any) -> list[float | None]:
        outputs = [output_text(completion) for completion in completions]
        items = [{"output": outputs[i], "instruction": columns["instruction"][i]} for i in range(len(outputs))]
        began = time.monotonic()
        results = wait(_score(settings, items))
        about = [{"task_id": columns["task_id"][i], "archetype": columns["archetype"][i], "instruction": columns["instruction"][i]} for i in range(len(items))]
        samples.add(outputs, about, results, time.monotonic() - began)
        return [result.reward for result in results]

    return vitrine_reward


async def _score(settings: Settings, items: list[dict[str, Any]]) -> list[Any]:
    async with Client(settings) as client:
        return await client.score(items)


def evaluate(stage: dict[str, Any], model: str, tasks: Tasks, run: Path, seed: int, url: str) -> str:
    """Writes outputs for tasks that were not trained on, with their rewards, into NAME.jsonl. Gives the model as it came."""
    path = run / f"{stage['name']}.jsonl"
    chosen = tasks["heldout"][: stage["limit"] or None]
    done = {json.loads(line)["id"] for line in open(path, encoding="utf-8")} if path.exists() else set()
    tokenizer = AutoTokenizer.from_pretrained(model)
    policy = AutoModelForCausalLM.from_pretrained(model, dtype=torch.bfloat16 if torch.cuda.is_available() else torch.float32)
    policy.to("cuda" if torch.cuda.is_available() else "cpu").eval()
    how = GenerationConfig(
        do_sample=True, temperature=stage["temperature"], top_k=0, top_p=1.0, max_new_tokens=stage["max_tokens"],
        pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id,
    )  # fmt: skip
    settings = Settings.from_env(url=url, recipe=stage["reward"])
    for at, task in enumerate(chosen):
        ids = [f"{task.task_id}-{k}" for k in range(stage["samples"])]
        if done.issuperset(ids):
            continue
        set_seed(seed + at)  # a task has the same random numbers before and after training
        text = tokenizer.apply_chat_template(prompt(task.instruction), tokenize=False, add_generation_prompt=True)
        given = tokenizer(text, return_tensors="pt", add_special_tokens=False).to(policy.device)
        with torch.no_grad():
            made = policy.generate(**given, generation_config=how, num_return_sequences=stage["samples"])
        outputs = tokenizer.batch_decode(made[:, given["input_ids"].shape[1] :], skip_special_tokens=True)
        results = wait(_score(settings, [{"output": o, "instruction": task.instruction} for o in outputs]))
        for id, output, result in zip(ids, outputs, results, strict=True):
            if id not in done:
                append(path, {"id": id, "task_id": task.task_id, "archetype": task.archetype, "instruction": task.instruction, "output": output,
                              "reward": result.reward, "outcome": result.outcome, "parts": dict(result.parts)})  # fmt: skip
        print(json.dumps({"stage": stage["name"], "step": at + 1, "of": len(chosen)}), flush=True)
    return model
