package art

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/art/layout"
)

var sceneArchs = []*core.Arch{core.AMD64, core.ARM64, core.I386, core.ARM}

// eachLayout calls test for every table.
func eachLayout(t *testing.T, test func(t *testing.T, arch *core.Arch, l *layout.Layout)) {
	for _, arch := range sceneArchs {
		for sdk := layout.OldestSDK; sdk <= layout.NewestSDK; sdk++ {
			for _, lib := range []layout.Library{layout.LibCxx, layout.LibStdCxx} {
				t.Run(fmt.Sprintf("%s/%d/%s", arch.Name, sdk, lib),
					func(t *testing.T) { test(t, arch, layout.NewLayout(sdk, arch.PtrSize, lib)) })
			}
		}
	}
}

// TestProbeFindsLayout lays a process by each table: probing must find the same
// table again, and the frames in it.
func TestProbeFindsLayout(t *testing.T) {
	if testing.Short() {
		t.Skip("it tries each layout")
	}
	eachLayout(t, func(t *testing.T, arch *core.Arch, l *layout.Layout) {
		s := newScene(t, arch, l)
		main := s.thread(101, "main", "Native")
		top := s.sp[101] + 0x400
		s.shadow(top, top+0x200, "mixed", pcMixed, make([]uint32, 12)...)
		s.shadow(top+0x200, 0, "params", pcParams, make([]uint32, 6)...)
		s.fragment(off(main, l.Thread.ManagedStack), 0, 0, top)
		if arch == core.ARM64 {
			s.reg = "" // the Thread is on the stack only
		}
		p, a := s.probe()
		got := a.Layout
		if got.Library != l.Library || got.SDK != l.SDK && !slices.Contains(a.rivals, l.SDK) {
			t.Errorf("found %v, rivals %v: %v", got, a.rivals, a.fit)
		}
		if len(a.rivals) > 1 {
			t.Errorf("%v are not told apart", append(a.rivals, got.SDK))
		}
		if test := a.SelfTest(); test.Decode != 2 || test.Methods != 2 || test.Problem != "" {
			t.Errorf("self-test: %v", test)
		}
		want := []string{"sample.Debug.mixed:3000 interpreter", "sample.Debug.params:65536 interpreter"}
		if frames := javaFrames(p, a, 101); !slices.Equal(frames, want) {
			t.Errorf("frames %q, want %q", frames, want)
		}
		if name, state, ok := a.DescribeThread(p.Thread(101)); name != "main" || state != "Native" || !ok {
			t.Errorf("thread %q %q %v", name, state, ok)
		}
	})
}

// TestNterpFrames lays frames of nterp under a generic JNI stub.
func TestNterpFrames(t *testing.T) {
	if testing.Short() {
		t.Skip("it tries each layout")
	}
	eachLayout(t, func(t *testing.T, arch *core.Arch, l *layout.Layout) {
		if l.SDK < 31 && !(l.SDK == 30 && arch == core.AMD64) {
			t.Skip("it has no nterp")
		}
		s := newScene(t, arch, l)
		main := s.thread(101, "main", "Native")
		jni := s.sp[101] + 0x400
		s.ptr(jni, s.methodAt("bare"))
		s.fragment(off(main, l.Thread.ManagedStack), jni|1, 0, 0)
		_, a := s.probe() // for the sizes of frames
		q, ok := a.QuickFrame(jni, 0)
		if !ok || q.Size == 0 {
			t.Fatalf("the frame of the generic stub is %+v", q)
		}
		size := core.Addr(q.Size)
		ret := sceneText + 0x100
		s.ptr(jni+size-core.Addr(l.PtrSize), ret)
		at := jni + size
		at += s.nterp(a, at, "mixed", pcMixed, ret)
		s.nterp(a, at, "params", pcParams, ret)
		p, a := s.probe()
		want := []string{"sample.Debug.bare:0 jni", "sample.Debug.mixed:3000 nterp", "sample.Debug.params:65536 nterp"}
		if frames := javaFrames(p, a, 101); !slices.Equal(frames, want) {
			t.Errorf("frames %q, want %q", frames, want)
		}
	})
}

