"""The client against Vitrine itself: a running service (VITRINE_URL) or the binary (VITRINE_BIN)."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import test_openrlhf
import test_skyrl
import test_slime
import test_trl
import test_verl
from faketokens import END, PROMPT, Policy, Trajectory
from test_openrlhf import executor  # noqa: F401, a fixture
from test_skyrl import env_class  # noqa: F401, a fixture
from test_slime import engine  # noqa: F401, a fixture
from test_verl import loop_class  # noqa: F401, a fixture
from vitrine import Client, Conflict, InvalidInput, Loop, NotFound, Settings, SyncClient, Unjudged
from vitrine.trl import reward
from vitrine.verl import compute_score
from vitrine_train.rewards import Scorer

URL, BINARY = os.environ.get("VITRINE_URL"), os.environ.get("VITRINE_BIN")

GOOD = """```html
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tea</title>
<style>body{font:16px/1.5 sans-serif;margin:3rem;color:#222;background:#fff}h1{font-size:2.5rem}</style></head>
<body><main><h1>Oak Lane Tea</h1><p>Forty loose-leaf teas, blended by hand every week.</p></main></body></html>
```"""
BLANK = "```html\n<!doctype html><html><head><title>x</title></head><body></body></html>\n```"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if URL:
        yield URL
    elif not BINARY:
        pytest.skip("no service: VITRINE_URL and VITRINE_BIN are not set")
    else:
        yield from serve(Path(BINARY), tmp_path_factory.mktemp("state"))


def serve(binary: Path, state: Path) -> Iterator[str]:
    command = [str(binary), "serve", "--listen", "127.0.0.1:0", "--listen-pages", "none", "--state", str(state)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = ""
        try:
            for line in process.stderr:
                said += line
                if found := re.search(r"http://[\d.]+:\d+", line):
                    yield found[0]
                    break
            else:
                pytest.fail(f"the service did not start: {said}")
        finally:
            process.terminate()
            process.stderr.read()


@pytest.fixture
def client(url: str) -> Iterator[SyncClient]:
    with SyncClient(Settings(url=url, deadline=120)) as found:
        found.ready()
        yield found


def test_a_batch(client: SyncClient) -> None:
    good, blank, text = client.score([{"output": GOOD}, {"id": "b", "output": BLANK}, {"output": "I cannot do that."}])
    assert (good.id, blank.id, text.id) == ("0", "b", "2")
    assert good.outcome == "rendered" and good.require() > blank.require()
    assert blank.reward is not None and blank.outcome == "invalid_render"
    assert set(good.parts) == set(blank.parts) == set(text.parts)
    assert good.frames and good.evidence


def test_a_mistake_says_which_item(client: SyncClient) -> None:
    with pytest.raises(InvalidInput, match=r"items\[1\]"):
        client.score([{"output": GOOD}, {"output": 7}])
    with pytest.raises((InvalidInput, NotFound)):
        client.score([{"output": GOOD}], recipe="no-such-recipe")


def test_a_job(client: SyncClient) -> None:
    job = client.submit([{"output": GOOD}, {"output": BLANK}])
    results = {result.id: result for result in client.follow(job.id)}
    assert sorted(results) == ["0", "1"] and results["0"].outcome == "rendered"
    assert client.job(job.id).status == "done"


def test_a_refine_session(url: str) -> None:
    async def work() -> None:
        async with Client(Settings(url=url, deadline=120)) as client:
            session = await client.session(instruction="a tea shop", loop=Loop(max_rounds=2))
            first = await session.step(BLANK + "\n<get_feedback>", tokens=20)
            assert not first.done and first.feedback and "```" not in first.feedback
            again = await client.call(
                "POST", f"/v1/sessions/{session.id}/step", {"turn": 1, "output": BLANK + "\n<get_feedback>", "tokens": 20}
            )
            assert again["score"] == first.score
            with pytest.raises(Conflict):
                await client.call("POST", f"/v1/sessions/{session.id}/step", {"turn": 1, "output": GOOD, "tokens": None})
            last = await session.step(GOOD, tokens=200)
            assert last.done and last.accepted and last.reward is not None
            assert {segment["owner"] for segment in (await session.state()).trajectory} <= {"policy", "critic"}
            [result] = await client.score([{"session_id": session.id}])
            assert result.reward == last.reward
            await session.delete()
            with pytest.raises(NotFound):
                await session.state()

    asyncio.run(work())


def test_trl_and_verl(url: str) -> None:
    async def work() -> None:
        completions = [[{"role": "assistant", "content": text}] for text in (GOOD, BLANK)]
        columns = {"instruction": ["a tea shop"] * 2}
        found = await reward(url=url)(prompts=[[]] * 2, completions=completions, **columns)
        assert found[0] is not None and found[1] is not None and found[0] > found[1]
        info = {"instruction": "a tea shop"}
        scored = await asyncio.gather(*(compute_score("web", text, "", info, url=url) for text in (GOOD, BLANK)))
        assert [score["score"] for score in scored] == found and scored[0].keys() == scored[1].keys()

    asyncio.run(work())


def test_a_deadline_is_a_typed_none(client: SyncClient) -> None:
    [result] = client.score([{"output": GOOD.replace("Tea", "Coffee")}], deadline=0.001)
    with pytest.raises(Unjudged):
        result.require()
    assert result.error is not None and result.error.code == "deadline"


ASKS = BLANK + "\n<get_feedback>"


def check(trajectory: Trajectory, reward: Any) -> None:
    """Two pages of the policy's with the service's words between them, and a reward."""
    (first, said), (between, heard), (last, revised) = trajectory.spans()
    assert (first, between, last) == (1, 0, 1)
    assert (said, revised) == (ASKS + END, GOOD + END)
    assert len(heard) > len("\n<|im_start|>user\n") and "```" not in heard
    assert isinstance(reward, float) and reward > 0


def test_verls_refine_loop(url: str, loop_class: type) -> None:  # noqa: F811
    output = test_verl.run_loop(loop_class, ASKS, GOOD, room=100_000, info={"instruction": "a tea shop"}, url=url)
    check(Trajectory(output.response_ids, output.response_mask), output.reward_score)


def test_trls_rollouts(url: str) -> None:
    trainer = test_trl.Trainer(100_000, Policy(ASKS, GOOD), Policy(GOOD))
    found, rows = test_trl.rollout(trainer, 2, url=url)
    check(rows[0], found["vitrine_reward"][0])
    assert rows[1].spans() == [(1, GOOD + END)] and found["vitrine_reward"][1] is not None


def test_openrlhfs_executor(url: str, executor: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setenv("VITRINE_URL", url)
    [response] = test_openrlhf.play(executor, Policy(ASKS, GOOD), room=100_000, label='{"instruction": "a tea shop"}')
    check(test_openrlhf.trajectory(response), response["reward"])
    assert response["extra_logs"] == {"infra_error": 0.0, "turns": 2.0}


def test_slimes_generation(url: str, engine: Any) -> None:  # noqa: F811
    sample = test_slime.Sample(label=None, metadata={"instruction": "a tea shop"})
    test_slime.play(engine, ASKS, GOOD, room=100_000, sample=sample, vitrine_url=url)
    check(test_slime.trajectory(sample), sample.reward)


def test_skyrls_environment(url: str, env_class: Any) -> None:  # noqa: F811
    env = env_class({"url": url}, extras={"instruction": "a tea shop"})
    env.init(PROMPT)
    assert env.step(ASKS)["observations"][0]["content"]
    last = env.step(GOOD)
    assert last["done"] and last["reward"] > 0
    env.close()


PAGE = GOOD.removeprefix("```html\n").removesuffix("```")
BAD = {
    "writes nothing": "",
    "writes blanks": " \n" * 500,
    "repeats a word": "the " * 4000,
    "repeats its page": PAGE * 200,
    "repeats an element": PAGE.replace("</main>", "<p>Tea.</p>" * 2000 + "</main>"),
    "never ends": "<!doctype html><html><body><h1>Tea</h1>" + "<div>" * 3000,
    "never ends a script": "<!doctype html><html><body><h1>Tea</h1><script>" + "let a = 1; " * 3000,
    "writes 1 MB": PAGE.replace("</main>", "<p>" + "Tea is a drink. " * 65_536 + "</p></main>"),
    "writes 1 MB of prose": "I cannot do that. " * 58_255,
}


@pytest.fixture(scope="module")
def rewards_of_bad_outputs(url: str) -> dict[str, Any]:
    """What a training is told of a step of such outputs."""
    scorer = Scorer(Settings(url=url, recipe="quality"))
    for i, output in enumerate(BAD.values()):
        scorer.begin(i, output, "a page about tea with a heading")
    return dict(zip(BAD, scorer.results(len(BAD)), strict=True))


@pytest.mark.parametrize("how", BAD)
def test_a_model_that_writes_badly_gets_a_reward(rewards_of_bad_outputs: dict[str, Any], how: str) -> None:
    result = rewards_of_bad_outputs[how]
    assert result.error is None and result.reward is not None, f"a bad output is low, never unjudged: {result.error}"
    assert 0 <= result.reward < 0.9
    if how in ("writes nothing", "writes blanks", "repeats a word", "writes 1 MB of prose"):
        assert result.reward == 0 and result.outcome == "no_artifact"
