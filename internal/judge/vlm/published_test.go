package vlm

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/model"
)

// inProfile asks about one site and returns the request.
func inProfile(t *testing.T, profile vitrine.Profile, name, protocol, said string, s Subject) (vitrine.Judgement, model.Request) {
	t.Helper()
	asked := says(said)
	j := Judge{Asker: asked, Settings: settings(protocol)}
	j.Settings.Profile, j.Settings.Model = profile, name
	got, err := j.Judge(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return got, asked.asked[0]
}

func TestProfilesHaveVersionsAndPromptsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for protocol, version := range map[string]string{
		"direct": "1", "likert": "1", "rubric": "1", "static": "1", "code": "2", "appearance": "1", "visual": "", "alignment": "",
	} {
		differs := version != ""
		ours, _ := inProfile(t, vitrine.ProfileVitrine, "openai/judge", protocol, right[protocol].answer, site())
		unnamed, _ := inProfile(t, "", "openai/judge", protocol, right[protocol].answer, site())
		published, _ := inProfile(t, vitrine.ProfilePublished, "openai/judge", protocol, right[protocol].answer, site())
		if ours.Judge != unnamed.Judge || strings.Contains(ours.Judge, "published") || strings.Contains(published.Judge, "@published-"+version+" ") != differs {
			t.Errorf("%s: ours is %q, without a profile %q, published %q", protocol, ours.Judge, unnamed.Judge, published.Judge)
		}
		if same := ours.Calls[0].Prompt == published.Calls[0].Prompt; same == differs {
			t.Errorf("%s: are the prompts recorded as the same? %v", protocol, same)
		}
	}
}

func TestWebDevJudgeShowsTheInitialScreenshotAndAllCode(t *testing.T) {
	t.Parallel()
	long := vitrine.File{Path: "z.html", Content: "<p>" + strings.Repeat("\n", 125_000) + "the end</p>"}
	s, other := site(), otherSite()
	s.Files, other.Files = append(s.Files, long), append(other.Files, long)
	// shows holds what is shown against the observation.
	shows := func(r model.Request, protocol string, o Observation, screenshots []string, ends int) {
		if o == ObserveCode {
			screenshots = nil
		}
		if o == ObserveImage {
			ends = 0
		}
		got, code := sent(r), strings.Contains(sent(r), "<h1>Tea</h1>")
		if !slices.Equal(pictures(r), screenshots) || code != (o != ObserveImage) || strings.Count(got, "the end</p>") != ends {
			t.Errorf("%s by %s shows %v, code: %v, and its end %d times; want %v and %d", protocol, o, pictures(r), code, strings.Count(got, "the end</p>"), screenshots, ends)
		}
	}
	for _, protocol := range []string{"direct", "likert", "rubric"} {
		_, ours := inProfile(t, vitrine.ProfileVitrine, "openai/judge", protocol, right[protocol].answer, s)
		shows(ours, "our "+protocol, ObserveBoth, []string{"/@desktop@0", "/about@desktop@0"}, 0)
		for _, o := range []Observation{"", ObserveImage, ObserveCode, ObserveBoth} {
			asked := says(right[protocol].answer)
			j := Judge{Asker: asked, Settings: Settings{Protocol: protocol, Model: "openai/judge", Profile: vitrine.ProfilePublished, Observation: o}}
			if _, err := j.Judge(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			shows(asked.asked[0], protocol, o, []string{"/@desktop@0"}, 1)
		}
	}
	for _, protocol := range []string{"direct-pair", "likert-pair", "rubric-pair"} {
		for _, o := range []Observation{"", ObserveImage, ObserveCode, ObserveBoth} {
			asked := says(rightPair[protocol].answer)
			j := Judge{Asker: asked, Settings: Settings{Protocol: protocol, Model: "openai/judge", Profile: vitrine.ProfilePublished, Observation: o}}
			if _, err := j.Compare(t.Context(), s, other); err != nil {
				t.Fatal(err)
			}
			shows(asked.asked[0], protocol, o, []string{"/@desktop@0", "other /@desktop@0"}, 2)
		}
	}
}

func TestTemperaturesOfWebDevJudge(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]float64{"openai/gpt-4.1": 0, "anthropic/claude-sonnet-4-5": 1, "openrouter/anthropic/Claude-3.7": 1, "google/gemini-2.5-pro": 0} {
		_, r := inProfile(t, vitrine.ProfilePublished, name, "likert", right["likert"].answer, site())
		if r.Temperature == nil || *r.Temperature != want || r.Think != (want == 1) {
			t.Errorf("%s: temperature %v, thinking %v, want %g", name, r.Temperature, r.Think, want)
		}
	}
	for _, protocol := range []string{"direct", "rubric", "feasibility", "trajectory", "screenshot", "filter-safety", "filter-interaction", "filter-intention"} {
		_, r := inProfile(t, vitrine.ProfilePublished, "openai/judge", protocol, right[protocol].answer, site())
		_, ours := inProfile(t, vitrine.ProfileVitrine, "openai/judge", protocol, right[protocol].answer, site())
		if r.Temperature == nil || *r.Temperature != 0 || ours.Temperature != nil {
			t.Errorf("%s: published at %v, ours at %v; want 0 and none", protocol, r.Temperature, ours.Temperature)
		}
	}
	for profile, protocol := range map[vitrine.Profile]string{vitrine.ProfileVitrine: "likert", vitrine.ProfilePublished: "static"} {
		if _, r := inProfile(t, profile, "openai/judge", protocol, right[protocol].answer, site()); r.Temperature != nil {
			t.Errorf("%s in %s has the temperature %g", protocol, profile, *r.Temperature)
		}
	}
	set := 0.3
	asked := says(right["direct"].answer)
	j := Judge{Asker: asked, Settings: Settings{Protocol: "direct", Model: "openai/judge", Profile: vitrine.ProfilePublished, Temperature: &set}}
	if _, err := j.Judge(t.Context(), site()); err != nil || *asked.asked[0].Temperature != set {
		t.Errorf("the temperature that was asked for is not used: %v", err)
	}
}