// TestMethodWithoutDex names methods by their index where the core has no dex
// file.
func TestMethodWithoutDex(t *testing.T) {
	s := newScene(t, core.AMD64, layout.NewLayout(34, 8, layout.LibCxx))
	main := s.thread(101, "main", "Native")
	top := s.sp[101] + 0x400
	s.shadow(top, 0, "mixed", pcMixed, make([]uint32, 12)...)
	s.fragment(off(main, s.l.Thread.ManagedStack), 0, 0, top)
	delete(s.mem, sceneDex)
	p, a := s.probe()
	got := javaFrames(p, a, 101)
	if len(got) != 1 || !strings.HasPrefix(got[0], "Method@") || !strings.Contains(got[0], " of debug.dex:0") {
		t.Errorf("frames %q", got)
	}
	acts, _ := a.Activations(a.Thread(p.Thread(101)))
	if f := a.Source(acts[0]); !strings.Contains(f[0].Note, "not mapped") {
		t.Errorf("note %q", f[0].Note)
	}
}

// TestMerge puts ShadowFrames between native frames by their addresses.
func TestMerge(t *testing.T) {
	s := newScene(t, core.AMD64, layout.NewLayout(34, 8, layout.LibCxx))
	main := s.thread(101, "main", "Runnable")
	sp := s.sp[101]
	// A chain of frame records after calls: three native frames. The second and the third hold a ShadowFrame
	// each.
	code := s.mem[sceneText]
	for _, at := range []int{0x7000, 0x6000} {
		copy(code[at-5:], []byte{0xe8, 0, 0, 0, 0}) // call
	}
	fp := func(n core.Addr) core.Addr { return sp + 0x400*n }
	s.ptr(fp(1), fp(2))
	s.ptr(fp(1)+8, sceneText+0x7000)
	s.ptr(fp(2), 0)
	s.ptr(fp(2)+8, sceneText+0x6000)
	inner, outer := fp(1)+0x40, fp(2)+0x40
	s.shadow(inner, outer, "mixed", pcMixed, make([]uint32, 12)...)
	s.shadow(outer, 0, "params", pcParams, make([]uint32, 6)...)
	s.fragment(off(main, s.l.Thread.ManagedStack), 0, 0, inner)
	s.reg = "rbx"
	p, a := s.probe()
	p.Thread(101).Regs.Set(core.AMD64.FP, uint64(fp(1)))
	// Where the last frame ends is not known: what it holds comes after it.
	if got, want := order(p, a, 101), "40008000 * 40007000 40006000 *"; got != want {
		t.Errorf("order %q, want %q", got, want)
	}
}

// TestUnframed interrupts compiled code at its first instruction, under a frame
// of nterp.
func TestUnframed(t *testing.T) {
	for _, arch := range sceneArchs {
		t.Run(arch.Name, func(t *testing.T) {
			l := layout.NewLayout(34, arch.PtrSize, layout.LibCxx)
			s := newScene(t, arch, l)
			const jit = core.Addr(0x20000000)
			s.mem[jit] = make([]byte, 0x1000)
			s.thread(101, "main", "Runnable")
			word := core.Addr(l.PtrSize)
			ret := sceneText + 0x100
			frame := s.sp[101].Align(16) + 0x20
			_, a := s.probe()
			s.nterp(a, frame, "mixed", pcMixed, ret)
			s.sp[101] = frame
			if arch.LR < 0 {
				s.sp[101] = frame - word
				s.ptr(frame-word, ret)
			}
			p, a := s.probe()
			regs := &p.Thread(101).Regs
			regs.Set(arch.PC, uint64(jit+0x100))
			if arch.LR >= 0 {
				regs.Set(arch.LR, uint64(ret))
			}
			if got, want := javaFrames(p, a, 101), []string{"sample.Debug.mixed:3000 nterp"}; !slices.Equal(got, want) {
				t.Errorf("frames %q, want %q", got, want)
			}
		})
	}
}

