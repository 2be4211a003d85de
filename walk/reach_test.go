package walk

import (
	"context"
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// callTo puts a call of an offset of the text before another and returns the
// address that it returns to.
func (s *scene) callTo(off, target int) uint64 {
	if s.arch == core.ARM64 {
		binary.LittleEndian.PutUint32(s.text[off-4:], 0x94000000|uint32((target-off+4)/4)&0x3ffffff)
	} else {
		s.text[off-5] = 0xe8
		binary.LittleEndian.PutUint32(s.text[off-4:], uint32(target-off))
	}
	return textAt + uint64(off)
}

// TestScanAgrees: a word on the stack is a return address only if the call before
// it can have led to the function that it should have called.
func TestScanAgrees(t *testing.T) {
	const sp = stackAt + 0x100
	const f, other, stub, slot = 0x50, 0x300, 0x400, 0x1800
	jump := func(from, to int) []byte { // jmp
		return append([]byte{0xe9}, binary.LittleEndian.AppendUint32(nil, uint32(to-from-5))...)
	}
	for _, c := range []struct {
		name  string
		build func(s *scene)
		want  []string
	}{
		{"a call of the function", func(s *scene) { s.put(sp+0x20, s.callTo(0x200, f)) }, []string{"scan 0x400200"}},
		{"a call of another function", func(s *scene) { s.put(sp+0x20, s.callTo(0x200, other)) }, nil},
		{"first a call of another function", func(s *scene) {
			s.put(sp+0x20, s.callTo(0x200, other), 0, s.callTo(0x280, f))
		}, []string{"scan 0x400280"}},
		{"a call of one that jumps there", func(s *scene) {
			s.code(stub, append([]byte{0x31, 0xc0}, jump(stub+2, f)...)...) // xor %eax,%eax; jmp
			s.put(sp+0x20, s.callTo(0x200, stub))
		}, []string{"scan 0x400200"}},
		{"a stub whose pointer leads there", func(s *scene) {
			s.code(stub, 0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0xf6, 0x13, 0, 0) // endbr64; jmp *slot(%rip)
			binary.LittleEndian.PutUint64(s.text[slot:], textAt+f)
			s.put(sp+0x20, s.callTo(0x200, stub))
		}, []string{"scan 0x400200"}},
		{"a stub whose pointer leads elsewhere", func(s *scene) {
			s.code(stub, 0xff, 0x25, 0xfa, 0x13, 0, 0)
			binary.LittleEndian.PutUint64(s.text[slot:], textAt+other)
			s.put(sp+0x20, s.callTo(0x200, stub))
		}, nil},
		{"a call by a pointer that cannot change, elsewhere", func(s *scene) {
			s.code(0x1fa, 0xff, 0x15, 0, 0x16, 0, 0) // call *slot(%rip)
			binary.LittleEndian.PutUint64(s.text[slot:], textAt+other)
			s.put(sp+0x20, textAt+0x200)
		}, nil},
		{"an indirect call, and nothing is known of its function", func(s *scene) {
			s.code(0x1fe, 0xff, 0xd0) // call *%rax
			s.put(sp+0x20, textAt+0x200)
		}, nil},
		{"an indirect call in a function that a live call has entered", func(s *scene) {
			s.code(0x1fe, 0xff, 0xd0)
			s.function(0x1f0, 0x20, 0x0e, 0x20) // CFA = rsp+32
			s.put(sp+0x20, textAt+0x200, 0, 0, 0, s.callTo(0x500, 0x1f0), s.callTo(0x600, 0x4f0),
				s.callTo(0x700, 0x5f0))
			s.function(0x4f0, 0x20)
			s.function(0x5f0, 0x20)
			s.function(0x6f0, 0x20, 0x07, 16)
		}, []string{"scan 0x400200", "cfi 0x400500", "cfi 0x400600", "cfi 0x400700"}},
		{"an indirect call by what starts a thread", func(s *scene) {
			s.code(0x1fe, 0xff, 0xd0)
			s.function(0x1f0, 0x20, 0x0e, 0x20)
			s.put(sp+0x20, textAt+0x200, 0, 0, 0, s.callTo(0x500, 0x1f0))
			s.function(0x4f0, 0x20, 0x07, 16)
		}, nil},
		{"an indirect call that an earlier call has left", func(s *scene) {
			s.code(0x1fe, 0xff, 0xd0)
			s.function(0x1f0, 0x20, 0x0e, 0x20)
			// another call by now
			s.put(sp+0x20, textAt+0x200, 0, 0, 0, s.callTo(0x500, other), s.callTo(0x600, 0x4f0),
				s.callTo(0x700, 0x5f0))
			s.function(0x4f0, 0x20)
			s.function(0x5f0, 0x20)
			s.function(0x6f0, 0x20, 0x07, 16)
		}, nil},
		{"the function after a call that does not return", func(s *scene) {
			s.callTo(f, f)
			s.put(sp+0x20, textAt+f)
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(core.AMD64)
			s.code(f, 0xeb, 0xfe) // a loop: nothing says where it would return to
			s.code(f-1, 0xc3)
			s.code(other, 0xc3)
			c.build(s)
			stop := "no-progress"
			if len(c.want) > 1 {
				stop = "root"
			}
			frames, reason := s.walk(t, map[string]uint64{"rip": textAt + f, "rsp": sp, "rbp": 1})
			expect(t, frames, reason, stop, append([]string{"registers 0x400050"}, c.want...)...)
		})
	}
}

// TestScanAgreesARM64 tests another architecture: a branch, and a stub.
func TestScanAgreesARM64(t *testing.T) {
	const sp = stackAt + 0x100
	words := func(s *scene, off int, words ...uint32) {
		for i, w := range words {
			binary.LittleEndian.PutUint32(s.text[off+4*i:], w)
		}
	}
	for _, c := range []struct {
		name   string
		target int
		want   []string
	}{
		{"the function", 0x50, []string{"scan 0x400200"}},
		{"another", 0x300, nil},
		{"one that jumps there", 0x380, []string{"scan 0x400200"}},
		{"a stub whose pointer leads there", 0x400, []string{"scan 0x400200"}},
		{"a stub whose pointer leads elsewhere", 0x420, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(core.ARM64)
			words(s, 0x50, 0x14000000)              // b .
			words(s, 0x300, 0xd65f03c0)             // ret
			words(s, 0x380, 0x52800000, 0x17ffff33) // mov w0,#0; b 0x50
			// adrp x16; ldr x17,[x16,#0x800]; add; br x17
			words(s, 0x400, 0xb0000010, 0xf9440211, 0x91200210, 0xd61f0220)
			words(s, 0x420, 0xb0000010, 0xf9440611, 0x91202210, 0xd61f0220) // [x16,#0x808]
			binary.LittleEndian.PutUint64(s.text[0x1800:], textAt+0x50)
			binary.LittleEndian.PutUint64(s.text[0x1808:], textAt+0x300)
			s.put(sp+0x20, s.callTo(0x200, c.target))
			frames, stop := s.walk(t, map[string]uint64{"pc": textAt + 0x50, "sp": sp, "x29": 1, "x30": 1})
			expect(t, frames, stop, "no-progress", append([]string{"registers 0x400050"}, c.want...)...)
		})
	}
}

