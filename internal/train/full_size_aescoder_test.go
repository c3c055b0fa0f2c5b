package train

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What AesCoder publishes of its trainings (App. D and E) is in the files for its trainers; a batch is
// of 8 GPUs. What verl has by default (AdamW, a constant rate) is not in its file.
func TestFullSizeConfigurationsOfAesCoder(t *testing.T) {
	for file, want := range map[string][]string{
		"verl-grpo-ar.sh": {
			"data.train_batch_size=64", "actor_rollout_ref.rollout.n=8", "actor_rollout_ref.actor.optim.lr=3e-6",
			"actor_rollout_ref.actor.ppo_mini_batch_size=64", "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8",
			"actor_rollout_ref.actor.clip_ratio_low=0.5", "actor_rollout_ref.actor.clip_ratio_high=0.5",
			"actor_rollout_ref.actor.use_kl_loss=true", "actor_rollout_ref.actor.kl_loss_coef=0.001", "trainer.n_gpus_per_node=8",
		},
		"llamafactory-sft.yaml": {
			"model_name_or_path: Qwen/Qwen2.5-Coder-7B-Instruct", "num_train_epochs: 3.0", "learning_rate: 1.0e-5", "lr_scheduler_type: cosine", "warmup_ratio: 0.1",
			"cutoff_len: 8192", "per_device_train_batch_size: 2", "gradient_accumulation_steps: 8",
		},
		"llamafactory-dpo.yaml": {"stage: dpo", "learning_rate: 3.0e-6", "lr_scheduler_type: constant", "pref_loss: sigmoid", "per_device_train_batch_size: 1", "gradient_accumulation_steps: 8"},
		"llamafactory-rft.yaml": {"stage: sft", "learning_rate: 3.0e-6", "lr_scheduler_type: constant", "per_device_train_batch_size: 2", "gradient_accumulation_steps: 4"},
	} {
		data, err := os.ReadFile(filepath.Join("../../train/full-size", file))
		must(t, err)
		var lines []string
		for line := range strings.Lines(string(data)) {
			setting, _, _ := strings.Cut(line, " #")
			lines = append(lines, strings.TrimSpace(setting))
		}
		for _, setting := range want {
			if !slices.Contains(lines, setting) {
				t.Errorf("%s has no %s", file, setting)
			}
		}
	}
}
