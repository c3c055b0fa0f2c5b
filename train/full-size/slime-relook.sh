#!/usr/bin/env bash
# ReLook (3.2) in slime with the refine loop: 40 steps, 32 prompts x 8 = 256 trajectories, learning rate 1e-6
# with 5 % of warm-up and cosine, epsilon 0.2, beta 0.01, T 1, top-p 0.7. slime has no bound on advantages.
# SLIME is its checkout, which has the shape of the model for Megatron. Run on the head node of a Ray cluster.
set -euo pipefail
source "$SLIME/scripts/models/qwen2.5-7B.sh"
args=(
	"${MODEL_ARGS[@]}"
	--hf-checkpoint "${MODEL:-Qwen2.5-7B-Instruct}"
	--ref-load "${MODEL_DIST:-Qwen2.5-7B-Instruct_torch_dist}"
	--save "${OUT:-runs/slime}"
	--load "${OUT:-runs/slime}"
	--save-interval 5
	--prompt-data "${TRAIN:-train.jsonl}"
	--input-key prompt
	--label-key task_id
	--apply-chat-template
	--rollout-shuffle
	--num-rollout 40
	--rollout-batch-size 32
	--n-samples-per-prompt 8
	--global-batch-size 256
	--rollout-max-response-len 16384
	--rollout-temperature 1.0
	--rollout-top-p 0.7
	--custom-generate-function-path vitrine.slime.generate
	--dynamic-sampling-filter-path vitrine.slime.drop_infra
	--advantage-estimator grpo
	--use-kl-loss
	--kl-loss-coef 0.01
	--kl-loss-type low_var_kl
	--eps-clip 0.2
	--optimizer adam
	--lr 1e-6
	--lr-decay-style cosine
	--lr-warmup-fraction 0.05
	--weight-decay 0.1
	--attention-dropout 0.0
	--hidden-dropout 0.0
	--accumulate-allreduce-grads-in-fp32
	--attention-softmax-in-fp32
	--attention-backend flash
	--tensor-model-parallel-size 2
	--sequence-parallel
	--recompute-granularity full
	--recompute-method uniform
	--recompute-num-layers 1
	--use-dynamic-batch-size
	--max-tokens-per-gpu 20480
	--balance-data
	--actor-num-nodes 4
	--actor-num-gpus-per-node 8
	--rollout-num-gpus-per-engine 1
	--colocate
)
exec ${LAUNCH:-ray job submit --address=http://127.0.0.1:8265 -- python3 "$SLIME/train.py"} "${args[@]}" "$@"
