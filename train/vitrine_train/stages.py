"""The stages of a recipe, on TRL. Each gives the folder of the model that comes out of it."""

from __future__ import annotations

import errno
import json
import shutil
import statistics
import time
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer, PrinterCallback, set_seed
from trl import DPOConfig, DPOTrainer, GRPOConfig, RewardConfig, RewardTrainer, SFTConfig, SFTTrainer
from vitrine import Settings
from vitrine.outputs import output_text

from . import relook as refining
from .ladder import Task
from .monitor import Monitor
from .policy import Trainer
from .reward_model import Judge, named
from .rewards import Scorer, marked
from .rollout import Sampler
from .rows import append, best_and_worst, read_lines
from .samples import Samples

Tasks = dict[str, list[Task]]
AT_ONCE = 32
"""Outputs that are sampled at once where there is no update to fit in."""


SYSTEMS = {
    "page": "You write one complete HTML page and nothing else.", "plot": "You write one complete Python script that draws with matplotlib and nothing else.",
}  # fmt: skip
"""The system prompt of each kind of task."""


def prompt(instruction: str, kind: str = "page", system: str = "") -> list[dict[str, str]]:
    """The messages that ask for a page or a plot."""
    return [{"role": "system", "content": system or SYSTEMS[kind]}, {"role": "user", "content": instruction}]


def _kind(messages: list[dict[str, str]]) -> str:
    """The kind of task that messages ask for: TRL gives a rollout these alone."""
    return "plot" if messages[0]["content"] == SYSTEMS["plot"] else "page"


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


def _trained(folder: Path) -> str:
    """The last checkpoint of a stage that is done, which is there even where a kill came before the model was saved."""
    last = _last(folder)
    if last is None:
        raise FileNotFoundError(f"{folder} has no checkpoint any more: remove {folder.name}.done beside it, and the stage is done again")
    return last


def full(error: BaseException) -> bool:
    """Whether a file could not be written to its end. torch says so in words of its own."""
    return getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or any(word in str(error) for word in ("No space left", "inline_container", "PytorchStreamWriter"))


def _train(trainer: Any, tokenizer: Any, folder: Path) -> str:
    """Trains from the last checkpoint on, and saves the model."""
    last = _last(folder)
    if last and int(last.rsplit("-", 1)[1]) >= trainer.args.max_steps:
        return last  # a kill came between the last step and the end
    trainer.remove_callback(PrinterCallback)  # Monitor says it
    try:
        trainer.train(resume_from_checkpoint=last)
    except (OSError, RuntimeError) as error:
        if isinstance(error, ConnectionError) or not full(error):
            raise
        free = shutil.disk_usage(folder).free >> 20
        raise OSError(errno.ENOSPC, f"the disk is full, {free} MB are free: a checkpoint was not written whole, the one before it is") from error
    if trainer.state.global_step < trainer.args.max_steps:
        raise RuntimeError(f"the training ended after {trainer.state.global_step} of {trainer.args.max_steps} steps")
    model = folder / "model"
    trainer.save_model(str(model))
    tokenizer.save_pretrained(model)
    return str(model)


def sft(stage: dict[str, Any], model: str, tasks: Tasks, run: Path, seed: int, url: str) -> str:
    """Imitates the pages or scripts of the training tasks. Gives the folder of the model."""
    rows = [{"prompt": prompt(t.instruction, t.kind), "completion": [{"role": "assistant", "content": t.page}]} for t in tasks["train"] if t.page]
    return _imitate(stage, model, rows, run, seed)


def _imitate(stage: dict[str, Any], model: str, rows: list[dict[str, Any]], run: Path, seed: int) -> str:
    if not rows:
        raise ValueError(f"{stage['method']}: there is no page or script to be imitated")
    folder = run / stage["name"]
    settings = _common(stage, folder, seed)
    del settings["max_completion_length"]
    config = SFTConfig(**settings, per_device_train_batch_size=stage["batch"], max_length=512 + stage["max_tokens"], completion_only_loss=True)
    tokenizer = AutoTokenizer.from_pretrained(model)
    trainer = SFTTrainer(model=model, args=config, train_dataset=Dataset.from_list(rows), processing_class=tokenizer, callbacks=[Monitor(run, stage["name"])])
    return _train(trainer, tokenizer, folder)


