package layout_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/v8/layout"
)

// TestStacks: where the stack of a thread lies, on its own and on another.
func TestStacks(t *testing.T) {
	const own, alternate, text, page = 0x7f0000000000, 0x7e0000000000, 0x400000, 4096
	const tls = own + 8*page - 64
	put := binary.LittleEndian.PutUint64
	for _, c := range []struct {
		name    string
		arch    *core.Arch
		tid     int
		sp, tls core.Addr
		// a ucontext_t on the alternate stack: where that is, the stack pointer, the program counter
		saved     map[int]uint64
		auxv      []core.AuxEntry
		want      []layout.Area
		usedFirst int // the first page of its own stack that is not zero; 0 if all are zero
	}{
		{name: "on its own", arch: core.AMD64, tid: 2, sp: own + 5*page + 3, tls: tls,
			want: []layout.Area{{own + 5*page, tls}}},
		{name: "in a handler", arch: core.AMD64, tid: 2, sp: alternate, tls: tls,
			saved: map[int]uint64{16: alternate, 32: page, 160: own + 0x2008, 168: text + 4},
			want:  []layout.Area{{alternate, alternate + page}, {own + 0x2008, tls}}},
		{name: "in a handler of arm64", arch: core.ARM64, tid: 2, sp: alternate, tls: tls,
			saved: map[int]uint64{16: alternate, 32: page, 432: own + 0x2010, 440: text + 4},
			want:  []layout.Area{{alternate, alternate + page}, {own + 0x2010, tls}}},
		{name: "a frame record is not saved registers", arch: core.AMD64, tid: 2, sp: alternate, tls: tls,
			saved:     map[int]uint64{160: own + 0x2008, 168: text + 4},
			usedFirst: 3, want: []layout.Area{{alternate, alternate + page}, {own + 3*page, tls}}},
		{name: "on a goroutine's", arch: core.AMD64, tid: 2, sp: alternate + 8, tls: tls, usedFirst: 6,
			want: []layout.Area{{alternate + 8, alternate + page}, {own + 6*page, tls}}},
		{name: "which it never used", arch: core.AMD64, tid: 2, sp: alternate + 8, tls: tls,
			want: []layout.Area{{alternate + 8, alternate + page}}},
		{name: "without a thread pointer", arch: core.AMD64, tid: 2, sp: alternate,
			want: []layout.Area{{alternate, alternate + page}}},
		{name: "with one elsewhere", arch: core.AMD64, tid: 2, sp: alternate, tls: text + 8,
			want: []layout.Area{{alternate, alternate + page}}},
		{name: "the first", arch: core.AMD64, tid: 1, sp: alternate, tls: text + 8,
			auxv:      []core.AuxEntry{{Type: 25, Value: tls - page}},
			usedFirst: 7, want: []layout.Area{{alternate, alternate + page}, {own + 7*page, own + 8*page}}},
		{name: "nowhere", arch: core.AMD64, tid: 2, sp: 0x1000, tls: tls},
	} {
		stack, other := make([]byte, 8*page), make([]byte, page)
		if c.usedFirst > 0 {
			stack[c.usedFirst*page+100] = 1
		}
		for off, w := range c.saved {
			put(other[off:], w)
		}
		b := coretest.New(c.arch).MapProt(own, stack, core.Read|core.Write).MapProt(alternate, other,
			core.Read|core.Write).MapProt(text, make([]byte, page), core.Read|core.Exec)
		p := b.Thread(c.tid, map[string]uint64{c.arch.RegNames[c.arch.SP]: uint64(c.sp)}).Process()
		p.PID, p.Auxv, p.Threads[0].TLS = 1, c.auxv, c.tls
		if got := layout.Stacks(p, p.Threads[0]); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
