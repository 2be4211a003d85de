package walk

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/walk/frame"
)

// jitAt is where code is that no file holds.
const jitAt = 0x600000

var jitCode = bytes.Repeat([]byte{0x90}, 0x100)

// noCalls returns which of the frames are marked as returning to where no call is
// before.
func noCalls(frames []Frame) (out []int) {
	for i := range frames {
		if frames[i].Point == NoCall {
			out = append(out, i)
		}
	}
	return out
}

// TestChainWithoutCalls: frame records whose return addresses no call precedes
// count if the chain that they are in is sound, and are marked; else they do not.
func TestChainWithoutCalls(t *testing.T) {
	sp := uint64(stackAt + 0x100)
	type record struct{ at, fp, pc uint64 } // at and fp are from sp
	const end = ^uint64(0)
	called := func(s *scene, off int) uint64 { return s.call(off) }
	for _, c := range []struct {
		name    string
		records func(s *scene) []record
		want    []string
		marked  []int
		stop    string
	}{
		{"an interpreter's frames, entered by a call", func(s *scene) []record {
			return []record{{0x20, 0x60, jitAt + 0x21}, {0x60, 0x90, jitAt + 0x32}, {0x90, 0xc0, jitAt + 0x21},
				{0xc0, 0xe0, called(s, 0x100)}, {0xe0, end, called(s, 0x200)}}
		}, []string{"fp 0x600021", "fp 0x600032", "fp 0x600021", "fp 0x400100", "fp 0x400200"}, []int{1, 2, 3}, "root"},
		{"a call that was injected", func(s *scene) []record {
			return []record{{0x20, 0x60, called(s, 0x100)}, {0x60, 0x90, textAt + 0x183}, {0x90, end, called(s, 0x200)}}
		}, []string{"fp 0x400100", "fp 0x400183", "fp 0x400200"}, []int{2}, "root"},
		{"the first function of a coroutine, put there by hand", func(s *scene) []record {
			return []record{{0x20, 0x60, called(s, 0x100)}, {0x60, end, textAt + 0x181}}
		}, []string{"fp 0x400100", "fp 0x400181"}, []int{2}, "root"},
		{"two in a row in an image", func(s *scene) []record {
			return []record{{0x20, 0x60, called(s, 0x100)}, {0x60, 0x90, textAt + 0x183}, {0x90, end, textAt + 0x193}}
		}, []string{"fp 0x400100"}, nil, "no-progress"},
		{"a chain that leads back", func(s *scene) []record {
			return []record{{0x20, 0x60, called(s, 0x100)}, {0x60, 0x90, jitAt + 0x21}, {0x90, 0x60, jitAt + 0x32}}
		}, []string{"fp 0x400100"}, nil, "no-progress"},
		{"a chain that leads to data", func(s *scene) []record {
			return []record{{0x20, 0x60, called(s, 0x100)}, {0x60, 0x90, jitAt + 0x21},
				{0x90, 0xc0, 0x4141414141414141}}
		}, []string{"fp 0x400100"}, nil, "no-progress"},
		{"a register that is not a frame pointer", func(s *scene) []record {
			return []record{{0x20, end, textAt + 0x183}}
		}, nil, nil, "no-progress"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(core.AMD64)
			s.jit = jitCode
			for _, r := range c.records(s) {
				fp := sp + r.fp
				if r.fp == end {
					fp = 0
				}
				s.put(sp+r.at, fp, r.pc)
			}
			frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": sp + 0x20})
			expect(t, frames, stop, c.stop, append([]string{"registers 0x400050"}, c.want...)...)
			if got := noCalls(frames); !slices.Equal(got, c.marked) {
				t.Errorf("marked are %v, want %v", got, c.marked)
			}
		})
	}
}

// TestInjectedLeaf: the function that a call was injected into is like one that
// was interrupted: it need not have built its frame.
func TestInjectedLeaf(t *testing.T) {
	s := newScene(core.AMD64)
	sp := uint64(stackAt + 0x100)
	s.opts.FuncStart = func(a core.Addr) (core.Addr, bool) {
		return textAt + 0x180, a >= textAt+0x180 &&
			a < textAt+0x190
	}
	s.code(0x180, 0x48, 0x8b, 0x07, 0x48, 0x8b, 0x40, 0x18, 0xc3) // mov (%rdi),%rax; mov 0x18(%rax),%rax; ret
	s.put(sp+0x20, sp+0x80, textAt+0x183, s.call(0x200))          // as if the second instruction had called
	s.put(sp+0x80, 0, s.call(0x300))
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": sp + 0x20})
	expect(t, frames, stop, "root", "registers 0x400050", "fp 0x400183", "prologue 0x400200", "fp 0x400300")
	if pc := frames[1].LookupPC(); pc != textAt+0x183 {
		t.Errorf("looked up at %v", pc)
	}
}

// TestLongChain: looking ahead is not repeated for each frame of a deep stack.
func TestLongChain(t *testing.T) {
	s := newScene(core.AMD64)
	s.jit = jitCode
	s.stack = make([]byte, stackLen)
	want := 3 // the innermost, the outermost and the reason
	at := uint64(stackAt)
	for ; at < top-64; at += 16 {
		s.put(at, at+16, jitAt+0x21)
		want++
	}
	s.put(at, 0, s.call(0x100))
	p := s.process(map[string]uint64{"rip": textAt + 0x50, "rsp": stackAt, "rbp": stackAt})
	target := NewTarget(p, Options{})
	w := newWalker(context.Background(), target, nil)
	n := 0
	w.run(frame.FromRegs(p.Arch, p.Threads[0].Regs), func(Frame, error) bool { n++; return true })
	if n != want || w.LookedAhead() > want {
		t.Errorf("%d frames, want %d; %d records were looked at", n, want, w.LookedAhead())
	}
}

// TestBackChainEnds: the back chain of PowerPC ends with a null in the frame of a function that has
// called something; the innermost function may not have made its frame yet, and s390x keeps other
// things there if it was not asked for a chain.
func TestBackChainEnds(t *testing.T) {
	const mid, end = stackAt + 0x140, stackAt + 0x180
	for _, c := range []struct {
		name string
		arch *core.Arch
		pc   uint64
		sp   uint64
		want []string
		stop string
	}{
		{"two callers", core.PPC64LE, textAt + 0x110, stackAt + 0x100, []string{"fp 0x400200", "fp 0x400300"}, "root"},
		{"none that is known", core.PPC64LE, textAt + 0x310, stackAt + 0x400, nil, "no-progress"},
		{"optional", core.S390X, textAt + 0x310, stackAt + 0x400, nil, "no-progress"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(c.arch)
			for _, off := range []int{0x200, 0x300} { // bl 0xfc bytes back
				s.code(off-4, binary.LittleEndian.AppendUint32(nil, 0x4bffff05)...)
			}
			s.put(stackAt+0x100, mid)
			s.put(mid, end, 0, textAt+0x200)
			s.put(end, 0, 0, textAt+0x300)
			frames, stop := s.walk(t, map[string]uint64{c.arch.RegNames[c.arch.PC]: c.pc,
				c.arch.RegNames[c.arch.SP]: c.sp})
			expect(t, frames, stop, c.stop, append([]string{fmt.Sprintf("registers %#x", c.pc)}, c.want...)...)
		})
	}
}
