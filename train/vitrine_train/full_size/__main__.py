"""python -m vitrine_train.full_size SOURCES FILE

Prints the settings of a file of train/full-size as its trainer, at the pinned commit that fetch.sh brings into the folder
SOURCES, has them. Fails where the trainer refuses one, or takes an invented key or a value of a wrong type."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from .schemas import READERS, Settings

INVENTED, WRONG = "no_such_key", "many"


def said(file: Path, sources: Path) -> Any:
    """What a file says: the arguments that a script passes on, or a tree."""
    if file.suffix == ".sh":
        environment = {"PATH": os.environ["PATH"], "LAUNCH": r"printf %s\0", "SLIME": str(sources / "slime")}
        return subprocess.run([str(file)], env=environment, check=True, capture_output=True, text=True).stdout.split("\0")[:-1]
    if file.suffix == ".toml":
        import tomllib  # of Python 3.11

        return tomllib.loads(file.read_text(encoding="utf-8"))
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def spoilt(what: Any, kind: str) -> list[Any]:
    """The same with a key that no trainer has, and with a text for a number."""
    if isinstance(what, list):
        if kind in ("verl", "skyrl"):
            number = "trainer.nnodes" if kind == "verl" else "trainer.train_batch_size"
            return [[*what, f"trainer.{INVENTED}=1"], [*what, f"{number}={WRONG}"]]
        number = "--train.batch_size" if kind == "openrlhf" else "--rollout-batch-size"
        return [[*what, f"--{INVENTED}", "1"], [*what, number, WRONG]]
    if kind == "prime-rl":
        return [{**what, "orchestrator": {**what["orchestrator"], key: WRONG}} for key in (INVENTED, "batch_size")]
    return [{**what, key: WRONG} for key in (INVENTED, "learning_rate")]


def check(sources: Path, file: Path) -> Settings:
    """All settings of a file as its trainer has them. Raises where it refuses the file, or takes a spoilt one."""
    kind = next(name for name in READERS if file.name.startswith(name))
    folder, read = READERS[kind]
    commits = dict(line.split()[::2][:2] for line in (file.parent / "commits.txt").read_text().splitlines())
    here = subprocess.run(["git", "-C", str(sources / folder), "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    if here != commits[folder]:
        raise ValueError(f"{sources / folder} is at {here or 'no commit'}, not at {commits[folder]}: run fetch.sh")
    what = said(file, sources)
    settings = read(sources, copy.deepcopy(what))  # prime-rl writes into it
    for wrong in spoilt(what, kind):
        try:
            read(sources, wrong)
        except Exception as error:
            if INVENTED in str(error) or WRONG in str(error):
                continue
            raise
        raise ValueError(f"{kind} takes {wrong}")
    return settings


if __name__ == "__main__":
    found = check(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
    print(json.dumps(found, default=str))
