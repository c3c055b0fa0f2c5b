package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"vitrine/internal/queue"
)

// answerWithin is how long processes on a queue have to say who they are.
const answerWithin = 2 * time.Second

// examineQueue says of each service on a queue who may take its jobs, and what keeps the
// other workers from them.
func examineQueue(ctx context.Context, c *common, j *joining) []ailment {
	members, err := queue.Members(ctx, queue.Settings{URL: j.nats, Auth: j.shown(c)}, answerWithin)
	if err != nil {
		return []ailment{from("queue", "missing", err)}
	}
	slices.SortFunc(members, func(a, b queue.Member) int { return strings.Compare(a.Service+" "+a.Worker, b.Service+" "+b.Worker) })
	var all []ailment
	for _, m := range members {
		if m.Service != "" {
			all = append(all, examineService(m, members)...)
		}
	}
	if len(all) == 0 {
		return []ailment{{"queue", "warning", fmt.Sprintf("no service asks for jobs there; %d workers wait", len(members)), "start vitrine serve --nats " + queue.Address(j.nats)}}
	}
	return all
}

// examineService is about one service and all workers.
func examineService(service queue.Member, members []queue.Member) []ailment {
	a := ailment{"queue", "ok", "", ""}
	able := 0
	var others []ailment
	for _, m := range members {
		d := service.Provenance.Differences(m.Provenance)
		switch {
		case m.Worker == "":
		case len(d) == 0:
			able++
		default:
			others = append(others, ailment{
				"queue", "warning", fmt.Sprintf("the worker %s gets no jobs of %s: it has another %s", m.Worker, service.Service, strings.Join(d, ", another ")),
				"start it with the version, browser, fonts, flags and files of the service",
			})
		}
	}
	a.Text = fmt.Sprintf("%d workers may take jobs of %s", able, service.Service)
	if able == 0 {
		a.Status, a.Fix = "missing", "start vitrine worker with the version, browser, fonts, flags and files of the service"
	}
	return append([]ailment{a}, others...)
}
