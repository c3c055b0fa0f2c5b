"""Tasks that a model of 135M parameters can learn: one short instruction, one page of 70 to 160
tokens. There are six archetypes; those of `NEW` are never trained on."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass

THINGS = {
    "Fruit": ["Apple", "Pear", "Plum", "Cherry", "Mango", "Fig", "Kiwi", "Lemon"],
    "Birds": ["Robin", "Heron", "Swift", "Owl", "Wren", "Crane", "Finch", "Lark"],
    "Cities": ["Lisbon", "Oslo", "Quito", "Kyoto", "Cairo", "Lima", "Perth", "Turin"],
    "Trees": ["Oak", "Birch", "Cedar", "Maple", "Elm", "Pine", "Willow", "Ash"],
    "Tools": ["Hammer", "Saw", "Drill", "Wrench", "Chisel", "Plane", "File", "Clamp"],
    "Metals": ["Iron", "Copper", "Zinc", "Silver", "Gold", "Tin", "Lead", "Nickel"],
    "Spices": ["Cumin", "Clove", "Saffron", "Pepper", "Thyme", "Anise", "Sumac", "Mace"],
    "Rivers": ["Nile", "Rhine", "Congo", "Volga", "Indus", "Tiber", "Seine", "Ebro"],
    "Games": ["Chess", "Go", "Darts", "Bingo", "Poker", "Snooker", "Ludo", "Bowls"],
    "Flowers": ["Rose", "Tulip", "Iris", "Daisy", "Lily", "Poppy", "Aster", "Peony"],
}
COLORS = {"lightblue": "light blue", "lavender": "lavender", "beige": "beige", "mintcream": "mint cream", "linen": "linen", "pink": "pink"}


@dataclass(frozen=True)
class Task:
    """An instruction, and one page that follows it; of the kind "plot", a script in Python that draws."""

    task_id: str
    archetype: str
    instruction: str
    page: str
    kind: str = "page"


def _page(title: str, body: str, color: str = "white", style: str = "") -> str:
    return f'<!DOCTYPE html>\n<html lang="en">\n<title>{title}</title>\n<style>body {{margin: 40px; background: {color}}}{style}</style>\n<h1>{title}</h1>\n{body}\n</html>'


def some(rng: random.Random, least: int, most: int) -> tuple[str, list[str]]:
    """A kind of things, and as many of them."""
    kind = rng.choice(sorted(THINGS))
    return kind, rng.sample(THINGS[kind], rng.randint(least, most))


def _list(rng: random.Random) -> tuple[str, str]:
    kind, items = some(rng, 3, 5)
    color = rng.choice(sorted(COLORS))
    rows = "\n".join(f"<li>{item}</li>" for item in items)
    ask = f"A page titled {kind} on a {COLORS[color]} background. It lists {', '.join(items)}."
    return ask, _page(kind, f"<ul>\n{rows}\n</ul>", color)


def _card(rng: random.Random) -> tuple[str, str]:
    kind, (name, other) = some(rng, 2, 2)
    price = rng.randint(2, 60)
    ask = f"A page titled {kind} with a card for {name}: name, price ${price} and a short text that says where it is found."
    body = f'<div class="card">\n<h2>{name}</h2>\n<p>${price}</p>\n<p>{name} is found where {other} is not.</p>\n</div>'
    return ask, _page(kind, body, style=" .card {padding: 20px; border: 1px solid}")


def _counter(rng: random.Random) -> tuple[str, str]:
    kind, _ = some(rng, 1, 1)
    step = rng.choice([1, 2, 5])
    ask = f"A counter for {kind.lower()} that starts at 0. A button adds {step}, another sets it back to 0."
    body = (
        f'<p id="count">0</p>\n<button onclick="set(n + {step})">Add {step}</button>\n<button onclick="set(0)">Reset</button>\n'
        "<script>\nlet n = 0\nfunction set(v) { n = v; count.textContent = n }\n</script>"
    )
    return ask, _page(f"{kind} counter", body)


def _todo(rng: random.Random) -> tuple[str, str]:
    kind, items = some(rng, 1, 2)
    rows = "\n".join(f"<li>{item}</li>" for item in items)
    ask = f"A list of {kind.lower()} that begins with {' and '.join(items)}. A text field and a button add another one."
    body = (
        f'<input id="box" aria-label="Name">\n<button onclick="add()">Add</button>\n<ul id="list">\n{rows}\n</ul>\n'
        "<script>\nfunction add() {\nif (!box.value) return\nlet item = document.createElement('li')\n"
        "item.textContent = box.value\nlist.append(item)\nbox.value = ''\n}\n</script>"
    )
    return ask, _page(kind, body)


def _calculator(rng: random.Random) -> tuple[str, str]:
    kind, _ = some(rng, 1, 1)
    price = rng.randint(2, 9)
    ask = f"A calculator for {kind.lower()}: enter how many, press Calculate, and it shows the total at ${price} each."
    body = (
        '<input id="many" type="number" aria-label="How many" value="1">\n<button onclick="show()">Calculate</button>\n<p id="total"></p>\n'
        f"<script>\nfunction show() {{ total.textContent = 'Total: $' + many.value * {price} }}\n</script>"
    )
    return ask, _page(f"{kind} calculator", body)


def _tabs(rng: random.Random) -> tuple[str, str]:
    kind, (one, two) = some(rng, 2, 2)
    ask = f"A page titled {kind} with two tabs, {one} and {two}. A click on a tab shows its text and hides the other."
    body = (
        f"<button onclick=\"show('a')\">{one}</button>\n<button onclick=\"show('b')\">{two}</button>\n"
        f'<p id="a">{one} comes first of all {kind.lower()} here.</p>\n<p id="b" hidden>Read more on {two} in the library.</p>\n'
        "<script>\nfunction show(id) { a.hidden = id != 'a'; b.hidden = id != 'b' }\n</script>"
    )
    return ask, _page(kind, body)


Archetypes = dict[str, Callable[[random.Random], tuple[str, str]]]
ARCHETYPES: Archetypes = {
    "list": _list, "card": _card, "counter": _counter, "todo": _todo, "calculator": _calculator, "tabs": _tabs,
}  # fmt: skip
NEW = ("calculator", "tabs")


def ladder(each: int = 80, seed: int = 1, archetypes: Archetypes = ARCHETYPES, new: tuple[str, ...] = NEW, kind: str = "page") -> dict[str, list[Task]]:
    """All tasks by split: "train" and "dev" of all archetypes but the new ones, "heldout" of all. No instruction is in two
    splits; the same arguments give the same tasks. An archetype has fewer than `each` where it has no more."""
    splits: dict[str, list[Task]] = {"train": [], "dev": [], "heldout": []}
    for name, make in archetypes.items():
        rng = random.Random(f"{seed} {name}")
        made: dict[str, str] = {}
        for _ in range(20 * each):
            if len(made) == each:
                break
            made.setdefault(*make(rng))
        for i, (instruction, page) in enumerate(made.items()):
            split = "heldout" if name in new or i % 4 == 3 else "dev" if i % 10 == 0 else "train"
            splits[split].append(Task(f"{name}-{i:03}", name, instruction, page, kind))
    for tasks in splits.values():
        random.Random(seed).shuffle(tasks)
    return splits


def read(path: str) -> list[Task]:
    """Tasks of one's own: JSONL with task_id, instruction, and page where they are to be imitated, or script of a plot."""
    tasks: dict[str, Task] = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                kind = row.get("kind", "plot" if "script" in row else "page")
                task = Task(str(row.get("task_id", number)), row.get("archetype", ""), row["instruction"], row.get("script", row.get("page", "")), kind)
            except (KeyError, AttributeError, TypeError, ValueError):
                raise ValueError(f"{path}:{number}: want an object with an instruction") from None
            if not isinstance(task.instruction, str) or not isinstance(task.page, str) or not isinstance(task.archetype, str):
                raise ValueError(f"{path}:{number}: instruction, page or script, and archetype are texts")
            if task.kind not in ("page", "plot") or (task.kind == "page" and "script" in row):
                raise ValueError(f"{path}:{number}: kind: want page, or plot, which alone may have a script")
            if task.task_id in tasks:
                raise ValueError(f"{path}:{number}: two tasks have the id {task.task_id}")
            tasks[task.task_id] = task
    return list(tasks.values())


def show(splits: dict[str, list[Task]]) -> None:
    """Prints tasks as JSONL."""
    for split, tasks in splits.items():
        for task in tasks:
            print(json.dumps({"split": split, **asdict(task)}))


if __name__ == "__main__":
    show(ladder())