def grpo(stage: dict[str, Any], model: str, tasks: Tasks, run: Path, seed: int, url: str) -> str:
    """Learns from the rewards of the service, or from those of a reward model, whose samples the recipe that its pairs are
    of scores as well. Gives the folder of the model."""
    tokenizer = AutoTokenizer.from_pretrained(model)
    samples = Samples(run, stage["name"], stage["sample_every"])
    learned = named(stage, run)
    judge = Judge(_trained(run / learned["name"]), stage["batch"]) if learned else None
    scorer = Scorer(Settings.from_env(url=url, recipe=(learned or stage)["reward"]))
    sampler = Sampler(tokenizer, stage["max_tokens"], stage["temperature"])
    rows = [_row(t, prompt(t.instruction, t.kind)) for t in tasks["train"]]
    return _optimise(stage, model, rows, run, seed, tokenizer, samples, _rollout(sampler, scorer, samples),
                     _reward(scorer, samples, stage["max_tokens"] if stage["overlong"] == "zero" else None, judge))  # fmt: skip


def relook(stage: dict[str, Any], model: str, tasks: Tasks, run: Path, seed: int, url: str) -> str:
    """Learns from the rewards of refine sessions (ReLook). Gives the folder of the model."""
    if any(t.kind != "page" for t in tasks["train"] + tasks["dev"]):
        raise ValueError("relook: its sessions are of pages, and some tasks ask for a plot")
    tokenizer = AutoTokenizer.from_pretrained(model)
    samples = Samples(run, stage["name"], stage["sample_every"])
    sampler = Sampler(tokenizer, stage["max_tokens"], stage["temperature"])
    asks = {"system": refining.ASKING} if stage["ask"] == "trigger" else {}
    rows = [_row(t, prompt(t.instruction, **asks)) for t in tasks["train"]]
    whole = {**stage, "max_tokens": refining.room(stage)}
    last = _optimise(whole, model, rows, run, seed, tokenizer, samples, refining.rollout(stage, url, sampler, samples), refining.reward(samples))
    return _chosen(stage, last, tasks["dev"], run, seed, url) if stage["choose"] else last


def _row(task: Task, messages: list[dict[str, str]]) -> dict[str, Any]:
    return {"prompt": messages, "instruction": task.instruction, "task_id": task.task_id, "archetype": task.archetype}


def _chosen(stage: dict[str, Any], last: str, tasks: list[Task], run: Path, seed: int, url: str) -> str:
    """The checkpoint whose outputs for tasks that are neither trained on nor held out have the highest mean reward, each
    written in one turn and without a critic; the earliest of equals (ReLook 3.2 takes the mean visual score)."""
    best, highest = last, -1.0
    for path in sorted((run / stage["name"]).glob("checkpoint-*"), key=lambda path: int(path.name.split("-")[1])):
        step = path.name.split("-")[1]
        named = {**stage, "name": f"{stage['name']}-{step}", "samples": 1, "limit": stage["choose"]}
        judged = [row["reward"] for row in _sample(named, str(path), tasks, run, seed, url) if row["reward"] is not None]
        mean = statistics.fmean(judged) if judged else None
        append(run / "chosen.jsonl", {"stage": stage["name"], "step": int(step), "n": len(judged), "reward": mean})
        if mean is not None and mean > highest:
            best, highest = str(path), mean
    return best


