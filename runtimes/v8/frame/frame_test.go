package frame

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
	"coredbg/walk"
)

// TestInterpretedFrame: execution/frame-constants.h @ 13.6. The bytecode offset
// in the frame counts from the tagged BytecodeArray.
func TestInterpretedFrame(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	f := h.Function("work")
	undefined := h.Object("ODDBALL", 0, uint64(h.Str("undefined")), 0, 0, 0)
	arg := h.Str("first")
	fp := h.Frame(map[int]uint64{
		-8: uint64(f.Shared), -16: uint64(f.Closure), -24: 3, -32: uint64(f.Bytecode), -40: v8test.Smi(63 + 6),
		16: uint64(undefined), 24: uint64(arg), 32: v8test.Smi(5),
	})
	v := framesOf(h.Memory())
	frames, err := v.Frames.FrameAt(fp, 0)
	if err != nil || len(frames) != 1 {
		t.Fatalf("%v, %v", frames, err)
	}
	g := frames[0]
	if g.Kind != runtimes.JS || g.Name != "work" || g.File != "/a.js" || g.Line != 3 || g.Column != 1 ||
		g.Tier != "interpreter" {
		t.Errorf("got %+v", g)
	}
	args, err := v.Frames.argumentsAt(fp, code.Place{})
	if err != nil || args.Receiver != undefined || len(args.Values) != 2 || args.Values[0] != arg ||
		args.Values[1] != layout.Tagged(v8test.Smi(5)) {
		t.Errorf("arguments: %+v, %v", args, err)
	}
}

// TestReplacedFrame: code that is entered in the midst of a loop keeps the words of the interpreter's frame;
// if its Code is not found it is not called the interpreter for that, and the position that these words have
// is not shown as its own.
func TestReplacedFrame(t *testing.T) {
	const jit = 0x20000000
	for _, c := range []struct {
		blob layout.Area
		tier string
		line int
		note bool
	}{
		{layout.Area{Start: 0x30000000, End: 0x30001000}, "jit", 2, true},
		{layout.Area{}, "interpreter", 3, false}, // where that is is not known
	} {
		h := v8test.NewHeap(t, v8test.Node24)
		f := h.Function("work")
		undefined := h.Object("ODDBALL", 0, uint64(h.Str("undefined")), 0, 0, 0)
		fp := h.Frame(map[int]uint64{
			-8: uint64(f.Shared), -16: uint64(f.Closure), -24: 3, -32: uint64(f.Bytecode), -40: v8test.Smi(63 + 6),
			16: uint64(undefined),
		})
		h.Build.MapProt(jit, make([]byte, 4096), core.Read|core.Exec)
		mem := h.Memory()
		mem.Image.Blob = c.blob
		frames, err := framesOf(mem).Frames.FrameAt(fp, jit+0x100)
		if err != nil || len(frames) != 1 {
			t.Fatalf("%v, %v", frames, err)
		}
		if g := frames[0]; g.Name != "work" || g.Tier != c.tier || g.Line != c.line || (g.Note != "") != c.note {
			t.Errorf("got %+v; want %+v", g, c)
		}
	}
}

// TestConstructFrame: the caller's frame has the type of construct frames.
func TestConstructFrame(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	f := h.Function("Made")
	fp := h.Frame(map[int]uint64{
		-8: uint64(f.Shared), -16: uint64(f.Closure), -24: 1, -32: uint64(f.Bytecode), -40: v8test.Smi(63),
		0: v8test.StackBase + 0x900, 0x100 - 8: 4 << 1,
	})
	frames, _ := framesOf(h.Memory()).Frames.FrameAt(fp, 0)
	if len(frames) != 1 || frames[0].Name != "new Made" || frames[0].Line != 2 {
		t.Errorf("got %+v", frames)
	}
}

// TestContinuationFrame: a builtin that goes on after code that was thrown away;
// execution/frame-constants.h: BuiltinContinuationFrameConstants.
func TestContinuationFrame(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	undefined := h.Object("ODDBALL", 0, uint64(h.Str("undefined")), 0, 0, 0)
	// SharedFunctionInfo: a builtin's number, its name, no script; kNative.
	shared := h.Object("SHARED_FUNCTION_INFO", v8test.Smi(700), 0, uint64(h.Str("map")), 0,
		uint64(undefined), 0, 1<<5, 0)
	closure := h.Object("JS_FUNCTION", 0, 0, 0, uint64(shared), 0, 0, 0)
	fp := h.Frame(map[int]uint64{-8: 7 << 1, -16: uint64(closure), 16: uint64(undefined), 0: v8test.StackBase + 0x900,
		0x100 - 8: uint64(shared)})
	frames, err := framesOf(h.Memory()).Frames.FrameAt(fp, 0)
	if err != nil || len(frames) != 1 || frames[0].Kind != runtimes.JS || frames[0].Name != "map" ||
		frames[0].Tier != "builtin" {
		t.Errorf("got %+v, %v", frames, err)
	}
}

func TestBrokenFrames(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	f := h.Function("f")
	fp := h.Frame(map[int]uint64{-8: uint64(f.Shared), -16: uint64(f.Shared)})
	h.Build.Words(v8test.StackBase+0x10000, make([]uint64, 16)...)
	v := framesOf(h.Memory())
	for what, a := range map[string]core.Addr{"no function": fp, "zeros": v8test.StackBase + 0x10040,
		"not mapped": 0x5000} {
		frames, err := v.Frames.FrameAt(a, 0)
		if err != nil || len(frames) != 1 || frames[0].Kind != runtimes.Stub || frames[0].Tier != "unknown" {
			t.Errorf("%s: %+v, %v", what, frames, err)
		}
	}
}

