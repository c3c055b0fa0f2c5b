package server

import (
	"net/http"
	"net/netip"
	"strings"
)

// usage is how much of a limited resource all owners hold, and one of them.
type usage struct{ all, own int64 }

// withinQuota reports whether owner may take more of a resource whose limit is most. Where
// other owners can come, it may hold at most as much as stays free, so that one alone gets
// half and the next always finds some; where none can come, it may use all.
func (s *Server) withinQuota(owner string, has usage, more, most int64) bool {
	if !s.singleOwner(owner) {
		has.all += has.own
	}
	return has.all+more <= most
}

// singleOwner reports whether all requests come from one owner: this machine, by one token or
// none.
func (s *Server) singleOwner(owner string) bool {
	ip, err := netip.ParseAddr(owner)
	return len(s.tokens) < 2 && err == nil && ip.IsLoopback()
}

// ownerOf is the owner of a client that [Client] named.
func ownerOf(client string) string {
	owner, _, _ := strings.Cut(client, " ")
	return owner
}

// What an open job takes in memory, in bytes: for each item, with the result that comes of
// it; for each entry of its maps; and for each byte of its texts, which are copied on their
// way through the queue.
const (
	itemCost  = 2 << 10
	entryCost = 128
	textCost  = 4
)

// memoryOf is the memory of the items of a job until it ends, in bytes.
func memoryOf(items []Item) (n int64) {
	for i := range items {
		it := &items[i]
		texts := len(it.ID) + len(it.Instruction) + len(it.TaskID) + len(it.Model) + len(it.Kind) + len(it.GroupID) + len(it.SessionID)
		if it.Output != nil {
			texts += len(*it.Output)
		}
		for name, content := range it.Files {
			texts += len(name) + len(content)
		}
		for name, raw := range it.Meta {
			texts += len(name) + len(raw)
		}
		n += itemCost + int64(entryCost*(len(it.Files)+len(it.Meta))+textCost*texts)
	}
	return n
}

// jobMemory bounds what all open jobs hold, in bytes.
func (s *Server) jobMemory() int64 { return s.intake.State().Limit / 2 }

// outOfMemory is the answer to a job for which there is no memory: its owner's share is used
// up, or all of it.
func outOfMemory(ownShare bool) *Problem {
	const fix = "wait for open jobs, cancel some, or send fewer items"
	if ownShare {
		return problem(http.StatusTooManyRequests, CodeMemory, "this client's share of the memory for open jobs is used up", fix).after(10)
	}
	return problem(http.StatusServiceUnavailable, CodeMemory, "the memory for open jobs is used up", fix).after(10)
}
