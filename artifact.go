package vitrine

// An Artifact is what was parsed out of an Output: the files a model wrote and
// the format scores of the text around them. Nothing in it was executed.
type Artifact struct {
	Kind      Kind     `json:"kind"`
	ID        string   `json:"id,omitempty"`    // manifest id attribute
	Title     string   `json:"title,omitempty"` // manifest title attribute
	Reasoning string   `json:"reasoning,omitempty"`
	Files     []File   `json:"files"`           // sorted by path, each path once
	Shell     []string `json:"shell,omitempty"` // shell actions, in order
	Start     string   `json:"start,omitempty"` // last start action
	// CoT is the reasoning-format score s_cot (WebGen-R1 §2.3): 1 if <think> and
	// <answer> are each there exactly once and in this order.
	CoT FormatScore `json:"cot"`
	// Code is the code-format score s_code in the published profile (WebGen-R1
	// §2.3); CodeStrict adds the rules of the strict profile.
	Code       FormatScore `json:"code"`
	CodeStrict FormatScore `json:"code_strict"`
	// Notes name what the parser had to decide: a duplicate path, a path that
	// left the folder, a truncated action.
	Notes []Note `json:"notes,omitempty"`
}

// A File is one file of an Artifact. Path is relative, slash-separated, clean
// and inside the work folder.
type File struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

// File returns the content of the file with this path.
func (a *Artifact) File(path string) (string, bool) {
	for i := range a.Files {
		if a.Files[i].Path == path {
			return a.Files[i].Content, true
		}
	}
	return "", false
}

// A FormatScore is 0 or 1, with the name of each failed rule.
type FormatScore struct {
	Score  int          `json:"score"`
	Failed []FailedRule `json:"failed,omitempty"`
}

// A FailedRule names one rule of a format and says what was wrong.
type FailedRule struct {
	Rule string `json:"rule"`
	Why  string `json:"why"`
}

// A Note is something worth telling that is not a failure: a stable code and a
// sentence.
type Note struct {
	Code string `json:"code"`
	Text string `json:"text"`
}
