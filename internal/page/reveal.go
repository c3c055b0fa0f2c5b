package page

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domsnapshot"
	"github.com/chromedp/cdproto/runtime"
	"golang.org/x/sync/errgroup"
)

//go:embed scripts/count.js
var countScript string

//go:embed scripts/reveal.js
var revealScript string

const (
	maxShadowTrees = 1000 // revealed in one document
	resolving      = 16   // nodes asked for at once
)

// A Document is one of those that a page is made of.
type Document struct {
	Frame cdp.FrameID
	// Main is the document in the world of its scripts.
	Main runtime.RemoteObjectID
	// Frames are the frames in it, without those of other hosts, which are not fetched.
	// OwnerNodes are the elements that hold them; scripts of the isolated world find an
	// element's index in vitrine.owners.
	Frames     []cdp.FrameID
	OwnerNodes []cdp.BackendNodeID
	HasShadow  bool // it has shadow trees
	// SkippedTrees are the shadow trees beyond maxShadowTrees, which are not looked into.
	SkippedTrees int
}

// Reveal finds all documents that the page is made of, its own first, and lets the scripts
// of their isolated worlds see what their shadow trees hold, closed ones too. The page
// cannot tell. It gives nothing for a page of one document without shadow trees, which
// costs a count of nodes.
func (p *Page) Reveal(ctx context.Context) ([]Document, error) {
	more, err := p.holdsMore(ctx)
	if err != nil || !more {
		return nil, err
	}
	var s snapshot
	if err := p.Tab.Call(ctx, domsnapshot.CaptureSnapshot.Method, domsnapshot.CaptureSnapshotParams{ComputedStyles: []string{}}, &s); err != nil {
		return nil, fmt.Errorf("list the documents of the page: %w", err)
	}
	var documents []Document
	for i := range s.Documents[:min(len(s.Documents), MaxFrames+1)] {
		d, err := p.reveal(ctx, &s, i)
		if Gone(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		documents = append(documents, d)
	}
	root := func(d Document) bool { return d.Frame == p.Tab.Root() }
	if at := slices.IndexFunc(documents, root); at > 0 {
		documents[0], documents[at] = documents[at], documents[0]
	} else if at < 0 {
		return nil, nil
	}
	return documents, nil
}

// holdsMore tells a page of frames or shadow trees from one that scripts see all of. A
// search of the protocol goes through closed shadow trees, scripts do not.
func (p *Page) holdsMore(ctx context.Context) (bool, error) {
	if p.HasFrames() {
		return true, nil
	}
	var seen int64
	if err := p.AskIsolated(ctx, countScript, &seen); err != nil || seen < 0 {
		return seen < 0, err
	}
	if _, err := cdp.Call(ctx, p.Tab, dom.Enable, dom.EnableParams{}); err != nil {
		return false, err
	}
	found, err := cdp.Call(ctx, p.Tab, dom.PerformSearch, dom.PerformSearchParams{Query: ""})
	if err != nil {
		return false, err
	}
	_, err = cdp.Call(ctx, p.Tab, dom.Disable, cdp.Empty{})
	return found.ResultCount != seen, err
}

// A snapshot is what the protocol tells of all documents of a page: their nodes as
// columns, with indexes into Strings for names.
type snapshot struct {
	Documents []struct {
		URL   int `json:"documentURL"`
		Frame int `json:"frameId"`
		Nodes struct {
			Parent  []int               `json:"parentIndex"`
			Name    []int               `json:"nodeName"`
			Backend []cdp.BackendNodeID `json:"backendNodeId"`
			Shadow  column              `json:"shadowRootType"`
			Content column              `json:"contentDocumentIndex"`
		} `json:"nodes"`
	} `json:"documents"`
	Strings []string `json:"strings"`
}

// A column has values for some of the nodes.
type column struct {
	Index []int `json:"index"`
	Value []int `json:"value"`
}

func (s *snapshot) text(i int) string {
	if i < 0 || i >= len(s.Strings) {
		return ""
	}
	return s.Strings[i]
}

// hosts are the elements, apart from custom ones, that may have a shadow tree.
var hosts = strings.Fields("ARTICLE ASIDE BLOCKQUOTE BODY DIV FOOTER H1 H2 H3 H4 H5 H6 HEADER MAIN NAV P SECTION SPAN")

// shadowNodes gives a node of each shadow tree of a document. The snapshot says that a node is
// in a shadow tree, not in which. Where parent and child are in trees of the same kind, the
// parent may be an ordinary node of that tree and no host: such a child is taken only if its
// parent can be a host, and may be a second node of a tree.
func (s *snapshot) shadowNodes(document int) []cdp.BackendNodeID {
	nodes := s.Documents[document].Nodes
	kind := map[int]string{}
	for at, i := range nodes.Shadow.Index {
		kind[i] = s.text(nodes.Shadow.Value[at])
	}
	var sure, likely, perhaps []cdp.BackendNodeID
	seen := map[int]bool{}
	for _, i := range nodes.Shadow.Index {
		host := nodes.Parent[i]
		if host < 0 || seen[host] || kind[i] == "user-agent" {
			continue
		}
		seen[host] = true
		name := s.text(nodes.Name[host])
		switch custom := strings.Contains(name, "-"); {
		case kind[host] != kind[i]:
			sure = append(sure, nodes.Backend[i])
		case custom:
			likely = append(likely, nodes.Backend[i])
		case slices.Contains(hosts, name):
			perhaps = append(perhaps, nodes.Backend[i])
		}
	}
	return slices.Concat(sure, likely, perhaps)
}

// reveal gives the shadow roots of a document to our scripts in the isolated world and to the
// clock in the main world, and its frame owners to the former.
func (p *Page) reveal(ctx context.Context, s *snapshot, at int) (Document, error) {
	nodes := s.Documents[at].Nodes
	d := Document{Frame: cdp.FrameID(s.text(s.Documents[at].Frame))}
	if len(nodes.Backend) == 0 {
		return d, nil
	}
	for k, i := range nodes.Content.Index {
		content := nodes.Content.Value[k]
		if content < len(s.Documents) && !strings.HasPrefix(s.text(s.Documents[content].URL), "chrome-error:") {
			d.OwnerNodes = append(d.OwnerNodes, nodes.Backend[i])
			d.Frames = append(d.Frames, cdp.FrameID(s.text(s.Documents[content].Frame)))
		}
	}
	trees := s.shadowNodes(at)
	d.SkippedTrees = max(0, len(trees)-maxShadowTrees)
	trees = trees[:len(trees)-d.SkippedTrees]
	d.HasShadow = len(trees) > 0
	world, err := p.Tab.World(ctx, d.Frame)
	if err != nil {
		return d, err
	}
	if d.Main, err = p.Tab.Resolve(ctx, nodes.Backend[0], 0); err != nil {
		return d, err
	}
	if len(trees)+len(d.Frames) == 0 {
		return d, nil
	}
	isolated, err := p.resolve(ctx, slices.Concat(trees, d.OwnerNodes), world)
	if err != nil {
		return d, err
	}
	script := strings.Replace(revealScript, "COUNT", strconv.Itoa(len(trees)), 1)
	if err := p.Tab.CallOn(ctx, isolated[0], script, nil, isolated...); err != nil {
		return d, err
	}
	main, err := p.resolve(ctx, trees, 0)
	if err != nil {
		return d, err
	}
	return d, p.Tab.CallOn(ctx, d.Main, "function (...nodes) { __vitrine.adopt(...nodes) }", nil, main...)
}

// resolve gives nodes as objects of a world.
func (p *Page) resolve(ctx context.Context, nodes []cdp.BackendNodeID, world runtime.ExecutionContextID) ([]runtime.RemoteObjectID, error) {
	objects := make([]runtime.RemoteObjectID, len(nodes))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(resolving)
	for i, node := range nodes {
		group.Go(func() (err error) {
			objects[i], err = p.Tab.Resolve(ctx, node, world)
			return err
		})
	}
	return objects, group.Wait()
}
