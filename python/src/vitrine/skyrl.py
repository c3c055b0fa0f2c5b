"""SkyRL: the refine loop as a text environment.

    import skyrl_gym
    skyrl_gym.register(id="vitrine", entry_point="vitrine.skyrl:VitrineEnv")

Rows of the data set say env_class "vitrine". See docs/trainers/skyrl.md. The module can be imported without SkyRL."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "VitrineEnv":  # needs skyrl-gym
        from .skyrl_env import VitrineEnv

        return VitrineEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
