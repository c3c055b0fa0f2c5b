package browser

import (
	"context"
	"os/exec"
	"testing"
)

func TestAnyChromiumWillDo(t *testing.T) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("the full chromium is not installed; chromium-headless-shell is what we test with")
	}
	sup := supervisor(t, Settings{Path: path})
	for range 2 {
		var title string
		err := show(t, sup, `<!doctype html><title>Hello</title>`, func(ctx context.Context, p *Page) error {
			if _, err := p.Screenshot(ctx, 1280, 800, false); err != nil {
				return err
			}
			return p.Eval(ctx, `document.title`, &title)
		})
		if err != nil || title != "Hello" {
			t.Fatalf("got %q, %v", title, err)
		}
	}
}
