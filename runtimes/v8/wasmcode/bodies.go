package wasmcode

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/wasm"
)

// A code is the WasmCode of one function.
type code struct {
	start     core.Addr
	size      int
	index     int
	positions []byte
	inlined   []byte // the calls that were expanded, inlinedSize bytes each
}

// maxInlined bounds the functions inlined into one.
const maxInlined = 1 << 12

// A place is a function, and the offset in its body; -1 if unknown.
type place struct{ index, at int }

// codeAt finds the WasmCode whose instructions hold pc, among the module's
// tables of code: arrays of pointers, and a tree by address.
func (v *Modules) codeAt(m *nativeModule, pc core.Addr) (code, bool) {
	for off := core.Addr(0); off < maxNativeModule; off += 8 {
		w, ok := v.Word(m.addr + off)
		if !ok {
			break
		}
		if w == 0 || w&7 != 0 {
			continue
		}
		if c, ok := v.inArray(m, core.Addr(w), pc); ok {
			return c, true
		}
		if c, ok := v.inTree(m, core.Addr(w), pc); ok {
			return c, true
		}
	}
	return code{}, false
}

// inArray takes table as an array of pointers to WasmCode; functions that were not compiled have a null
// pointer.
func (v *Modules) inArray(m *nativeModule, table, pc core.Addr) (code, bool) {
	for i := range len(m.module.Bodies) + 1 {
		p, ok := v.Word(table + core.Addr(8*i))
		if !ok {
			break
		}
		if p == 0 {
			continue
		}
		if !v.refersTo(core.Addr(p), m.addr) {
			break
		}
		if c, ok := v.readCode(m, core.Addr(p), pc); ok {
			return c, true
		}
	}
	return code{}, false
}

// refersTo reports whether one of the first words at p is a.
func (v *Modules) refersTo(p, a core.Addr) bool {
	for _, off := range []core.Addr{0, 16, 48} {
		if w, ok := v.Word(p + off); ok && core.Addr(w) == a {
			return true
		}
	}
	return false
}

// inTree takes node as one of a std::map by start address: in libstdc++ colour, parent, left, right,
// key, value (bits/stl_tree.h), in libc++ left, right, parent, colour, key, value (__tree).
func (v *Modules) inTree(m *nativeModule, node, pc core.Addr) (code, bool) {
	for _, left := range []core.Addr{16, 0} {
		if c, ok := v.below(m, node, pc, left); ok {
			return c, true
		}
	}
	return code{}, false
}

// below looks for pc in a tree whose nodes have their left child at left, and the right one after it.
func (v *Modules) below(m *nativeModule, node, pc, left core.Addr) (code, bool) {
	for range maxCodeTree {
		key, ok1 := v.Word(node + 32)
		value, ok2 := v.Word(node + 40)
		if !ok1 || !ok2 || !v.refersTo(core.Addr(value), m.addr) {
			break
		}
		if c, ok := v.readCode(m, core.Addr(value), pc); ok {
			return c, true
		}
		child := node + left
		if pc >= core.Addr(key) {
			child += 8
		}
		next, ok := v.Word(child)
		if !ok || next == 0 {
			break
		}
		node = core.Addr(next)
	}
	return code{}, false
}

// readCode reads the WasmCode at p if its instructions hold pc. A layout that gives it positions is more
// likely to be the right one.
func (v *Modules) readCode(m *nativeModule, p, pc core.Addr) (found code, ok bool) {
	for i := range layout.WasmCodes {
		l := &layout.WasmCodes[i]
		native, ok := v.Word(p + core.Addr(l.Native))
		start, ok1 := v.Word(p + core.Addr(l.Start))
		size, ok2 := v.U32(p + core.Addr(l.Size))
		if !ok || !ok1 || !ok2 || core.Addr(native) != m.addr || uint64(pc)-start >= uint64(size) {
			continue
		}
		c := code{start: core.Addr(start), size: int(size)}
		index, ok := v.U32(p + core.Addr(l.Index))
		body, ok2 := m.module.Body(int(int32(index)))
		if !ok || !ok2 {
			continue
		}
		c.index = int(index)
		if c.positions, c.inlined, ok2 = v.positionsOf(l, p); !ok2 || !c.fits(v, body) {
			continue
		}
		if len(c.positions) > 0 {
			return c, true
		}
		if found.size == 0 {
			found = c
		}
	}
	return found, found.size > 0
}

// positionsOf reads the tables of positions and of expanded calls.
func (v *Modules) positionsOf(l *layout.WasmCode, p core.Addr) (positions, inlined []byte, ok bool) {
	meta, ok := v.Word(p + core.Addr(l.Meta))
	n, ok1 := v.U32(p + core.Addr(l.Positions))
	at := uint64(meta)
	var calls uint32
	if !l.Separate {
		reloc, ok2 := v.U32(p + core.Addr(l.Reloc))
		protected, ok3 := v.U32(p + core.Addr(l.Protected))
		if !ok2 || !ok3 {
			return nil, nil, false
		}
		at += uint64(reloc) + uint64(protected)
		if l.Protected >= l.Positions+8 {
			calls, _ = v.U32(p + core.Addr(l.Positions) + 4)
		}
	}
	if !ok || !ok1 || n > bytecode.MaxTable || calls > bytecode.MaxTable {
		return nil, nil, false
	}
	b, err := v.Space.Slice(core.Addr(at), int(n+calls))
	if err != nil {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}

// fits reports whether the position table is one, and of this function.
func (c *code) fits(v *Modules, body wasm.Extent) bool {
	entries, err := bytecode.DecodePositions(c.positions, v.objects.PositionEncoding(v.Layout.Frame.FirstCodeOffset))
	if err != nil {
		return false
	}
	for _, e := range entries {
		if at := e.Source.Offset(); e.Code > c.size || at < 0 || e.Source.Inlining() < 0 && at > body.Size {
			return false
		}
	}
	return true
}

// inlinedSize is the size of an expanded call: the index of the function, whether
// it was a tail call, the position of the call (wasm/wasm-code-manager.cc @ 12.4:
// GetInliningPosition).
const inlinedSize = 4 + 1 + 8

// places returns the functions that a pc belongs to, innermost first. A function
// that ended in the call of the one before it has left none (WasmFrame::Summarize).
func (c *code) places(v *Modules, pc core.Addr) []place {
	entries, _ := bytecode.DecodePositions(c.positions, v.objects.PositionEncoding(v.Layout.Frame.FirstCodeOffset))
	p, ok := bytecode.LookupPosition(entries, int(pc-c.start))
	if !ok {
		return []place{{c.index, -1}}
	}
	return c.expand(p, v.Order)
}

func (c *code) expand(p bytecode.SourcePosition, order binary.ByteOrder) []place {
	var out []place
	tail := false
	for p.Inlining() >= 0 {
		at := inlinedSize * p.Inlining()
		if at+inlinedSize > len(c.inlined) || len(out) > maxInlined {
			return append(out, place{c.index, -1})
		}
		call := c.inlined[at:]
		if !tail {
			out = append(out, place{int(order.Uint32(call)), p.Offset()})
		}
		tail = call[4] != 0
		p = bytecode.SourcePosition(order.Uint64(call[5:]))
	}
	if !tail {
		out = append(out, place{c.index, p.Offset()})
	}
	return out
}