func TestDirectPairInBothProfiles(t *testing.T) {
	t.Parallel()
	for profile, ours := range map[vitrine.Profile]bool{vitrine.ProfileVitrine: true, vitrine.ProfilePublished: false} {
		var asked *script
		for _, winner := range []vitrine.Verdict{vitrine.VerdictA, vitrine.VerdictB, vitrine.VerdictTie} {
			asked = says(fmt.Sprintf(`{"reason":"x","winner":%q}`, winner))
			j := Judge{Asker: asked, Settings: Settings{Protocol: "direct", Model: "openai/judge", Profile: profile}}
			if got, err := j.Compare(t.Context(), site(), otherSite()); err != nil || got.Verdict != winner {
				t.Fatalf("%s: got %s, want %s, %v", profile, got.Verdict, winner, err)
			}
		}
		if shape := string(asked.asked[0].Schema.JSON); strings.Index(shape, `"reason"`) > strings.Index(shape, `"winner"`) {
			t.Errorf("%s: the winner comes before the reason: %s", profile, shape)
		}
		text := sent(asked.asked[0])
		for _, sentence := range []string{"as their future user would", "means nothing"} {
			if strings.Contains(text, sentence) != ours {
				t.Errorf("%s: %q is there: %v", profile, sentence, !ours)
			}
		}
		for _, criterion := range []string{"1.1", "static.1", "A heading.", "Is it tea?"} {
			if strings.Contains(text, criterion) {
				t.Errorf("%s: the criterion %q is given", profile, criterion)
			}
		}
	}
}

