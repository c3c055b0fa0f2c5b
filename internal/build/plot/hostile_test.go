package plot

import (
	"os"
	"strings"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/sandbox"

	"vitrine"
)

// Each attack costs one typed result, nothing of this machine is seen, and nothing is left.
func TestHostilePlots(t *testing.T) {
	t.Parallel()
	b := builder(t)
	for name, test := range map[string]struct {
		program []string
		code    vitrine.FailureCode
		why     string
	}{
		"endless loop":          {[]string{"while True: pass"}, vitrine.FailureTimeout, "processor time"},
		"memory":                {[]string{imports, "x = [np.ones(1 << 22) for _ in range(1 << 20)]"}, vitrine.FailureMemory, "memory"},
		"one huge array":        {[]string{imports, "np.ones(1 << 40)"}, vitrine.FailureMemory, "MemoryError"},
		"reads passwords":       {[]string{"open('/etc/passwd').read()"}, vitrine.FailureNoFile, "/etc/passwd"},
		"reads a missing file":  {[]string{"import pandas as pd", "pd.read_csv('data.csv')"}, vitrine.FailureNoFile, "data.csv"},
		"asks the network":      {[]string{"import urllib.request", "urllib.request.urlopen('http://1.1.1.1/')"}, vitrine.FailureBuild, "URLError"},
		"writes one huge file":  {[]string{"f = open('big', 'wb')", "while True: f.write(bytes(1 << 20))"}, vitrine.FailureTooLarge, "File too large"},
		"writes 10 GB":          {[]string{"for i in range(1000):", "  open(str(i), 'wb').write(bytes(10 << 20))"}, vitrine.FailureTooLarge, "wrote more"},
		"a huge picture":        {[]string{imports, "from PIL import Image", "Image.new('1', (30000, 30000)).save('../out/01.png')"}, vitrine.FailureTooLarge, "30000"},
		"a link to a picture":   {[]string{imports, "os.symlink('/usr/share/matplotlib/mpl-data/images/home.png', '../out/01.png')"}, vitrine.FailureNoPicture, "link"},
		"a link to a device":    {[]string{imports, "os.symlink('/dev/zero', '../out/01.png')"}, vitrine.FailureNoPicture, "link"},
		"a pipe":                {[]string{imports, "os.mkfifo('../out/01.png')"}, vitrine.FailureNoPicture, "no file"},
		"no PNG":                {[]string{"open('../out/01.png', 'w').write('<svg/>')"}, vitrine.FailureNoPicture, "not a picture"},
		"the folder is a link":  {[]string{imports, "os.rename('../out', '../in'); os.symlink('/usr/share/matplotlib/mpl-data/images', '../out')"}, vitrine.FailureNoPicture, "removed"},
		"no figure":             {[]string{"print(1)"}, vitrine.FailureNoPicture, "no picture"},
		"ends without a word":   {[]string{imports, "os._exit(3)"}, vitrine.FailureBuild, "said nothing"},
		"claims to lack Python": {[]string{"raise ModuleNotFoundError('No module named matplotlib')"}, vitrine.FailureBuild, "matplotlib"},
		"does not parse":        {[]string{"plt.plot("}, vitrine.FailureBuild, "SyntaxError"},
	} {
		s := mustBuild(t, b, artifact(test.program...)).Site
		if f := s.Failure; f == nil || f.Code != test.code || !strings.Contains(f.Message, test.why) {
			t.Errorf("%s: %+v, want %s with %q", name, f, test.code, test.why)
		}
	}
	if left, err := os.ReadDir(b.settings.workDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Without a bound on processes these would be ended for their memory.
func TestForkBomb(t *testing.T) {
	t.Parallel()
	b := builder(t)
	b.settings.Limits.Processes, b.settings.Limits.MemoryBytes = 20, 16<<30
	s := mustBuild(t, b, artifact(imports, "while True: os.fork()")).Site
	if f := s.Failure; f == nil || f.Code != vitrine.FailureProcesses {
		t.Errorf("got %+v", f)
	}
}

// A gigabyte of words costs a bounded log.
func TestWhatAPlotPrintsIsBounded(t *testing.T) {
	t.Parallel()
	r := mustBuild(t, builder(t), artifact(imports, "for _ in range(1 << 10): os.write(1, b'tea ' * (1 << 18))", line))
	if log := r.Site.Steps[0].Log; r.Site.Failure != nil || len(log) > 70<<10 || !strings.Contains(log, "bytes left out") {
		t.Errorf("%+v, a log of %d bytes", r.Site.Failure, len(log))
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	all := `{"python": "3.11.2", "matplotlib": "3.6.3", "numpy": "1.24.2", "pandas": "1.5.3", "plotly": "5.4.0", "seaborn": "0.12.2"}`
	if got, err := readVersions(all); err != nil || got != "python 3.11.2 matplotlib 3.6.3 numpy 1.24.2 pandas 1.5.3 plotly 5.4.0 seaborn 0.12.2" {
		t.Errorf("got %q, %v", got, err)
	}
	for printed, why := range map[string]string{
		strings.ReplaceAll(all, `"1.5.3"`, "null"): "lacks pandas", "": "does not tell", "[]": "does not tell", "{}": "does not tell",
	} {
		_, err := readVersions(printed)
		if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultNoPython || !strings.Contains(f.Message, why) || !strings.Contains(f.Fix, "python3-matplotlib") {
			t.Errorf("%q: %+v", printed, f)
		}
	}
}

// A picture within the limits of files and pixels may take far more as it is written
// again: noise does not compress. It is the program's failure, and not ours.
func TestNoiseIsTooLarge(t *testing.T) {
	t.Parallel()
	b := builder(t)
	s := mustBuild(t, b, artifact("import numpy", "from matplotlib import pyplot", "pyplot.imsave('../out/01.png', numpy.random.default_rng(1).integers(0, 255, (3400, 3400, 3), dtype='uint8'), format='jpeg')")).Site
	if s.Failure == nil || s.Failure.Code != vitrine.FailureTooLarge {
		t.Errorf("got %+v", s.Failure)
	}
}

// A fault of the moment is asked for again; what the machine lacks is not.
func TestAFaultOfTheMomentIsNotKept(t *testing.T) {
	t.Parallel()
	asked := 0
	answers := []error{sandbox.StarvedFault("build"), nil}
	ask := untilSettled(func() (string, error) { asked++; return "3.11", answers[asked-1] })
	if _, err := ask(); err == nil {
		t.Error("the first answer is a fault")
	}
	for range 2 {
		if v, err := ask(); err != nil || v != "3.11" || asked != 2 {
			t.Errorf("%q, %v after %d questions", v, err, asked)
		}
	}
	lacking := 0
	none := untilSettled(func() (string, error) { lacking++; return "", noPython(nil, "it lacks all") })
	for range 2 {
		if _, err := none(); err == nil || lacking != 1 {
			t.Errorf("%v after %d questions", err, lacking)
		}
	}
}

func TestPlotsRunInTheSandboxAlone(t *testing.T) {
	t.Parallel()
	b := New(Settings{Store: t.TempDir(), Sandbox: sandbox.Sandbox{Unsafe: true}})
	_, err := b.Build(t.Context(), artifact("print(1)"), build.Options{})
	if f := vitrine.AsFault("x", err); err == nil || f.Code != vitrine.FaultUnsupportedKind || !strings.Contains(f.Fix, "--unsafe-no-sandbox") {
		t.Errorf("got %v", err)
	}
}
