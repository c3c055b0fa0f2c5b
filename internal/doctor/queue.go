package doctor

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

// Queue examines the queue at a URL: it says of each service who may take its jobs, and
// what keeps the other workers from them.
func Queue(ctx context.Context, url string, auth queue.Auth) []Diagnosis {
	members, err := queue.Members(ctx, queue.Settings{URL: url, Auth: auth}, answerWithin)
	if err != nil {
		return []Diagnosis{from("queue", Missing, err)}
	}
	slices.SortFunc(members, func(a, b queue.Member) int { return strings.Compare(a.Service+" "+a.Worker, b.Service+" "+b.Worker) })
	var all []Diagnosis
	for _, m := range members {
		if m.Service != "" {
			all = append(all, service(m, members)...)
		}
	}
	if len(all) == 0 {
		return []Diagnosis{{"queue", Warning, fmt.Sprintf("no service asks for jobs there; %d workers wait", len(members)), "start vitrine serve --nats " + queue.Address(url)}}
	}
	return all
}

// service is about one service and all workers.
func service(s queue.Member, members []queue.Member) []Diagnosis {
	a := Diagnosis{"queue", OK, "", ""}
	able := 0
	var others []Diagnosis
	for _, m := range members {
		d := s.Provenance.Differences(m.Provenance)
		switch {
		case m.Worker == "":
		case len(d) == 0:
			able++
		default:
			others = append(others, Diagnosis{
				"queue", Warning, fmt.Sprintf("the worker %s gets no jobs of %s: it has another %s", m.Worker, s.Service, strings.Join(d, ", another ")),
				"start it with the version, browser, fonts, flags and files of the service",
			})
		}
	}
	a.Text = fmt.Sprintf("%d workers may take jobs of %s", able, s.Service)
	if able == 0 {
		a.Status, a.Fix = Missing, "start vitrine worker with the version, browser, fonts, flags and files of the service"
	}
	return append([]Diagnosis{a}, others...)
}
