"""Tasks to draw with matplotlib, as short as those of the task ladder: one instruction, one script of 59 to 103 tokens.
There are six archetypes; those of `NEW` are never trained on."""

from __future__ import annotations

import random
from functools import partial

from .ladder import Archetypes, Task, ladder, show, some

COLORS = ["teal", "orange", "navy", "crimson", "olive", "purple"]
SERIES = {"Rain": "mm", "Visitors": "people", "Price": "dollars", "Speed": "km/h", "Level": "cm", "Load": "kg"}


def _script(title: str, *lines: str) -> str:
    return "\n".join(["import matplotlib.pyplot as plt", "", *lines, f'plt.title("{title}")', "plt.show()"])


def _numbers(rng: random.Random, least: int, most: int, n: int) -> list[int]:
    return [rng.randint(least, most) for _ in range(n)]


def _bars(call: str, kind: str, rng: random.Random) -> tuple[str, str]:
    title, names = some(rng, 3, 5)
    values, color = _numbers(rng, 2, 40, len(names)), rng.choice(COLORS)
    of = ", ".join(f"{name} {value}" for name, value in zip(names, values, strict=True))
    quoted = ", ".join(f'"{name}"' for name in names)
    return f"Draw {kind} titled {title} in {color}: {of}.", _script(title, f"names = [{quoted}]", f"values = {values}", f'plt.{call}(names, values, color="{color}")')


def _line(rng: random.Random) -> tuple[str, str]:
    title = rng.choice(sorted(SERIES))
    values = _numbers(rng, 1, 60, rng.randint(4, 7))
    ask = f"Draw a line chart titled {title} of the values {', '.join(map(str, values))} for the days 1 to {len(values)}. The axes are called Day and {SERIES[title]}."
    days = f"days = {list(range(1, len(values) + 1))}"
    return ask, _script(title, days, f"values = {values}", 'plt.plot(days, values, marker="o")', 'plt.xlabel("Day")', f'plt.ylabel("{SERIES[title]}")')


def _scatter(rng: random.Random) -> tuple[str, str]:
    title, color = rng.choice(sorted(SERIES)), rng.choice(COLORS)
    points = [(rng.randint(0, 9), rng.randint(0, 30)) for _ in range(rng.randint(4, 6))]
    ask = f"Draw a scatter plot titled {title} with {color} points at {', '.join(map(str, points))}."
    return ask, _script(title, f"x = {[x for x, _ in points]}", f"y = {[y for _, y in points]}", f'plt.scatter(x, y, color="{color}")')


def _histogram(rng: random.Random) -> tuple[str, str]:
    title, bins = rng.choice(sorted(SERIES)), rng.choice([3, 4, 5])
    values = _numbers(rng, 1, 20, rng.randint(8, 10))
    ask = f"Draw a histogram titled {title} with {bins} bins of the values {', '.join(map(str, values))}."
    return ask, _script(title, f"values = {values}", f'plt.hist(values, bins={bins}, edgecolor="white")')


def _pie(rng: random.Random) -> tuple[str, str]:
    title, names = some(rng, 3, 4)
    shares = _numbers(rng, 5, 50, len(names))
    ask = f"Draw a pie chart titled {title} with these shares: {', '.join(f'{name} {share}' for name, share in zip(names, shares, strict=True))}."
    quoted = ", ".join(f'"{name}"' for name in names)
    return ask, _script(title, f"names = [{quoted}]", f"shares = {shares}", "plt.pie(shares, labels=names)")


ARCHETYPES: Archetypes = {
    "bar": partial(_bars, "bar", "a bar chart"), "line": _line, "scatter": _scatter, "histogram": _histogram, "pie": _pie,
    "barh": partial(_bars, "barh", "a horizontal bar chart"),
}  # fmt: skip
NEW = ("pie", "barh")


def plots(each: int = 80, seed: int = 1) -> dict[str, list[Task]]:
    """All tasks by split, as those of the ladder are split."""
    return ladder(each, seed, ARCHETYPES, NEW, "plot")


if __name__ == "__main__":
    show(plots())
