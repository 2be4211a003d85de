package v8_test

import (
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/layout"
)

// TestLiveBuiltinNames compares the numbers, names and places of builtins, as read from the image, with the
// image's symbols, for every version that has symbols.
func TestLiveBuiltinNames(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		if strings.HasSuffix(dir, "-stripped") {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			p, symbols, v := openLive(t, filepath.Join(dir, "core"))
			want := map[string]sym.Symbol{}
			_ = symbols.Prefix(v.Image.Module, layout.BuiltinPrefix, func(s sym.Symbol) bool {
				want[strings.TrimPrefix(s.Name, layout.BuiltinPrefix)] = s
				return true
			})
			b := embedded.Find(p, v.Image.Module)
			if len(want) < 1000 || len(b.Names) < len(want) || len(b.Starts) != len(b.Names) {
				t.Fatalf("%d names, %d starts; %d symbols", len(b.Names), len(b.Starts), len(want))
			}
			for i, name := range b.Names {
				if s, ok := want[name]; ok && s.Addr != b.Starts[i] {
					t.Errorf("%s (%d) at %v, its symbol at %v", name, i, b.Starts[i], s.Addr)
				}
				if s, ok := want[name]; ok && s.Size > 0 {
					if got, off := b.At(s.Addr + 1); got != name || off != 1 {
						t.Errorf("%v is %s+%d, not %s+1", s.Addr+1, got, off, name)
					}
				}
				delete(want, name)
			}
			for name, s := range want {
				t.Errorf("%s at %v has no number", name, s.Addr)
			}
		})
	}
}
