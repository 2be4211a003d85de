package art

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/java"
)

// layBoth lays a thread with ShadowFrames above frames of nterp, and returns
// the addresses of its records.
func layBoth(t testing.TB, arch *core.Arch, l *layout.Layout) (s *scene, self, shadow, quick core.Addr) {
	s = newScene(t, arch, l)
	self = s.thread(101, "main", "Native")
	shadow = s.sp[101] + 0x400
	quick = shadow + 0x1000
	s.shadow(shadow, shadow+0x200, "mixed", pcMixed, make([]uint32, 12)...)
	s.shadow(shadow+0x200, 0, "params", pcParams, make([]uint32, 6)...)
	s.ptr(quick, s.methodAt("bare"))
	link := quick - 0x100
	s.fragment(off(self, l.Thread.ManagedStack), 0, link, shadow)
	s.fragment(link, quick|1, 0, 0)
	return s, self, shadow, quick
}

// TestHostileStacks breaks the chains of a thread: what is before the break is
// shown, and nothing hangs.
func TestHostileStacks(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads many damaged stacks")
	}
	for _, arch := range []*core.Arch{core.AMD64, core.I386} {
		for _, sdk := range []int{28, 34, 37} {
			t.Run(fmt.Sprintf("%s/%d", arch.Name, sdk),
				func(t *testing.T) { hostileStacks(t, arch, layout.NewLayout(sdk, arch.PtrSize, layout.LibCxx)) })
		}
	}
}

func hostileStacks(t *testing.T, arch *core.Arch, l *layout.Layout) {
	both := []string{"sample.Debug.mixed:3000 interpreter", "sample.Debug.params:65536 interpreter"}
	all := append(slices.Clone(both), "sample.Debug.bare:0 jni")
	for _, c := range []struct {
		name  string
		spoil func(s *scene, self, shadow, quick core.Addr)
		want  []string
		fails bool
	}{
		{"whole", func(*scene, core.Addr, core.Addr, core.Addr) {}, all, false},
		{"half-written fragment", func(s *scene, self, shadow, quick core.Addr) {
			s.fragment(off(self, l.Thread.ManagedStack), 0, quick-0x100, 0)
		}, all[2:], false},
		{"fragment linked to itself", func(s *scene, self, shadow, quick core.Addr) {
			s.fragment(quick-0x100, 0, quick-0x100, 0)
		}, both, true},
		{"fragment linked inwards", func(s *scene, self, shadow, quick core.Addr) {
			s.fragment(quick-0x100, 0, shadow, 0)
		}, both, true},
		{"fragment nowhere", func(s *scene, self, shadow, quick core.Addr) {
			s.fragment(off(self, l.Thread.ManagedStack), 0, 0x7000_0000, shadow)
		}, both, true},
		{"shadow frame linked to itself", func(s *scene, self, shadow, quick core.Addr) {
			s.shadow(shadow, shadow, "mixed", pcMixed, make([]uint32, 12)...)
		}, []string{both[0], all[2]}, true},
		{"shadow frame nowhere", func(s *scene, self, shadow, quick core.Addr) {
			s.fragment(off(self, l.Thread.ManagedStack), 0, quick-0x100, 0xdead0000)
		}, all[2:], true},
		{"quick frame of no method", func(s *scene, self, shadow, quick core.Addr) {
			s.ptr(quick, sceneText)
		}, both, true},
		{"method of a class that is none", func(s *scene, self, shadow, quick core.Addr) {
			s.u32(s.methodAt("bare"), uint32(sceneHeap+0x800))
		}, both, true},
		{"method index outside", func(s *scene, self, shadow, quick core.Addr) {
			s.u32(off(s.methodAt("mixed"), l.ArtMethod.DexMethodIndex), 0x7fffffff)
		}, []string{"Method@2147483647 of debug.dex:3000 interpreter", both[1], all[2]}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, self, shadow, quick := layBoth(t, arch, l)
			c.spoil(s, self, shadow, quick)
			p, a := s.probe()
			if err := a.SetSDK(l.SDK); err != nil {
				t.Fatal(err)
			}
			if frames := javaFrames(p, a, 101); !slices.Equal(frames, c.want) {
				t.Errorf("frames %q, want %q", frames, c.want)
			}
			if _, err := a.Activations(a.Thread(p.Thread(101))); (err != nil) != c.fails {
				t.Errorf("error %v, want one: %v", err, c.fails)
			}
		})
	}
}

// TestHostileList breaks the list of threads.
func TestHostileList(t *testing.T) {
	l := layout.NewLayout(34, 8, layout.LibCxx)
	for name, spoil := range map[string]func(s *scene){
		"node linked to itself": func(s *scene) { s.ptr(sceneNodes, sceneNodes) },
		"node nowhere":          func(s *scene) { s.ptr(sceneNodes, 0x7000_0000) },
		"no list":               func(s *scene) { s.ptr(off(sceneRuntime, l.Runtime.ThreadList), 0) },
	} {
		t.Run(name, func(t *testing.T) {
			s, _, _, _ := layBoth(t, core.AMD64, l)
			spoil(s)
			p, a := s.probe()
			if err := a.SetSDK(34); err != nil {
				t.Fatal(err)
			}
			if _, err := a.Threads(); err == nil {
				t.Error("no error")
			}
			if x := a.Thread(p.Thread(101)); x == nil || x.Name != "main" {
				t.Errorf("the thread that a register leads to is not found: %+v", x)
			}
			if a.SelfTest().Sure() == "sure" {
				t.Errorf("it is sure of %v", a.SelfTest())
			}
		})
	}
}

// FuzzStacks overwrites words of a process and walks it by any table: nothing
// may panic or hang.
func FuzzStacks(f *testing.F) {
	f.Add(uint8(34), uint8(0), []byte{})
	f.Add(uint8(30), uint8(2), []byte{0, 0x80, 0, 0, 0xff, 0xff, 0xff, 0xff})
	f.Add(uint8(37), uint8(1), []byte{0, 0xc0, 1, 0, 0, 0, 0, 0x50})
	f.Add(uint8(29), uint8(3), []byte{0, 5, 2, 0, 4, 5, 0, 0x60})
	f.Fuzz(func(t *testing.T, sdk, kind uint8, patches []byte) {
		arch := sceneArchs[kind%4]
		lib := []layout.Library{layout.LibCxx, layout.LibStdCxx}[kind/4%2]
		l := layout.NewLayout(int(sdk), arch.PtrSize, lib)
		s, _, _, _ := layBoth(t, arch, l)
		for ; len(patches) >= 8; patches = patches[8:] {
			at, v := binary.LittleEndian.Uint32(patches), binary.LittleEndian.Uint32(patches[4:])
			region := []core.Addr{sceneNative, sceneStack, sceneHeap}[at>>16%3]
			b := s.mem[region]
			binary.LittleEndian.PutUint32(b[int(at&0xffff)%(len(b)-4):], v)
		}
		p := s.open()
		a := fuzzed(t, p)
		if a == nil {
			return
		}
		if err := a.SetSDK(l.SDK); err != nil {
			t.Fatal(err)
		}
		_, _ = a.SelfTest(), javaFrames(p, a, 101)
		threads, _ := a.Threads()
		for _, x := range threads {
			acts, _ := a.Activations(x)
			for _, q := range acts {
				for n := range a.Source(q) {
					a.VRegs(q, n, &core.Regs{}, java.Options{MaxItems: 10, MaxString: 10, MaxValues: 100})
				}
			}
		}
		_, _ = a.JITCode()
		a.WhatIs(sceneMethods)
	})
}