def _optimise(
    stage: dict[str, Any], model: str, rows: list[dict[str, Any]], run: Path, seed: int, tokenizer: Any, samples: Samples, rollout: Any, reward: Any,
) -> str:  # fmt: skip
    """GRPO. Gives the folder of the model."""
    folder = run / stage["name"]
    if len(rows) < stage["prompts"]:
        raise ValueError(f"{stage['method']}: {len(rows)} training tasks are fewer than the {stage['prompts']} prompts of a step")
    per_step = stage["prompts"] * stage["samples"]
    size = min(stage["batch"], per_step)
    config = GRPOConfig(
        **_common(stage, folder, seed) | ({"save_total_limit": None} if stage["choose"] else {}), per_device_train_batch_size=size, gradient_accumulation_steps=per_step // size,
        num_generations=stage["samples"], temperature=stage["temperature"], top_k=0, top_p=1.0, beta=stage["beta"], epsilon=stage["epsilon"],
        loss_type=stage["loss"], scale_rewards=stage["scale_rewards"], num_iterations=stage["updates"],
    )  # fmt: skip
    trainer = Trainer(
        model=model, args=config, train_dataset=Dataset.from_list(rows), processing_class=tokenizer, rollout_func=rollout, reward_funcs=[reward],
        callbacks=[Monitor(run, stage["name"], samples)],
    )  # fmt: skip
    trainer.advantage_clip, trainer.distill = stage["advantage_clip"], stage["distill"]
    return _train(trainer, tokenizer, folder)


def _rollout(sampler: Sampler, scorer: Scorer, samples: Samples) -> Any:
    """TRL's rollout function: an output for each of the prompts of a step, all at once. What is whole is scored while the
    others are sampled."""

    def rollout(prompts: Any, trainer: Any) -> dict[str, Any]:
        began = time.monotonic()

        def ended(i: int, ids: list[int]) -> None:
            scorer.begin(i, sampler.tokenizer.decode(ids, skip_special_tokens=True), prompts[i][-1]["content"], _kind(prompts[i]))

        asked, made = sampler.sample(trainer.accelerator.unwrap_model(trainer.model), prompts, ended)
        samples.generated(time.monotonic() - began)
        return {"prompt_ids": asked, "completion_ids": made, "logprobs": None}

    return rollout


def _reward(scorer: Scorer, samples: Samples, bound: int | None, judge: Judge | None = None) -> Any:
    """TRL's reward function: rewards of the service, None for what could not be judged; 0 for outputs of `bound` tokens,
    which were cut off. Of a reward model, if there is one: it judges whatever was written. Samples are kept with what
    the service said."""

    def vitrine_reward(prompts: Any, completions: Any, completion_ids: Any, **columns: Any) -> list[float | None]:
        began = time.monotonic()
        results = scorer.results(len(completions))
        about = [{**{key: columns[key][i] for key in ("task_id", "archetype", "instruction")}, **marked(_kind(asked))} for i, asked in enumerate(prompts)]
        texts = [output_text(completion) for completion in completions]
        learned = judge(prompts, texts) if judge else None
        samples.add(texts, about, results, time.monotonic() - began, learned)
        if learned is not None:
            return [*learned]
        return [0.0 if len(ids) == bound and result.reward is not None else result.reward for ids, result in zip(completion_ids, results, strict=True)]

    return vitrine_reward


def evaluate(stage: dict[str, Any], model: str, tasks: Tasks, run: Path, seed: int, url: str) -> str:
    """Writes outputs for tasks that were not trained on, with their rewards, into NAME.jsonl. Gives the model as it came."""
    _sample(stage, model, tasks["heldout"], run, seed, url)
    return model


def rft(stage: dict[str, Any], model: str, tasks: Tasks, run: Path, seed: int, url: str) -> str:
    """Imitates the best of several samples for each training task (AesCoder App. D, RFT)."""
    pairs = best_and_worst(_sample(stage, model, tasks["train"], run, seed, url))
    rows = [{"prompt": prompt(best["instruction"], best.get("kind", "page")), "completion": [{"role": "assistant", "content": best["output"]}]} for best, _ in pairs]
    return _imitate(stage, model, rows, run, seed)


def _pairs(stage: dict[str, Any], model: str, tasks: Tasks, run: Path, seed: int, url: str) -> Dataset:
    """The best and the worst of several samples for each training task."""
    rows = [
        {"prompt": prompt(best["instruction"], best.get("kind", "page")), "chosen": [{"role": "assistant", "content": best["output"]}],
         "rejected": [{"role": "assistant", "content": worst["output"]}]}
        for best, worst in best_and_worst(_sample(stage, model, tasks["train"], run, seed, url))
    ]  # fmt: skip
    if not rows:
        raise ValueError(f"{stage['method']}: no task has two samples of different rewards")
    return Dataset.from_list(rows)