// TestScanHidden: if a library's code is missing, the frame after a word that may return to it is
// further out, if it is a return address at all: a gap comes before it.
func TestScanHidden(t *testing.T) {
	const sp, hidden = stackAt + 0x100, 0x600000
	s := newScene(core.AMD64)
	for _, off := range []int{0x1f0, 0x4f0, 0x5f0} {
		s.function(off, 0x20)
	}
	s.function(0x1f0, 0x20, 0x0e, 0x20)
	s.function(0x6f0, 0x20, 0x07, 16)
	s.code(0x1fe, 0xff, 0xd0) // call *%rax
	stale := []uint64{textAt + 0x200, 0, 0, 0, s.callTo(0x500, 0x1f0), s.callTo(0x600, 0x4f0), s.callTo(0x700, 0x5f0)}
	p := coretest.New(core.AMD64).
		MapProt(textAt, s.text, core.Read|core.Exec).
		Gap(hidden, 0x1000, core.Read|core.Exec, core.FileMissing).
		Map(stackAt, make([]byte, stackLen)).
		Words(sp+0x20, append([]uint64{hidden + 0x80, 0}, stale...)...).
		Module("/bin/fake", textAt, textAt+textSize, core.ModuleFacts{Image: fakeImage{s.debugFrame()},
			BiasKnown: true}).
		Thread(1, map[string]uint64{"rip": hidden + 0x50, "rsp": sp, "rbp": 1}).
		Process()
	frames, stop := gather(t, NewTarget(p, Options{}).Walk(context.Background(), p.Threads[0]))
	if len(frames) < 2 || frames[1].PC != textAt+0x200 || frames[1].Trust != Scanned || !frames[1].Gap {
		t.Errorf("%v, %v", frames[1:], stop)
	}
}

