package server

import (
	"strings"
	"sync"

	"vitrine/internal/grpo"
)

// How much of the past the groups remember.
const (
	maxGroups  = 512 // the newest
	maxMembers = 128 // of one group, the newest
)

// groups watches what a trainer learns from: the rewards of one prompt's outputs.
type groups struct {
	mu     sync.Mutex
	of     map[string][]grpo.Member
	order  []string // oldest first
	all    float64  // sum of all rewards there were
	number int
}

func newGroups() *groups { return &groups{of: map[string][]grpo.Member{}} }

// see notes an answer; no reward is one that could not be judged. Items that name
// neither group nor task are of no group.
func (g *groups) see(item *Item, reward *float64) {
	print := grpo.Print(item.text())
	g.mu.Lock()
	defer g.mu.Unlock()
	if reward != nil {
		g.all += *reward
		g.number++
	}
	name := group(string(item.GroupID), string(item.TaskID))
	if name == "" {
		return
	}
	members, known := g.of[name]
	if !known {
		g.order = append(g.order, name)
	}
	members = append(members, grpo.Member{Reward: reward, Print: print})
	g.of[name] = members[max(0, len(members)-maxMembers):]
	if len(g.order) > maxGroups {
		delete(g.of, g.order[0])
		g.order = g.order[1:]
	}
}

func group(id, task string) string {
	if id != "" {
		return "group " + id
	}
	if task != "" {
		return "task " + strings.TrimSpace(task)
	}
	return ""
}

// mean is that of a group's rewards; of all rewards, if there is none in the group,
// and 0 if there is none at all.
func (g *groups) mean(name string) float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	if m := grpo.Describe(g.of[name]).Mean; m != nil {
		return *m
	}
	return g.all / float64(max(1, g.number))
}

// summary says how much there is to learn from the groups.
func (g *groups) summary() grpo.Summary {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []grpo.Group
	for _, members := range g.of {
		all = append(all, grpo.Describe(members))
	}
	return grpo.Summarise(all)
}

// StandIn is what a protocol that cannot say null gives in its place: the mean of the
// rewards that the group had so far, with which the sample teaches nothing. A
// reward that is made up is always marked as such beside it.
func (s *Server) StandIn(groupID, taskID string) float64 {
	return s.groups.mean(group(groupID, taskID))
}
