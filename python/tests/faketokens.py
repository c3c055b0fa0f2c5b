"""A tokenizer with a chat template, a policy that says given lines, and what a trajectory must look like."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

START, END = "<|im_start|>", "<|im_end|>"


class Tensor(list[Any]):
    """As much of a tensor as OpenRLHF reads."""

    def tolist(self) -> list[Any]:
        return list(self)


class FakeTokenizer:
    """One token a character, and one for each of the template's marks."""

    chat_template: str | None = "chatml"
    eos_token, eos_token_id = END, 2
    _marks = {START: 1, END: 2}

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        assert not add_special_tokens, "special tokens would be added in the middle of a trajectory"
        pieces = re.split(f"({re.escape(START)}|{re.escape(END)})", text)
        return [t for p in pieces for t in ([self._marks[p]] if p in self._marks else [ord(c) + 10 for c in p])]

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = False) -> str:
        marks = {1: START, 2: END}
        return "".join("" if i in marks and skip_special_tokens else marks.get(i) or chr(i - 10) for i in ids)

    def apply_chat_template(self, messages: list[dict[str, str]], tokenize: bool, add_generation_prompt: bool) -> str:
        assert not tokenize
        text = "".join(f"{START}{m['role']}\n{m['content']}{END}\n" for m in messages)
        return text + (f"{START}assistant\n" if add_generation_prompt else "")

    def __call__(self, text: str, add_special_tokens: bool, return_tensors: str) -> dict[str, Tensor]:
        return {"input_ids": Tensor([Tensor(self.encode(text, add_special_tokens))])}


def user_turn(text: str) -> str:
    """What the template writes after an assistant turn that ended itself."""
    return f"\n{START}user\n{text}{END}\n{START}assistant\n"


class Policy:
    """Says its lines one after another; remembers what it was shown."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.shown: list[list[int]] = []

    def next(self, context: Sequence[int]) -> tuple[list[int], list[float]]:
        """The next line's tokens, with the end of turn, and their log-probabilities."""
        self.shown.append(list(context))
        ids = FakeTokenizer().encode(self.lines.pop(0), add_special_tokens=False) + [2]
        return ids, [-0.5] * len(ids)


@dataclass
class Trajectory:
    ids: list[int]
    mask: list[int]
    logprobs: list[float] | None = None

    def spans(self) -> list[tuple[int, str]]:
        """Runs of one owner: 1 for the policy's, 0 for the environment's, with their text."""
        assert len(self.ids) == len(self.mask)
        runs: list[tuple[int, list[int]]] = []
        for token, owner in zip(self.ids, self.mask, strict=True):
            if not runs or runs[-1][0] != owner:
                runs.append((owner, []))
            runs[-1][1].append(token)
        return [(owner, FakeTokenizer().decode(ids)) for owner, ids in runs]


def check(trajectory: Trajectory, *turns: str) -> None:
    """The trajectory is these turns, the policy's and the environment's alternating, and only the policy's are trained on."""
    want = [(1, turn + END) if i % 2 == 0 else (0, user_turn(turn)) for i, turn in enumerate(turns)]
    assert trajectory.spans() == want
    said = FakeTokenizer().decode([t for t, m in zip(trajectory.ids, trajectory.mask, strict=True) if m])
    assert said == "".join(turn + END for turn in turns[::2])
    if trajectory.logprobs is not None:
        assert trajectory.logprobs == [-0.5 * m for m in trajectory.mask]


FIRST = "score 30 <get_feedback>"
WORSE = "score 10 <get_feedback>"
LAST = "score 80"
CRITIC_1 = "Round 1: make the 1. heading larger."
PROMPT = [{"role": "user", "content": "a pricing page"}]
