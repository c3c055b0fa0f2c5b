"""Makes loops.json: python3 make.py

Each case is a list of outputs with what a critic found, and what the loop must do
with them. It follows ReLook section 2.6 and Algorithm 1 by rules written a second time,
apart from the Go code.

A case: settings (what differs from the defaults), steps and want. A step has score,
valid and asks (it asks for feedback); its want is [round, accepted, action,
best score, best turn]. Of the end: why, best (the reward of rule best) and mllm (of
rule relook, before the length reward).
"""

import json
import pathlib
import random

HERE = pathlib.Path(__file__).parent
rng = random.Random(20251013)


def loop(settings, steps):
    rounds, resamples = settings.get("max_rounds", 3), settings.get("max_resamples", 10)
    forced, everything = settings.get("ask") == "always", settings.get("accept") == "any"
    stop, eps, full = settings.get("on_reject") == "stop", settings.get("epsilon", 0), settings.get("full_score", 1)
    taken, scores, all_valid, best, best_turn, tried, why = [], [], True, None, None, 0, ""
    for number, step in enumerate(steps, 1):
        score = step["score"] if step["valid"] else min(0, step["score"])
        accepted = everything or not scores or score > best + eps
        here = len(scores) + 1
        if accepted:
            scores.append(score)
            all_valid, tried = all_valid and step["valid"], 0
            if best is None or score >= best:
                best, best_turn = score, number
        if accepted and not step["asks"] and not forced:
            action, why = "done", "not_asked"
        elif accepted and here == rounds:
            action, why = "done", "max_rounds"
        elif accepted:
            action = "revise"
        elif stop:
            action, why = "done", "rejected"
        elif tried == resamples:
            action, why = "done", "max_resamples"
        else:
            action, tried = "resample", tried + 1
        taken.append(step | {"want": [here, accepted, action, best, best_turn]})
        if action == "done":
            break
    mllm = max(0, min(1, sum(scores) / len(scores) / full)) if all_valid else 0
    return {"settings": settings, "steps": taken, "why": why, "best": best, "mllm": mllm}


def step(score, asks=True, valid=True):
    return {"score": score, "asks": asks, "valid": valid}


CASES = {
    "three rounds, each better": ({}, [step(0.2), step(0.5), step(0.9)]),
    "satisfied at once": ({}, [step(0.7, asks=False)]),
    "equal is not better": ({"max_resamples": 1}, [step(0.5), step(0.5), step(0.5)]),
    "worse, then better": ({}, [step(0.5), step(0.4), step(0.6), step(0.7)]),
    "ten resamples and no more": ({}, [step(0.9)] + [step(0.1)] * 20),
    "resamples begin anew each round": ({"max_resamples": 2}, [step(0.1), step(0), step(0), step(0.2), step(0), step(0), step(0)]),
    "no resample": ({"max_resamples": 0}, [step(0.5), step(0.4)]),
    "stop at the first rejected": ({"on_reject": "stop"}, [step(0.5), step(0.4)]),
    "rejected and satisfied": ({}, [step(0.5), step(0.4, asks=False), step(0.6, asks=False)]),
    "never better and satisfied": ({"max_resamples": 2}, [step(0.5)] + [step(0.4, asks=False)] * 5),
    "ten attempts in all": ({"max_resamples": 9}, [step(0.9)] + [step(0.1)] * 20),
    "eight forced rounds": ({"ask": "always", "accept": "any", "max_rounds": 8}, [step(s, asks=False) for s in (0.3, 0.5, 0.4, 0.5, 0.2, 0.1, 0.3, 0.2, 0.9)]),
    "forced rounds that must be better": ({"ask": "always"}, [step(0.3, asks=False), step(0.2, asks=False), step(0.4, asks=False), step(0.6)]),
    "invalid first, then valid": ({}, [step(0.8, valid=False), step(0.3), step(0.6)]),
    "invalid revision": ({"max_resamples": 0}, [step(0.3), step(0.9, valid=False)]),
    "invalid first stays the best": ({"max_resamples": 1}, [step(0, valid=False), step(0, valid=False), step(0, valid=False)]),
    "a recipe that goes below 0": ({}, [step(-1, valid=False), step(-0.5), step(0.6)]),
    "an invalid render is never above 0": ({"max_resamples": 0}, [step(-0.5), step(3, valid=False), step(0.5)]),
    "epsilon": ({"epsilon": 0.1, "max_resamples": 1}, [step(0.5), step(0.55), step(0.7), step(0.75), step(0.79)]),
    "scores of 100": ({"full_score": 100}, [step(40), step(60), step(95)]),
    "one round": ({"max_rounds": 1}, [step(0.4)]),
}

rows = [{"name": name} | loop(*case) for name, case in CASES.items()]
for n in range(60):
    modes = {} if n < 40 else {"ask": rng.choice(["trigger", "always"]), "accept": rng.choice(["better", "any"])}
    settings = modes | {"max_rounds": rng.randint(1, 5), "max_resamples": rng.randint(0, 4), "on_reject": rng.choice(["retry", "retry", "stop"])}
    steps = [step(round(rng.uniform(0, 1), 1), rng.random() < 0.9, rng.random() < 0.85) for _ in range(40)]
    rows.append({"name": f"drawn {n}"} | loop(settings, steps))
(HERE / "loops.json").write_text("[\n" + ",\n".join(json.dumps(r) for r in rows) + "\n]\n")
