package capture

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"

	"vitrine"
	"vitrine/internal/page"
)

const maxAXNodes = 1500

// quiet roles carry nothing for a reader.
var quietRoles = map[string]bool{"none": true, "generic": true, "InlineTextBox": true, "ignored": true, "LineBreak": true}

// probeAccessibility reads Chromium's accessibility tree, in document order, that of a
// frame below the element that holds it.
func (v *visit) probeAccessibility(ctx context.Context, view *vitrine.View) error {
	tree := axTree{frames: map[cdp.BackendNodeID]cdp.FrameID{}, trees: map[cdp.FrameID]axNodes{}}
	if err := tree.add(ctx, v, v.page.Tab.Root()); err != nil {
		return fmt.Errorf("accessibility tree: %w", err)
	}
	for i, d := range v.documents {
		for k, node := range d.OwnerNodes {
			tree.frames[node] = d.Frames[k]
		}
		if i == 0 {
			continue
		}
		if err := tree.add(ctx, v, d.Frame); err != nil && !page.Gone(err) {
			return fmt.Errorf("accessibility tree of a frame: %w", err)
		}
	}
	if root := tree.trees[v.page.Tab.Root()]; root.first != nil {
		tree.walk(root, root.first, 0)
	}
	view.Accessibility = tree.nodes
	return nil
}

// axNodes are those of one document.
type axNodes struct {
	first *accessibility.Node
	byID  map[accessibility.NodeID]*accessibility.Node
}

type axTree struct {
	trees  map[cdp.FrameID]axNodes
	frames map[cdp.BackendNodeID]cdp.FrameID // by the element that holds it
	nodes  []vitrine.AXNode
}

func (t *axTree) add(ctx context.Context, v *visit, frame cdp.FrameID) error {
	res, err := cdp.Call(ctx, v.page.Tab, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{FrameID: frame})
	if err != nil || len(res.Nodes) == 0 {
		return err
	}
	byID := make(map[accessibility.NodeID]*accessibility.Node, len(res.Nodes))
	for _, n := range res.Nodes {
		byID[n.NodeID] = n
	}
	t.trees[frame] = axNodes{res.Nodes[0], byID}
	return nil
}

func (t *axTree) walk(in axNodes, n *accessibility.Node, depth int) {
	if len(t.nodes) >= maxAXNodes || depth > 200 {
		return
	}
	role := axText(n.Role)
	if !n.Ignored && !quietRoles[role] && role != "" {
		t.nodes = append(t.nodes, vitrine.AXNode{
			Depth: depth, Role: role, Name: page.Bounded(axText(n.Name), 200), Value: page.Bounded(axText(n.Value), 200), Level: headingLevel(n),
		})
		depth++
	}
	if inner := t.trees[t.frames[n.BackendDOMNodeID]]; inner.first != nil && inner.first != n {
		t.walk(inner, inner.first, depth)
	}
	for _, id := range n.ChildIDs {
		if child := in.byID[id]; child != nil {
			t.walk(in, child, depth)
		}
	}
}

func axText(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	var s string
	if jsonv2.Unmarshal(v.Value, &s) != nil {
		return string(v.Value)
	}
	return s
}

func headingLevel(n *accessibility.Node) int {
	for _, p := range n.Properties {
		var level int
		if p.Name == "level" && jsonv2.Unmarshal(p.Value.Value, &level) == nil {
			return level
		}
	}
	return 0
}
