"""Every way of writing an output is taken wherever an output is taken."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fakeserver import FakeServer
from vitrine import Client, InvalidInput, Settings, SyncClient
from vitrine.outputs import output_text
from vitrine.trl import reward
from vitrine.verl import compute_score

TEXT = "score 50"
SAID = {"role": "assistant", "content": TEXT}
PARTS = {"role": "assistant", "content": [{"type": "text", "text": "score "}, {"type": "text", "text": "50"}]}
FORMS: dict[str, Any] = {
    "a text": TEXT,
    "a list of one text": [TEXT],
    "a tuple of one text": (TEXT,),
    "a message": SAID,
    "a message of parts": PARTS,
    "chat turns": [{"role": "user", "content": "score 90"}, SAID],
    "turns after it": [SAID, {"role": "user", "content": "score 90"}],
    "two of the assistant": [{"role": "assistant", "content": "score 90"}, PARTS],
    "content parts": [{"type": "text", "text": "score "}, {"type": "text", "text": "50"}],
    "a list of one chat": [[SAID]],
    "a message without a role": {"content": TEXT},
}
WRONG: dict[str, Any] = {
    "a number": 7,
    "nothing": None,
    "bytes": b"score 50",
    "several texts": [TEXT, TEXT],
    "a message of the user": {"role": "user", "content": TEXT},
    "another object": {"html": TEXT},
    "a list of a number": [7],
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_is_one_text(server: FakeServer, settings: Settings, form: Any) -> None:
    assert output_text(form) == TEXT
    with SyncClient(settings) as client:
        assert [result.reward for result in client.score([form, {"output": form, "id": "x"}])] == [0.5, 0.5]
        assert client.session(instruction="a page").step(form).score == 50.0
    assert asyncio.run(reward()(prompts=["a page"], completions=[form])) == [0.5]
    task = {"instruction": "a page"}
    assert asyncio.run(compute_score("web", form, extra_info=task))["score"] == 0.5
    assert {item["output"] for body in server.bodies("/v1/score") for item in body["items"]} == {TEXT}


def test_one_text_is_not_taken_apart(settings: Settings) -> None:
    with SyncClient(settings) as client:
        assert [result.reward for result in client.score(TEXT)] == [0.5]
        assert [result.reward for result in client.score({"output": TEXT})] == [0.5]


@pytest.mark.parametrize("form", WRONG.values(), ids=WRONG)
def test_what_is_no_output_is_said(settings: Settings, form: Any) -> None:
    async def ask(item: Any) -> None:
        async with Client(settings) as client:
            await client.score([TEXT, item])

    if not isinstance(form, dict) or "role" in form:  # another object is the service's to refuse
        with pytest.raises(InvalidInput, match=r"items\[1\]: an output is .*give its text"):
            asyncio.run(ask(form))
    with pytest.raises(InvalidInput, match="an output is"):
        asyncio.run(reward()(prompts=["a page"], completions=[form]))


def test_nothing_said_is_an_empty_output() -> None:
    assert output_text([]) == "" and output_text([{"role": "user", "content": TEXT}]) == ""


def test_a_prompt_may_be_a_list_of_one_text(server: FakeServer) -> None:
    assert asyncio.run(reward()(prompts=[["a page"]], completions=[TEXT])) == [0.5]
    assert server.bodies("/v1/score")[0]["items"][0]["instruction"] == "a page"
