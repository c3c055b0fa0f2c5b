"""python -m vitrine_train RUN"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from . import base, ladder, monitor, stages


def main(folder: str) -> None:
    """Carries out the stages of RUN/settings.json that are not done."""
    run = Path(folder)
    settings = json.loads((run / "settings.json").read_text(encoding="utf-8"))
    model = base.folder(settings["model"], settings["cache"])
    tasks = {"train": ladder.read(settings["tasks"]), "dev": [], "heldout": ladder.read(settings["heldout"])} if settings["tasks"] else ladder.ladder()
    for stage in settings["stages"]:
        done = run / f"{stage['name']}.done"
        if done.exists():
            model = done.read_text(encoding="utf-8")
            continue
        if stage["method"] == "sft":
            model = stages.sft(stage, model, tasks, run, settings["seed"])
        else:
            carry_out = stages.grpo if stage["method"] == "grpo" else stages.evaluate
            model = carry_out(stage, model, tasks, run, settings["seed"], settings["url"])
        done.write_text(model, encoding="utf-8")
        if (run / "curves.jsonl").exists():
            monitor.draw(run)


if __name__ == "__main__":
    main(sys.argv[1])