// AesCoder's prompts ask for the feedback last, and nothing in the paper holds the parts
// against the total.
func TestAesCoderTakesTotalsAsGiven(t *testing.T) {
	t.Parallel()
	for protocol, said := range map[string]string{
		"static": `{"feedback":"F.","alignment":10,"aesthetics":10,"structure":10,"total":81}`,
		"code":   `{"feedback":"F.","alignment":10,"design":10,"structure":10,"total":81}`,
	} {
		got, r := inProfile(t, vitrine.ProfilePublished, "openai/judge", protocol, said, site())
		main := map[string]string{"static": "total", "code": "code"}[protocol]
		if got.Scores[main] != 81 || len(got.Calls) != 1 {
			t.Errorf("%s: %v in %d calls", protocol, got.Scores, len(got.Calls))
		}
		if shape := string(r.Schema.JSON); strings.Index(shape, `"feedback"`) < strings.Index(shape, `"total"`) {
			t.Errorf("%s asks for feedback before the scores: %s", protocol, shape)
		}
		shown := map[string][]string{"static": {"/@desktop@0"}}[protocol]
		if got := pictures(r); !slices.Equal(got, shown) || strings.Contains(sent(r), "<h1>Tea</h1>") != (protocol == "code") {
			t.Errorf("%s shows %v, or the code where it should not: %s", protocol, got, sent(r))
		}
		severe := []string{"about 30 words"}
		if protocol == "code" {
			long := site()
			long.Files = append(long.Files, vitrine.File{Path: "z.html", Content: "<p>" + strings.Repeat("word ", 25000) + "the end</p>"})
			if _, r := inProfile(t, vitrine.ProfilePublished, "openai/judge", protocol, said, long); !strings.Contains(sent(r), "the end</p>") {
				t.Error("a long page is cut")
			}
			severe = []string{"Above 90: without any flaw at all", "a total of 10 to 30", "framework", "0 to 9 in design and structure", "total 75: acceptable"}
		}
		for _, words := range append(severe, "A shop for tea with a cart.", "commerce") {
			if !strings.Contains(sent(r), words) {
				t.Errorf("%s does not say %q", protocol, words)
			}
		}
		again := says(said)
		j := Judge{Asker: again, Settings: settings(protocol)}
		if _, err := j.Judge(t.Context(), site()); err == nil {
			t.Errorf("%s: ours takes parts that do not add up", protocol)
		}
		for part, most := range map[string]map[string]int{
			"static": {"alignment": 40, "aesthetics": 30, "structure": 30, "total": 100},
			"code":   {"alignment": 20, "design": 50, "structure": 30, "total": 100},
		}[protocol] {
			for value, fits := range map[int]bool{0: true, most: true, most + 1: false} {
				changed := regexp.MustCompile(`"`+part+`":\d+`).ReplaceAllString(said, fmt.Sprintf("%q:%d", part, value))
				j := Judge{Asker: says(changed), Settings: Settings{Protocol: protocol, Model: "openai/judge", Profile: vitrine.ProfilePublished}}
				if _, err := j.Judge(t.Context(), site()); (err == nil) != fits {
					t.Errorf("%s: %d for %s: %v", protocol, value, part, err)
				}
			}
		}
	}
}

func TestStaticPairTakesTheVerdictAsGiven(t *testing.T) {
	t.Parallel()
	part := func(total string) string {
		return `{"alignment":10,"aesthetics":10,"structure":10,"total":` + total + `}`
	}
	for verdict, want := range map[string]struct {
		verdict vitrine.Verdict
		far     bool
	}{
		"A>>B": {vitrine.VerdictA, true}, "A>B": {vitrine.VerdictA, false}, "A=B": {vitrine.VerdictTie, false},
		"A<B": {vitrine.VerdictB, false}, "A<<B": {vitrine.VerdictB, true},
	} {
		asked := says(`{"feedback":"F.","a":` + part("30") + `,"b":` + part("60") + `,"verdict":"` + verdict + `"}`)
		j := Judge{Asker: asked, Settings: Settings{Protocol: "static", Model: "openai/judge", Profile: vitrine.ProfilePublished}}
		got, err := j.Compare(t.Context(), site(), otherSite())
		if err != nil || got.Verdict != want.verdict || got.Far != want.far || got.A["total"] != 30 || got.B["total"] != 60 {
			t.Errorf("%s: got %+v, %v", verdict, got, err)
		}
		if shown := pictures(asked.asked[0]); len(asked.asked) != 1 || !slices.Equal(shown, []string{"/@desktop@0", "other /@desktop@0"}) {
			t.Errorf("%s: in %d questions two screenshots are not shown, but %v", verdict, len(asked.asked), shown)
		}
		for _, words := range []string{"A shop for tea with a cart.", "commerce"} {
			if !strings.Contains(sent(asked.asked[0]), words) {
				t.Errorf("%s: the question does not say %q", verdict, words)
			}
		}
		if shape := string(asked.asked[0].Schema.JSON); strings.Index(shape, `"feedback"`) < strings.Index(shape, `"verdict"`) || !strings.Contains(sent(asked.asked[0]), "about 50 words") {
			t.Errorf("%s: about 50 words of feedback are not asked for last: %s", verdict, shape)
		}
	}
	for scale, most := range map[string]int{`"alignment":10`: 40, `"aesthetics":10`: 30, `"structure":10`: 30} {
		for value, fits := range map[int]bool{0: true, most: true, most + 1: false} {
			for _, of := range []string{`"a":`, `"b":`} {
				said := `{"feedback":"F.","a":` + part("30") + `,"b":` + part("60") + `,"verdict":"A<B"}`
				before, after, _ := strings.Cut(said, of)
				said = before + of + strings.Replace(after, scale, strings.TrimSuffix(scale, "10")+fmt.Sprint(value), 1)
				j := Judge{Asker: says(said), Settings: Settings{Protocol: "static", Model: "openai/judge", Profile: vitrine.ProfilePublished}}
				if _, err := j.Compare(t.Context(), site(), otherSite()); (err == nil) != fits {
					t.Errorf("%d in %s: %v", value, said, err)
				}
			}
		}
	}
}

