package cache

import "time"

// A StageTotal is what the cache holds of one stage.
type StageTotal struct {
	Stage   string    `json:"stage"`
	Entries int       `json:"entries"`
	Files   int       `json:"files"`
	Bytes   int64     `json:"bytes"`
	Oldest  time.Time `json:"oldest_use"`
	Newest  time.Time `json:"newest_use"`
}

// Totals adds up the items of each stage, in the order of the inventory.
func Totals(items []Item) []StageTotal {
	rows, at := []StageTotal{}, map[string]int{}
	for _, it := range items {
		i, known := at[it.Stage]
		if !known {
			i = len(rows)
			at[it.Stage] = i
			rows = append(rows, StageTotal{Stage: it.Stage, Oldest: it.Used, Newest: it.Used})
		}
		r := &rows[i]
		r.Entries, r.Files, r.Bytes = r.Entries+1, r.Files+it.Files, r.Bytes+it.Bytes
		if it.Used.Before(r.Oldest) {
			r.Oldest = it.Used
		}
		if it.Used.After(r.Newest) {
			r.Newest = it.Used
		}
	}
	return rows
}
