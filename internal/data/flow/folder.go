package flow

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"vitrine"
	"vitrine/internal/digest"
	"vitrine/internal/disk"
)

// hold keeps other runs out of the folder of a run until release is called: two at once would
// take each other's unfinished steps away. The kernel releases a run that is killed.
func hold(out string) (release func(), err error) {
	f, err := os.Open(filepath.Join(out, "steps"))
	if err != nil {
		return nil, disk.Fault(err)
	}
	if err := disk.Lock(f, syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) { // not every file system has locks
		_ = f.Close()
		return nil, refuse("another run of a pipeline is at work in "+out, "wait until it has ended, or stop it; or name another folder with --out")
	}
	return func() {
		_ = disk.Lock(f, syscall.LOCK_UN) // a child between fork and exec may hold it a moment longer
		_ = f.Close()
	}, nil
}

// hashInput is the hash of what the user named: of a file, or of all files of a folder.
func hashInput(name string) (string, error) {
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		sum, _, err := hashFile(name)
		return sum, err
	}
	var all []string
	err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		sum, _, err := hashFile(path)
		within, relErr := filepath.Rel(name, path)
		all = append(all, within, sum)
		return errors.Join(err, relErr)
	})
	return digest.Of(all), err
}

// sources are the files of all inputs, by their names and hashes.
func (s *Settings) sources() (all []Source, err error) {
	for _, name := range slices.Sorted(maps.Keys(s.Inputs)) {
		for _, file := range s.Inputs[name] {
			sum, err := hashInput(file)
			if err != nil {
				return nil, vitrine.NewFault("data", vitrine.FaultUsage, err, "cannot read "+file).WithFix("name a file, folder or archive of rows with " + flagOf(name))
			}
			all = append(all, Source{name, filepath.Base(file), sum})
		}
	}
	return all, nil
}

// NotFinished is the fault of a folder without the results of a run.
func NotFinished(dir string) *vitrine.Fault {
	if _, err := os.Stat(filepath.Join(dir, "steps")); err == nil {
		return refuse("the run in "+dir+" has not ended", "give the same vitrine data run again: it goes on with what is there")
	}
	return refuse(dir+" has no finished run", "name a folder that vitrine data run wrote; vitrine data stats, review and export also take those of dedup and decontaminate, and files of rows")
}

// copyFile puts a copy in the place of a file, whole or not at all: what a user writes into
// it must not change the step's own.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to + ".part")
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), to)
}

func fresh(dir string) error {
	return disk.Fault(errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)))
}
