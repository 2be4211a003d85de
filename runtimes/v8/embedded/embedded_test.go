package embedded

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
)

// TestDescription: builtins are known by their description: over a thousand entries whose
// instructions do not overlap and whose metadata is in order.
func TestDescription(t *testing.T) {
	const at, n = core.Addr(0x10000), fewestBuiltins + 10
	le := binary.LittleEndian
	size := func(change func(i int, e []byte)) core.Addr {
		b := make([]byte, (n+4)*reordered)
		for i := range n {
			e := b[i*reordered:]
			le.PutUint32(e, uint32((n-1-i)*128)) // the order of the code is another
			le.PutUint32(e[4:], 100)
			le.PutUint32(e[8:], uint32(16*i))
			change(i, e)
		}
		le.PutUint32(b[n*reordered:], 7) // what follows is none
		s := core.NewSpace([]core.Segment{{Start: at, End: at + core.Addr(len(b)), Kind: core.SegCore, Prot: core.Read, Src: core.Bytes(b)}}, nil)
		if !beginsBuiltins(le, b, reordered, false) {
			return 0
		}
		d, _ := describe(s, le, at, reordered, 0)
		return d.size
	}
	if got := size(func(int, []byte) {}); got != (n-1)*128+100 {
		t.Errorf("the code has %d bytes", got)
	}
	for name, change := range map[string]func(int, []byte){
		"unaligned":         func(i int, e []byte) { le.PutUint32(e, le.Uint32(e)+uint32(i%2)*4) },
		"empty":             func(i int, e []byte) { le.PutUint32(e[4:], 0) },
		"huge":              func(i int, e []byte) { le.PutUint32(e[4:], maxBuiltin+1) },
		"metadata backward": func(i int, e []byte) { le.PutUint32(e[8:], uint32(16*(n-i))) },
		"overlapping":       func(i int, e []byte) { le.PutUint32(e, 0) },
		"sparse":            func(i int, e []byte) { le.PutUint32(e, le.Uint32(e)*64) },
		"few": func(i int, e []byte) {
			if i == 500 {
				le.PutUint32(e, 3)
			}
		},
	} {
		if got := size(change); got != 0 {
			t.Errorf("%s: the code has %d bytes", name, got)
		}
	}
}

// TestCalled: an isolate has the addresses of over a thousand builtins in a row, whose last
// one ends at padding.
func TestCalled(t *testing.T) {
	const text, isolateAt, n = core.Addr(0x55de_974a_d000), core.Addr(0x72c0_0051_0000), fewestBuiltins + 5
	le := binary.LittleEndian
	code := make([]byte, 0x40000)
	copy(code[(n-1)*64+40:], "\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc")
	isolate := make([]byte, 0x8000)
	find := func() (area, int) {
		space := core.NewSpace([]core.Segment{
			{Start: text, End: text + core.Addr(len(code)), Kind: core.SegCore, Prot: core.Read | core.Exec, Src: core.Bytes(code)},
			{Start: isolateAt, End: isolateAt + core.Addr(len(isolate)), Kind: core.SegCore, Prot: core.Read | core.Write, Src: core.Bytes(isolate)},
		}, nil)
		start, end, starts := called(&core.Process{Arch: core.AMD64, Space: space})
		return area{start, end}, len(starts)
	}
	for i := range n {
		le.PutUint64(isolate[0x500+8*i:], uint64(text)+uint64((n-1-i)*64))
	}
	if got, count := find(); count != n || got != (area{text, text + (n-1)*64 + 40}) {
		t.Errorf("%d builtins are at %+v", count, got)
	}
	le.PutUint64(isolate[0x500+8*500:], uint64(isolateAt))
	if got, count := find(); count != 0 {
		t.Errorf("with data among them builtins are at %+v", got)
	}
}

// TestPadding: the builtins of a text are where padding ends all of them.
func TestPadding(t *testing.T) {
	text := []byte{1, 2, 3, 0xcc, 5, 6, 0xcc, 0xcc}
	for _, c := range []struct {
		gaps []gap
		want bool
	}{
		{[]gap{{3, 4}, {6, 8}}, true}, {[]gap{{3, 5}}, false}, {[]gap{{5, 8}}, false}, {nil, true},
	} {
		if got := hasPadding(text, c.gaps); got != c.want {
			t.Errorf("%v: %v", c.gaps, got)
		}
	}
}
