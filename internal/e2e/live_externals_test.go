package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
)

// TestLiveResources: characters read through a resource equal the characters at the address that V8 itself
// keeps, for strings that keep it, in Node, Deno, workerd and Blink.
func TestLiveResources(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			s, err := coredbg.Open(path, coredbg.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			v, err := v8.Among(s.Process, s.Runtimes())
			if err != nil {
				t.Fatal(err)
			}
			h, err := v.Heaps.Snapshot(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			l := &v.Layout.String
			agreed := 0
			for typ := range l.FirstNonstringType {
				if !v.Objects.KeepsAddress(typ) {
					continue
				}
				list, err := h.OfType(t.Context(), typ)
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range list {
					info, err := v.Objects.StringInfo(o)
					if err != nil || info.Unknown != "" {
						t.Errorf("%v, of type %d: %v %s", o, typ, err, info.Unknown)
						continue
					}
					if got, why := v.Objects.ResourceData(o, typ, info.Length); got != info.Data {
						t.Errorf("%v, of %d characters: its resource has them at %v (%s), and it at %v", o, info.Length,
							got, why, info.Data)
						continue
					}
					agreed++
				}
			}
			if agreed == 0 && !strings.Contains(filepath.Dir(path), "-bare-") { // Bare gives V8 copies
				t.Error("no external strings")
			}
		})
	}
}
