package calibrate

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func TestParseRatings(t *testing.T) {
	for name, tt := range map[string]struct {
		file string
		want *Ratings
	}{
		"images": {"image,score\na.png,3\n", &Ratings{KindImage, []Rating{{2, "a.png", 3, 1, ""}}}},
		"all columns, any order, any case, a mark": {"\ufeffScore, group ,EVIDENCE,weight\r\n 4.5 ,g1,runs/a/b,12\r\n-1e1,,\"c,d\",\r\n",
			&Ratings{KindEvidence, []Rating{{2, "runs/a/b", 4.5, 12, "g1"}, {3, "c,d", -10, 1, ""}}}},
		"ids": {"id,score\n\na,1\nb,2\n", &Ratings{KindID, []Rating{{3, "a", 1, 1, ""}, {4, "b", 2, 1, ""}}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseRatings("r.csv", strings.NewReader(tt.file))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ratings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBadRatings(t *testing.T) {
	for name, tt := range map[string]struct{ file, want string }{
		"empty":             {"", "it is empty"},
		"header alone":      {"id,score\n", "no ratings"},
		"unknown column":    {"id,score,colour\na,1,2\n", `no column "colour"; columns: evidence, image, id, score, weight, group`},
		"column twice":      {"id,score,score\na,1,2\n", "score is there twice"},
		"no score":          {"id,group\na,1\n", "no column score"},
		"nothing to rate":   {"score\n1\n", "exactly one of the columns evidence, image and id, got 0"},
		"two kinds":         {"id,image,score\na,b,1\n", "got 2"},
		"text":              {"id,score\na,1\nb,good\n", `line 3: score: want a finite number, got "good"`},
		"empty score":       {"id,score\na,\n", "line 2: score"},
		"NaN":               {"id,score\na,NaN\n", "line 2: score: want a finite number"},
		"infinite":          {"id,score\na,Inf\n", "line 2: score: want a finite number"},
		"too large":         {"id,score\na,1e999\n", "line 2: score: want a finite number"},
		"no name":           {"id,score\n ,1\n", "line 2: id is empty"},
		"weight 0":          {"id,score,weight\na,1,0\n", "line 2: weight: want a number above 0"},
		"weight below 0":    {"id,score,weight\na,1,-1\n", "line 2: weight"},
		"weight NaN":        {"id,score,weight\na,1,nan\n", "line 2: weight"},
		"twice":             {"id,score\na,1\nb,1\na,1\n", "line 4 rates a again, after line 2"},
		"too few fields":    {"id,score\na\n", "wrong number of fields"},
		"open quote":        {"id,score\n\"a,1\n", "line"},
		"no CSV, a picture": {"\x89PNG\r\n\x1a\n\x00\x00", "no column"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseRatings("r.csv", strings.NewReader(tt.file))
			var f *vitrine.Fault
			if !errors.As(err, &f) || f.Code != vitrine.FaultUsage || f.Fix == "" || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want a usage fault with %q", err, tt.want)
			}
		})
	}
}

func FuzzParseRatings(f *testing.F) {
	f.Add("id,score,weight,group\na,1,2,g\n")
	f.Fuzz(func(t *testing.T, file string) {
		r, err := ParseRatings("r.csv", strings.NewReader(file))
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, row := range r.Rows {
			if seen[row.Name] || row.Name == "" || !finite(row.Score, row.Weight) || row.Weight <= 0 {
				t.Errorf("took %+v", row)
			}
			seen[row.Name] = true
		}
	})
}
