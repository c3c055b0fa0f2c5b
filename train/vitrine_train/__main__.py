"""python -m vitrine_train RUN"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from . import base, ladder, monitor, plots, stages


def replace(file: Path, text: str) -> None:
    """Writes a file whole or not at all."""
    partial = file.with_name(f".{file.name}.partial")
    partial.write_text(text, encoding="utf-8")
    os.replace(partial, file)


def main(folder: str) -> None:
    """Carries out the stages of RUN/settings.json that are not done."""
    run = Path(folder)
    settings = json.loads((run / "settings.json").read_text(encoding="utf-8"))
    model = base.folder(settings["model"], settings["cache"])
    if settings["tasks"]:
        tasks = {"train": ladder.read(settings["tasks"]), "dev": [], "heldout": ladder.read(settings["heldout"])}
    else:
        tasks = plots.plots() if settings["kind"] == "plot" else ladder.ladder()
    replace(run / "trained.json", json.dumps(sorted({task.archetype for task in tasks["train"]})))
    for stage in settings["stages"]:
        done = run / f"{stage['name']}.done"
        if done.exists():
            model = done.read_text(encoding="utf-8")
            continue
        model = stages.STAGES[stage["method"]](stage, model, tasks, run, settings["seed"], settings["url"])
        replace(done, model)
        if (run / "curves.jsonl").exists():
            monitor.draw(run)


if __name__ == "__main__":
    main(sys.argv[1])
