package e2e

import (
	"path/filepath"
	"testing"

	"coredbg"
	"coredbg/runtimes/v8"
	"coredbg/runtimes/v8/layout"
)

// TestDoubt: a V8 that is laid out in another way than its version says is found out,
// and one that is as its version says is not.
func TestDoubt(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens cores of Node")
	}
	for name, others := range map[string][]layout.Version{
		"node-16-fatal": {{Major: 8, Minor: 4}, {Major: 10, Minor: 2}, {Major: 12, Minor: 4}},
		"node-20":       {{Major: 8, Minor: 4}, {Major: 9, Minor: 4}, {Major: 12, Minor: 4}, {Major: 14, Minor: 6}},
		"node-24":       {{Major: 9, Minor: 4}, {Major: 12, Minor: 4}},
		"node-26":       {{Major: 9, Minor: 4}, {Major: 12, Minor: 4}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := coredbg.Open(filepath.Join("../../testdata/cores", name+".cdb"), coredbg.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Process.Close()
			for _, r := range s.Runtimes() {
				v := r.(*v8.V8)
				if err := v.Doubt(); err != nil {
					t.Error(err)
				}
				if n := v.SelfTest().Functions; n < 30 {
					t.Errorf("only %d functions were tried", n)
				}
				for _, other := range others {
					if err := v.Load(other, true); err != nil {
						t.Fatal(err)
					}
					if v.Doubt() == nil {
						t.Errorf("as %v: %v", other, v.SelfTest())
					}
				}
			}
		})
	}
}
