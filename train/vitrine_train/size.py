"""How many workers of the service a step needs, and what its looks cost: python -m vitrine_train.size --help

Outputs queue for workers as they are whole; what counts is how long the step waits after its last one."""

from __future__ import annotations

import argparse
import heapq
import math
import random
from collections.abc import Sequence
from statistics import fmean

RUNS = 20
"""Simulated steps that a figure is the mean of."""


def cost(prompts: int, samples: int, price: float) -> float:
    """What a step pays for one look of a model at each output (WebGen-R1, Table 11: 64 x 16 x $0.007 = $7.168)."""
    return prompts * samples * price


def finish(ends: Sequence[float], seconds: Sequence[float], workers: int) -> float:
    """When the last output has its reward: outputs, whole at `ends`, are judged in that order for `seconds` each."""
    free = [0.0] * workers
    for end, length in sorted(zip(ends, seconds, strict=True)):
        heapq.heapreplace(free, max(free[0], end) + length)
    return max(free)


def wait(outputs: int, seconds: float, spread: float, generation: float, first: float, workers: int) -> float:
    """Mean seconds from a step's last whole output to its last reward. Times of judgement are lognormal with the mean
    `seconds` and the standard deviation `spread` x `seconds`; outputs end evenly from `first` x `generation` to it."""
    chance, waits = random.Random(1), []
    sigma = math.sqrt(math.log(1 + spread**2))
    mu = math.log(seconds) - sigma**2 / 2
    for _ in range(RUNS):
        ends = [chance.uniform(first * generation, generation) for _ in range(outputs)]
        waits.append(finish(ends, [chance.lognormvariate(mu, sigma) for _ in ends], workers) - max(ends))
    return fmean(waits)


def workers(outputs: int, seconds: float, spread: float, generation: float, first: float, allowed: float) -> int | None:
    """The fewest workers with which a step waits no longer than allowed; None where not even one for each output does."""
    low, high = 1, outputs
    if wait(outputs, seconds, spread, generation, first, high) > allowed:
        return None
    while low < high:
        middle = (low + high) // 2
        if wait(outputs, seconds, spread, generation, first, middle) <= allowed:
            high = middle
        else:
            low = middle + 1
    return low


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m vitrine_train.size", description=__doc__)
    parser.add_argument("--prompts", type=int, required=True, help="of a step")
    parser.add_argument("--samples", type=int, required=True, help="for each prompt")
    parser.add_argument("--seconds", type=float, required=True, help="that a worker needs for an output, on average")
    parser.add_argument("--spread", type=float, default=0.5, help="their standard deviation over their mean (default 0.5)")
    parser.add_argument("--generation", type=float, default=0.0, help="seconds until the last output is whole (default 0: all come at once)")
    parser.add_argument("--first", type=float, default=0.3, help="share of it after which the first is (default 0.3)")
    parser.add_argument("--wait", type=float, default=60.0, help="seconds that a step may wait after its last output (default 60)")
    parser.add_argument("--price", type=float, default=0.0, help="of one look of a model, in dollars (default 0)")
    args = parser.parse_args()
    outputs = args.prompts * args.samples
    found = workers(outputs, args.seconds, args.spread, args.generation, args.first, args.wait)
    print(f"{outputs} outputs of {args.seconds:g} s: {outputs * args.seconds:.0f} s of work, ${cost(args.prompts, args.samples, args.price):.3f} a step")
    if found is None:
        print(f"no number of workers ends within {args.wait:g} s of the last output")
        return
    for number in sorted({max(1, found // 2), found, found * 2}):
        print(f"{number} workers wait {wait(outputs, args.seconds, args.spread, args.generation, args.first, number):.1f} s")


if __name__ == "__main__":
    main()
