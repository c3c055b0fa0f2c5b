"""What may stand where a model's output is asked for: data sets, trainers and people write it in several ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .errors import InvalidInput

Output = str | Mapping[str, Any] | Iterable[Any]
"""A text, a message, a list of messages (chat turns), a list of content parts, or a list of one of these."""


def text_of(content: Any) -> str:
    """The text of a message's content, which is a string or a list of parts."""
    if isinstance(content, str):
        return content
    return "".join(part.get("text") or "" for part in content or () if isinstance(part, Mapping))


def output_text(output: Any) -> str:
    """The text of an output. Of chat turns it is the last of the assistant, "" if there is none.

    Raises InvalidInput for anything else, such as a list of several strings."""
    if isinstance(output, str):
        return output
    if isinstance(output, Mapping):
        if "content" in output and output.get("role", "assistant") == "assistant":
            return text_of(output["content"])
        if isinstance(output.get("text"), str):
            return str(output["text"])
    elif isinstance(output, Iterable) and not isinstance(output, (bytes, bytearray)):
        return _of_list(list(output))
    raise InvalidInput(f"an output is {_named(output)}", code="invalid_input", fix=_FIX)


_FIX = "give its text, a list of chat messages, or a list of one of these"


def _of_list(parts: list[Any]) -> str:
    if all(isinstance(part, Mapping) for part in parts):
        if any("role" in part for part in parts):
            said = [part for part in parts if part.get("role") == "assistant"]
            return text_of(said[-1].get("content")) if said else ""
        if all(isinstance(part.get("text"), str) for part in parts):
            return text_of(parts)
    if len(parts) == 1:
        return output_text(parts[0])
    raise InvalidInput(f"an output is a list of {len(parts)}, such as {_named(parts[0])}", code="invalid_input", fix=_FIX)


def _named(value: Any) -> str:
    if isinstance(value, Mapping) and "role" in value:
        return f"a message of the {value['role']}"
    if isinstance(value, Mapping):
        return f"an object with {sorted(map(str, value))[:5]}"
    return f"a {type(value).__name__}"


# One of them makes an object an item rather than a message.
_MEMBERS = {"output", "files", "session_id"}


def item_of(index: int, item: Any) -> dict[str, Any]:
    """An item of a request: what it was given as, with an id, or the output that it is. A wrong one that is an object
    goes to the service, which says what is wrong with it."""
    try:
        if isinstance(item, Mapping) and ("content" not in item or _MEMBERS & set(item)):
            whole = {"id": str(index), **item}
            if isinstance(whole.get("output"), (Mapping, list, tuple)):
                whole["output"] = output_text(whole["output"])
            return whole
        return {"id": str(index), "output": output_text(item)}
    except InvalidInput as error:
        raise InvalidInput(f"items[{index}]: {error}", code=error.code) from None
