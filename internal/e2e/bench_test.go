package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"coredbg"
)

// BenchmarkCommand opens a core anew and runs one command, as a script does.
// The cores are those of the figures in bench/README.md.
func BenchmarkCommand(b *testing.B) {
	root := os.Getenv("COREDBG_LIVE")
	for _, c := range []struct{ core, command string }{
		{"cxx-O2", "::status"},
		{"cxx-O2", "::stacks -a"},
		{"fleet-5000", "::stacks -a"},
		{"deep", "::stacks -a"},
		{"mappings70000", "::stacks -a"},
		{"libs2000", "::stacks -a"},
		{"big8g", "::stacks -a"},
		{"node-24.21.0-deep", "::jsstack"},
		{"node-24.21.0-plain", "::stacks -a"},
	} {
		path := filepath.Join(root, c.core, "core")
		b.Run(c.core+c.command, func(b *testing.B) {
			if _, err := os.Stat(path); root == "" || err != nil {
				b.Skipf("no core %s below COREDBG_LIVE", c.core)
			}
			b.ReportAllocs()
			for b.Loop() {
				s, err := coredbg.Open(path, coredbg.Options{})
				if err != nil {
					b.Fatal(err)
				}
				if err := s.Run(b.Context(), c.command); err != nil {
					b.Error(err)
				}
				s.Process.Close()
			}
		})
	}
}
