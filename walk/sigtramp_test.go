package walk

import (
	"testing"

	"coredbg/core"
)

// sigframe writes what the kernel of macOS puts above the trampoline whose frame
// ends at a, with the registers by their words in a thread state, and returns the
// address of the ucontext.
func (s *scene) sigframe(a uint64, regs map[int]uint64) uint64 {
	u, m, size := a+104, a+160, uint64(816)
	if s.arch == core.AMD64 {
		m, size = (a+15)&^15, 1028
		u = m + 1032 + 104
	}
	s.put(u+40, size, m)
	for i, v := range regs {
		s.put(m+16+8*uint64(i), v)
	}
	return u
}

// darwin makes the scene one of macOS.
func (s *scene) darwin() { s.edit = func(p *core.Process) { p.OS = "darwin" } }

// trampolineAMD64 is a frame description of expressions, as _sigtramp's is.
var trampolineAMD64 = []byte{0x0f, 2, 0x77, 0}

// TestSigtramp: the frames beyond the trampoline of macOS, with the handler on the
// interrupted stack and on one of its own, above and below it.
func TestSigtramp(t *testing.T) {
	for name, handler := range map[string]uint64{
		"same stack": stackAt + 0x100, "alternate stack": altAt + 0x200, "alternate stack above": stackAt + 0x900,
	} {
		t.Run("x86-64 "+name, func(t *testing.T) {
			s := newScene(core.AMD64)
			s.darwin()
			s.function(0x40, 0x40) // the handler
			s.function(0x1f0, 0x20, trampolineAMD64...)
			s.function(0x80, 0x10, 0x41, 0x0e, 32) // the interrupted function
			s.function(0xf0, 0x20, 0x07, 16)
			sp := uint64(stackAt + 0x80)
			if handler < sp {
				sp = stackAt + 0xf00
			}
			s.put(handler, s.call(0x200))
			s.sigframe(handler+24, map[int]uint64{16: textAt + 0x80, 7: sp, 1: 33, 0: 44})
			s.put(sp, s.call(0x100))
			frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": handler, "rbx": 1})
			expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x400200 trampoline", "registers 0x400080",
				"cfi 0x400100")
			if f := frames[2]; !f.Exact() || f.SP != core.Addr(sp) || f.Regs.Val[3] != 33 || f.Regs.Val[0] != 44 {
				t.Errorf("the interrupted frame: exact %v, sp %v, rbx %d, rax %d", f.Exact(), f.SP,
					f.Regs.Val[3], f.Regs.Val[0])
			}
		})
		t.Run("arm64 "+name, func(t *testing.T) {
			s := newScene(core.ARM64)
			s.darwin()
			s.function(0x40, 0x40)
			s.function(0x1f0, 0x20, 0x0e, 32)
			s.function(0x80, 0x10)
			s.function(0xf0, 0x20, 0x07, 30)
			sp := uint64(stackAt + 0x80)
			if handler < sp {
				sp = stackAt + 0xf00
			}
			s.sigframe(handler+32, map[int]uint64{32: textAt + 0x80, 31: sp, 30: s.call(0x100), 19: 33})
			frames, stop := s.walk(t, map[string]uint64{"pc": textAt + 0x50, "sp": handler, "x30": s.call(0x200)})
			expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x400200 trampoline", "registers 0x400080",
				"cfi 0x400100")
			if f := frames[2]; !f.Exact() || f.SP != core.Addr(sp) || f.Regs.Val[19] != 33 {
				t.Errorf("the interrupted frame: exact %v, sp %v, x19 %d", f.Exact(), f.SP, f.Regs.Val[19])
			}
		})
	}
}

