"""What the adapters count on, looked up in the trainers' own released files."""

from __future__ import annotations

import ast

import wheels

VERL_LOOP = "verl/experimental/agent_loop/agent_loop.py"
TRL_GRPO = "trl/trainer/grpo_trainer.py"


def test_verl_agent_loop() -> None:
    text = wheels.source("verl", VERL_LOOP)

    def method(name: str) -> list[str]:
        return wheels.parameters(wheels.function(text, name, "AgentLoopBase"))

    assert method("ct_build_initial_tokens")[0] == "messages"
    names = ["runtime_token_ids", "assistant_token_ids", "response_mask", "response_logprobs", "assistant_logprobs"]
    assert method("ct_merge_assistant_token") == names
    hear = "ct_merge_context_msg"
    if wheels.function(text, hear, "AgentLoopBase") is None:
        hear = "ct_merge_non_assistant_msg"
    names = ["previous_messages", "updated_messages", "runtime_token_ids", "response_mask", "response_logprobs"]
    assert method(hear)[:5] == names
    used = {"prompt_ids", "response_ids", "response_mask", "response_logprobs", "multi_modal_data", "reward_score"}
    used |= {"num_turns", "metrics", "extra_fields"}
    assert used <= wheels.fields(text, "AgentLoopOutput")
    assert {"generate_sequences", "num_preempted"} <= wheels.fields(text, "AgentLoopMetrics")
    assert wheels.parameters(wheels.function(text, "register")) == ["agent_name"]


def test_verl_calls_the_reward_function_with_these_names() -> None:
    text = wheels.source("verl", "verl/experimental/reward_loop/reward_manager/naive.py")
    calls = [
        {keyword.arg for keyword in node.keywords}
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "compute_score"
    ]
    assert calls and all({"data_source", "solution_str", "ground_truth", "extra_info"} <= call for call in calls)
    assert "iscoroutinefunction" in text


def test_trl_rollout_function() -> None:
    text = wheels.source("trl", TRL_GRPO)
    turn = wheels.function(text, "_generate_single_turn", "GRPOTrainer")
    assert wheels.parameters(turn)[:4] == ["prompt_ids", "images", "multimodal_fields", "num_generations"]
    generate = ast.unparse(wheels.function(text, "_generate", "GRPOTrainer") or ast.Pass())
    assert "self.rollout_func(prompts, self)" in generate
    assert "{'prompt_ids', 'completion_ids', 'logprobs'}" in generate and "extra_fields.pop('env_mask'" in generate


def test_trl_reward_function() -> None:
    text = ast.unparse(wheels.function(wheels.source("trl", TRL_GRPO), "_calculate_rewards", "GRPOTrainer") or ast.Pass())
    assert "is_async_callable(reward_func)" in text or "inspect.iscoroutinefunction(reward_func)" in text
    assert "prompts=prompts, completions=completions, completion_ids=" in text
    assert "is not None else torch.nan" in text  # None is a row without a reward
    assert "rewards[unscorable_mask] = torch.nan" in wheels.source("trl", TRL_GRPO)  # and such rows leave the mean


def test_openrlhf_loads_the_executor_by_its_name() -> None:
    loader = wheels.function(wheels.source("openrlhf", "openrlhf/trainer/ray/vllm_engine.py"), "_load_agent_executor")
    text = ast.unparse(loader or ast.Pass())
    assert "agent_module.AgentExecutor" in text and "return agent_executor_cls()" in text


def test_verifiers_drives_an_openenv_server() -> None:
    text = wheels.source("verifiers", "verifiers/v1/tasksets/openenv/taskset.py")
    assert {"base_url", "resets"} <= wheels.fields(text, "OpenEnvConfig")
    assert "player" in wheels.fields(text, "OpenEnvEnvConfig")