def _preferring(trainer: Any, config: Any, stage: dict[str, Any], model: str, pairs: Dataset, run: Path, seed: int, **settings: Any) -> str:
    """Trains by one of TRL's trainers on pairs. Gives the folder of what was trained."""
    folder = run / stage["name"]
    common = _common(stage, folder, seed)
    del common["max_completion_length"]
    args = config(**common, per_device_train_batch_size=stage["batch"], max_length=512 + stage["max_tokens"], **settings)
    tokenizer = AutoTokenizer.from_pretrained(model)
    return _train(trainer(model=model, args=args, train_dataset=pairs, processing_class=tokenizer, callbacks=[Monitor(run, stage["name"])]), tokenizer, folder)


def dpo(stage: dict[str, Any], model: str, tasks: Tasks, run: Path, seed: int, url: str) -> str:
    """Prefers the best of several samples for each training task to the worst (AesCoder App. D, DPO)."""
    return _preferring(DPOTrainer, DPOConfig, stage, model, _pairs(stage, model, tasks, run, seed, url), run, seed, beta=stage["beta"])


def reward_model(stage: dict[str, Any], model: str, tasks: Tasks, run: Path, seed: int, url: str) -> str:
    """Trains a model to give the best of several samples a higher reward than the worst (WebGen-R1 E.9), which a later stage
    may name as its reward. Gives the model as it came: what is trained here judges, and does not write."""
    _preferring(RewardTrainer, RewardConfig, stage, model, _pairs(stage, model, tasks, run, seed, url), run, seed)
    return model


def _sample(stage: dict[str, Any], model: str, tasks: list[Task], run: Path, seed: int, url: str) -> list[dict[str, Any]]:
    """Outputs for tasks with their rewards, kept in NAME.jsonl; those that are there are not made again."""
    path = run / f"{stage['name']}.jsonl"
    chosen = tasks[: stage["limit"] or None]
    known: dict[str, dict[str, Any]] = {row["id"]: row for row in read_lines(path)}
    tokenizer = AutoTokenizer.from_pretrained(model)
    policy = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    policy.to("cuda" if torch.cuda.is_available() else "cpu").eval()
    sampler = Sampler(tokenizer, stage["max_tokens"], stage["temperature"])
    scorer = Scorer(Settings.from_env(url=url, recipe=stage["reward"]))
    asked = [(f"{task.task_id}-{k}", task) for task in chosen for k in range(stage["samples"])]
    for at in range(0, len(asked), AT_ONCE):
        batch = asked[at : at + AT_ONCE]
        if known.keys() >= {id for id, _ in batch}:
            continue
        set_seed(seed + at)  # a task has the same random numbers before and after training
        outputs = [""] * len(batch)

        def ended(i: int, ids: list[int], batch: Any = batch, outputs: list[str] = outputs) -> None:
            outputs[i] = tokenizer.decode(ids, skip_special_tokens=True)
            scorer.begin(i, outputs[i], batch[i][1].instruction, batch[i][1].kind)

        _, made = sampler.sample(policy, [prompt(task.instruction, task.kind) for _, task in batch], ended)
        results = scorer.results(len(batch))
        for (id, task), ids, output, result in zip(batch, made, outputs, results, strict=True):
            if id not in known:
                known[id] = {"id": id, "task_id": task.task_id, "archetype": task.archetype, "instruction": task.instruction, **marked(task.kind), "output": output,
                             "tokens": len(ids), "reward": result.reward, "outcome": result.outcome, "parts": dict(result.parts),
                             "error": result.error.code if result.error else ""}  # fmt: skip
                append(path, known[id])
        print(json.dumps({"stage": stage["name"], "step": at + len(batch), "of": len(asked)}), flush=True)
    return list(known.values())


STAGES = {"sft": sft, "grpo": grpo, "relook": relook, "dpo": dpo, "rft": rft, "reward-model": reward_model, "evaluate": evaluate}
