package require

import "vitrine"

// fieldNames are what an entry is made of, and seldom what is entered by itself.
var fieldNames = set("date time name title amount quantity price category note set rep duration distance mood phone email weight day start end unit description rate rating location status priority")

// ofOneEntry puts several things that are entered by one verb together where two of them are what entries are made of: "log date,
// sets, reps and weight" makes one entry with four fields.
func ofOneEntry(acts []act) (out []act) {
	fields := map[int][]string{} // of the clause
	named := map[int]int{}
	for _, a := range acts {
		if a.does == vitrine.BehaviorCreate && a.rank == 0 {
			fields[a.clause] = append(fields[a.clause], a.entity)
			if fieldNames[a.entity] {
				named[a.clause]++
			}
		}
	}
	taken := map[int]bool{}
	for _, a := range acts {
		if a.does == vitrine.BehaviorCreate && a.rank == 0 && len(fields[a.clause]) > 2 && named[a.clause] > 1 {
			if taken[a.clause] {
				continue
			}
			taken[a.clause] = true
			a.fields, a.entity = append(fields[a.clause], a.fields...), ""
		}
		out = append(out, a)
	}
	return out
}
