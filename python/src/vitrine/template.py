"""Chat templates: what stands between two turns of an assistant, as the model's own template writes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# Any text that a template passes through unchanged and that no system prompt holds.
_MARK = "vitrine:turn"


def between(tokenizer: Any, text: str, *, ended: bool = True) -> str:
    """The characters from the end of an assistant turn to the start of the next, with text as the user's message.

    ended says that the policy wrote its end-of-turn token itself; then that is left out here.
    A tokenizer without a chat template gives the text between blank lines.
    """
    if not getattr(tokenizer, "chat_template", None):
        return f"\n\n{text}\n\n"
    turns = [
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": _MARK},
        {"role": "user", "content": text},
    ]
    whole: str = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    _, found, rest = whole.partition(_MARK)
    if not found:
        raise ValueError("the chat template drops assistant messages: a refine loop needs one that shows them")
    eos = getattr(tokenizer, "eos_token", None)
    return rest.removeprefix(eos) if ended and eos else rest


def between_ids(tokenizer: Any, text: str, policy: Sequence[int]) -> list[int]:
    """The tokens of `between`, after the tokens that the policy wrote."""
    ended = bool(policy) and policy[-1] == getattr(tokenizer, "eos_token_id", None)
    return list(tokenizer.encode(between(tokenizer, text, ended=ended), add_special_tokens=False))


def prompt_ids(tokenizer: Any, prompt: Any) -> list[int]:
    """The tokens of a prompt: a list of messages by the chat template, a string as it is."""
    if isinstance(prompt, str):
        return list(tokenizer.encode(prompt, add_special_tokens=False))
    text = tokenizer.apply_chat_template(prompt, tokenize=False, add_generation_prompt=True)
    return list(tokenizer.encode(text, add_special_tokens=False))
