package e2e

import (
	"testing"

	"coredbg/core/coretest"

	"coredbg"
)

// BenchmarkCommand opens a core anew and runs one command, as a script does. The cores are the ones of
// the figures in bench/README.md.
func BenchmarkCommand(b *testing.B) {
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
		b.Run(c.core+c.command, func(b *testing.B) {
			path := coretest.Live(b, c.core+"/core")[0]
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
