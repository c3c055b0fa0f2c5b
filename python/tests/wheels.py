"""The trainers' own files, out of their wheels: contracts are checked on them without installing torch.

test.sh fetches the wheels into the folder VITRINE_WHEELS; without one such tests skip and say so."""

from __future__ import annotations

import ast
import os
import zipfile
from pathlib import Path

import pytest


def source(package: str, path: str) -> str:
    """The text of one file of a package's wheel, or a skip."""
    folder = os.environ.get("VITRINE_WHEELS")
    if not folder:
        pytest.skip(f"the wheel of {package} is not here (VITRINE_WHEELS is not set)")
    found = sorted(Path(folder).glob(f"{package}-*.whl"))
    if not found:
        pytest.skip(f"the wheel of {package} could not be fetched")
    with zipfile.ZipFile(found[-1]) as wheel:
        [name] = [name for name in wheel.namelist() if name.endswith("/" + path) or name == path]
        return wheel.read(name).decode()


def function(text: str, name: str, owner: str = "") -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """A function, or a method of the class owner; None where there is none."""
    body: list[ast.stmt] = ast.parse(text).body
    if owner:
        [body] = [node.body for node in body if isinstance(node, ast.ClassDef) and node.name == owner]
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            return node
    return None


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | None) -> list[str]:
    """The names of a function's parameters without self."""
    assert node is not None
    return [argument.arg for argument in node.args.args + node.args.kwonlyargs if argument.arg != "self"]


def fields(text: str, owner: str) -> set[str]:
    """The annotated fields of a class."""
    [body] = [node.body for node in ast.parse(text).body if isinstance(node, ast.ClassDef) and node.name == owner]
    return {node.target.id for node in body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