const codeBase = 0x40000000

// stepIn steps out of a frame whose pc is at an offset in anonymous code.
func stepIn(t *testing.T, h *v8test.Heap, arch *core.Arch, code []byte, f walk.Frame) (walk.Frame, error) {
	t.Helper()
	h.Build.MapProt(codeBase, append(code, make([]byte, 64)...), core.Read|core.Exec)
	v := framesOf(h.Memory())
	v.Process.Arch = arch
	caller, _, err := v.Frames.Begin(&core.Thread{}).Step(&f)
	return caller, err
}

// TestEntryFrameRestoresRegisters: JSEntry saved the registers of its C++
// caller; builtins/x64/builtins-x64.cc, builtins/arm64/builtins-arm64.cc.
func TestEntryFrameRestoresRegisters(t *testing.T) {
	const fp = v8test.StackBase + 0x800
	t.Run("x86-64", func(t *testing.T) {
		h := v8test.NewHeap(t, v8test.Node24)
		h.Frame(map[int]uint64{-8: 1 << 1, -24: 12, -32: 13, -40: 14, -48: 15, -56: 3, 0: fp + 0x100, 8: codeBase + 9})
		caller, err := stepIn(t, h, core.AMD64, nil, walk.Frame{PC: codeBase + 20, SP: fp - 64, FP: fp})
		if err != nil || caller.PC != codeBase+9 || caller.SP != fp+16 || caller.FP != fp+0x100 {
			t.Fatalf("got %+v, %v", caller, err)
		}
		for name, want := range map[string]uint64{"rbx": 3, "r12": 12, "r13": 13, "r14": 14, "r15": 15,
			"rsp": fp + 16} {
			if got, ok := caller.Regs.Get(core.AMD64.SlotOf(name)); !ok || got != want {
				t.Errorf("%s = %d, %v, want %d", name, got, ok, want)
			}
		}
	})
	t.Run("aarch64", func(t *testing.T) {
		h := v8test.NewHeap(t, v8test.Node24)
		words := map[int]uint64{-8: 1 << 1, 0: fp + 0x100, 8: codeBase + 8 | 0x35<<48}
		for i := range 10 {
			words[16+8*i] = uint64(19 + i)
		}
		h.Frame(words)
		caller, err := stepIn(t, h, core.ARM64, nil, walk.Frame{PC: codeBase + 20, SP: fp - 64, FP: fp})
		if err != nil || caller.PC != codeBase+8 || caller.SP != fp+160 {
			t.Fatalf("got %+v, %v", caller, err)
		}
		for i := 19; i < 29; i++ {
			if got, _ := caller.Regs.Get(i); got != uint64(i) {
				t.Errorf("x%d = %d", i, got)
			}
		}
	})
}

// TestTopFrame: generated code that was interrupted before its frame was made,
// or after it was left: push rbp; mov rbp,rsp; nop …; pop rbp; ret.
func TestTopFrame(t *testing.T) {
	const sp, outer = v8test.StackBase + 0x700, v8test.StackBase + 0x800
	code := []byte{0x90, 0x55, 0x48, 0x89, 0xe5, 0x90, 0x90, 0x5d, 0xc3}
	for _, c := range []struct {
		what    string
		off     core.Addr
		fp      core.Addr // the register
		ra, old int       // offsets from sp of the return address and of the saved register; -1 if in the register
	}{
		{"just pushed", 2, outer, 8, 0},
		{"in the body", 5, sp, 8, 0},
		{"before pop", 7, outer, 8, 0},
		{"at ret", 8, outer, 0, -1},
	} {
		t.Run(c.what, func(t *testing.T) {
			h := v8test.NewHeap(t, v8test.Node24)
			words := map[int]uint64{sp - outer + c.ra: codeBase + 3}
			if c.old >= 0 {
				words[sp-outer+c.old] = outer
			}
			h.Frame(words)
			f := walk.Frame{PC: codeBase + c.off, SP: sp, FP: c.fp, Point: walk.Interrupted}
			caller, err := stepIn(t, h, core.AMD64, code, f)
			if err != nil || caller.PC != codeBase+3 || caller.FP != outer {
				t.Errorf("got %+v, %v", caller, err)
			}
		})
	}
}

func TestStepDeclinesForeignCode(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	if _, err := stepIn(t, h, core.AMD64, nil, walk.Frame{PC: 0x1234, FP: v8test.StackBase}); err != walk.ErrDecline {
		t.Errorf("got %v", err)
	}
	// A frame pointer that leads nowhere ends the walk with the place.
	_, err := stepIn(t, v8test.NewHeap(t, v8test.Node24), core.AMD64, nil, walk.Frame{PC: codeBase + 1, FP: 0x8000})
	if s, ok := err.(*walk.StopError); !ok || s.Kind != walk.StopUnreadable || s.At != 0x8000 {
		t.Errorf("got %v", err)
	}
}

func TestStubName(t *testing.T) {
	for in, want := range map[string]string{"Entry": "entry", "ConstructEntry": "construct-entry",
		"ApiAccessorExit": "api-accessor-exit"} {
		if got := StubName(in); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