// TestSigtrampPlain: a trampoline that is described as any function is known in its
// library, and its handler, whose frame is below, is not taken for it.
func TestSigtrampPlain(t *testing.T) {
	for path, want := range map[string][]string{
		"/usr/lib/system/libsystem_platform.dylib": {"registers 0x400050", "cfi 0x400200 trampoline",
			"registers 0x400080", "cfi 0x400100"},
		"/usr/lib/system/libother.dylib": {"registers 0x400050", "cfi 0x400200"},
	} {
		s := newScene(core.AMD64)
		s.edit = func(p *core.Process) { p.OS, p.Modules[0].Path = "darwin", path }
		s.function(0x40, 0x40, 0x0e, 24)
		s.function(0x1f0, 0x20, 0x0c, 6, 16, 0x86, 2) // CFA = rbp+16, rbp at CFA-16
		s.function(0x80, 0x10)
		s.function(0xf0, 0x20, 0x07, 16)
		handler, rbp, sp := uint64(stackAt+0x100), uint64(stackAt+0x118), uint64(stackAt+0xf00)
		s.put(handler+16, s.call(0x200), sp)
		s.sigframe(rbp+16, map[int]uint64{16: textAt + 0x80, 7: sp})
		s.put(sp, s.call(0x100))
		frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": handler, "rbp": rbp})
		expect(t, frames, stop, "", want...)
	}
}

// TestSigtrampTrap: int3 leaves the program counter after itself; the kernel saved
// the number of the exception.
func TestSigtrampTrap(t *testing.T) {
	s := newScene(core.AMD64)
	s.darwin()
	s.function(0x40, 0x40)
	s.function(0x1f0, 0x20, trampolineAMD64...)
	s.code(0x8f, 0xcc) // the last byte of its function
	s.function(0x80, 0x10)
	s.function(0xf0, 0x20, 0x07, 16)
	handler, sp := uint64(stackAt+0x100), uint64(stackAt+0xf00)
	s.put(handler, s.call(0x200))
	s.sigframe(handler+24, map[int]uint64{-2: 3, 16: textAt + 0x90, 7: sp})
	s.put(sp, s.call(0x100))
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": handler})
	expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x400200 trampoline", "registers 0x400090",
		"cfi 0x400100")
	if frames[2].Point != Trapped {
		t.Error("the breakpoint was not noticed")
	}
}

// TestSigtrampElsewhere: what looks like the kernel's structure is not taken for it
// where it does not begin at the end of the frame, is too small, or on Linux.
func TestSigtrampElsewhere(t *testing.T) {
	for name, spoil := range map[string]func(*scene, uint64){
		"beside":  func(s *scene, u uint64) { s.put(u+48, u+48) },
		"small":   func(s *scene, u uint64) { s.put(u+40, 16) },
		"large":   func(s *scene, u uint64) { s.put(u+40, 1<<40) },
		"missing": func(s *scene, u uint64) { s.put(u+40, 0, 0) },
		"linux":   func(s *scene, u uint64) { s.edit = nil },
	} {
		t.Run(name, func(t *testing.T) {
			for _, arch := range []*core.Arch{core.AMD64, core.ARM64} {
				s := newScene(arch)
				s.darwin()
				s.function(0x40, 0x40)
				handler, regs := uint64(stackAt+0x100), map[string]uint64{}
				end := handler + 32
				if arch == core.AMD64 {
					s.function(0x1f0, 0x20, trampolineAMD64...)
					s.put(handler, s.call(0x200))
					regs["rip"], regs["rsp"], end = textAt+0x50, handler, handler+24
				} else {
					s.function(0x1f0, 0x20, 0x0e, 32)
					regs["pc"], regs["sp"], regs["x30"] = textAt+0x50, handler, s.call(0x200)
				}
				spoil(s, s.sigframe(end, map[int]uint64{16: textAt + 0x80, 32: textAt + 0x80}))
				frames, _ := s.walk(t, regs)
				for i := range frames {
					if frames[i].Trampoline {
						t.Errorf("%s: frame %d counts as a trampoline", arch.Name, i)
					}
				}
			}
		})
	}
}
