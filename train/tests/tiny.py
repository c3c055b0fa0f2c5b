"""A random model of two layers that writes letters."""

from __future__ import annotations

from typing import Any

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

LETTERS = "abcdefghijklmnopqrstuvwxyz .:"


def letters() -> Any:
    """A tokenizer of letters with a chat template: | begins a turn, ! ends it, _ pads."""
    vocab = {letter: i for i, letter in enumerate("_!|?" + LETTERS)}
    tokenizer = Tokenizer(models.WordLevel(vocab, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    tokenizer.decoder = decoders.Fuse()
    made = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="_", eos_token="!", bos_token="|", unk_token="?")
    made.chat_template = "{% for m in messages %}|{{ m.content }}!{% endfor %}{% if add_generation_prompt %}|{% endif %}"
    return made


def random_model() -> Any:
    """The model, the same each time."""
    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    return LlamaForCausalLM(LlamaConfig(vocab_size=len(letters()), **sizes, pad_token_id=0, eos_token_id=1))
