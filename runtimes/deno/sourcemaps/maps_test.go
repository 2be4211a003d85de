package sourcemaps

import (
	"context"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestCancelledSearch has a map in memory: a search that is cancelled does not count as done.
func TestCancelledSearch(t *testing.T) {
	const text = `{"version":3,"sources":["file:///main.ts"],"mappings":"AAAA"}`
	memory := make([]byte, 0x1000)
	copy(memory[0x100:], text)
	f := New(coretest.New(core.AMD64).Map(0x10000, memory).Process())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		want int
	}{{"cancelled", ctx, 0}, {"whole", t.Context(), 1}, {"kept", ctx, 1}} {
		list := f.SourceMaps(c.ctx, "file:///main.ts", "")
		if len(list) != c.want || c.want > 0 && string(list[0].Text) != text {
			t.Errorf("%s: %d maps, want %d: %v", c.name, len(list), c.want, list)
		}
	}
}
