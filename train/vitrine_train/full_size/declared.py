"""Settings as dataclasses declare them: read out of the source where importing it needs a trainer's packages."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError


class _Names(dict[str, Any]):
    """What a name in an annotation stands for; Any where that is a class of the trainer's."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, getattr(typing, name, Any))


def _given(statement: ast.AnnAssign) -> bool:
    """Whether a field can be given: field(init=False) cannot."""
    value = statement.value
    return not (isinstance(value, ast.Call) and any(k.arg == "init" and ast.unparse(k.value) == "False" for k in value.keywords))


def fields(file: Path, name: str) -> dict[str, Any]:
    """The fields of a dataclass in a file and their types, with those of its bases in the same file."""
    classes = {node.name: node for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)}
    found: dict[str, Any] = {}
    for base in reversed(classes[name].bases):
        if ast.unparse(base) in classes:
            found |= fields(file, ast.unparse(base))
    for statement in classes[name].body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and _given(statement):
            annotation = statement.annotation
            text = annotation.value if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str) else ast.unparse(annotation)
            found[statement.target.id] = eval(text, {}, _Names())
    return found


def check(values: Mapping[str, Any], types: Mapping[str, Any]) -> None:
    """Refuses a value that has no field, or not the field's type."""
    for key, value in values.items():
        if key not in types:
            raise ValueError(f"{key}: there is no such setting")
        try:
            TypeAdapter(types[key], config=ConfigDict(arbitrary_types_allowed=True)).validate_python(value, strict=True)
        except ValidationError as error:
            raise ValueError(f"{key}: {error.errors()[0]['msg']}, not {value!r}") from error


def leaves(config: Any, at: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Path, value and type of all that a dataclass and those in it hold."""
    types = typing.get_type_hints(type(config))
    for field in dataclasses.fields(config):
        value, path = getattr(config, field.name), f"{at}{field.name}"
        if dataclasses.is_dataclass(value):
            yield from leaves(value, path + ".")
        else:
            yield path, value, types[field.name]


def flat(tree: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Path and value of all that a nested mapping holds."""
    if isinstance(tree, Mapping) and tree:
        for key, value in tree.items():
            yield from flat(value, f"{at}.{key}" if at else str(key))
    else:
        yield at, tree
