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
	mu    sync.Mutex
	of    map[string][]grpo.Member
	order []string         // oldest first
	all   map[string]total // rewards there were, by recipe: each has a scale of its own
}

// A total is a sum of rewards.
type total struct {
	sum    float64
	number int
}

func newGroups() *groups {
	return &groups{of: map[string][]grpo.Member{}, all: map[string]total{}}
}

// see notes an answer; no reward is one that could not be judged. Items that name
// neither group nor task are of no group. Of a session, the turns were seen.
func (g *groups) see(item *Item, r *Result) {
	if item.SessionID != "" {
		return
	}
	print := grpo.Print(item.text())
	g.mu.Lock()
	defer g.mu.Unlock()
	if all := g.all[r.Recipe]; r.Reward != nil {
		g.all[r.Recipe] = total{all.sum + *r.Reward, all.number + 1}
	}
	name := group(r)
	if name == "" {
		return
	}
	members, known := g.of[name]
	if !known {
		g.order = append(g.order, name)
	}
	members = append(members, grpo.Member{Reward: r.Reward, Print: print})
	g.of[name] = members[max(0, len(members)-maxMembers):]
	if len(g.order) > maxGroups {
		delete(g.of, g.order[0])
		g.order = g.order[1:]
	}
}

// group names that of a result: one prompt's outputs under one recipe.
func group(r *Result) string {
	if r.GroupID != "" {
		return r.Recipe + " group " + r.GroupID
	}
	if r.TaskID != "" {
		return r.Recipe + " task " + strings.TrimSpace(r.TaskID)
	}
	return ""
}

// mean is that of a group's rewards; of all rewards of the recipe, if there is none in
// the group, and 0 if there is none at all.
func (g *groups) mean(recipe, name string) float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	if m := grpo.Describe(g.of[name]).Mean; m != nil {
		return *m
	}
	all := g.all[recipe]
	return all.sum / float64(max(1, all.number))
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
// rewards that the group of the result had so far under its recipe, with which the
// sample teaches nothing. A reward that is made up is always marked as such beside it.
func (s *Server) StandIn(r *Result) float64 { return s.groups.mean(r.Recipe, group(r)) }
