package crash

import (
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/bugs"
	"coredbg/crash/fault"
	"coredbg/runtimes"
	"coredbg/stack"
)

// TestMadeCode: code that nothing names is one bug where it is the same code, wherever it was put and whatever
// addresses are in it, and another one where it is other code. Instructions as objdump 2.40 has them.
func TestMadeCode(t *testing.T) {
	const at = 0x7e0000000000
	// mov $0x7fXXXXXXXXXX,%rax; mov (%rdi),%ecx; add %ecx,(%rax); ret
	load := []byte{0x48, 0xb8, 0x11, 0x22, 0x33, 0x44, 0xf1, 0x7f, 0, 0, 0x8b, 0x0f, 0x01, 0x08, 0xc3}
	moved := slices.Clone(load)
	copy(moved[2:], []byte{0x55, 0x66, 0x77, 0x88, 0xe2, 0x7f})
	member := slices.Clone(load)
	copy(member[10:], []byte{0x8b, 0x4f, 0x08, 0x01, 0x08}) // mov 0x8(%rdi),%ecx; add %ecx,(%rax)
	name := func(code []byte, off int) string {
		p := coretest.New(core.AMD64).MapProt(at, append(make([]byte, off), append(code, 0xc3)...),
			core.Read|core.Exec).Thread(1, nil).Process()
		frames := []stack.Frame{{Kind: runtimes.Native, Made: true, PC: core.Addr(at + off)},
			{Kind: runtimes.Native, Name: "run", PC: 0x1000}}
		x := &examination{p: p, s: &Subject{Process: p, Thread: p.Threads[0]}, stack: &stack.Stack{Frames: frames},
			fault: fault.Fault{Cause: bugs.NullDereference, Sure: bugs.Certain, PC: core.Addr(at + off),
				Signal: &core.Signal{Number: 11, Name: "SIGSEGV"}}}
		f, ok := x.refused()
		if !ok || f.title != "null pointer dereferenced in "+stack.MadeCode ||
			!slices.Contains(f.evidence, "called from run") {
			t.Errorf("%q, %q", f.title, f.evidence)
		}
		s := x.sign(f.cause)
		if !strings.HasPrefix(s.Name, "null-dereference | <code made at run time ") ||
			!strings.HasSuffix(s.Name, " | run") || s.Coarse == "" {
			t.Errorf("signature %q", s.Name)
		}
		return s.Coarse
	}
	one := name(load, 0x40)
	if two := name(moved, 0x200); two != one {
		t.Errorf("the same code elsewhere: %s and %s", one, two)
	}
	if two := name(member, 0x40); two == one {
		t.Errorf("other code: %s", two)
	}
}

// TestMadeCodeUnknown: without the code's bytes, or on a processor whose instructions are not known, its
// frames are all one.
func TestMadeCodeUnknown(t *testing.T) {
	for _, arch := range []*core.Arch{core.AMD64, core.S390X} {
		p := coretest.New(arch).MapProt(0x1000, []byte{0xc3, 0, 0, 0, 0, 0, 0, 0}, core.Read|core.Exec).Process()
		a := core.Addr(0x5000)
		if arch == core.S390X {
			a = 0x1000
		}
		if s := shape(p, a); s != "" {
			t.Errorf("%s: %q", arch.Name, s)
		}
	}
}
