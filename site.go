package vitrine

// A Site is an artifact that can be served: its files, its routes and what was
// logged on the way there. A site whose build failed has a Failure and no files.
type Site struct {
	Kind Kind `json:"kind"`
	// Root is the folder whose files are served, with index.html as the answer
	// to client-side routes.
	Root string `json:"-"`
	// Files maps a slash-separated path below / to its content for sites that
	// never touch the disk. Root and Files are never both set.
	Files map[string][]byte `json:"-"`
	// Base is the path below which the site expects to be served, "/" unless its
	// build says otherwise.
	Base string `json:"base,omitempty"`
	// Hash identifies what is served: equal hashes give equal bytes.
	Hash string `json:"hash,omitempty"`
	// Libraries are the files, as paths below /, of packages that each document with
	// the site's scripts must have before it has loaded: a browser may keep them from
	// one route to the next.
	Libraries []string `json:"libraries,omitempty"`
	// Routes are the paths that the router declares in the source, "/" first.
	Routes  []string      `json:"routes"`
	Builder string        `json:"builder"` // static, component, fast, exact
	Steps   []BuildStep   `json:"steps,omitempty"`
	Failure *BuildFailure `json:"failure,omitempty"`
}

// A BuildStep is one command of a build, for the log Γ (WebGen-R1 Eq. 2).
type BuildStep struct {
	Name       string  `json:"name"` // install, install --force, build, …
	Command    string  `json:"command"`
	ExitCode   int     `json:"exit_code"`
	DurationMS float64 `json:"duration_ms"`
	Cached     bool    `json:"cached,omitempty"`
	Log        string  `json:"log,omitempty"` // ANSI removed, bounded
}

// A BuildFailure says why there is no site to look at. It is the model's doing:
// data, not an error.
type BuildFailure struct {
	Code    FailureCode `json:"code"`
	Message string      `json:"message"` // one line
	Log     string      `json:"log,omitempty"`
}

// FailureCode is the typed cause of a failed build.
type FailureCode string

// The causes of a failed build.
const (
	FailureInstall   FailureCode = "install_failed"
	FailureBuild     FailureCode = "build_failed"
	FailureTimeout   FailureCode = "timeout"         // of wall or processor time
	FailureTooLarge  FailureCode = "too_large"       // of files
	FailureMemory    FailureCode = "memory"          // used more than it may
	FailureProcesses FailureCode = "processes"       // started more than it may
	FailureNoFile    FailureCode = "no_file"         // a plot reads a file that its task does not have
	FailureNoPicture FailureCode = "no_picture"      // a plot drew nothing, or no picture
	FailureStopped   FailureCode = "stopped_at_gate" // a recipe's gate said to look no further
)
