package walk

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/walk/isa/sets"
)

// TestNoRoot: nulls that look like the end of a stack, and prove nothing.
func TestNoRoot(t *testing.T) {
	const sp = stackAt + 0x100
	hide := func(regs map[string]uint64, edit func(*core.Process)) func(*scene) {
		return func(s *scene) {
			s.edit = func(p *core.Process) {
				*p = *coretest.New(s.arch).MapProt(textAt, s.text, core.Read|core.Exec).Map(stackAt, s.stack).
					Gap(altAt, 0x1000, core.Read|core.Exec, core.FileMissing).Thread(1, regs).Process()
				if edit != nil {
					edit(p)
				}
			}
		}
	}
	for _, c := range []struct {
		name   string
		arch   *core.Arch
		regs   map[string]uint64
		setup  func(s *scene)
		reason string
		want   []string
	}{
		{"a frame pointer of 0 in a library that is missing", core.AMD64,
			map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": 0},
			func(s *scene) {
				s.function(0x40, 0x40)
				s.put(sp, altAt+0x100)
			}, "not-executable", []string{"registers 0x400050"}},
		{"the same, of which the core knows", core.AMD64, map[string]uint64{"rip": altAt + 0x50, "rsp": sp, "rbp": 0},
			hide(map[string]uint64{"rip": altAt + 0x50, "rsp": sp, "rbp": 0}, nil),
			"unreadable 0x500050: 0x500050: file missing",
			[]string{"registers 0x500050"}},
		{"a register that points to zeros, in code that is missing", core.AMD64, nil,
			hide(map[string]uint64{"rip": altAt + 0x50, "rsp": sp, "rbp": sp + 0x80}, nil),
			"unreadable 0x500050: 0x500050: file missing",
			[]string{"registers 0x500050"}},
		{"a register that points to zeros", core.ARM64, map[string]uint64{"pc": textAt + 0x50, "sp": sp,
			"x29": sp + 0x80, "x30": 0},
			nil, "no-progress", []string{"registers 0x400050"}},
		{"a chain into code that is missing", core.ARM64, nil, func(s *scene) {
			s.put(sp, 0, altAt+0x100)
			hide(map[string]uint64{"pc": textAt + 0x50, "sp": sp, "x29": sp, "x30": 0}, nil)(s)
		}, "unreadable 0x5000ff: 0x5000ff: file missing", []string{"registers 0x400050", "fp 0x500100"}},
		{"zeros of a core that was cut", core.AMD64, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": 1},
			func(s *scene) {
				s.function(0x40, 0x40)
				s.edit = func(p *core.Process) { p.Truncated = true }
			}, "unreadable 0x7f0100: 0x7f0100: truncated", []string{"registers 0x400050"}},
		{"a null return address", core.AMD64, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": 1},
			func(s *scene) {
				s.function(0x40, 0x40)
			}, "root", []string{"registers 0x400050"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(c.arch)
			if c.setup != nil {
				c.setup(s)
			}
			frames, stop := s.walk(t, c.regs)
			expect(t, frames, stop, c.reason, c.want...)
		})
	}
}

// TestEntryPoint: nothing has called the program's entry point, on any architecture
// and whether its code is there or not.
func TestEntryPoint(t *testing.T) {
	for _, arch := range []*core.Arch{core.ARM, core.RISCV64, core.PPC64LE, core.ARM64} {
		sp := uint64(stackAt + 0x100)
		s := newScene(arch)
		regs := map[string]uint64{arch.RegNames[arch.PC]: altAt + 0x50, arch.RegNames[arch.SP]: sp,
			arch.RegNames[arch.LR]: altAt + 0x128,
			arch.RegNames[arch.FP]: 0}
		s.edit = func(p *core.Process) {
			*p = *coretest.New(arch).Map(stackAt, s.stack).Gap(altAt, 0x1000, core.Read|core.Exec,
				core.FileMissing).Thread(1, regs).Process()
			p.Auxv = []core.AuxEntry{{Type: auxEntry, Value: altAt + 0x100 | uint64(sets.For(arch).Mode)}}
		}
		frames, stop := s.walk(t, regs)
		expect(t, frames, stop, "root", "registers 0x500050", "scan 0x500128")
	}
}

