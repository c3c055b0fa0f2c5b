"""A model that judges in the place of the service, as in WebGen-R1 E.9."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

Stage = dict[str, Any]


def named(stage: Stage, run: Path) -> Stage | None:
    """The reward-model stage before `stage` that its reward names ("model": the last of them); None where its reward is a
    recipe of the service."""
    found = None
    for other in json.loads((run / "settings.json").read_text(encoding="utf-8"))["stages"]:
        if other["name"] == stage["name"]:
            break
        if other["method"] == "reward-model" and stage["reward"] in ("model", other["name"]):
            found = other
    return found


class Judge:
    """A reward model. A reward is a logit: of any size, and the higher the better among outputs for one task."""

    def __init__(self, folder: str, at_once: int) -> None:
        self.at_once = at_once
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        model = AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32)
        self.model = model.to("cuda" if torch.cuda.is_available() else "cpu").eval().requires_grad_(False)

    def __call__(self, prompts: Sequence[list[dict[str, str]]], outputs: Sequence[str]) -> list[float]:
        """A reward for each output, of the messages that it was trained on: those of the prompt and the output."""
        pairs = zip(prompts, outputs, strict=True)
        texts = [self.tokenizer.apply_chat_template([*prompt, {"role": "assistant", "content": output}], tokenize=False) for prompt, output in pairs]
        rewards: list[float] = []
        for at in range(0, len(texts), self.at_once):
            asked = self.tokenizer(texts[at : at + self.at_once], add_special_tokens=False, padding=True, padding_side="right", return_tensors="pt")
            with torch.inference_mode():
                seen = self.model(input_ids=asked["input_ids"].to(self.model.device), attention_mask=asked["attention_mask"].to(self.model.device))
            rewards += seen.logits[:, 0].tolist()
        return rewards
