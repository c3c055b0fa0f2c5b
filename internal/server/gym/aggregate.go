package gym

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"vitrine/internal/server"
)

// taskIndex is the key by which NeMo Gym says which task a row is of.
const taskIndex = "_ng_task_index"

// metrics is the answer to /aggregate_metrics.
type metrics struct {
	Groups []map[string]any   `json:"group_level_metrics"`
	Agent  map[string]float64 `json:"agent_metrics"`
	Key    map[string]float64 `json:"key_metrics"`
}

// aggregate gives the means of all numbers, over all rows and for each task. Rows
// that could not be judged count for nothing but their number.
func aggregate(r *http.Request) (any, error) {
	var in struct {
		Rows []map[string]any `json:"verify_responses"`
	}
	if err := server.Decode(r, &in); err != nil {
		return nil, err
	}
	tasks := map[string][]map[string]any{}
	for _, row := range in.Rows {
		task := fmt.Sprint(row[taskIndex])
		tasks[task] = append(tasks[task], row)
	}
	out := metrics{Groups: []map[string]any{}, Agent: means(in.Rows), Key: map[string]float64{}}
	for _, task := range slices.Sorted(maps.Keys(tasks)) {
		group := map[string]any{taskIndex: tasks[task][0][taskIndex]}
		for key, v := range means(tasks[task]) {
			group[key] = v
		}
		out.Groups = append(out.Groups, group)
	}
	for _, key := range []string{"mean/reward", "unjudged"} {
		if v, there := out.Agent[key]; there {
			out.Key[key] = v
		}
	}
	return out, nil
}

// means of every number that the judged rows have.
func means(rows []map[string]any) map[string]float64 {
	sums, counts := map[string]float64{}, map[string]float64{}
	unjudged := 0.0
	for _, row := range rows {
		if masked, _ := row["mask_sample"].(bool); masked {
			unjudged++
			continue
		}
		for key, v := range row {
			if n, ok := v.(float64); ok && key != taskIndex {
				sums[key] += n
				counts[key]++
			}
		}
	}
	out := map[string]float64{"unjudged": unjudged}
	for key, sum := range sums {
		out["mean/"+key] = sum / counts[key]
	}
	return out
}
