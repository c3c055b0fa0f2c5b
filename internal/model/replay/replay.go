// Package replay records conversations with models to files and replays them: a
// folder with one JSON file a conversation, named by its hash. Pictures are in it
// by hash only, keys not at all. It is also the cache of conversations that were
// had before.
package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/model"
)

// A Mode says what a tape is for.
type Mode string

// The modes. Without a tape, conversations are neither looked up nor kept.
const (
	Record Mode = "record" // ask always, and keep the answers; a newer one takes the place of the older
	Replay Mode = "replay" // never ask: a conversation that is not there is a fault
	Auto   Mode = "auto"   // ask what is not there, and keep the answer
)

// Modes are the names of all modes, with off, which is no tape.
var Modes = []string{"off", string(Record), string(Replay), string(Auto)}

// schema is raised when the layout of the files changes.
const schema = 1

// A Tape keeps conversations in a folder. It implements [model.Tape] and is safe
// for concurrent use, also by several processes.
type Tape struct {
	dir  string
	mode Mode
}

// Open makes a tape of a folder, which is made when something is recorded. For off
// and the empty mode it returns nil: no tape. The error is a fault of code usage.
func Open(dir string, mode Mode) (model.Tape, error) {
	switch {
	case mode == "" || mode == "off":
		return nil, nil
	case mode != Record && mode != Replay && mode != Auto:
		return nil, vitrine.NewFault("judge", vitrine.FaultUsage, nil, fmt.Sprintf("there is no replay mode %q", mode)).
			WithFix("use " + strings.Join(Modes, ", "))
	case dir == "":
		return nil, vitrine.NewFault("judge", vitrine.FaultUsage, nil, "where are the recordings? No folder is named").
			WithFix("name the folder of the recordings")
	}
	return Tape{dir, mode}, nil
}

// file is the content of a recording.
type file struct {
	Schema   int       `json:"schema"`
	Recorded time.Time `json:"recorded"`
	model.Conversation
}

func (t Tape) name(hash string) string { return filepath.Join(t.dir, hash+".json") }

// Find implements [model.Tape]. In replay mode, a conversation that is not there is
// a fault of code no_recording that names the hash, and so is a recording that
// cannot be read; elsewhere such a one is asked anew.
func (t Tape) Find(c model.Conversation) (model.Response, bool, error) {
	if t.mode == Record {
		return model.Response{}, false, nil
	}
	var f file
	err := disk.ReadJSON(t.name(c.Hash), &f)
	if err == nil && (f.Schema != schema || f.Hash != c.Hash) {
		err = fmt.Errorf("it is of schema %d and conversation %q", f.Schema, f.Hash)
	}
	switch {
	case err == nil:
		return f.Response, true, nil
	case t.mode == Auto:
		return model.Response{}, false, nil
	case errors.Is(err, fs.ErrNotExist):
		return model.Response{}, false, vitrine.NewFault("judge", vitrine.FaultNoRecording, nil,
			fmt.Sprintf("conversation %s with %s was not recorded", c.Hash, c.Name)).
			WithFix("record it, or check that model, address, prompt and pictures are the recorded ones")
	}
	return model.Response{}, false, vitrine.NewFault("judge", vitrine.FaultNoRecording, err, fmt.Sprintf("the recording of conversation %s cannot be read", c.Hash)).
		WithFix("remove " + t.name(c.Hash) + " and record it again")
}

// Keep implements [model.Tape]. The file is there whole or not at all. The error is
// that of the disk, typed.
func (t Tape) Keep(c model.Conversation) error {
	if t.mode == Replay {
		return nil
	}
	b, err := json.MarshalIndent(file{schema, time.Now().UTC().Truncate(time.Second), c}, "", "  ")
	if err != nil {
		return fmt.Errorf("record conversation %s: %w", c.Hash, err)
	}
	err = os.MkdirAll(t.dir, 0o755)
	if err == nil {
		err = disk.WriteFile(t.name(c.Hash), append(b, '\n'), 0o644)
	}
	if err != nil {
		return disk.Classify(fmt.Errorf("record conversation %s: %w", c.Hash, err))
	}
	return nil
}
