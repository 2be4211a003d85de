package heap

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
)

// Since V8 13 a function does not refer to its code directly, but by a handle: an entry of the JSDispatchTable.
// The table is outside the heap and keeps the code for as long as the function lives
// (sandbox/js-dispatch-table.h @ 13.6: JSDispatchEntry). No symbol names the table. It begins a mapping of its
// own, so the table is in the mapping where all handles lead to code.

const (
	dispatchEntry  = 16 // bytes: the entry point, then the code
	dispatchCode   = 8
	handleShift    = 8  // include/v8-internal.h @ 13.6: kJSDispatchHandleShift
	codeShift      = 16 // JSDispatchEntry::kObjectPointerShift; below is the parameter count
	leastHandles   = 8  // that a table is known by
	sampledHandles = 64
)

// A dispatchTable leads from functions to their code.
type dispatchTable struct {
	v         *Walker
	base      core.Addr // 0 if there is none
	functions page.TypeSet
}

// newDispatchTable finds the table by functions of the heap. All isolates of the process share it, so code of
// any isolate will do.
func newDispatchTable(h *Snapshot) *dispatchTable {
	t := &dispatchTable{v: h.v}
	if h.v.Layout.JSFunction.DispatchHandle == layout.Unknown {
		return t
	}
	var handles []uint32
	for _, m := range h.Maps.List {
		list := h.Of(m.ID)
		if !m.Receiver || len(list) == 0 || !h.v.IsFunction(layout.Tag(list[0])) {
			continue
		}
		t.functions.Add(m.Typ)
		for _, a := range list[:min(len(list), sampledHandles-len(handles))] {
			data, err := core.ReadBytes(h.v.Space, a.Add(int64(h.v.Layout.JSFunction.DispatchHandle)),
				uint64(h.v.SlotSize()))
			if err != nil {
				continue
			}
			if handle, is := dispatchHandle(h.v.handleWord(data)); is {
				handles = append(handles, handle)
			}
		}
	}
	best := max(leastHandles-1, len(handles)/2)
	for _, m := range h.v.Process.Mappings {
		if m.Path != "" {
			continue
		}
		n := 0
		for _, handle := range handles {
			if _, ok := t.at(m.Start, handle); ok {
				n++
			}
		}
		if n > best {
			best, t.base = n, m.Start
		}
	}
	return t
}

// handleWord returns the field of a function that data begins with.
func (hs *Walker) handleWord(data []byte) uint64 {
	if hs.Compressed() {
		return uint64(hs.Order.Uint32(data))
	}
	return hs.Order.Uint64(data)
}

// dispatchHandle returns the table index of the handle in a function's word.
func dispatchHandle(word uint64) (uint32, bool) {
	return uint32(word >> handleShift), word != 0 && word>>32 == 0 && word&(1<<handleShift-1) == 0
}

// at returns the code of an entry of the table, were it at base.
func (t *dispatchTable) at(base core.Addr, index uint32) (layout.Tagged, bool) {
	x, ok := t.v.Word(base + core.Addr(index)*dispatchEntry + dispatchCode)
	code := layout.Tagged(x>>codeShift | 1) // the collector marks entries in the lowest bit
	if !ok || x == 0 {
		return 0, false
	}
	typ, ok := t.v.InstanceType(code)
	return code, ok && typ == t.v.Types.Code
}

// code returns the code that the handle in a function's word leads to.
func (t *dispatchTable) code(word uint64) (layout.Tagged, bool) {
	handle, ok := dispatchHandle(word)
	if !ok || t.base == 0 {
		return 0, false
	}
	return t.at(t.base, handle)
}
