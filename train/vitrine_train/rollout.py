"""Sampling of outputs, many at once.

Weights are held in 32 bits for training, since most updates are too small for 16, and sampled from in bfloat16, which
reads half the memory for each token and is what the update computes in, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from transformers import DynamicCache, StaticCache
from transformers.cache_utils import StaticLayer

Messages = list[dict[str, str]]


class Sampler:
    """Samples from the whole distribution of a model, at a temperature."""

    def __init__(self, tokenizer: Any, max_tokens: int, temperature: float) -> None:
        self.tokenizer, self.max_tokens, self.temperature = tokenizer, max_tokens, temperature
        self.pad, self.end = tokenizer.pad_token_id, tokenizer.eos_token_id
        self.copy: Any = None
        self.step: Step | None = None

    def sample(self, model: Any, prompts: Sequence[Messages], ended: Callable[[int, list[int]], None]) -> tuple[list[list[int]], list[list[int]]]:
        """The tokens of each prompt and of one output for each, which ends with the end token unless it was cut off.
        Each output is given to `ended` with its place as soon as it is whole, while the others are still sampled."""
        texts = [self.tokenizer.apply_chat_template(list(prompt), tokenize=False, add_generation_prompt=True) for prompt in prompts]
        given = [self.tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]
        return given, self.after(model, given, ended)

    def after(self, model: Any, given: Sequence[list[int]], ended: Callable[[int, list[int]], None]) -> list[list[int]]:
        """One output after each of the given token sequences; `ended` as in sample."""
        policy = self._in_bfloat16(model)
        width = max(len(ids) for ids in given)
        ids = torch.tensor([[self.pad] * (width - len(row)) + row for row in given], device=policy.device)
        mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in given], device=policy.device)
        made: list[list[int]] = [[] for _ in given]
        if policy.device.type == "cuda" and Step.suits(policy):
            self._in_place(policy, ids, mask, made, ended)
            return made
        open_ = list(range(len(given)))
        cache = DynamicCache(config=policy.config)
        with torch.no_grad():
            while True:
                positions = (mask.cumsum(1) - 1)[:, -ids.shape[1] :].clamp(min=0)
                seen = policy(input_ids=ids, attention_mask=mask, position_ids=positions, past_key_values=cache, use_cache=True, logits_to_keep=1)
                chance = torch.rand(len(given), 1, device=policy.device)  # one for what has ended, too: an output's own do not depend on the others
                ids = self._draw(seen.logits[:, -1], chance[open_])
                for i, token in zip(open_, ids[:, 0].tolist(), strict=True):
                    made[i].append(token)
                going = []
                for row, i in enumerate(open_):
                    if made[i][-1] == self.end or len(made[i]) == self.max_tokens:
                        ended(i, made[i])
                    else:
                        going.append(row)
                if not going:
                    break
                if len(going) < len(open_):  # what has ended is not computed any more
                    cache.batch_select_indices(torch.tensor(going, device=policy.device))
                    ids, mask, open_ = ids[going], mask[going], [open_[row] for row in going]
                mask = torch.cat([mask, mask.new_ones(len(open_), 1)], 1)
        return made

    @torch.no_grad()
    def _in_place(self, policy: Any, ids: torch.Tensor, mask: torch.Tensor, made: list[list[int]], ended: Callable[[int, list[int]], None]) -> None:
        """What after does, in memory of one size: what has ended is computed on, and its tokens are dropped."""
        n, width = ids.shape
        cache = DynamicCache(config=policy.config)
        positions = (mask.cumsum(1) - 1).clamp(min=0)
        logits = policy(input_ids=ids, attention_mask=mask, position_ids=positions, past_key_values=cache, use_cache=True, logits_to_keep=1).logits[:, -1]
        room = -(-(width + self.max_tokens) // 64) * 64  # prompts of about one length share a graph
        if self.step is None or self.step.shape != (n, room):
            self.step = None  # its memory goes before the next one takes as much
            self.step = Step(policy, n, room)
        self.step.begin(cache, mask)
        open_ = set(range(n))
        while True:
            tokens = self._draw(logits, torch.rand(n, 1, device=policy.device))
            for i, token in enumerate(tokens[:, 0].tolist()):
                if i in open_:
                    made[i].append(token)
                    if token == self.end or len(made[i]) == self.max_tokens:
                        open_.remove(i)
                        ended(i, made[i])
            if not open_:
                return
            logits = self.step(tokens)

    def _draw(self, logits: torch.Tensor, chance: torch.Tensor) -> torch.Tensor:
        """One token of each distribution by a random number in [0, 1), both of shape (outputs, 1)."""
        below = torch.softmax(logits.float() / self.temperature, -1).cumsum(-1)
        return torch.searchsorted(below, chance * below[:, -1:], right=True).clamp(max=below.shape[1] - 1)

    def _in_bfloat16(self, model: Any) -> Any:
        """The model as it is now, in bfloat16; the memory of the last copy is used again."""
        if self.copy is None:
            # not a deepcopy, whose forward would be what a trainer has put around that of the model
            with torch.random.fork_rng(devices=[]):  # weights are initialised on the CPU: a resumed training would sample other outputs
                self.copy = type(model)(model.config).to(model.device).eval().requires_grad_(False)
            for weight in self.copy.parameters():  # and not the buffers: positions need their 32 bits
                weight.data = weight.data.to(torch.bfloat16)
        with torch.no_grad():
            for into, weight in zip(self.copy.parameters(), model.parameters(), strict=True):
                into.copy_(weight)
        return self.copy


class Step:
    """The step from a token to the next, for `n` outputs of at most `room` tokens with their prompts. On a GPU it is one
    CUDA graph: a step of a small model is some hundred kernels that take less time than a processor needs to start them."""

    def __init__(self, policy: Any, n: int, room: int) -> None:
        self.shape, self.policy = (n, room), policy
        self.cache = StaticCache(config=policy.config, max_cache_len=room)
        self.ids = torch.zeros(n, 1, dtype=torch.long, device=policy.device)
        self.positions = torch.zeros_like(self.ids)
        self.mask = torch.ones(n, 1, 1, room, dtype=torch.bool, device=policy.device)
        self.at = 0
        self.graph: Any = None
        self.logits = self._forward()  # lays out the cache
        if policy.device.type == "cuda":
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph, capture_error_mode="thread_local"):
                self.logits = self._forward()

    @staticmethod
    def suits(policy: Any) -> bool:
        """Whether each layer of a model sees all tokens before: others keep them in ways of their own."""
        return all(type(layer) is StaticLayer for layer in StaticCache(config=policy.config, max_cache_len=1).layers)

    def _forward(self) -> torch.Tensor:
        seen = self.policy(input_ids=self.ids, attention_mask=self.mask, position_ids=self.positions, past_key_values=self.cache, use_cache=True)
        logits: torch.Tensor = seen.logits[:, -1]
        return logits

    def begin(self, cache: DynamicCache, mask: torch.Tensor) -> None:
        """Begins after prompts, of which the cache and the mask are given."""
        self.at = mask.shape[1]
        for into, layer in zip(self.cache.layers, cache.layers, strict=True):
            into.keys[:, :, : self.at].copy_(layer.keys)
            into.values[:, :, : self.at].copy_(layer.values)
            into.cumulative_length.fill_(self.at)
        self.mask.zero_()
        self.mask[:, 0, 0, : self.at] = mask.bool()
        self.positions.copy_(mask.sum(1, keepdim=True) - 1)

    def __call__(self, ids: torch.Tensor) -> torch.Tensor:
        """The logits after one more token of each output."""
        self.ids.copy_(ids)
        self.positions += 1
        self.mask[:, :, :, self.at] = True
        self.at += 1
        if self.graph is None:
            return self._forward()
        self.graph.replay()
        return self.logits
