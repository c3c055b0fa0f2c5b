"""The turns that all adapters share."""

from __future__ import annotations

import asyncio

import pytest
from fakeserver import FakeServer
from faketokens import CRITIC_1, FIRST, LAST, PROMPT, WORSE, FakeTokenizer, Policy, Trajectory, check, user_turn
from vitrine import Loop, Settings, Unjudged
from vitrine.template import between, between_ids, prompt_ids
from vitrine.turns import Draft, Rollout, Transcript, opened, refine, task_of

TOKENIZER = FakeTokenizer()


class Writer:
    """The plainest writer."""

    def __init__(self, policy: Policy, room: int = 1000) -> None:
        self.policy = policy
        self.transcript = Transcript(prompt_ids(TOKENIZER, PROMPT), room)

    async def write(self) -> Draft | None:
        if self.transcript.left <= 0:
            return None
        ids, logprobs = self.policy.next(self.transcript.context)
        ids, logprobs = ids[: self.transcript.left], logprobs[: self.transcript.left]
        return Draft(TOKENIZER.decode(ids, skip_special_tokens=True), ids, logprobs)

    async def keep(self, draft: Draft) -> None:
        self.transcript.keep(draft)

    async def hear(self, text: str) -> bool:
        return self.transcript.hear(between_ids(TOKENIZER, text, self.transcript.ids))

    @property
    def trajectory(self) -> Trajectory:
        return Trajectory(self.transcript.ids, self.transcript.mask, self.transcript.logprobs)


def play(settings: Settings, writer: Writer, loop: Loop | None = None, keep_rejected: bool = False) -> Rollout:
    async def main() -> Rollout:
        async with opened(settings, loop, {"instruction": "a page"}) as session:
            return await refine(session, writer, keep_rejected=keep_rejected)

    return asyncio.run(main())


def test_the_critics_words_are_masked(settings: Settings) -> None:
    writer = Writer(Policy(FIRST, LAST))
    assert play(settings, writer).reward == 0.8
    check(writer.trajectory, FIRST, CRITIC_1, LAST)


def test_what_the_policy_is_shown_is_what_is_trained_on(settings: Settings) -> None:
    policy = Policy(FIRST, LAST)
    writer = Writer(policy)
    play(settings, writer)
    context = writer.transcript.prompt + writer.transcript.ids
    for shown in policy.shown:
        assert context[: len(shown)] == shown
    assert TOKENIZER.decode(policy.shown[1]).endswith(user_turn(CRITIC_1))


def test_a_rejected_revision_is_sampled_again_and_leaves_no_token(server: FakeServer, settings: Settings) -> None:
    policy = Policy(FIRST, WORSE, LAST)
    writer = Writer(policy)
    rollout = play(settings, writer)
    assert (rollout.reward, rollout.turns, rollout.rejected) == (0.8, 3, 1)
    check(writer.trajectory, FIRST, CRITIC_1, LAST)
    assert policy.shown[1] == policy.shown[2]


def test_rejected_revisions_can_be_kept(settings: Settings) -> None:
    writer = Writer(Policy(FIRST, WORSE, LAST))
    play(settings, writer, keep_rejected=True)
    check(writer.trajectory, FIRST, CRITIC_1, WORSE, "That was not better. Try again.", LAST)


def test_ends_with_the_best_when_no_sample_is_better(settings: Settings) -> None:
    writer = Writer(Policy(FIRST, WORSE, WORSE))
    rollout = play(settings, writer, Loop(max_resamples=2))
    assert (rollout.reward, rollout.rejected) == (0.3, 2)
    check(writer.trajectory, FIRST)


def test_a_full_context_ends_with_the_best(server: FakeServer, settings: Settings) -> None:
    writer = Writer(Policy(FIRST), room=len(FIRST) + 10)
    assert play(settings, writer).reward == 0.3
    check(writer.trajectory, FIRST)
    assert [path for _, path, _ in server.seen][-1].endswith("/finish")


def test_a_turn_cut_short_is_judged_as_it_is(server: FakeServer, settings: Settings) -> None:
    heard = len(TOKENIZER.encode(user_turn(CRITIC_1), add_special_tokens=False))
    writer = Writer(Policy(FIRST, LAST + " and more"), room=len(FIRST) + 1 + heard + len(LAST))
    assert play(settings, writer).reward == 0.8
    assert server.bodies("/step")[1]["output"] == LAST
    assert writer.trajectory.spans()[-1] == (1, LAST)


def test_tokens_are_counted_for_the_service(server: FakeServer, settings: Settings) -> None:
    play(settings, Writer(Policy(FIRST, LAST)))
    assert [body["tokens"] for body in server.bodies("/step")] == [len(FIRST) + 1, len(LAST) + 1]


def test_an_unjudged_session_raises_and_is_not_left_behind(server: FakeServer, settings: Settings) -> None:
    with pytest.raises(Unjudged):
        play(settings, Writer(Policy("unjudged")))
    assert server.deleted == ["s0"]


def test_a_session_that_ended_is_kept_for_scoring(server: FakeServer, settings: Settings) -> None:
    play(settings, Writer(Policy(LAST)))
    assert server.deleted == []


def test_a_transcript_refuses_log_probabilities_of_other_tokens() -> None:
    with pytest.raises(ValueError, match="3 tokens with 2"):
        Transcript([1], 10).keep(Draft("abc", [1, 2, 3], [0.0, 0.0]))


def test_a_policy_that_did_not_end_its_turn_gets_the_end_from_the_template() -> None:
    open_end = TOKENIZER.decode(between_ids(TOKENIZER, "more", [40]))
    assert open_end == "<|im_end|>" + user_turn("more")
    assert TOKENIZER.decode(between_ids(TOKENIZER, "more", [40, 2])) == user_turn("more")


def test_a_tokenizer_without_a_template() -> None:
    plain = FakeTokenizer()
    plain.chat_template = None
    assert between(plain, "more") == "\n\nmore\n\n"


def test_a_template_that_hides_assistants_is_refused() -> None:
    class Hiding(FakeTokenizer):
        def apply_chat_template(self, messages: list[dict[str, str]], tokenize: bool, add_generation_prompt: bool) -> str:
            return messages[-1]["content"]

    with pytest.raises(ValueError, match="drops assistant messages"):
        between(Hiding(), "more")


def test_which_task_a_row_is_about() -> None:
    assert task_of("000001") == {"task_id": "000001"}
    assert task_of('{"task_id": "7"}') == {"task_id": "7"}
    assert task_of(None, {"instruction": "a page"}) == {"instruction": "a page"}
    assert task_of({}, "", prompt=PROMPT) == {"instruction": "a pricing page"}
    assert task_of(prompt=[{"role": "user", "content": [{"type": "text", "text": "x"}]}]) == {"instruction": "x"}
    with pytest.raises(ValueError, match="names no task"):
        task_of({}, None, prompt=[{"role": "system", "content": "x"}])
