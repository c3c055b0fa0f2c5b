#!/usr/bin/env bash
# AesCoder's GRPO-AR (5.2, App. E) in verl: 64 prompts x 8, learning rate 3e-6 constant, KL 0.001,
# epsilon 0.5. Published on 8 MI300. Lengths and epochs are not; SFT has 8k tokens.
# Where there is an asymmetric clip verl does not read clip_ratio, so that all three say 0.5.
set -euo pipefail
args=(
	data.train_files="${TRAIN:-train.parquet}"
	data.val_files="${HELDOUT:-heldout.parquet}"
	data.train_batch_size=64
	data.max_prompt_length=2048
	data.max_response_length=8192
	data.filter_overlong_prompts=true
	actor_rollout_ref.model.path="${MODEL:-Qwen/Qwen2.5-Coder-7B-Instruct}"
	actor_rollout_ref.model.enable_gradient_checkpointing=true
	actor_rollout_ref.actor.optim.lr=3e-6
	actor_rollout_ref.actor.ppo_mini_batch_size=64
	actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8
	actor_rollout_ref.actor.clip_ratio=0.5
	actor_rollout_ref.actor.clip_ratio_low=0.5
	actor_rollout_ref.actor.clip_ratio_high=0.5
	actor_rollout_ref.actor.use_kl_loss=true
	actor_rollout_ref.actor.kl_loss_coef=0.001
	actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=8
	actor_rollout_ref.rollout.name=vllm
	actor_rollout_ref.rollout.n=8
	actor_rollout_ref.rollout.temperature=1.0
	actor_rollout_ref.rollout.gpu_memory_utilization=0.6
	actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8
	algorithm.adv_estimator=grpo
	reward.custom_reward_function.path=pkg://vitrine.verl
	+reward.custom_reward_function.reward_kwargs.url="${VITRINE_URL:-http://vitrine:7400}"
	+reward.custom_reward_function.reward_kwargs.recipe=aescoder
	trainer.v1.sampler.sync_refill_failed_groups=true
	trainer.nnodes=1
	trainer.n_gpus_per_node=8
	trainer.total_epochs=1
	trainer.save_freq=20
	trainer.test_freq=20
	trainer.project_name=vitrine
	trainer.experiment_name=grpo-ar
	trainer.logger='["console","tensorboard"]'
)
exec ${LAUNCH:-python3 -m verl.trainer.main_ppo} "${args[@]}" "$@"
