"""Where the service is and how to ask it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields, replace

# Above the slowest single judgement, below slime's 120 s and OpenRLHF's 180 s.
DEADLINE = 100.0


@dataclass(frozen=True)
class Settings:
    """How a client reaches the service. Times are seconds."""

    url: str = "http://127.0.0.1:7400"
    """Address of `vitrine serve`; a path before /v1 is kept."""
    token: str | None = field(default=None, repr=False)
    """The service's token; a service beyond loopback asks for one."""
    recipe: str | None = None
    """Recipe of the rewards; None takes the service's default."""
    name: str = ""
    """Who asks. The service shares its workers evenly between names, so give each run its own."""
    deadline: float = DEADLINE
    """Time for one call, with all its retries. What is not judged by then comes back as unjudged."""
    connect: float = 30.0
    """How much of that a service is waited for that cannot be reached at all: refused, or no such host."""
    chunk: int = 64
    """Most items in one request; a longer list is split."""
    lanes: int = 8
    """Most requests of one `score` at a time."""
    tries: int = 3
    """How often a turn of a session that the service could not judge is asked for."""

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise ValueError(f"url is {self.url!r}: give one that begins with http:// or https://")
        for key in ("deadline", "connect", "chunk", "lanes", "tries"):
            if getattr(self, key) <= 0:
                raise ValueError(f"{key} is {getattr(self, key)}: give a number above 0")

    @classmethod
    def from_env(cls, **overrides: object) -> Settings:
        """The settings of the environment: VITRINE_URL, VITRINE_AUTH_TOKEN, VITRINE_RECIPE, VITRINE_NAME,
        VITRINE_DEADLINE and VITRINE_CONNECT. An override that is None counts as not given; one with another name is a TypeError."""
        known = {f.name for f in fields(cls)}
        if unknown := sorted(set(overrides) - known):
            raise TypeError(f"unknown settings {unknown}: choose from {sorted(known)}")
        names = {"url": "VITRINE_URL", "token": "VITRINE_AUTH_TOKEN", "recipe": "VITRINE_RECIPE", "name": "VITRINE_NAME"}
        values: dict[str, object] = {key: os.environ[name] for key, name in names.items() if os.environ.get(name)}
        for key in ("deadline", "connect"):
            if seconds := os.environ.get(f"VITRINE_{key.upper()}"):
                values[key] = float(seconds)
        values |= {key: value for key, value in overrides.items() if value is not None}
        return replace(cls(), **values)  # type: ignore[arg-type]
