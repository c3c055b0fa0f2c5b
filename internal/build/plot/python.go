package plot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/sandbox"
)

// Libraries are what plots may use, besides Python's own. All must be there, for what
// becomes of a plot not to depend on which of them a machine has.
var libraries = []string{"matplotlib", "numpy", "pandas", "plotly", "seaborn"}

// Packages are those of Debian with Python and the libraries.
const Packages = "python3 python3-matplotlib python3-pandas python3-plotly python3-seaborn"

// versionsScript prints the version of Python and of each library, null for one that is
// missing.
const versionsScript = `
import json, sys
from importlib import metadata
found = {"python": sys.version.split()[0]}
for name in sys.argv[1:]:
    try:
        found[name] = metadata.version(name)
    except metadata.PackageNotFoundError:
        found[name] = None
print(json.dumps(found))
`

// findPython asks the Python of the sandbox, which is the host's below /usr, for its
// version and those of the libraries.
func findPython(ctx context.Context, s sandbox.Sandbox) (string, error) {
	if err := s.Available(ctx); err != nil {
		return "", err
	}
	out, log := &sandbox.Tail{Keep: 16 << 10}, &sandbox.Tail{Keep: 16 << 10}
	err := s.Run(ctx, sandbox.Spec{
		Args: append([]string{"python3", "-c", versionsScript}, libraries...), Dir: "/", Env: environment,
		Stdout: out, Stderr: log, Limits: sandbox.Limits{Wall: 30 * time.Second},
	})
	if errors.Is(err, sandbox.ErrTimeout) || errors.Is(err, sandbox.ErrStarved) {
		return "", sandbox.StarvedFault("build")
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", noPython(err, "Python does not start: "+strings.TrimSpace(log.String()))
	}
	if err != nil {
		return "", err
	}
	return readVersions(out.String())
}

// readVersions makes one line of what versionsScript printed, or a fault that names what
// is missing.
func readVersions(printed string) (string, error) {
	var found map[string]*string
	if err := json.Unmarshal([]byte(printed), &found); err != nil || found["python"] == nil {
		return "", noPython(err, "Python does not tell its version")
	}
	versions := []string{"python " + *found["python"]}
	var missing []string
	for _, name := range libraries {
		if v := found[name]; v != nil {
			versions = append(versions, name+" "+*v)
		} else {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return "", noPython(nil, fmt.Sprintf("Python %s lacks %s", *found["python"], strings.Join(missing, ", ")))
	}
	return strings.Join(versions, " "), nil
}

// trial uses every library.
const trial = "import numpy, pandas, plotly.graph_objects, seaborn\nfrom matplotlib import pyplot\npyplot.plot([1, 2])\n"

// tryOut draws a plot of ours: what keeps it from being drawn is the machine's, and must not
// be held against the plots of models.
func (b *Builder) tryOut(ctx context.Context) error {
	s, err := b.draw(ctx, &vitrine.Artifact{Kind: vitrine.KindPlot, Files: []vitrine.File{{Path: "plot.py", Content: trial}}}, nil)
	switch {
	case err != nil:
		return err
	case s.Failure != nil && s.Failure.Code == vitrine.FailureTimeout:
		return sandbox.StarvedFault("build")
	case s.Failure != nil:
		return noPython(nil, "Python and its libraries are there and do not draw: "+s.Failure.Message)
	}
	return nil
}

// binds show a program its work folder, and what Debian's matplotlib has outside of /usr.
func binds(work string) []sandbox.Bind {
	shown := []sandbox.Bind{{Host: work, Inside: "/work", Write: true}}
	if _, err := os.Stat(matplotlibrc); err == nil {
		shown = append(shown, sandbox.Bind{Host: matplotlibrc, Inside: matplotlibrc})
	}
	return shown
}

const matplotlibrc = "/etc/matplotlibrc"

func noPython(err error, message string) error {
	return vitrine.NewFault("build", vitrine.FaultNoPython, err, message).WithFix("apt-get install " + Packages + ", or make setup-plots")
}

// environment is all of the environment of a program: no display, one thread for each
// library, and an order of sets that is the same in every run.
var environment = []string{
	"PATH=/usr/bin:/usr/local/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8", "TZ=UTC", "MPLBACKEND=Agg", "MPLCONFIGDIR=/tmp/matplotlib",
	"PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1", "PYTHONNOUSERSITE=1", "PYTHONIOENCODING=utf-8", "SOURCE_DATE_EPOCH=0",
	"OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1", "NUMEXPR_NUM_THREADS=1",
}
