package capture

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"

	"vitrine"
	"vitrine/internal/live"
)

const maxAXNodes = 1500

// quiet roles carry nothing for a reader.
var quietRoles = map[string]bool{"none": true, "generic": true, "InlineTextBox": true, "ignored": true, "LineBreak": true}

// probeAccessibility reads Chromium's accessibility tree, in document order.
func (v *visit) probeAccessibility(ctx context.Context, view *vitrine.View) error {
	res, err := cdp.Call(ctx, v, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		return fmt.Errorf("accessibility tree: %w", err)
	}
	if len(res.Nodes) == 0 {
		return nil
	}
	byID := make(map[accessibility.NodeID]*accessibility.Node, len(res.Nodes))
	for _, n := range res.Nodes {
		byID[n.NodeID] = n
	}
	tree := axTree{byID: byID}
	tree.walk(res.Nodes[0], 0)
	view.Accessibility = tree.nodes
	return nil
}

type axTree struct {
	byID  map[accessibility.NodeID]*accessibility.Node
	nodes []vitrine.AXNode
}

func (t *axTree) walk(n *accessibility.Node, depth int) {
	if len(t.nodes) >= maxAXNodes || depth > 200 {
		return
	}
	role := axText(n.Role)
	if !n.Ignored && !quietRoles[role] && role != "" {
		t.nodes = append(t.nodes, vitrine.AXNode{
			Depth: depth, Role: role, Name: live.Bounded(axText(n.Name), 200), Value: live.Bounded(axText(n.Value), 200), Level: headingLevel(n),
		})
		depth++
	}
	for _, id := range n.ChildIDs {
		if child := t.byID[id]; child != nil {
			t.walk(child, depth)
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
