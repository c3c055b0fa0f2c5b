from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from fakeserver import FakeServer
from vitrine import Settings


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as fake:
        yield fake


@pytest.fixture
def settings(server: FakeServer) -> Settings:
    return Settings(url=server.url, deadline=60.0)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """No setting of the machine's reaches a test."""
    for name in ("TOKEN", "AUTH_TOKEN", "RECIPE", "NAME", "DEADLINE"):
        monkeypatch.delenv(f"VITRINE_{name}", raising=False)
    if "server" in request.fixturenames:
        monkeypatch.setenv("VITRINE_URL", request.getfixturevalue("server").url)


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Modules that need a trainer are imported anew for each stand-in."""
    late = ("vitrine.verl_loop", "vitrine.openrlhf_agent", "vitrine.skyrl_env")
    for name in late:
        sys.modules.pop(name, None)
    yield
    for name in late:
        sys.modules.pop(name, None)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that the client asks for, none of which is taken."""
    asked: list[float] = []

    async def note(seconds: float) -> None:
        asked.append(seconds)

    monkeypatch.setattr("vitrine.transport.sleep", note)
    monkeypatch.setattr("vitrine.events.sleep", note)
    return asked
