package walk

import (
	"fmt"
	"testing"

	"coredbg/core"
)

// TestProvenScan: of two return addresses on the stack the second is the right
// one, because the function that it called keeps its return address there.
func TestProvenScan(t *testing.T) {
	s := newScene(core.AMD64)
	// At 0x50: push %rbx; sub $0x20,%rsp; mov %rdi,%rbx; call; nop
	s.code(0x50, 0x53, 0x48, 0x83, 0xec, 0x20, 0x48, 0x89, 0xfb)
	sp := uint64(stackAt + 0x100)
	stale := s.call(0x200)
	s.text[0xfb] = 0xe8
	s.code(0xfc, 0x50, 0xff, 0xff, 0xff) // at 0xfb: call 0x50
	ra := uint64(textAt + 0x100)
	s.put(sp+8, stale, 0, 0, 33, ra) // rbx at sp+0x20
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x58, "rsp": sp, "rbx": 5, "rbp": 1})
	expect(t, frames, stop, "no-progress", "registers 0x400058", "prologue 0x400100")
	if v, ok := frames[1].Regs.Get(3); !ok || v != 33 || frames[1].SP != core.Addr(sp+0x30) {
		t.Errorf("rbx %d, %v, sp %v", v, ok, frames[1].SP)
	}
	// Without the proof the first one is taken.
	s.code(0xfc, 0, 0, 0, 0)
	frames, stop = s.walk(t, map[string]uint64{"rip": textAt + 0x58, "rsp": sp, "rbp": 1})
	expect(t, frames[:2], stop, "no-progress", "registers 0x400058", fmt.Sprintf("scan %#x", stale))
}

// TestFramelessLeaf: a function without a frame record is called by one that
// has one, and nothing says where either starts.
func TestFramelessLeaf(t *testing.T) {
	s := newScene(core.AMD64)
	s.code(0x50, 0x48, 0x83, 0xec, 0x18, 0x89, 0xf8) // sub $0x18,%rsp; mov %edi,%eax
	sp := uint64(stackAt + 0x100)
	s.text[0xfb] = 0xe8
	s.code(0xfc, 0x50, 0xff, 0xff, 0xff) // at 0xfb: call 0x50
	s.put(sp+0x18, textAt+0x100)
	s.put(sp+0x60, 0, s.call(0x200))
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x56, "rsp": sp, "rbp": sp + 0x60})
	expect(t, frames, stop, "root", "registers 0x400056", "prologue 0x400100", "fp 0x400200")
}

// TestThreadEntries: functions without a caller are recognised by their instructions.
func TestThreadEntries(t *testing.T) {
	sp := uint64(stackAt + 0x100)
	t.Run("clone", func(t *testing.T) {
		s := newScene(core.AMD64)
		s.function(0x40, 0x20)
		s.put(sp, s.call(0x100), s.call(0x200))
		s.code(0x100, 0x89, 0xc7, 0x31, 0xc0, 0xb0, 60, 0x0f, 0x05) // exit with the returned value
		frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": 0})
		expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x400100")
	})
	t.Run("entry point", func(t *testing.T) {
		s := newScene(core.AMD64)
		s.function(0x40, 0x20)
		s.put(sp, s.call(0x110), s.call(0x200))
		// xor %ebp,%ebp; mov %rsp,%rdi; and $-16,%rsp
		s.code(0xf0, 0x31, 0xed, 0x48, 0x89, 0xe7, 0x48, 0x83, 0xe4, 0xf0)
		s.edit = func(p *core.Process) { p.Auxv = []core.AuxEntry{{Type: 9, Value: textAt + 0xf0}} }
		frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": 0})
		expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x400110")
	})
}

// An insn is an instruction with the state before it: the stack pointer's
// distance from the return address in words, and whether rbp is the caller's.
type insn struct {
	code   []byte
	depth  uint64
	callee bool // rbp has been set up
}

