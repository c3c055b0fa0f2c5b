package train

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// What WebGen-R1 publishes of its trainings (§3.1, App. C, E.9) is in the files for its frameworks. Of
// llamafactory-hprm the batch is ours.
// That the trainers read them so is held by train/tests/test_full_size.py.
func TestFullSizeConfigurationsHaveThePublishedNumbers(t *testing.T) {
	for file, want := range map[string]struct {
		gpus, batch float64
		settings    map[string]string
	}{
		"open-r1-webgen-r1": {64, 256, map[string]string{
			"model_name_or_path": "runs/open-r1-sft", "max_steps": "400", "num_generations": "16", "learning_rate": "5e-06", "epsilon": "0.2", "beta": "0.01",
			"temperature": "0.7", "top_p": "0.95", "max_prompt_length": "4096", "max_completion_length": "8192",
		}},
		"open-r1-sft": {8, 32, map[string]string{
			"model_name_or_path": "Qwen/Qwen2.5-Coder-7B-Instruct", "output_dir": "runs/open-r1-sft", "learning_rate": "1e-05", "num_train_epochs": "2", "warmup_ratio": "0.03", "max_length": "32768",
		}},
		"llamafactory-hprm": {8, 32, map[string]string{"model_name_or_path": "Qwen/Qwen3-VL-8B-Instruct", "stage": "rm"}},
	} {
		data, err := os.ReadFile(filepath.Join("../../train/full-size", file+".yaml"))
		must(t, err)
		var all map[string]any
		must(t, yaml.Unmarshal(data, &all))
		for key, value := range want.settings {
			if got := fmt.Sprint(all[key]); got != value {
				t.Errorf("%s: %s is %s, want %s", file, key, got, value)
			}
		}
		batch := want.gpus
		for _, key := range []string{"per_device_train_batch_size", "gradient_accumulation_steps"} {
			n, err := strconv.ParseFloat(fmt.Sprint(all[key]), 64)
			must(t, err)
			batch *= n
		}
		if batch != want.batch {
			t.Errorf("%s: a batch of %g, want %g", file, batch, want.batch)
		}
	}
}

// What ReLook publishes of its training (§3.2) is in the scripts for verl and slime, on 32 GPUs beside
// those of the critic.
func TestScriptsOfReLookHaveThePublishedNumbers(t *testing.T) {
	for file, settings := range map[string][]string{
		"verl-relook.sh": {
			"Qwen2.5-7B-Instruct", "trainer.nnodes=4", "trainer.n_gpus_per_node=8", "trainer.total_training_steps=40", "data.train_batch_size=32", "rollout.n=8", "optim.lr=1e-6",
			"clip_ratio=0.2", "kl_loss_coef=0.01",
		},
		"slime-relook.sh": {
			"Qwen2.5-7B-Instruct", "--actor-num-nodes 4", "--actor-num-gpus-per-node 8", "--num-rollout 40", "--rollout-batch-size 32", "--n-samples-per-prompt 8", "--lr 1e-6",
			"--eps-clip 0.2", "--kl-loss-coef 0.01",
		},
	} {
		data, err := os.ReadFile(filepath.Join("../../train/full-size", file))
		must(t, err)
		for _, s := range settings {
			if !strings.Contains(string(data), s+"\n") && !strings.Contains(string(data), s+"}") {
				t.Errorf("%s lacks %s", file, s)
			}
		}
	}
}
