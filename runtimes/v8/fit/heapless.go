package fit

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/layout"
	"coredbg/walk"
)

// Minidumps of crash reporters contain stacks and little else. Frames of generated code are there, but the heap
// with their functions mostly is not. The frame's own words say which kind it is and which function it runs;
// the function's name is only on the heap.

// A heapless decodes frames of V8 without a heap: of code that is known to be generated.
type heapless struct {
	t        runtimes.Target
	builtins *embedded.Builtins
	layout   *layout.Layout
	markers  layout.FrameTypes
	cage     core.Addr // of compressed pointers; 0 if it is not known
}

// heapless returns a decoder of frames, nil if the builtins are not found or V8's version is not known.
func (u *Undecoded) heapless(t runtimes.Target) *heapless {
	ver, ok := layout.ParseVersion(u.version)
	if !ok || u.module == nil {
		return nil
	}
	h := &heapless{t: t, builtins: embedded.Find(t.Process, u.module), cage: cageOf(t.Process)}
	if h.builtins.End == 0 {
		return nil
	}
	// Facts that are the same for all variants come from any variant's table.
	for _, variant := range []layout.Variant{{TaggedSize: 4, Sandbox: true}, {TaggedSize: 4}, {TaggedSize: 8}} {
		list, err := layout.Tables(variant, ver)
		if err != nil || len(list) == 0 {
			continue
		}
		c := layout.Constants{Values: list[0].Constants, Table: list[0]}
		mem := layout.NewMemory(t, layout.Stripped(t, u.module, ver, "", c, h.builtins), layout.New(ver, c))
		h.layout, h.markers = mem.Layout, mem.Markers
		return h
	}
	return nil
}

// withoutHeap has frames decoded without the heap if the core does not contain the heap.
func (u *Undecoded) withoutHeap(t runtimes.Target) {
	if u.heap.width != 0 || heapLeftOut(t.Process) == "" {
		return
	}
	found := sync.OnceValue(func() *heapless { return u.heapless(t) }) // once a frame is asked for
	u.bare = func(f *walk.Frame) []runtimes.SourceFrame {
		if h := found(); h != nil {
			return h.decode(f)
		}
		return nil
	}
}

func (h *heapless) word(a core.Addr, off int) (uint64, bool) {
	var b [8]byte
	_, err := h.t.Process.Space.ReadAt(b[:], a.Add(int64(off)))
	return h.t.Process.Arch.Order.Uint64(b[:]), err == nil
}

// decode decodes a frame of the builtins, or of code that was compiled as the program ran, which is in no image.
func (h *heapless) decode(f *walk.Frame) []runtimes.SourceFrame {
	pc := f.LookupPC()
	builtin := pc >= h.builtins.Start && pc < h.builtins.End
	if f.FP == 0 || !builtin && h.t.Process.Module(pc) != nil {
		return nil
	}
	l := &h.layout.Frame
	w, ok := h.word(f.FP, l.ContextOrType)
	if !ok {
		return nil
	}
	if w&1 == 0 {
		name, ok := h.markers[int(w>>1)]
		if !ok || w>>1 > 255 || !builtin {
			return nil
		}
		what := frame.StubName(name)
		own, _ := h.builtins.At(pc)
		return []runtimes.SourceFrame{{Kind: runtimes.Stub, Name: cmp.Or(own, "<"+what+">"), Tier: what}}
	}
	fn, ok := h.word(f.FP, l.Function)
	if !ok || !maybeObject(w) || !maybeObject(fn) || w>>32 != fn>>32 ||
		h.cage != 0 && h.cage != core.Addr(fn)&^(layout.CageSize-1) {
		return nil
	}
	return []runtimes.SourceFrame{{Kind: runtimes.JS, Name: runtimes.UnknownFunction, Tier: h.tier(f, builtin),
		Function: core.Addr(fn), Note: h.unnamed(layout.Tagged(fn))}}
}

// maybeObject reports whether a word may be a reference to an object of V8's, which is whole on stacks.
func maybeObject(w uint64) bool { return w&3 == 1 && w>>32 != 0 && w>>47 == 0 }

// tier returns "interpreter" for a frame that has bytecodes and an offset in them where the interpreter has
// these, "" if that is not known.
func (h *heapless) tier(f *walk.Frame, builtin bool) string {
	array, ok1 := h.word(f.FP, h.layout.Frame.BytecodeArray)
	offset, ok2 := h.word(f.FP, h.layout.Frame.BytecodeOffset)
	if builtin && ok1 && ok2 && maybeObject(array) && offset&1 == 0 && uint32(offset) != 0 &&
		uint32(offset) < maxBytecodeOffset {
		return "interpreter"
	}
	return ""
}

// maxBytecodeOffset is more than the offset of any bytecode, as a small integer.
const maxBytecodeOffset = 1 << 28

// unnamed says which of the objects is missing that lead to the name of a function: itself, or its
// SharedFunctionInfo.
func (h *heapless) unnamed(fn layout.Tagged) string {
	if why, missing := h.missing(fn.Addr()); missing {
		return fmt.Sprintf("name unknown: the function, %#x, is %s", uint64(fn), why)
	}
	if h.cage == 0 || h.cage != fn.Addr()&^(layout.CageSize-1) {
		return fmt.Sprintf("name unknown: the heap around the function, %#x, is not there", uint64(fn))
	}
	var b [4]byte
	at := fn.Addr().Add(int64(h.layout.JSFunction.Shared))
	if why, missing := h.missing(at); missing {
		return fmt.Sprintf("name unknown: the end of the function, %#x, is %s", uint64(fn), why)
	}
	if _, err := h.t.Process.Space.ReadAt(b[:], at); err != nil {
		return fmt.Sprintf("name unknown: the end of the function, %#x, is not there", uint64(fn))
	}
	shared := h.cage + core.Addr(h.t.Process.Arch.Order.Uint32(b[:])&^1)
	if why, missing := h.missing(shared); missing {
		return fmt.Sprintf("name unknown: the SharedFunctionInfo of the function, %#x, is %s: %#x", uint64(fn), why,
			uint64(shared))
	}
	return fmt.Sprintf("name unknown: what the SharedFunctionInfo of the function, %#x, refers to is not there",
		uint64(fn))
}

// missing reports that there is nothing to be read at a, and why.
func (h *heapless) missing(a core.Addr) (string, bool) {
	var b [1]byte
	_, err := h.t.Process.Space.ReadAt(b[:], a)
	if fault := (*core.FaultError)(nil); errors.As(err, &fault) {
		return fault.Gap.String(), true
	}
	return "", err != nil
}

// cageKey is the annotation that gives the address of V8's read-only objects in Chromium. With compressed
// pointers they are at the start of the cage.
const cageKey = "v8_ro_space_firstpage_address"

// cageOf returns the start of the cage as the program told its crash reporter, or 0 if it did not.
func cageOf(p *core.Process) core.Addr {
	for _, a := range p.Annotations {
		if a.Name != cageKey {
			continue
		}
		if n, err := strconv.ParseUint(strings.TrimPrefix(a.Value, "0x"), 16, 64); err == nil &&
			n&(layout.CageSize-1) == 0 {
			return core.Addr(n)
		}
	}
	return 0
}