// TestRemains: a function calls by a pointer, first a function of the program, then one of a library whose code is
// missing. The remains of the first call look like callers: they count as scanned, up to the function
// that has made both calls.
func TestRemains(t *testing.T) {
	const sp, hidden = stackAt + 0x100, 0x600000
	s := newScene(core.AMD64)
	for _, off := range []int{0x1f0, 0x4f0, 0x5f0, 0x6f0, 0x7f0} {
		s.function(off, 0x20)
	}
	s.function(0x8f0, 0x20, 0x07, 16)
	s.code(0x1fe, 0xff, 0xd0) // call *%rax
	s.code(0x5fe, 0xff, 0xd0)
	words := []uint64{hidden + 0x80, textAt + 0x200, s.callTo(0x500, 0x1f0), textAt + 0x600,
		s.callTo(0x700, 0x5f0), s.callTo(0x800, 0x6f0), s.callTo(0x900, 0x7f0)}
	p := coretest.New(core.AMD64).
		MapProt(textAt, s.text, core.Read|core.Exec).
		Gap(hidden, 0x1000, core.Read|core.Exec, core.FileMissing).
		Map(stackAt, make([]byte, stackLen)).
		Words(sp+0x20, words...).
		Module("/bin/fake", textAt, textAt+textSize, core.ModuleFacts{Image: fakeImage{s.debugFrame()},
			BiasKnown: true}).
		Thread(1, map[string]uint64{"rip": hidden + 0x50, "rsp": sp, "rbp": 1}).
		Process()
	frames, stop := gather(t, NewTarget(p, Options{}).Walk(context.Background(), p.Threads[0]))
	expect(t, frames, stop, "root", "registers 0x600050", "scan 0x400200", "scan 0x400500", "cfi 0x400600",
		"cfi 0x400700", "cfi 0x400800", "cfi 0x400900")
}

// TestScanGap: a nearer frame may be the caller, but nothing bears it out. The frame that it leads to is found, with a
// gap before it.
func TestScanGap(t *testing.T) {
	const sp = stackAt + 0x100
	for _, c := range []struct {
		name   string
		nearer uint64
		gap    bool
	}{
		{"a frame whose caller calls by a pointer", textAt + 0x300, true},
		{"a word that is none", 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(core.AMD64)
			for _, off := range []int{0x2f0, 0x3f0, 0x4f0, 0x5f0} {
				s.function(off, 0x20)
			}
			s.function(0x6f0, 0x20, 0x07, 16)
			s.code(0x2fe, 0xff, 0xd0) // call *%rax
			s.code(0x3fe, 0xff, 0xd0)
			s.put(sp+0x20, c.nearer, textAt+0x400, s.callTo(0x500, 0x3f0), s.callTo(0x600, 0x4f0),
				s.callTo(0x700, 0x5f0))
			frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x1000, "rsp": sp, "rbp": 1})
			expect(t, frames, stop, "root", "registers 0x401000", "scan 0x400400", "cfi 0x400500", "cfi 0x400600",
				"cfi 0x400700")
			if len(frames) > 1 && frames[1].Gap != c.gap {
				t.Errorf("gap %v, want %v", frames[1].Gap, c.gap)
			}
		})
	}
}

