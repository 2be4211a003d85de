package pcln

import (
	"fmt"

	"coredbg/core/sym/lines"
)

// Tables of a function, by their numbers (internal/abi/symtab.go).
const (
	inlTreeIndex = 2 // in the tables of values: PCDATA_InlTreeIndex
	inlTree      = 3 // of others: FUNCDATA_InlTree
)

// Offsets in bytes of the fields of a _func from its second one.
const (
	fileField  = 16
	lineField  = 20
	countField = 24 // of tables of values
	unitField  = 28
)

// maxInlined bounds how many calls are inlined in one another, and maxCalls how many in one function.
const (
	maxInlined = 256
	maxCalls   = 1 << 20
)

// Lines returns the places of a link-time address, the innermost inlined call first; nil if no function
// is there. The error says which places are missing.
func (t *Table) Lines(link uint64) ([]lines.Line, error) {
	f, ok := t.find(link)
	if !ok {
		return nil, nil
	}
	own := string(f.name())
	steps := maxSteps
	index, tree := f.tables()
	var out []lines.Line
	for pc := link; ; {
		n := f.valueAt(index, pc, &steps)
		l := f.place(pc, &steps)
		if n < 0 {
			l.Func = own
			return append(out, l), nil
		}
		call, ok := f.call(tree, n)
		if !ok || len(out) >= maxInlined {
			return []lines.Line{{Func: own}}, fmt.Errorf("calls that %q has inlined cannot be read", own)
		}
		l.Func, l.Inlined = call.name, true
		out, pc = append(out, l), f.entry+call.parent
	}
}

// place returns the file and the line of code.
func (f *function) place(pc uint64, steps *int) (l lines.Line) {
	file := f.valueAt(f.u32(f.at+fileField), pc, steps)
	line := f.valueAt(f.u32(f.at+lineField), pc, steps)
	if file < 0 || line <= 0 {
		return l
	}
	name := f.u32(f.units + 4*(f.u32(f.at+unitField)+uint64(file)))
	l.File = string(f.textAt(f.files, name, maxFile))
	if l.File != "" {
		l.Line = int(line)
	}
	return l
}

// last returns the offset after the _func: three bytes before it are its flags, one is how many tables other than of
// values there are.
func (f *function) last() uint64 {
	if f.magic == go120 {
		return f.at + 40 // it has the line that the function begins at
	}
	return f.at + 36
}

// tables returns the offset of the table that gives the inlined call at an address, and the link-time
// address of the tree of calls. Both are zero if there is no such table.
func (f *function) tables() (index, tree uint64) {
	last := f.last()
	values := f.u32(f.at + countField)
	if last == 0 || last > uint64(len(f.data)) || values <= inlTreeIndex || f.data[last-1] <= inlTree {
		return 0, 0
	}
	index = f.u32(last + 4*inlTreeIndex)
	at := last + 4*values
	if f.magic != go116 {
		off := f.u32(at + 4*inlTree)
		if off == 1<<32-1 || f.gofunc == 0 {
			return index, 0
		}
		return index, f.gofunc + off
	}
	at += -(f.addr + at) & (f.word - 1)
	if v := f.pointer(at + f.word*inlTree); v != 0 {
		tree = f.link(v)
	}
	return index, tree
}

// A call is one that was inlined.
type call struct {
	name   string
	parent uint64 // where code of its caller is, in bytes from the function's entry
}

// call returns an entry of a tree and reports whether it can be read.
func (f *function) call(tree uint64, n int32) (call, bool) {
	name := 12
	if f.magic == go120 {
		name = 4
	}
	size := f.callSize()
	b := make([]byte, size)
	if tree == 0 || n >= maxCalls || !f.read(b, tree+size*uint64(n)) {
		return call{}, false
	}
	text := f.textAt(f.names, uint64(f.order.Uint32(b[name:])), maxName)
	return call{string(text), uint64(f.order.Uint32(b[name+4:]))}, len(text) > 0
}

// callSize returns the size in bytes of an entry of a tree.
func (t *Table) callSize() uint64 {
	if t.magic == go120 {
		return 16
	}
	return 20
}

// Trees calls yield with the link-time address of each function's tree of inlined calls and its size in bytes, until it
// returns false: what Lines needs that is not in the section of the table.
func (t *Table) Trees(yield func(link, size uint64) bool) {
	steps := 16 * maxSteps
	for i := range t.count {
		f := t.function(i)
		index, tree := f.tables()
		if tree == 0 || tree-t.addr < uint64(len(t.data)) {
			continue
		}
		n := min(f.greatest(index, &steps), maxCalls-1)
		if n >= 0 && !yield(tree, uint64(n+1)*t.callSize()) {
			return
		}
	}
}
