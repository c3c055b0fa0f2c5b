package webgenbench

import (
	"testing"

	"vitrine"
	"vitrine/internal/bench"
)

// A site that is not there is 0 in each column of the run, and in no column that the run
// did not measure.
func TestAbsentSitesAreInTheColumnsOfTheRun(t *testing.T) {
	t.Parallel()
	cases := []vitrine.TestCase{{Category: categories[0]}, {Category: categories[0]}, {Category: categories[1]}}
	tasks := []vitrine.Task{{ID: "a", TestCases: cases}, {ID: "b", TestCases: cases}}
	fsr := "fsr_agent:" + categories[0]
	measured := map[string]bench.Measured{"1": {Outcome: "rendered", Compat: bench.Parts{"vrr": bench.One(1), "aas": bench.One(4), "fsr_agent": {Sum: 3, Of: 3}, fsr: {Sum: 2, Of: 2}}}}
	a := bench.Answers{Outputs: []vitrine.Output{{ID: "1", TaskID: "a", Model: "m"}}, Models: []string{"m"}}
	all := bench.Results(Benchmark{}, tasks, a, measured)
	absent := all[1].Compat
	if len(absent) != 4 || *absent["vrr"] != (bench.Part{Of: 1}) || *absent["aas"] != (bench.Part{Of: 1}) || *absent["fsr_agent"] != (bench.Part{Of: 3}) || *absent[fsr] != (bench.Part{Of: 2}) {
		t.Errorf("%+v", absent)
	}
}
