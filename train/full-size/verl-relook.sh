#!/usr/bin/env bash
# ReLook (3.2) in verl with the refine loop: 40 steps, batch 256, G 8, learning rate 1e-6 with 5 % of
# warm-up and cosine, epsilon 0.2, beta 0.01, T 1, top-p 0.7. Published on 32 GPUs beside 32 for the critic.
# 256 is read as trajectories, 32 prompts x 8. verl has no bound on advantages (published: 1 to 3).
# A trajectory has room for the length at which ReLook's reward ends (14k) and the critiques.
set -euo pipefail
args=(
	data.train_files="${TRAIN:-train.parquet}"
	data.val_files="${HELDOUT:-heldout.parquet}"
	data.train_batch_size=32
	data.max_prompt_length=2048
	data.max_response_length=16384
	data.filter_overlong_prompts=true
	actor_rollout_ref.model.path="${MODEL:-Qwen/Qwen2.5-7B-Instruct}"
	actor_rollout_ref.model.enable_gradient_checkpointing=true
	actor_rollout_ref.actor.optim.lr=1e-6
	actor_rollout_ref.actor.optim.lr_warmup_steps_ratio=0.05
	actor_rollout_ref.actor.optim.lr_scheduler_type=cosine
	actor_rollout_ref.actor.ppo_mini_batch_size=32
	actor_rollout_ref.actor.use_dynamic_bsz=true
	actor_rollout_ref.actor.ppo_max_token_len_per_gpu=20480
	actor_rollout_ref.actor.clip_ratio=0.2
	actor_rollout_ref.actor.use_kl_loss=true
	actor_rollout_ref.actor.kl_loss_coef=0.01
	actor_rollout_ref.rollout.name=vllm
	actor_rollout_ref.rollout.n=8
	actor_rollout_ref.rollout.temperature=1.0
	actor_rollout_ref.rollout.top_p=0.7
	actor_rollout_ref.rollout.gpu_memory_utilization=0.6
	actor_rollout_ref.rollout.agent.agent_loop_config_path="${LOOPS:-verl_loops.yaml}"
	actor_rollout_ref.rollout.agent.default_agent_loop=vitrine_refine
	algorithm.adv_estimator=grpo
	trainer.v1.sampler.sync_refill_failed_groups=true
	trainer.nnodes=4
	trainer.n_gpus_per_node=8
	trainer.total_training_steps=40
	trainer.save_freq=5
	trainer.test_freq=5
	trainer.project_name=vitrine
	trainer.experiment_name=relook
	trainer.logger='["console","tensorboard"]'
)
exec ${LAUNCH:-python3 -m verl.trainer.main_ppo} "${args[@]}" "$@"
