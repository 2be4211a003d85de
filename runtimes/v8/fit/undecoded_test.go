package fit

import (
	"testing"

	"coredbg/core"
)

// TestHeapLeftOut: only for dumps of selected memory does the reason mention that the heap is missing, and the
// keys that the crash reporter was given.
func TestHeapLeftOut(t *testing.T) {
	const dump = "its heap is not in this dump, which has chosen memory only, such as stacks"
	keys := []core.Annotation{{Name: "ver", Value: "1"}, {Name: "v8_isolate_address", Value: "0x1000"},
		{Name: "V8-more", Value: "x"}}
	for _, c := range []struct {
		elsewhere, gap core.Gap
		keys           []core.Annotation
		want           string
	}{
		{core.NotInDump, 0, keys, dump + "; of V8 the program told its crash reporter v8_isolate_address 0x1000, V8-more x"},
		{core.NotInDump, 0, nil, dump},
		{core.Unmapped, core.NotInDump, keys[:1], dump},
		{core.Unmapped, core.LeftOut, nil, "its heap was left out of the bundle"},
		{core.Unmapped, core.NotDumped, nil, ""},
	} {
		p := &core.Process{Space: core.NewSpace([]core.Segment{{Start: 0x1000, End: 0x2000, Gap: c.gap}}, nil),
			Annotations: c.keys}
		p.Space.Elsewhere = c.elsewhere
		u := &Undecoded{}
		if why := heapLeftOut(p); why != "" {
			u.because("%s", why)
		}
		u.crashKeys(p)
		if u.Undecoded() != c.want {
			t.Errorf("%v, %v: %q, want %q", c.elsewhere, c.gap, u.Undecoded(), c.want)
		}
	}
}