// TestNearEntryPoint: a function that lies near the entry point is not the one there,
// if that one's code does not lead to it.
func TestNearEntryPoint(t *testing.T) {
	s := newScene(core.AMD64)
	sp := uint64(stackAt + 0x100)
	s.edit = func(p *core.Process) { p.Auxv = []core.AuxEntry{{Type: auxEntry, Value: textAt + 0x80}} }
	s.code(0x80, 0x31, 0xed, 0xe8, 0x39, 0, 0, 0, 0xf4)       // xor %ebp,%ebp; call 0xc0; hlt
	s.code(0x90, 0x55, 0x48, 0x89, 0xe5, 0xe8, 0x66, 0, 0, 0) // push %rbp; mov %rsp,%rbp; call 0x100
	s.put(sp+0x20, sp+0x40, textAt+0x9a)
	s.put(sp+0x40, 0, textAt+0x87)
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x150, "rsp": sp, "rbp": sp + 0x20})
	expect(t, frames, stop, "root", "registers 0x400150", "fp 0x40009a", "fp 0x400087")
}

// TestEntryPointInC: a compiled entry point has call frame information as if it had been called. The
// word in place of its return address is the number of arguments.
func TestEntryPointInC(t *testing.T) {
	const sp = stackAt + 0x100
	for name, c := range map[string]struct {
		entry uint64
		argc  uint64
		pc    uint64
		stop  string
	}{
		"crashed in it":     {textAt + 0x40, 1, textAt + 0x50, "root"},
		"in another":        {textAt + 0x80, 1, textAt + 0x50, "not-executable"},
		"without arguments": {textAt + 0x40, 0, textAt + 0x50, "root"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(core.AMD64)
			s.function(0x40, 0x40, 0x0e, 16)
			s.put(sp, 0, c.argc)
			s.edit = func(p *core.Process) { p.Auxv = []core.AuxEntry{{Type: auxEntry, Value: c.entry}} }
			frames, stop := s.walk(t, map[string]uint64{"rip": c.pc, "rsp": sp, "rbp": 0x7})
			expect(t, frames, stop, c.stop, "registers 0x400050")
		})
	}
}

// TestStackCut: the stack is not in the core, and that is why the walk ends,
// whichever unwinder would have read it.
func TestStackCut(t *testing.T) {
	for name, edit := range map[string]func(*scene){
		"table":       func(s *scene) { s.function(0x40, 0x40, 0x0e, 16) },
		"frame":       func(s *scene) { s.code(0x50, 0x55, 0x48, 0x89, 0xe5) },
		"nothing":     func(*scene) {},
		"null called": func(s *scene) { s.noMod = true },
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(core.AMD64)
			edit(s)
			regs := map[string]uint64{"rip": textAt + 0x50, "rsp": stackAt + 0x100, "rbp": stackAt + 0x180}
			if s.noMod {
				regs["rip"] = 0
			}
			s.edit = func(p *core.Process) {
				b := coretest.New(core.AMD64).MapProt(textAt, s.text, core.Read|core.Exec).
					Gap(stackAt, stackLen, core.Read|core.Write, core.Truncated).Thread(1, regs)
				*p = core.Process{Arch: p.Arch, Space: b.Process().Space, Threads: b.Process().Threads,
					Modules: p.Modules}
			}
			frames, stop := s.walk(t, regs)
			if fault := core.Fault(stop); len(frames) != 1 || stop.Kind != StopUnreadable || fault == nil ||
				fault.Gap != core.Truncated {
				t.Errorf("%d frames, %v", len(frames), stop)
			}
		})
	}
}

// auxEntry is AT_ENTRY, the type of the auxiliary vector's entry point.
const auxEntry = 9