// TestEachInstruction stops a function without call frame information at each
// of its instructions, with the stack that they have built up to there.
func TestEachInstruction(t *testing.T) {
	functions := map[string][]insn{
		"frame pointer": {
			{[]byte{0xf3, 0x0f, 0x1e, 0xfa}, 0, false},      // endbr64
			{[]byte{0x55}, 0, false},                        // push %rbp
			{[]byte{0x48, 0x89, 0xe5}, 1, false},            // mov %rsp,%rbp
			{[]byte{0x53}, 1, true},                         // push %rbx
			{[]byte{0x48, 0x83, 0xec, 0x18}, 2, true},       // sub $0x18,%rsp
			{[]byte{0x85, 0xff}, 5, true},                   // test %edi,%edi
			{[]byte{0x74, 0x04}, 5, true},                   // je over the next
			{[]byte{0x48, 0x29, 0xc4, 0x90}, 5, true},       // sub %rax,%rsp; nop
			{[]byte{0x48, 0x8b, 0x5d, 0xf8}, 5, true},       // mov -8(%rbp),%rbx
			{[]byte{0xc9}, 5, true},                         // leave
			{[]byte{0xc3}, 0, false},                        // ret
			{[]byte{0x66, 0x90}, 5, true},                   // reached by nothing: as the body
			{[]byte{0x0f, 0x1f, 0x44, 0, 0}, 5, true},       // nop
			{[]byte{0x48, 0x8d, 0x65, 0xf8, 0x5b}, 5, true}, // lea -8(%rbp),%rsp; pop %rbx
		},
		"no frame pointer": {
			{[]byte{0x41, 0x54}, 0, false},                       // push %r12
			{[]byte{0x53}, 1, false},                             // push %rbx
			{[]byte{0x48, 0x81, 0xec, 0x80, 0, 0, 0}, 2, false},  // sub $0x80,%rsp
			{[]byte{0x89, 0xfb}, 18, false},                      // mov %edi,%ebx
			{[]byte{0x6a, 0x01}, 18, false},                      // push $1
			{[]byte{0xff, 0x75, 0x08}, 19, false},                // push 8(%rbp)
			{[]byte{0x48, 0x83, 0xc4, 0x10}, 20, false},          // add $0x10,%rsp
			{[]byte{0x85, 0xdb}, 18, false},                      // test %ebx,%ebx
			{[]byte{0x75, 0x0d}, 18, false},                      // jne after the epilogue
			{[]byte{0x48, 0x81, 0xc4, 0x80, 0, 0, 0}, 18, false}, // add $0x80,%rsp
			{[]byte{0x5b}, 2, false},                             // pop %rbx
			{[]byte{0x41, 0x5c}, 1, false},                       // pop %r12
			{[]byte{0x90, 0x90, 0xc3}, 0, false},                 // nop; nop; ret
			{[]byte{0x31, 0xc0}, 18, false},                      // xor %eax,%eax
		},
	}
	for name, insns := range functions {
		t.Run(name, func(t *testing.T) {
			var code []byte
			for _, in := range insns {
				code = append(code, in.code...)
			}
			at := uint64(textAt + 0x80)
			for i, in := range insns {
				s := newScene(core.AMD64)
				s.code(0x80, code...)
				s.opts.FuncStart = func(a core.Addr) (core.Addr, bool) { return textAt + 0x80, a-textAt-0x80 < 0x60 }
				ret := uint64(stackAt + 0x800) // where the return address is
				s.put(ret, s.call(0x180))
				outer := ret + 0x60 // the caller's frame record
				s.put(outer, 0, s.call(0x200))
				rbp := outer
				if insns[1].code[0] == 0x55 {
					s.put(ret-16, 33, outer)
				}
				if in.callee {
					rbp = ret - 8
				}
				frames, stop := s.walk(t, map[string]uint64{"rip": at, "rsp": ret - in.depth*8, "rbp": rbp, "rbx": 3})
				trust := "prologue"
				if in.callee {
					trust = "fp"
				}
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					expect(t, frames, stop, "root", fmt.Sprintf("registers %#x", at), trust+" 0x400180", "fp 0x400200")
				})
				at += uint64(len(in.code))
			}
		})
	}
}

// TestEachInstructionARM64 is TestEachInstruction for a function of aarch64;
// depth is in bytes, and callee says that x30 has been saved.
func TestEachInstructionARM64(t *testing.T) {
	insns := []struct {
		word  uint32
		depth uint64
		saved bool
	}{
		{0xd503233f, 0, false}, // paciasp
		{0xa9bd7bfd, 0, false}, // stp x29,x30,[sp,#-48]!
		{0x910003fd, 48, true}, // mov x29,sp
		{0xa90153f3, 48, true}, // stp x19,x20,[sp,#16]
		{0xd10043ff, 48, true}, // sub sp,sp,#16
		{0xb4000080, 64, true}, // cbz x0, to after the ret
		{0x910043ff, 64, true}, // add sp,sp,#16
		{0xa8c37bfd, 48, true}, // ldp x29,x30,[sp],#48
		{0xd65f03c0, 0, false}, // ret
		{0xd503201f, 64, true}, // nop
	}
	s0 := newScene(core.ARM64)
	for i, in := range insns {
		core.ARM64.Order.PutUint32(s0.text[0x80+4*i:], in.word)
	}
	for i, in := range insns {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s := newScene(core.ARM64)
			copy(s.text, s0.text)
			s.opts.FuncStart = func(a core.Addr) (core.Addr, bool) { return textAt + 0x80, a-textAt-0x80 < 0x40 }
			cfa := uint64(stackAt + 0x800)
			ra := s.call(0x180)
			outer := cfa + 0x60
			s.put(outer, 0, s.call(0x200))
			regs := map[string]uint64{"pc": textAt + 0x80 + uint64(4*i), "sp": cfa - in.depth, "x29": outer,
				"x30": ra, "x19": 1}
			if in.saved {
				s.put(cfa-48, outer, ra, 19, 20)
				regs["x30"] = textAt + 0x90
				if i > 2 {
					regs["x29"] = cfa - 48
				}
			}
			frames, stop := s.walk(t, regs)
			trust := "prologue"
			if i > 2 && in.saved && i != 8 {
				trust = "fp"
			}
			expect(t, frames, stop, "root", fmt.Sprintf("registers %#x", regs["pc"]), trust+" 0x400180", "fp 0x400200")
		})
	}
}