// TestNothingBeyondCoroutine: where the first function of a coroutine was put by hand, the rest of the
// stack belongs to another.
func TestNothingBeyondCoroutine(t *testing.T) {
	const sp = stackAt + 0x100
	s := newScene(core.AMD64)
	s.code(0x50, 0xeb, 0xfe)
	s.code(0x300, 0xc3)
	s.put(sp+0x10, 0)                                    // no caller
	s.put(sp+0x40, s.callTo(0x200, 0x300), s.call(0x80)) // its creator's
	s.code(0x7b, 0xe8, 0x80, 0x02, 0, 0)                 // call 0x300
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": 1})
	expect(t, frames, stop, "no-progress", "registers 0x400050")
}

// TestAhead: a function whose start is not known says by its remaining instructions
// where it will return to, also over calls.
func TestAhead(t *testing.T) {
	const sp = stackAt + 0x100
	for _, c := range []struct {
		name string
		code []byte // that the innermost call returns to
		at   uint64 // of the return address, from the stack pointer there
		want string
	}{
		// add $0x18,%rsp; pop %rbx; ret
		{"straight", []byte{0x48, 0x83, 0xc4, 0x18, 0x5b, 0xc3}, 0x20, "prologue"},
		// call *%rax; …
		{"over a call", []byte{0xff, 0xd0, 0x48, 0x83, 0xc4, 0x18, 0x5b, 0xc3}, 0x20, "prologue"},
		// je; … ret; … ret
		{"both ways", []byte{0x74, 0x06, 0x48, 0x83, 0xc4, 0x18, 0x5b, 0xc3, 0x48, 0x83, 0xc4, 0x18, 0x5b, 0xc3},
			0x20, "prologue"},
		{"two that differ", []byte{0x74, 0x05, 0x48, 0x83, 0xc4, 0x18, 0xc3, 0x48, 0x83, 0xc4, 0x08, 0xc3}, 0x18, ""},
		{"after a call that does not return", []byte{0x90, 0x48, 0x83, 0xc4, 0x18, 0xc3}, 0x18, ""}, // padding
		// push %rbp; pop %rbp; ret
		{"in another function", []byte{0x55, 0x5d, 0xc3}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(core.AMD64)
			s.code(0x50, 0xc3)
			s.code(0x100, c.code...)
			s.put(sp, s.callTo(0x100, 0x50))
			s.code(0x110, 0xf4)
			s.callTo(0x200, 0xf0) // of the function that holds 0x100
			s.code(0x200, 0xf4)   // hlt
			s.put(sp+8+c.at-8, 77, textAt+0x200)
			frames, _ := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": 1})
			if c.want == "" {
				if len(frames) > 2 && frames[2].Trust != Scanned {
					t.Errorf("found %v", frames[2])
				}
				return
			}
			if len(frames) != 3 || frames[2].PC != textAt+0x200 || frames[2].SP != core.Addr(sp+16+c.at) ||
				frames[2].Trust.String() != c.want {
				t.Fatalf("got %v", frames)
			}
			if rbx, ok := frames[2].Regs.Get(3); !ok || rbx != 77 {
				t.Errorf("rbx %d, %v", rbx, ok)
			}
		})
	}
}
