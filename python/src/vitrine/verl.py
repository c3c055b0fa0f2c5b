"""verl: `compute_score` for single-turn rewards, `VitrineRefineLoop` for the refine loop.

    reward.custom_reward_function.path=pkg://vitrine.verl

See docs/trainers/verl.md. The module can be imported without verl."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from .answers import Result
from .batching import Batcher
from .outputs import Output, output_text
from .settings import Settings
from .turns import task_of

SESSION = "vitrine_session"
"""Where the refine loop leaves its session's id among a sample's extra fields."""

# verl calls a plain function for each sample, so what its calls share has no other place. A loop that ends
# takes its batchers with it.
_batchers: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Settings, Batcher]] = WeakKeyDictionary()


async def compute_score(
    data_source: str,
    solution_str: Output,
    ground_truth: Any = None,
    extra_info: Mapping[str, Any] | None = None,
    *,
    url: str | None = None,
    recipe: str | None = None,
    deadline: float | None = None,
    name: str | None = None,
    **_: Any,
) -> dict[str, float]:
    """verl's reward function: the reward as "score", and its parts; numbers only, and always the same keys.

    url, recipe, deadline (seconds) and name come from reward_kwargs, else from the environment. Calls of the same
    20 ms go out as one request. The task is extra_info's task_id or instruction, else ground_truth, an id.

    A sample of the refine loop is asked for by its session: solution_str then holds the critic's words too,
    and a page that the critic quotes must not be taken for the policy's.

    Raises Unjudged where there is no reward: verl knows no missing one, any number would be learned from, and an
    exception makes its trainer throw the group away and sample it again.
    """
    info = extra_info or {}
    settings = Settings.from_env(url=url, recipe=recipe, deadline=deadline, name=name)
    result = await _batcher(settings).score(item_of(solution_str, ground_truth, info))
    return metrics(result)


def item_of(solution_str: Output, ground_truth: Any, info: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked of the service about one sample."""
    group = {} if info.get("index") is None else {"group_id": str(info["index"])}
    if info.get(SESSION):
        return {"session_id": str(info[SESSION]), **group}
    return {"output": output_text(solution_str), **task_of(info, ground_truth), **group}


def metrics(result: Result) -> dict[str, float]:
    """A result as verl's metrics. verl takes the keys of the first sample for all, so they never vary."""
    return {
        "score": result.require(),
        "rendered": float(result.outcome == "rendered"),
        **{f"part_{key}": value for key, value in sorted(result.parts.items()) if value is not None},
    }


def _batcher(settings: Settings) -> Batcher:
    of_loop = _batchers.setdefault(asyncio.get_running_loop(), {})
    if settings not in of_loop:
        of_loop[settings] = Batcher(settings)
    return of_loop[settings]


def __getattr__(name: str) -> Any:
    if name == "VitrineRefineLoop":  # needs verl
        from .verl_loop import VitrineRefineLoop

        return VitrineRefineLoop
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
