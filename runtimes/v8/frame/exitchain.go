package frame

import (
	"bytes"
	"errors"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// An ExitChain reads V8's own chain through the C++ code between its frames: the isolate's
// c_entry_fp is the innermost frame that left JavaScript for C++ (0 while the thread runs JavaScript), and each
// entry frame saves the value that was there before (execution/frame-constants.h: EntryFrameConstants;
// execution/isolate-data.h). It finds JavaScript frames where C++ cannot be unwound, and it can be checked against
// a walk.
type ExitChain struct {
	*layout.Memory
	objects *object.Reader
	// found returns what findExits finds.
	found func() []core.Addr
}

// NewExitChain returns a reader of the chains of the process whose objects r reads.
func NewExitChain(r *object.Reader) *ExitChain {
	c := &ExitChain{Memory: r.Memory, objects: r}
	c.found = sync.OnceValue(c.findExits)
	return c
}

// maxExits bounds the chain, maxEntryHops the frames between two of its links.
const (
	maxExits     = 1 << 12
	maxEntryHops = 1 << 16
)

var errNoChain = errors.New("v8: the chain of exit frames cannot be read")

// ExitFrames returns the frame pointers of the thread's exit frames, innermost
// first, from V8's own chain.
func (c *ExitChain) ExitFrames(t *core.Thread) ([]core.Addr, error) {
	w, ok := c.lastExit(t)
	var out []core.Addr
	if !ok || w == 0 {
		// In JavaScript: the first link is in the entry frame that the
		// registers lead to.
		fp, ok := t.Regs.Get(c.Process.Arch.FP)
		if !ok {
			return nil, errNoChain
		}
		if w, ok = c.savedExit(core.Addr(fp)); !ok {
			return nil, errNoChain
		}
	}
	for w != 0 {
		fp := core.Addr(w)
		if len(out) == maxExits || len(out) > 0 && fp <= out[len(out)-1] || !c.isExit(fp) {
			return out, errNoChain
		}
		out = append(out, fp)
		if w, ok = c.savedExit(fp); !ok {
			return out, errNoChain
		}
	}
	return out, nil
}

// lastExit returns c_entry_fp of the isolate that the thread has entered. Where the image does not say
// which isolate that is, or where in it the word lies, it is the one that leads to the innermost exit frame on the
// thread's stack.
func (c *ExitChain) lastExit(t *core.Thread) (uint64, bool) {
	if isolate, ok := c.objects.Isolate(t); ok {
		if off, ok := c.exitOffset(); ok {
			return c.Word(isolate.Add(int64(off)))
		}
	}
	best := core.Addr(0)
	for _, s := range layout.Stacks(c.Process, t) {
		for _, fp := range c.found() {
			if s.Start <= fp && fp < s.End && (best == 0 || fp < best) {
				best = fp
			}
		}
	}
	return uint64(best), best != 0
}

// findExits returns the frame pointers of exit frames in the memory where isolates begin. Each is the first of
// a chain.
func (c *ExitChain) findExits() (list []core.Addr) {
	for _, area := range c.objects.IsolateAreas() {
		data, _ := core.ReadBytes(c.Space, area.Start, uint64(area.End-area.Start))
		for i := 0; i+8 <= len(data); i += 8 {
			fp := core.Addr(c.Order.Uint64(data[i:]))
			if fp == 0 || fp%8 != 0 || !c.isExit(fp) {
				continue
			}
			if _, ok := c.savedExit(fp); ok {
				list = append(list, fp)
			}
		}
	}
	return list
}

// isExit reports whether fp belongs to a frame that leaves JavaScript.
func (c *ExitChain) isExit(fp core.Addr) bool {
	w, ok := c.Word(fp.Add(int64(c.Layout.Frame.ContextOrType)))
	if !ok || w&1 != 0 {
		return false
	}
	switch c.Markers[int(w>>1)] {
	case "Exit", "BuiltinExit", "ApiCallbackExit", "ApiConstructExit", "ApiAccessorExit", "ApiNamedAccessorExit",
		"ApiIndexedAccessorExit", "WasmExit":
		return true
	}
	return false
}

// savedExit follows frame pointers from fp outwards to an entry frame, and
// returns the exit frame before it.
func (c *ExitChain) savedExit(fp core.Addr) (uint64, bool) {
	for range maxEntryHops {
		w, ok := c.Word(fp.Add(int64(c.Layout.Frame.ContextOrType)))
		if !ok {
			return 0, false
		}
		if w&1 == 0 {
			switch c.Markers[int(w>>1)] {
			case "Entry", "ConstructEntry":
				return c.Word(fp.Add(int64(c.savedExitOffset())))
			}
		}
		next, ok := c.Word(fp)
		if !ok || core.Addr(next) <= fp {
			return 0, false
		}
		fp = core.Addr(next)
	}
	return 0, false
}

func (c *ExitChain) savedExitOffset() int {
	if c.Process.Arch == core.ARM64 {
		return -24 // execution/arm64/frame-constants-arm64.h
	}
	return c.Layout.Frame.SavedExitFP
}

// exitOffset returns where an isolate keeps c_entry_fp. No constant gives it,
// and it changes by build: JSEntry saves the word right after the registers,
// by an offset from the root register, which points some bytes into the
// isolate (builtins/x64/builtins-x64.cc, arm64/builtins-arm64.cc:
// Generate_JSEntryVariant).
func (c *ExitChain) exitOffset() (int, bool) {
	s, ok := c.Symbols.Find(c.Image.Module.Path, layout.BuiltinPrefix+"JSEntry")
	if !ok {
		return 0, false
	}
	code, err := c.Space.Slice(s.Addr, 160)
	if err != nil {
		return 0, false
	}
	if c.Process.Arch == core.ARM64 {
		return exitOffsetARM64(code, c.Order.Uint32)
	}
	return exitOffsetIn(code, c.Order.Uint32)
}

// isolateRootBias is IsolateData::kIsolateRootBias on x64, V8 7.8 to 14.6.
const isolateRootBias = 0x80

// exitOffsetIn finds push [r13 + disp] after push rbx.
func exitOffsetIn(code []byte, u32 func([]byte) uint32) (int, bool) {
	i := bytes.IndexByte(code, 0x53)
	if i < 0 {
		return 0, false
	}
	for code = code[i:]; len(code) >= 7; code = code[1:] {
		switch {
		case bytes.HasPrefix(code, []byte{0x41, 0xff, 0x75}):
			return int(int8(code[3])) + isolateRootBias, true
		case bytes.HasPrefix(code, []byte{0x41, 0xff, 0xb5}):
			return int(int32(u32(code[3:]))) + isolateRootBias, true
		}
	}
	return 0, false
}

// isolateRootBiasARM64 is IsolateData::kIsolateRootBias on aarch64.
const isolateRootBiasARM64 = 0x100

// exitOffsetARM64 finds, after mov x29, sp, the first add x11, x26, #n or from
// V8 14 ldr x10, [x26, #n].
func exitOffsetARM64(code []byte, u32 func([]byte) uint32) (int, bool) {
	const movFrame, immediate = 0x910003fd, 0xfff << 10
	framed := false
	for ; len(code) >= 4; code = code[4:] {
		w := u32(code)
		imm := int(w & immediate >> 10)
		switch {
		case w == movFrame:
			framed = true
		case framed && w&^immediate == 0x91000000|26<<5|11:
			return imm + isolateRootBiasARM64, true
		case framed && w&^immediate == 0xf9400000|26<<5|10:
			return 8*imm + isolateRootBiasARM64, true
		}
	}
	return 0, false
}
