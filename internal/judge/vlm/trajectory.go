package vlm

// trajectory says, as feasibility does, whether each test case can be carried out, not from
// the code but from what somebody did on the site and what came of it (WebDevJudge §4.3,
// where an agent operates the page). It reads words alone.
var trajectory = protocol{
	name: "trajectory", version: "1", fixed: true, published: webDevJudge,
	needs: func(q *question) error {
		if q.sites[0].Trajectory == "" {
			return usage("trajectory reads what was done on the site, and there is nothing", "Exercise it first, or give a file.")
		}
		return needsCases(q)
	},
	items: caseItems, shape: feasibility.shape, read: feasibility.read,
	main: feasibility.main, scale: feasibility.scale,
}

// About says what a judge by some settings is, before it is asked.
type About struct {
	Judge string // protocol@version model, as judgements have it
	Main  string // the score that stands for the result
	Looks bool   // at screenshots
	Reads bool   // code
}

// About describes the judge of one site, or of pairs.
func (s Settings) About(pair bool) (About, error) {
	pair = pair && s.pairs()
	p, err := find(s.Protocol, pair)
	if err != nil {
		return About{}, err
	}
	p = p.in(s.Profile)
	q := &question{Settings: s.withDefaults(p), protocol: p}
	if err := q.check(p); err != nil {
		return About{}, err
	}
	if q.prompt, err = load(q.promptName(), s.Template, q.isPublished); err != nil {
		return About{}, err
	}
	return About{Judge: judgeName(p, q.prompt, s.Model), Main: q.main, Looks: q.Observation.image(), Reads: q.Observation.code()}, nil
}
