package vitrine

// A Profile chooses a reading of a paper where ours differs from it: of judges, agents and
// recipes. docs/papers.md and `vitrine profile diff` say what differs.
type Profile string

// The profiles.
const (
	ProfileVitrine   Profile = "vitrine"   // what we think is right; the default
	ProfilePublished Profile = "published" // what a reader of the paper expects, its quirks included
)

// Profiles are all of them.
var Profiles = []Profile{ProfileVitrine, ProfilePublished}
