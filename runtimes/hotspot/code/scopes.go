package code

import (
	"coredbg/core"
	"coredbg/runtimes/hotspot/object"
)

// A Scope is a method that compiled code is at.
type Scope struct {
	Method *object.Method
	BCI    int // of the bytecode; -1 if it is not known

	locals, monitors int32 // where its values are described; 0 if it has none
}

// Bounds of what nmethods have: descriptions of places, and methods inlined into each other.
const (
	maxDescs  = 1 << 20
	maxScopes = 256
)

// Scopes returns the methods that a compiled one is at, innermost first; the last one is the compiled method
// itself. A return address has a description of its own; for an instruction that was interrupted the next one
// counts, which exact then reports. It is nil if there is none.
func (k *Cache) Scopes(b *Blob, pc core.Addr, interrupted bool) (scopes []Scope, exact bool) {
	c, want := k.Process.Cursor(), int32(pc-b.Begin)
	at := b.scopesPCs
	for range maxDescs {
		off := int32(c.U32(at.Add(k.o.pcOffset)))
		if c.Err() != nil {
			return nil, false
		}
		if off >= want {
			if off != want && !interrupted {
				return nil, false
			}
			return k.scopesAt(b, int32(c.U32(at.Add(k.o.scopeOffset)))), off == want
		}
		at = at.Add(k.o.pcDescSize)
	}
	return nil, false
}

// scopesAt follows the scopes from a description on. Each leads to one that was written before it.
func (k *Cache) scopesAt(b *Blob, offset int32) []Scope {
	var out []Scope
	for range maxScopes {
		if offset <= 0 {
			return out
		}
		s := object.NewStream(k.Process, b.scopesData+core.Addr(offset), k.Java())
		sender, method, bci := s.Int(), s.Int(), s.Int()-1
		locals, _, monitors := s.Int(), s.Int(), s.Int()
		if s.Err() != nil || sender >= int(offset) {
			return nil
		}
		m := k.metadata(b, method)
		if m == nil || bci >= max(m.CodeSize, 1) {
			return nil
		}
		// -1 is the entry, where a synchronized method locks (SynchronizationEntryBCI)
		out = append(out, Scope{Method: m, BCI: max(bci, 0), locals: int32(locals), monitors: int32(monitors)})
		offset = int32(sender)
	}
	return nil
}

// metadata returns the method that a number in a description means: 0 is none, others count from 1.
func (k *Cache) metadata(b *Blob, index int) *object.Method {
	if index <= 0 || index > maxDescs {
		return nil
	}
	c := k.Process.Cursor()
	m, err := k.Method(c.Pointer(b.metadata.Add(8 * int64(index-1))))
	if c.Err() != nil || err != nil {
		return nil
	}
	return m
}
