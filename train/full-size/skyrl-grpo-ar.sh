#!/usr/bin/env bash
# AesCoder's GRPO-AR (5.2, App. E) in SkyRL: 64 prompts x 8, learning rate 3e-6 constant, KL 0.001,
# epsilon 0.5. python/examples/skyrl_vitrine.py registers the environment. SkyRL refuses settings that it
# does not know, so those of the service are VITRINE_URL and VITRINE_RECIPE, on every node.
set -euo pipefail
args=(
	data.train_data="['${TRAIN:-train.parquet}']"
	data.val_data="['${HELDOUT:-heldout.parquet}']"
	trainer.policy.model.path="${MODEL:-Qwen/Qwen2.5-Coder-7B-Instruct}"
	trainer.policy.optimizer_config.lr=3.0e-6
	trainer.policy.optimizer_config.scheduler=constant_with_warmup
	trainer.strategy=fsdp
	trainer.placement.colocate_all=true
	trainer.placement.policy_num_gpus_per_node=8
	trainer.placement.ref_num_gpus_per_node=8
	trainer.algorithm.advantage_estimator=grpo
	trainer.algorithm.eps_clip_low=0.5
	trainer.algorithm.eps_clip_high=0.5
	trainer.algorithm.use_kl_loss=true
	trainer.algorithm.kl_loss_coef=0.001
	trainer.train_batch_size=64
	trainer.policy_mini_batch_size=64
	trainer.micro_train_batch_size_per_gpu=8
	trainer.micro_forward_batch_size_per_gpu=8
	trainer.epochs=1
	trainer.max_prompt_length=2048
	trainer.ckpt_interval=20
	trainer.ckpt_path="${OUT:-runs/skyrl}"
	trainer.eval_interval=20
	trainer.logger=tensorboard
	generator.n_samples_per_prompt=8
	generator.max_turns=1
	generator.batched=false
	generator.sampling_params.temperature=1.0
	generator.sampling_params.max_generate_length=8192
	generator.inference_engine.backend=vllm
	generator.inference_engine.num_engines=8
	generator.inference_engine.tensor_parallel_size=1
	generator.inference_engine.gpu_memory_utilization=0.6
	environment.env_class=vitrine
	environment.skyrl_gym.max_env_workers=512
)
exec ${LAUNCH:-uv run --isolated --extra fsdp --with vitrine python3 skyrl_vitrine.py} "${args[@]}" "$@"
