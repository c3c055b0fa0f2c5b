"""For --train.agent_func_path of OpenRLHF; VITRINE_URL and VITRINE_RECIPE say where and how."""

from vitrine.openrlhf import AgentExecutor  # noqa: F401
