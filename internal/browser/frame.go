package browser

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// A Frame is a document inside of the page's own: of an iframe, object or embed.
type Frame struct {
	ID cdp.FrameID
	// Document changes with every document that the frame shows.
	Document string
}

// Root is the frame of the page's own document.
func (p *Page) Root() cdp.FrameID { return p.frame }

// Frames lists the frames inside of the page, each before those inside of it, at most
// limit.
func (p *Page) Frames(ctx context.Context, limit int) ([]Frame, error) {
	res, err := cdp.Call(ctx, p, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return nil, err
	}
	var frames []Frame
	var walk func(t *page.FrameTree)
	walk = func(t *page.FrameTree) {
		for _, child := range t.ChildFrames {
			if len(frames) == limit {
				return
			}
			frames = append(frames, Frame{child.Frame.ID, child.Frame.ID.String() + " " + string(child.Frame.LoaderID)})
			walk(child)
		}
	}
	walk(res.FrameTree)
	return frames, nil
}

// CountFrames counts the frames that the page has, from now on until it is reset.
func (p *Page) CountFrames() func() int64 {
	count := func(method string) *atomic.Int64 {
		n, cancel := p.Count(method)
		p.cancels = append(p.cancels, cancel)
		return n
	}
	attached, detached := count(page.FrameAttached.Method), count(page.FrameDetached.Method)
	return func() int64 { return attached.Load() - detached.Load() }
}

const isolatedWorld = "vitrine"

// World is the isolated world of a frame's document; see [Page.EvalIsolated].
func (p *Page) World(ctx context.Context, frame cdp.FrameID) (runtime.ExecutionContextID, error) {
	w, err := cdp.Call(ctx, p, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frame, WorldName: isolatedWorld})
	return w.ExecutionContextID, err
}

// EvalIsolatedIn is [Page.EvalIsolated] in a frame.
func (p *Page) EvalIsolatedIn(ctx context.Context, frame cdp.FrameID, expression string, out any) error {
	if known := p.isolated.Load(); frame == p.frame && known != nil {
		err := p.eval(ctx, runtime.EvaluateParams{Expression: expression, UniqueContextID: *known}, out)
		if !noSuchContext(err) {
			return err
		}
		p.isolated.CompareAndSwap(known, nil)
	}
	world, err := p.World(ctx, frame)
	if err != nil {
		return err
	}
	return p.eval(ctx, runtime.EvaluateParams{Expression: expression, ContextID: world}, out)
}

// watchIsolated keeps the isolated world of the page's own document. It is known by an
// identifier that no other context ever has: the number of one may be that of another, such as
// the page's own world, in the process of the next document.
func (p *Page) watchIsolated() {
	p.isolated.Store(nil)
	p.On(runtime.ExecutionContextCreated.Method, func(raw jsonv2.Value) {
		var e struct {
			Context struct {
				UniqueID string `json:"uniqueId"`
				Name     string `json:"name"`
				AuxData  struct {
					Type    string      `json:"type"`
					FrameID cdp.FrameID `json:"frameId"`
				} `json:"auxData"`
			} `json:"context"`
		}
		if jsonv2.Unmarshal(raw, &e) == nil && e.Context.Name == isolatedWorld && e.Context.AuxData.Type == "isolated" && e.Context.AuxData.FrameID == p.frame {
			p.isolated.Store(&e.Context.UniqueID)
		}
	})
}

// noSuchContext reports whether nothing was evaluated: the document has been replaced.
func noSuchContext(err error) bool {
	var e *ProtocolError
	return errors.As(err, &e) && strings.Contains(e.Message, "uniqueContextId not found")
}

// MainDocument is the document of a frame in the world of the page's scripts.
func (p *Page) MainDocument(ctx context.Context, frame cdp.FrameID) (runtime.RemoteObjectID, error) {
	world, err := p.World(ctx, frame)
	if err != nil {
		return "", err
	}
	there, err := cdp.Call(ctx, p, runtime.Evaluate, runtime.EvaluateParams{Expression: "document", ContextID: world})
	if err != nil {
		return "", err
	}
	node, err := cdp.Call(ctx, p, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: there.Result.ObjectID})
	if err != nil {
		return "", err
	}
	return p.Resolve(ctx, node.Node.BackendNodeID, 0)
}

// Resolve gives a node as an object of a world, the page's own where that is 0.
func (p *Page) Resolve(ctx context.Context, node cdp.BackendNodeID, world runtime.ExecutionContextID) (runtime.RemoteObjectID, error) {
	res, err := cdp.Call(ctx, p, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node, ExecutionContextID: world})
	if err != nil {
		return "", err
	}
	return res.Object.ObjectID, nil
}

// CallOn calls a function in the world of an object, which is its this, waits for its
// promise and decodes its JSON value into out, which may be nil.
func (p *Page) CallOn(ctx context.Context, this runtime.RemoteObjectID, function string, out any, args ...runtime.RemoteObjectID) error {
	yes := true
	params := runtime.CallFunctionOnParams{ObjectID: this, FunctionDeclaration: function, ReturnByValue: &yes, AwaitPromise: &yes, Silent: &yes}
	for _, arg := range args {
		params.Arguments = append(params.Arguments, &runtime.CallArgument{ObjectID: arg})
	}
	res, err := cdp.Call(ctx, p, runtime.CallFunctionOn, params)
	if err != nil {
		return err
	}
	return ownValue(res.Result, res.ExceptionDetails, out)
}
