package train

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/strictyaml"
	"vitrine/internal/subprocess"
)

// Settings are what a run of a training needs.
type Settings struct {
	Dir    string   // run folder
	Python string   // with the package of train/
	Cache  string   // for models that are converted
	URL    string   // of a running vitrine serve; empty: one is started and restarted when it ends
	Serve  []string // program and arguments of the service that is started
	Say    func(Progress)
}

// Progress is a step of a stage, or an alarm of the monitor.
type Progress struct {
	Stage   string   `json:"stage"`
	Step    int      `json:"step"`
	Of      int      `json:"of"`
	Seconds float64  `json:"seconds"`
	Loss    *float64 `json:"loss"`
	Reward  *float64 `json:"reward"`
	Recipe  *float64 `json:"reward_recipe"` // the recipe's, where a reward model gives the other
	// The parts of the reward and what else tells how a training goes; nil where it has none.
	Function *float64 `json:"part_function"`
	Looks    *float64 `json:"part_looks"`
	Rendered *float64 `json:"rendered"`
	Unique   *float64 `json:"unique"`
	Tokens   *float64 `json:"tokens"`
	Alarm    string   `json:"alarm"`
}

// settingsFile holds what the trainer is to do, in the run folder.
const settingsFile = "settings.json"

type settingsJSON struct {
	*Recipe
	Version string `json:"vitrine"`
	Cache   string `json:"cache"`
	URL     string `json:"url"`
	Remote  bool   `json:"remote"` // the service was named and not started
}

// Start begins a training in a new run folder.
func Start(ctx context.Context, r *Recipe, s Settings) error {
	if _, err := os.Stat(filepath.Join(s.Dir, settingsFile)); err == nil {
		return refuse(s.Dir+" holds a training already", "vitrine train resume "+s.Dir+" goes on with it; or give another folder")
	}
	if err := os.MkdirAll(s.Dir, 0o777); err != nil {
		return disk.Classify(err)
	}
	if path, err := filepath.Abs(r.Model); err == nil {
		if _, err := os.Stat(path); err == nil {
			r.Model = path // a folder; else it is a name
		}
	}
	for _, file := range []*string{&r.Tasks, &r.HeldOut} {
		if *file == "" {
			continue
		}
		path, err := filepath.Abs(*file)
		if err == nil {
			_, err = os.Stat(path)
		}
		if err != nil {
			return refuse("tasks: "+err.Error(), "give files that can be read")
		}
		*file = path
	}
	return carryOut(ctx, r, s)
}

// Resume goes on with the training of a run folder from its last checkpoint, with the service
// that it had unless another is named.
func Resume(ctx context.Context, s Settings) error {
	kept, err := read(s.Dir)
	if err != nil {
		return err
	}
	if s.URL == "" && kept.Remote {
		s.URL = kept.URL
	}
	return carryOut(ctx, kept.Recipe, s)
}

func read(dir string) (*settingsJSON, error) {
	kept := &settingsJSON{Recipe: &Recipe{}}
	err := disk.ReadJSON(filepath.Join(dir, settingsFile), kept)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, refuse(dir+" holds no training", "give the folder of a vitrine train run")
	}
	if err != nil {
		return nil, refuse(dir+": "+err.Error(), "the folder cannot be read: begin again")
	}
	return kept, nil
}

func carryOut(ctx context.Context, r *Recipe, s Settings) error {
	lock, err := os.OpenFile(filepath.Join(s.Dir, "lock"), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return disk.Classify(err)
	}
	defer lock.Close()
	if err := disk.Lock(lock, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return refuse("another process trains in "+s.Dir, "wait for it, or end it")
	}
	said, err := exec.CommandContext(ctx, s.Python, "-c", "import trl, vitrine, vitrine_train").CombinedOutput()
	if err != nil && ctx.Err() == nil {
		tail := &lastLines{text: said}
		return vitrine.NewFault("train", vitrine.FaultUsage, err, fmt.Sprintf("%s has not what a training needs, TRL and the package of train/ (%s)", s.Python, tail)).
			WithFix("run train/setup.sh, or give another Python by --python")
	}
	remote := s.URL != ""
	if !remote {
		if name, valid := r.unknownReward(); name != "" {
			return refuse(fmt.Sprintf("no reward is called %q%s", name, strictyaml.DidYouMean(name, valid)), "choose from "+strings.Join(valid, ", ")+"; a service of your own, by --url, may have others")
		}
		service, err := startService(ctx, s.Serve, filepath.Join(s.Dir, "serve.log"))
		if err != nil {
			return err
		}
		defer service.stop()
		s.URL = service.url
	}
	if err := disk.WriteJSON(filepath.Join(s.Dir, settingsFile), settingsJSON{r, vitrine.Version, s.Cache, s.URL, remote}); err != nil {
		return disk.Classify(err)
	}
	return s.python(ctx)
}

// python runs the trainer to its end. What it says is in train.log.
func (s Settings) python(ctx context.Context) error {
	log, err := os.OpenFile(filepath.Join(s.Dir, "train.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return disk.Classify(err)
	}
	defer log.Close()
	tail := &lastLines{}
	cmd := exec.CommandContext(ctx, s.Python, "-m", "vitrine_train", s.Dir)
	cmd.SysProcAttr = subprocess.Group()
	cmd.Env = append(os.Environ(), "OMP_WAIT_POLICY=PASSIVE", "TOKENIZERS_PARALLELISM=false", "PYTHONUNBUFFERED=1")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 30 * time.Second
	cmd.Stderr = io.MultiWriter(log, tail)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return vitrine.NewFault("train", vitrine.FaultUsage, err, "the trainer does not start").WithFix("run train/setup.sh")
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p Progress
		if json.Unmarshal(lines.Bytes(), &p) == nil && p.Stage+p.Alarm != "" {
			s.Say(p)
		} else {
			fmt.Fprintln(log, lines.Text())
		}
	}
	_, _ = io.Copy(log, out) // what is behind a line that is too long
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return vitrine.NewFault("train", vitrine.FaultInternal, err, "the trainer ended: "+tail.String()).
			WithFix("train.log in the run folder has all that it said; vitrine train resume goes on from the last checkpoint")
	}
	return nil
}

// lastLines keeps the end of a text.
type lastLines struct{ text []byte }

func (l *lastLines) Write(p []byte) (int, error) {
	l.text = append(l.text, p...)
	if len(l.text) > 4096 {
		l.text = l.text[len(l.text)-2048:]
	}
	return len(p), nil
}

// String is the last line that says something.
func (l *lastLines) String() string {
	lines := bytes.Split(bytes.TrimSpace(l.text), []byte("\n"))
	return strings.ToValidUTF8(string(lines[len(lines)-1]), "")
}