// TestWindowsRoot: threads of 32-bit Windows begin with a null frame pointer. The chain ends
// there, and no stale word beyond counts. Breakpad's stackwalker has the same frames
// for the two shapes: Windows XP's kernel32, whose record holds two nulls, and the
// ntdll of later ones, which calls itself once more.
func TestWindowsRoot(t *testing.T) {
	sp := uint64(stackAt + 0x100)
	regs := map[string]uint64{"eip": altAt + 0x50, "esp": sp, "ebp": sp}
	for _, c := range []struct {
		name   string
		os     string
		words  map[uint64][]uint64 // by offset from sp
		reason string
		want   []string
	}{
		{"a record of two nulls", "windows", map[uint64][]uint64{0: {sp + 0x40, altAt + 0x123}, 0x40: {0, 0}}, "root",
			[]string{"registers 0x500050", "fp 0x500123"}},
		{"a frame with a null frame pointer", "windows", map[uint64][]uint64{0: {sp + 0x40, altAt + 0x123},
			0x40: {0, altAt + 0x234}}, "root",
			[]string{"registers 0x500050", "fp 0x500123", "fp 0x500234"}},
		{"the same on Linux, whose libraries keep no records", "linux",
			map[uint64][]uint64{0: {sp + 0x40, altAt + 0x123}, 0x40: {0, altAt + 0x234}},
			"unreadable", []string{"registers 0x500050", "fp 0x500123", "fp 0x500234", "scan 0x500345"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(core.I386)
			s.opts.Guess = true
			for off, words := range c.words {
				s.put(sp+off, words...)
			}
			s.put(sp+0x80, altAt+0x345) // stale
			s.edit = func(p *core.Process) {
				*p = *coretest.New(s.arch).Map(stackAt, s.stack).Gap(altAt, 0x1000, core.Read|core.Exec,
					core.FileMissing).
					Module("missing.dll", altAt, altAt+0x1000, core.ModuleFacts{}).Thread(1, regs).Process()
				p.OS = c.os
			}
			frames, stop := s.walk(t, regs)
			expect(t, frames, stop, c.reason, c.want...)
		})
	}
}

// TestAcross: the code of a library is missing, and a caller in the program lies beyond its
// frames. It is found by its call into the library if the frames beyond bear it out, and says
// that frames may be missing. A call of another function, or into elsewhere, is none.
func TestAcross(t *testing.T) {
	const sp, entry = stackAt + 0x100, altAt + 0x100
	regs := map[string]uint64{"rip": altAt + 0x50, "rsp": sp, "rbp": sp + 0x60}
	for _, c := range []struct {
		name string
		stub uint64 // where the call of the function at 0x1f0 leads to
		fp   bool   // the functions of the program keep records
		want []string
		gap  bool
	}{
		{"between the stack pointer and a record", entry, true, []string{"registers 0x500050", "scan 0x400200",
			"fp 0x400500"}, true},
		{"a call elsewhere: only the record is left, marked", textAt + 0x700, true,
			[]string{"registers 0x500050", "fp 0x400500"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(core.AMD64)
			s.code(0x800, 0xff, 0x25, 0xfa, 0x07, 0, 0) // jmp *0x1000(%rip text), a stub
			binary.LittleEndian.PutUint64(s.text[0x1000:], c.stub)
			s.code(0x700, 0xc3)
			s.code(0x1f0, 0x55, 0x48, 0x89, 0xe5) // push %rbp; mov %rsp,%rbp
			s.callTo(0x200, 0x800)
			s.code(0x4f0, 0x55, 0x48, 0x89, 0xe5)
			s.put(sp+0x20, altAt+0x80, textAt+0x200)
			s.put(sp+0x60, 0, s.callTo(0x500, 0x1f0))
			s.edit = func(p *core.Process) {
				*p = *coretest.New(s.arch).MapProt(textAt, s.text, core.Read|core.Exec).Map(stackAt, s.stack).
					Gap(altAt, 0x1000, core.Read|core.Exec, core.FileMissing).
					Module("/lib/missing.so", altAt, altAt+0x1000, core.ModuleFacts{}).Thread(1, regs).Process()
			}
			frames, stop := s.walk(t, regs)
			var got []string
			gap := false
			for i := range frames {
				got = append(got, frames[i].Trust.String()+" "+frames[i].PC.String())
				gap = gap || frames[i].Gap
			}
			if len(got) < len(c.want) || !slices.Equal(got[:len(c.want)], c.want) || gap != c.gap {
				t.Errorf("%q, gap %v, %v, want %q", got, gap, stop, c.want)
			}
		})
	}
}
