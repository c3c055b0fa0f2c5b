"""A training run's side of the service, without a model: steps of 64 prompts with 8 outputs each.

    vitrine serve &
    python python/examples/grpo_steps.py --steps 20 examples/demo.jsonl

It is written against docs/serve.md alone, with nothing but the standard library. The outputs are the pages of a
JSON-lines file, each made a little different; every fifth repeats its neighbour, as rollouts do late in a run. It
says how many steps an hour that makes, and how many outputs had no reward: on a healthy service none.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def rollouts(pages: list[str], prompts: int, group: int, step: int, chance: random.Random) -> list[list[str]]:
    """One group of outputs for each prompt."""
    groups = []
    for prompt in range(prompts):
        outputs: list[str] = []
        for n in range(group):
            page = chance.choice(pages)
            mark = f"<p>step {step}, prompt {prompt}, output {n}</p>"
            outputs.append(outputs[-1] if n % 5 == 4 else page.replace("</body>", mark + "</body>"))
        groups.append(outputs)
    return groups


def reward(url: str, prompt: int, outputs: list[str], deadline: float) -> list[float | None]:
    """The rewards of one group, in order; None where an output could not be judged."""
    items = [{"output": text, "group_id": f"prompt-{prompt}"} for text in outputs]
    body = json.dumps({"client": "grpo_steps", "deadline_ms": int(deadline * 1000), "items": items}).encode()
    request = urllib.request.Request(url + "/v1/score", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=deadline + 30) as answer:
        return [result["reward"] for result in json.load(answer)["results"]]


def advantages(rewards: list[float | None]) -> list[float]:
    """(R - mean) / std in the group; 0 for an output without a reward, and where all are alike."""
    known = [r for r in rewards if r is not None]
    spread = statistics.pstdev(known) if known else 0.0
    return [0.0 if r is None or spread == 0 else (r - statistics.fmean(known)) / spread for r in rewards]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", help="JSON lines with output")
    parser.add_argument("--url", default="http://127.0.0.1:7400")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--prompts", type=int, default=64)
    parser.add_argument("--group", type=int, default=8)
    parser.add_argument("--deadline", type=float, default=1800.0, help="seconds for one group")
    args = parser.parse_args()
    with open(args.pages, encoding="utf-8") as lines:
        found: list[dict[str, Any]] = [json.loads(line) for line in lines if line.strip()]
    pages = [line["output"] for line in found if "</body>" in line["output"] and "webArtifact" not in line["output"]]
    chance, seconds, nulls, flat = random.Random(1), [], 0, 0
    for step in range(args.steps):
        groups = rollouts(pages, args.prompts, args.group, step, chance)
        start = time.monotonic()
        with ThreadPoolExecutor(args.prompts) as pool:
            rewards = list(pool.map(lambda at: reward(args.url, at[0], at[1], args.deadline), enumerate(groups)))
        seconds.append(time.monotonic() - start)
        nulls += sum(r is None for group in rewards for r in group)
        flat += sum(not any(advantages(group)) for group in rewards)
        print(f"step {step + 1}: {seconds[-1]:.1f} s, {nulls} without a reward so far", flush=True)
    outputs = args.steps * args.prompts * args.group
    print(f"{outputs} outputs, {nulls} without a reward, {flat} groups without variance; {3600 / statistics.fmean(seconds):.1f} steps an hour")


if __name__ == "__main__":
    main()
