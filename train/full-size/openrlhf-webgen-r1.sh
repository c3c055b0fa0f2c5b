#!/usr/bin/env bash
# WebGen-R1 (App. C, Table 1) in OpenRLHF: 400 steps of 256 outputs, 16 prompts x 16, learning rate 5e-6,
# epsilon 0.2, KL 0.01, 4,096 tokens of prompt and 8,192 of output, T 0.7, top-p 0.95. The paper names no
# schedule; that of the released configuration (cosine to a tenth, 3 % of warm-up) is not set here. OpenRLHF counts prompts and not steps: 6,400 of them are 400 steps. For SFT and then RL, as in Table 1,
# MODEL is what open-r1-sft.yaml makes.
set -euo pipefail
args=(
	--actor.model_name_or_path "${MODEL:-Qwen/Qwen2.5-Coder-7B-Instruct}"
	--reward.remote_url "${VITRINE_URL:-http://vitrine:7400}/openrlhf/get_reward?recipe=webgen-r1"
	--data.prompt_dataset "${TRAIN:-train.jsonl}"
	--data.input_key prompt
	--data.label_key task_id
	--data.apply_chat_template
	--data.max_len 12288
	--data.max_samples 6400
	--rollout.max_new_tokens 8192
	--rollout.batch_size 16
	--rollout.n_samples_per_prompt 16
	--rollout.micro_batch_size 2
	--rollout.temperature 0.7
	--rollout.top_p 0.95
	--train.batch_size 256
	--train.micro_batch_size 1
	--train.num_episodes 1
	--train.max_epochs 1
	--train.colocate_all
	--algo.advantage.estimator group_norm
	--algo.kl.use_loss
	--algo.kl.estimator k3
	--algo.kl.init_coef 0.01
	--actor.eps_clip 0.2
	--actor.adam.lr 5e-6
	--actor.gradient_checkpointing_enable
	--actor.num_nodes 1
	--actor.num_gpus_per_node 8
	--ref.num_nodes 1
	--ref.num_gpus_per_node 8
	--vllm.num_engines 8
	--vllm.tensor_parallel_size 1
	--vllm.gpu_memory_utilization 0.6
	--vllm.enable_sleep
	--ds.zero_stage 3
	--ds.enable_sleep
	--ds.packing_samples
	--ckpt.output_dir "${OUT:-runs/openrlhf}"
	--ckpt.path "${OUT:-runs/openrlhf}/checkpoints"
	--ckpt.save_steps 20
	--ckpt.load_enable
	--logger.tensorboard_dir "${OUT:-runs/openrlhf}/tensorboard"
)
exec ${LAUNCH:-python3 -m openrlhf.cli.train_ppo_ray} "${args[@]}" "$@"
