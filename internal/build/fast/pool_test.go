package fast

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
)

// However many projects are built at once, there are no more processes than slots, and a
// project that waits for one gets it, or ends with its own time.
func TestProcessesOfAllProjectsAreBounded(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	b, set := store(t)
	slots := make(chan struct{}, 2)
	b.configs.slots, b.styles.slots = slots, slots
	var building sync.WaitGroup
	for i := range 6 {
		building.Go(func() {
			config := fmt.Sprintf("export default { theme: { x: ['%d'].map((x) => x) } }", i)
			if _, err := built(t.Context(), b, withTailwind(fmt.Sprint("sheet", i), config), set, false); err != nil {
				t.Error(err)
			}
		})
	}
	building.Wait()
	b.Close()
	if len(slots) != 0 {
		t.Fatalf("%d slots were not given back", len(slots))
	}
	slots <- struct{}{}
	slots <- struct{}{}
	ctx, end := context.WithCancel(t.Context())
	end()
	_, err := built(ctx, b, project1(map[string]string{"vite.config.ts": "export default { base: ['/'].map((x) => x)[0] }"}), set, false)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("without a slot: %v", err)
	}
}
