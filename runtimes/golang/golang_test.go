package golang

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
)

// TestVersion: the section has the form that debug/buildinfo reads.
func TestVersion(t *testing.T) {
	head := append([]byte("\xff Go buildinf:\x08\x02"), make([]byte, 16)...)
	for want, data := range map[string][]byte{
		"1.26.8": append(head[:32:32], "\x08go1.26.8\x00"...),
		"":       append(head[:32:32], "\x40go1.26.8"...),
	} {
		if got := version(data); got != want {
			t.Errorf("%q: %q, want %q", data, got, want)
		}
	}
	for n := range 40 {
		if got := version(append(head[:32:32], "\x08go1.26.8"...)[:min(n, 40)]); got != "" {
			t.Errorf("of %d bytes: %q", n, got)
		}
	}
}

// TestProbe: the runtime is the program's, or if that is not a Go program, a library's; plugins have no
// runtime of their own.
func TestProbe(t *testing.T) {
	info := []byte("\xff Go buildinf:\x08\x02")
	for _, c := range []struct {
		of     map[string]bool // modules by name: whether they are Go's
		want   string
		others int
	}{
		{map[string]bool{"exe": false, "lib": false}, "", 0},
		{map[string]bool{"exe": true, "lib": true}, "exe", 0},
		{map[string]bool{"exe": false, "lib": true}, "lib", 0},
		{map[string]bool{"exe": false, "lib": true, "second": true}, "lib", 1},
		{map[string]bool{"exe": false, "small": true}, "", 0}, // too small to have a runtime
	} {
		b := coretest.New(core.AMD64)
		for i, name := range []string{"lib", "exe", "second", "small"} {
			if of, ok := c.of[name]; ok {
				m := named{}
				if of {
					m.built = info
				}
				at := core.Addr(2 * leastLibrary * (i + 1))
				size := core.Addr(leastLibrary)
				if name == "small" {
					size--
				}
				b.Module(name, at, at+size, core.ModuleFacts{Image: m})
			}
		}
		p := b.Process()
		for _, m := range p.Modules {
			m.Exe = m.Path == "exe"
		}
		x, err := Probe(t.Context(), runtimes.Target{Process: p})
		if r, ok := x.(*Runtime); err != nil || ok != (c.want != "") ||
			ok && (r.module.Path != c.want || len(r.Warnings()) != c.others) {
			t.Errorf("%v: %+v, %v", c.of, x, err)
		}
	}
}
