package v8

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
)

// fillerOf fills the gaps of a space as another does.
type fillerOf struct{ space *core.Space }

func (f fillerOf) Fill(gap core.Segment, a core.Addr) core.Segment {
	s, _ := f.space.Resolve(a)
	return s
}

// TestProbeWithinKnown: a known version is tried on the core too. A V8 that reports another version than its
// own, as forks do, is doubted and probed; one that reports its own version is not. Numbers from constants hold
// for both.
func TestProbeWithinKnown(t *testing.T) {
	for _, c := range []struct {
		says    layout.Version
		doubted bool
	}{
		{layout.V(13, 6), false}, // Node 24's own
		{layout.V(7, 4), true},
		{layout.V(9, 4), true},
	} {
		t.Run(c.says.String(), func(t *testing.T) {
			p, symbols, own := OpenCore(t, "../../testdata/cores/node-24.cdb")
			segs := p.Space.Segments()
			segs = segs[:len(segs):len(segs)]
			for name, n := range map[string]int{"major": c.says.Major, "minor": c.says.Minor} {
				y, ok := symbols.Exact(own.Image.Module, "_ZN2v88internal7Version6"+name+"_E")
				if !ok {
					t.Fatalf("no symbol of the %s version", name)
				}
				segs = append(segs, core.Segment{Start: y.Addr, End: y.Addr + 4, Kind: core.SegCore, Prot: core.Read,
					Src: core.Bytes(binary.LittleEndian.AppendUint32(nil, uint32(n)))})
			}
			p.Space = core.NewSpace(segs, fillerOf{p.Space})
			r, err := Probe(context.Background(), runtimes.Target{Process: p, Symbols: symbols})
			v, ok := r.(*V8)
			if err != nil || !ok {
				t.Fatalf("Probe: %v, %v", r, err)
			}
			if got := v.Image.Version; got.Major != c.says.Major || got.Minor != c.says.Minor || v.Uncertain() {
				t.Fatalf("it is of %v, which is not known: %v", got, v.Uncertain())
			}
			probed := 0
			for _, f := range v.Layout.Facts() {
				if f.Supplier == layout.FromProbe {
					probed++
				}
			}
			doubt := v.Doubt()
			t.Logf("%d probed; %v; %v", probed, v.SelfTest(), doubt)
			if (probed > 0) != c.doubted || (doubt != nil) != c.doubted {
				t.Errorf("doubt %v, %d numbers were probed", doubt, probed)
			}
			said := ""
			for _, w := range v.Warnings() {
				said += w.Text
			}
			if (doubt != nil) != strings.Contains(said, "functions decode") {
				t.Errorf("doubt %v, but the warnings are %q", doubt, said)
			}
		})
	}
}
