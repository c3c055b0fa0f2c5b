package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"vitrine/internal/disk"
)

// A jobFolder keeps a job over a restart: request.json once, a line of
// results.jsonl for each result, and ended with the status of a job that has.
type jobFolder struct {
	dir   string
	whole int64 // bytes of results.jsonl; what is beyond is torn
}

const (
	requestFile = "request.json"
	resultsFile = "results.jsonl"
	endedFile   = "ended"
)

// A keptJob is request.json.
type keptJob struct {
	Created time.Time `json:"created"`
	Request Request   `json:"request"`
}

// A keptResult is a line of results.jsonl.
type keptResult struct {
	Place  int    `json:"place"`
	Result Result `json:"result"`
}

// newJobFolder makes the folder of a new job, whole or not at all.
func newJobFolder(state string, j *job) (*jobFolder, error) {
	dir := filepath.Join(state, "jobs", j.id)
	b, err := json.Marshal(keptJob{j.created, j.request})
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		err = disk.WriteFile(filepath.Join(dir, requestFile), b, 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("keep job: %w", disk.Classify(errors.Join(err, os.RemoveAll(dir))))
	}
	return &jobFolder{dir: dir}, nil
}

// append adds a result, in place of what an append that failed left there.
func (f *jobFolder) append(place int, r Result) error {
	line, err := json.Marshal(keptResult{place, r})
	if err != nil {
		return fmt.Errorf("keep result: %w", err)
	}
	line = append(line, '\n')
	file, err := os.OpenFile(filepath.Join(f.dir, resultsFile), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("keep result: %w", disk.Classify(err))
	}
	if err = file.Truncate(f.whole); err == nil {
		_, err = file.WriteAt(line, f.whole)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("keep result: %w", disk.Classify(err))
	}
	f.whole += int64(len(line))
	return nil
}

// results reads the whole lines, and says how many bytes they have. A line that is
// torn, by the end of the process, is none.
func (f *jobFolder) results() (all []keptResult, whole int64, err error) {
	b, err := os.ReadFile(filepath.Join(f.dir, resultsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("results of a job: %w", disk.Classify(err))
	}
	b = b[:bytes.LastIndexByte(b, '\n')+1]
	for lines := json.NewDecoder(bytes.NewReader(b)); ; {
		var kept keptResult
		if err := lines.Decode(&kept); err == io.EOF {
			return all, int64(len(b)), nil
		} else if err != nil {
			return nil, 0, fmt.Errorf("results of a job: %w", err)
		}
		all = append(all, kept)
	}
}

func (f *jobFolder) end(status string) error {
	return disk.Classify(disk.WriteFile(filepath.Join(f.dir, endedFile), []byte(status), 0o600))
}

func (f *jobFolder) remove() error { return os.RemoveAll(f.dir) }

// loadJobs reads what an earlier process kept. A folder without a request was
// being made when it ended: nobody was told of it.
func (s *Server) loadJobs() (map[string]*job, error) {
	by := map[string]*job{}
	root := filepath.Join(s.settings.Dir, "jobs")
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("jobs: %w", disk.Classify(err))
	}
	for _, e := range entries {
		folder := &jobFolder{dir: filepath.Join(root, e.Name())}
		j, err := s.loadJob(e.Name(), folder)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = folder.remove()
		case err == nil:
			by[j.id] = j
		}
		if err != nil {
			s.settings.Log.Error("a job cannot be read", "job", e.Name(), "error", err)
		}
	}
	return by, nil
}

func (s *Server) loadJob(id string, folder *jobFolder) (*job, error) {
	b, err := os.ReadFile(filepath.Join(folder.dir, requestFile))
	if err != nil {
		return nil, err
	}
	var kept keptJob
	if err := json.Unmarshal(b, &kept); err != nil {
		return nil, err
	}
	recipe, err := s.recipe(kept.Request.Recipe)
	if err != nil {
		return nil, err
	}
	j := newJob(id, kept.Created, kept.Request, recipe)
	j.folder = folder
	results, whole, err := folder.results()
	if err != nil {
		return nil, err
	}
	folder.whole, j.done = whole, len(results)
	if status, err := os.ReadFile(filepath.Join(folder.dir, endedFile)); err == nil {
		j.status = string(status)
		j.rest()
		return j, nil
	}
	for _, r := range results {
		j.places, j.results = append(j.places, r.Place), append(j.results, r.Result)
	}
	return j, nil
}
