// Command coverage passes on what `go test -cover` prints, and exits 1 where a package covers fewer
// of its statements than a file says.
//
//	go test -cover ./... | coverage FILE           hold the packages to the file
//	go test -cover ./... | coverage -update FILE   write what they have into it
//
// A line of the file is a package and a floor in percent.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	update := flag.Bool("update", false, "write the file")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, flag.Arg(0), *update); err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, file string, update bool) error {
	have, err := read(io.TeeReader(in, out))
	if err != nil {
		return err
	}
	if update {
		return os.WriteFile(file, []byte(format(have)), 0o644)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	floors, err := parse(string(content))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if wrong := compare(have, floors); len(wrong) > 0 {
		return fmt.Errorf("%s does not hold:\n  %s\nadd the tests that are missing; where less code is the cause: make cover UPDATE=-update", file, strings.Join(wrong, "\n  "))
	}
	return nil
}

var covered = regexp.MustCompile(`^ok\s+(\S+)\s.*coverage: ([0-9.]+)% of statements`)

// read gives the percentage of each package that has tests.
func read(in io.Reader) (map[string]float64, error) {
	have := map[string]float64{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		if m := covered.FindStringSubmatch(lines.Text()); m != nil {
			percent, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				return nil, err
			}
			have[m[1]] = percent
		}
	}
	return have, lines.Err()
}

// slack is by how many points the same tests cover less at one time than at another:
// what they reach of timeouts and retries depends on the machine.
const slack = 2

func format(have map[string]float64) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(have)) {
		fmt.Fprintf(&b, "%s %d\n", name, int(math.Max(0, math.Floor(have[name])-slack)))
	}
	return b.String()
}

func parse(content string) (map[string]float64, error) {
	floors := map[string]float64{}
	for line := range strings.Lines(content) {
		name, percent, _ := strings.Cut(strings.TrimSpace(line), " ")
		floor, err := strconv.ParseFloat(percent, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a package and a number", strings.TrimSpace(line))
		}
		floors[name] = floor
	}
	return floors, nil
}

// compare lists the packages that are below their floor, have none, or were not tested.
func compare(have, floors map[string]float64) (wrong []string) {
	for name, percent := range have {
		if floor, ok := floors[name]; !ok {
			wrong = append(wrong, name+" has no line")
		} else if percent < floor {
			wrong = append(wrong, fmt.Sprintf("%s covers %.1f %%, not %g %%", name, percent, floor))
		}
	}
	for name := range floors {
		if _, ok := have[name]; !ok {
			wrong = append(wrong, name+" has a line and no tests that passed")
		}
	}
	slices.Sort(wrong)
	return wrong
}