// TestScan finds the Runtime by its callee-save methods where nothing leads to
// it.
func TestScan(t *testing.T) {
	for _, sdk := range []int{26, 30, 31, 36} {
		for _, arch := range []*core.Arch{core.ARM64, core.ARM} {
			s := newScene(t, arch, layout.NewLayout(sdk, arch.PtrSize, layout.LibCxx))
			s.thread(101, "main", "Native")
			s.reg = "nowhere"
			_, a := s.probe()
			if at, how := a.Runtime, a.FoundBy(); at != sceneRuntime || how != "scan of memory" {
				t.Errorf("%s, SDK %d: Runtime at %v by %q", arch.Name, sdk, at, how)
			}
			if a.SDK() != sdk && !slices.Contains(a.rivals, sdk) {
				t.Errorf("%s: SDK %d for %d", arch.Name, a.SDK(), sdk)
			}
		}
	}
}

// TestNotART finds no ART in a process without libart, whatever its registers
// hold.
func TestNotART(t *testing.T) {
	p := coretest.New(core.AMD64).Words(0x1000, make([]uint64, 512)...).
		Thread(7, map[string]uint64{"rip": 0x1000, "rsp": 0x1800, "rbx": 0x1100}).Process()
	r, err := Probe(t.Context(), runtimes.Target{Process: p, Symbols: sym.NewTable(p)})
	if r != nil || err != nil {
		t.Errorf("Probe = %v, %v", r, err)
	}
}

// TestSharedStub lays a frame of a JNI stub that the JIT made for two methods,
// over one of nterp: the method is the one in the frame, and the note says that
// the code is not its own.
func TestSharedStub(t *testing.T) {
	s := newScene(t, core.AMD64, layout.NewLayout(34, 8, layout.LibCxx))
	main := s.thread(101, "main", "Native")
	const jit, stub = core.Addr(0x20000000), core.Addr(0x20000100)
	code := make([]byte, 0x1000)
	// A CodeInfo of seven varints of four bits, in this order: no flags, a size
	// of 0x40 in a byte after them, a frame of 3*16 bytes, no registers saved,
	// no tables. The word before the code is its distance and bit 30.
	copy(code[0x80:], []byte{0xc0, 0x03, 0, 0, 0x04})
	binary.LittleEndian.PutUint32(code[0xfc:], 0x80|1<<30)
	s.mem[jit] = code
	s.ptr(off(s.methodAt("bare"), s.l.ArtMethod.EntryPoint), stub)
	frame, ret := s.sp[101]+0x400, sceneText+0x100
	s.ptr(frame, s.methodAt("bare"))
	s.ptr(frame+48-8, ret)
	s.fragment(off(main, s.l.Thread.ManagedStack), frame|2, 0, 0)
	// JitCodeCache.jni_stubs_map_ with one node {left, right, parent, color, key,
	// flags, code, vector of methods}.
	const cache, node, methods = sceneNative + 0x1e400, sceneNative + 0x1f000, sceneNative + 0x1f100
	s.ptr(off(sceneRuntime, s.l.Runtime.JitCodeCache), cache)
	s.ptr(off(cache, s.l.JitCodeCache.JNIStubsMap+8), node)
	s.ptr(node+6*8, stub)
	s.ptr(node+7*8, methods)
	s.ptr(node+8*8, methods+2*8)
	s.ptr(methods, s.methodAt("mixed"))
	s.ptr(methods+8, s.methodAt("bare"))
	_, a := s.probe()
	s.nterp(a, frame+48, "mixed", pcMixed, ret)
	p, a := s.probe()

	want := []string{"sample.Debug.bare:0 jni", "sample.Debug.mixed:3000 nterp"}
	if got := javaFrames(p, a, 101); !slices.Equal(got, want) {
		t.Errorf("frames %q, want %q", got, want)
	}
	q, ok := a.QuickFrame(frame, stub+0x10)
	if !ok || q.Size != 48 || q.Note != "its stub is shared by 2 methods" {
		t.Errorf("quick frame %+v", q)
	}
	if got, want := first(a.WhatIs(stub+0x10)),
		"a JNI stub of the JIT that 2 methods share: sample.Debug.mixed, sample.Debug.bare, at +0x10"; got != want {
		t.Errorf("what is the stub: %q, want %q", got, want)
	}
	if got, ok := a.WhatIs(stub + 0x41); ok {
		t.Errorf("what follows the stub is %q", got)
	}
}

func first(s string, _ bool) string { return s }