// The evaluator of WebGen-R1 gets several breakpoints and Γ.
func TestTheEvaluatorSeesBreakpointsAndTheLog(t *testing.T) {
	t.Parallel()
	s := site()
	s.Evidence.Site.Steps = []vitrine.BuildStep{{Name: "install", Command: "npm install", Log: "added 3 packages in 2s"}, {Name: "build", Command: "npm run build", ExitCode: 1, Log: "one module is missing"}}
	s.Evidence.Console = []vitrine.ConsoleMessage{{Route: "/about", Viewport: "mobile", Level: "error", Text: "cart is undefined"}}
	_, r := inProfile(t, vitrine.ProfilePublished, "openai/judge", "appearance", right["appearance"].answer, s)
	if diff := cmp.Diff([]string{"/@desktop@0", "/@mobile@0", "/about@desktop@0", "/about@mobile@0"}, pictures(r)); diff != "" {
		t.Error(diff)
	}
	for _, line := range []string{"A shop for tea with a cart.", "build: npm run build, exit code 1\none module is missing", "/about mobile error: cart is undefined"} {
		if !strings.Contains(sent(r), line) {
			t.Errorf("the evaluator is not told %q", line)
		}
	}
	wide := site()
	for n := range 8 {
		v := wide.Evidence.Views[0]
		v.Route, v.Validity.Valid = fmt.Sprintf("/r%d", n), n > 0
		v.Frames = []vitrine.Frame{{File: v.Route}}
		wide.Evidence.Views = append(wide.Evidence.Views, v)
	}
	_, many := inProfile(t, vitrine.ProfilePublished, "openai/judge", "appearance", right["appearance"].answer, wide)
	if diff := cmp.Diff([]string{"/@desktop@0", "/@mobile@0", "/about@desktop@0", "/about@mobile@0", "/r1", "/r2", "/r3", "/r4", "/r5"}, pictures(many)); diff != "" {
		t.Errorf("of ten routes, one of which does not render, the evaluator sees %s", diff)
	}
	if strings.Contains(sent(r), "added 3 packages") {
		t.Error("a step that went well is shown, with what depends on the machine")
	}
	_, quiet := inProfile(t, vitrine.ProfilePublished, "openai/judge", "appearance", right["appearance"].answer, site())
	if !strings.Contains(sent(quiet), "nothing was logged") {
		t.Error("an empty log is not said to be empty")
	}
	s.Evidence.Console[0].Text = strings.Repeat("é", maxLog)
	if _, r := inProfile(t, vitrine.ProfilePublished, "openai/judge", "appearance", right["appearance"].answer, s); len(sent(r)) > 2*maxLog {
		t.Errorf("a log of %d bytes is shown", len(sent(r)))
	}
	if _, r := inProfile(t, vitrine.ProfileVitrine, "openai/judge", "appearance", right["appearance"].answer, s); strings.Contains(sent(r), "éé") {
		t.Error("ours shows the log")
	}
}

// The critic of ReLook gets question, code and screenshots, and criticises before it scores,
// in one call, in either profile.
func TestTheCriticSeesTheCode(t *testing.T) {
	t.Parallel()
	for _, profile := range vitrine.Profiles {
		j, r := inProfile(t, profile, "openai/judge", "visual", right["visual"].answer, site())
		if shape := string(r.Schema.JSON); len(j.Calls) != 1 || strings.Index(shape, `"critique"`) > strings.Index(shape, `"score"`) {
			t.Errorf("%s: the critic is asked %d times, for %s", profile, len(j.Calls), shape)
		}
		for _, want := range []string{"<h1>Tea</h1>", "A shop for tea", "how fully the page does what was asked", "layout", "typography and colours", "where the request asks for actions"} {
			if !strings.Contains(sent(r), want) {
				t.Errorf("%s: the critic does not get %q", profile, want)
			}
		}
		if got := pictures(r); !slices.Equal(got, []string{"/@desktop@0", "/@desktop@1", "/@desktop@2"}) {
			t.Errorf("%s: the critic sees %v", profile, got)
		}
	}
}

func TestAnUnknownProfileIsRefused(t *testing.T) {
	t.Parallel()
	j := Judge{Asker: says(""), Settings: Settings{Protocol: "direct", Model: "openai/judge", Profile: "paper"}}
	if _, err := j.Judge(t.Context(), site()); err == nil || !strings.Contains(err.Error(), `no profile "paper"`) {
		t.Errorf("got %v", err)
	}
}
