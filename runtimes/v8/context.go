package v8

import (
	"fmt"
	"math"

	"coredbg/core"
)

// isContext reports whether o is a context of any kind: an array whose first
// word is the ScopeInfo and whose second is the previous context, a number or
// undefined (objects/contexts.h). The image does not name all their types.
func (v *V8) isContext(o Tagged) bool {
	l := &v.layout.Context
	if typ, ok := v.instanceType(o); !ok || typ >= v.types.firstReceiver || typ < v.layout.String.FirstNonstringType {
		return false
	}
	scope, ok := v.field(o, l.Data)
	if !ok || !v.is(scope, v.types.scopeInfo) {
		return false
	}
	n, ok := v.contextLength(o)
	return ok && n >= 2
}

// contextLength returns the number of slots of a context.
func (v *V8) contextLength(o Tagged) (int, bool) {
	n, ok := v.smiField(o, v.layout.FixedArray.Length)
	n &= v.layout.Context.LengthMask
	return n, ok && n <= maxFixedArray
}

// ContextSlot returns what slot i of a context holds. A slot may hold a cell,
// which keeps numbers untagged while the compiler relies on them
// (objects/contexts.tq @ 14.1: ContextCell).
func (v *V8) ContextSlot(ctx Tagged, i int) (Slot, error) {
	n, ok := v.contextLength(ctx)
	if !ok || i < 0 || i >= n {
		return Slot{}, fmt.Errorf("corrupt: context %v has no slot %d", core.Addr(ctx), i)
	}
	w, ok := v.field(ctx, v.layout.Context.Data+8*i)
	if !ok {
		return Slot{}, v.fault(ctx, v.layout.Context.Data+8*i)
	}
	return v.cell(Slot{Word: w}), nil
}

// The states of a ContextCell; objects/contexts.h @ 14.1.
const (
	cellInt32   = 2
	cellFloat64 = 3
)

// cell opens a ContextCell; any other slot stays what it is.
func (v *V8) cell(s Slot) Slot {
	if s.Raw || !s.Word.IsHeap() || !v.typeNamed(s.Word, "CONTEXT_CELL") {
		return s
	}
	l := &v.layout.ContextCell
	state, ok := v.u32Field(s.Word, l.State)
	if !ok {
		return s
	}
	raw, ok := v.word(s.Word.Addr().Add(int64(l.Double)))
	switch {
	case ok && state == cellInt32:
		return rawSlot(float64(int32(raw)))
	case ok && state == cellFloat64:
		return rawSlot(math.Float64frombits(raw))
	}
	if w, ok := v.field(s.Word, l.Tagged); ok {
		return Slot{Word: w}
	}
	return s
}

// A Variable is a named slot of a context.
type Variable struct {
	Name  string
	Index int // of the slot
	Slot  Slot
}

// A Context is a scope's variables that closures share.
type Context struct {
	Word      Tagged
	ScopeInfo Tagged
	Previous  Tagged // 0 if there is none
	Length    int    // slots
	Native    bool   // the context of a whole realm
	Variables []Variable
}

// maxContexts bounds the chain of contexts.
const maxContexts = 1 << 10

// Context decodes the context at o with its variables. The locals stand at
// its end, in the order of the names in the ScopeInfo.
func (v *V8) Context(o Tagged) (*Context, error) {
	if !v.isContext(o) {
		return nil, fmt.Errorf("v8: %v is no context", core.Addr(o))
	}
	l := &v.layout.Context
	c := &Context{Word: o}
	c.Length, _ = v.contextLength(o)
	c.Native = c.Length > l.MinNative
	c.ScopeInfo, _ = v.field(o, l.Data)
	if p, ok := v.field(o, l.Previous); ok && v.isContext(p) {
		c.Previous = p
	}
	if c.Native {
		return c, nil
	}
	s, err := v.ScopeInfo(c.ScopeInfo)
	if s == nil {
		return c, err
	}
	names := s.ContextLocals
	header := c.Length - len(names)
	if header < 2 || header > 4 {
		// A with or catch scope's, or names kept in a hash table.
		header = 2
		if s.HasExtension {
			header = 3
		}
	}
	for i, name := range names {
		slot, err := v.ContextSlot(o, header+i)
		if err != nil {
			return c, err
		}
		n := ""
		if v.IsString(name) {
			n = v.text(name)
		} else {
			n = v.symbolDescription(name)
		}
		if n == "" || n[0] == '.' || n == "this" || n == "new.target" {
			continue // the compiler's own
		}
		c.Variables = append(c.Variables, Variable{Name: n, Index: header + i, Slot: slot})
	}
	return c, nil
}

// Contexts returns the chain of contexts that o, a function or a context,
// sees: its own first, without the native context.
func (v *V8) Contexts(o Tagged) ([]*Context, error) {
	if v.isFunction(o) {
		c, ok := v.field(o, v.layout.JSFunction.Context)
		if !ok {
			return nil, v.fault(o, v.layout.JSFunction.Context)
		}
		o = c
	}
	var out []*Context
	for o != 0 && len(out) < maxContexts {
		c, err := v.Context(o)
		if err != nil {
			return out, err
		}
		if c.Native {
			break
		}
		out = append(out, c)
		o = c.Previous
	}
	return out, nil
}
