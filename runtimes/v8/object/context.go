package object

import (
	"fmt"
	"math"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A ScopeReader reads contexts, and the scopes that say which variables they have.
type ScopeReader struct{ MapReader }

// IsContext reports whether o is a context of any kind: an array whose first
// word is the ScopeInfo and whose second is the previous context, a number or
// undefined (objects/contexts.h). The image does not name all their types.
func (r *ScopeReader) IsContext(o layout.Tagged) bool {
	l := &r.Layout.Context
	if typ, ok := r.InstanceType(o); !ok || typ >= r.Types.FirstReceiver || typ < r.Layout.String.FirstNonstringType {
		return false
	}
	scope, ok := r.Field(o, l.Data)
	if !ok || !r.Is(scope, r.Types.ScopeInfo) {
		return false
	}
	n, ok := r.ContextLength(o)
	return ok && n >= 2 && r.isPrevious(o)
}

// isPrevious reports whether the second word of o is valid as the second word of a context. A constant pool may
// begin with a ScopeInfo as well: the scope of the first block that the code enters.
func (r *ScopeReader) isPrevious(o layout.Tagged) bool {
	w, ok := r.Field(o, r.Layout.Context.Data+r.Slots(1))
	switch {
	case !ok:
		return false
	case w.IsSmi():
		return w.Smi() == 0
	case r.OddballKind(w) != "":
		return r.OddballKind(w) == KindUndefined
	}
	scope, ok := r.Field(w, r.Layout.Context.Data)
	return ok && r.Is(scope, r.Types.ScopeInfo)
}

// ContextLength returns the number of slots of a context.
func (r *ScopeReader) ContextLength(o layout.Tagged) (int, bool) {
	n, ok := r.SmiField(o, r.Layout.FixedArray.Length)
	n &= r.Layout.Context.LengthMask
	return n, ok && n <= MaxFixedArray
}

// ContextSlot returns what slot i of a context holds. A slot may hold a cell,
// which keeps numbers untagged while the compiler relies on them
// (objects/contexts.tq @ 14.1: ContextCell).
func (r *ScopeReader) ContextSlot(ctx layout.Tagged, i int) (Slot, error) {
	n, ok := r.ContextLength(ctx)
	if !ok || i < 0 || i >= n {
		return Slot{}, fmt.Errorf("corrupt: context %v has no slot %d", core.Addr(ctx), i)
	}
	w, ok := r.Field(ctx, r.Layout.Context.Data+r.Slots(i))
	if !ok {
		return Slot{}, r.Fault(ctx, r.Layout.Context.Data+r.Slots(i))
	}
	return r.cell(Slot{Word: w}), nil
}

// The states of a ContextCell; objects/contexts.h @ 14.1.
const (
	cellInt32   = 2
	cellFloat64 = 3
)

// cell opens a ContextCell; any other slot stays what it is.
func (r *ScopeReader) cell(s Slot) Slot {
	if s.Raw || !s.Word.IsHeap() || !r.TypeNamed(s.Word, "CONTEXT_CELL") {
		return s
	}
	l := &r.Layout.ContextCell
	state, ok := r.U32Field(s.Word, l.State)
	if !ok {
		return s
	}
	raw, ok := r.Word(s.Word.Addr().Add(int64(l.Double)))
	switch {
	case ok && state == cellInt32:
		return RawSlot(float64(int32(raw)))
	case ok && state == cellFloat64:
		return RawSlot(math.Float64frombits(raw))
	}
	if w, ok := r.Field(s.Word, l.Tagged); ok {
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
	Word      layout.Tagged
	ScopeInfo layout.Tagged
	Previous  layout.Tagged // 0 if there is none
	Length    int           // slots
	Native    bool          // the context of a whole realm
	Variables []Variable
	Locals    []Variable // with the compiler's own, such as "this"
	Imported  []Variable // imports and exports of a module
	Declares  bool       // of a function, a script, a module or an eval; not of a block
	// Body is set for the block of a function whose parameters have expressions: its variables
	// are not among theirs.
	Body     bool
	Extended bool // it has a slot for an extension
}

// declares reports whether var may declare variables in scopes of a type. These are the consecutive types EVAL,
// FUNCTION, MODULE and SCRIPT, until V8 12.8 moves SCRIPT to the front (common/globals.h: ScopeType).
func (r *ScopeReader) declares(scope int) bool {
	m := r.Layout.ScopeInfo.ModuleType
	return scope >= m-2 && scope <= m || m < 4 && scope == m+1 || m >= 4 && scope <= 1
}

// MaxContexts bounds the chain of contexts.
const MaxContexts = 1 << 10

// Context decodes the context at o with its variables. The locals are at
// its end, in the order of the names in the ScopeInfo.
func (r *ScopeReader) Context(o layout.Tagged) (*Context, error) {
	if !r.IsContext(o) {
		return nil, fmt.Errorf("v8: %v is not a context", core.Addr(o))
	}
	l := &r.Layout.Context
	c := &Context{Word: o}
	c.Length, _ = r.ContextLength(o)
	c.Native = c.Length > l.MinNative
	c.ScopeInfo, _ = r.Field(o, l.Data)
	if p, ok := r.Field(o, l.Previous); ok && r.IsContext(p) {
		c.Previous = p
	}
	s, err := r.ScopeInfo(c.ScopeInfo)
	// The scope of a native context has no variables; a function's may have as many slots.
	if c.Native = c.Native && (s == nil || len(s.ContextLocals) == 0); c.Native {
		return c, nil
	}
	if s == nil {
		return c, err
	}
	c.Declares, c.Extended = r.declares(s.Type), s.HasExtension
	c.Body = !c.Declares && s.Declaration
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
		slot, err := r.ContextSlot(o, header+i)
		if err != nil {
			return c, err
		}
		n := ""
		if r.IsString(name) {
			n = r.Text(name)
		} else {
			n = r.SymbolDescription(name)
		}
		v := Variable{Name: n, Index: header + i, Slot: slot}
		c.Locals = append(c.Locals, v)
		if n == "" || n[0] == '.' || n == "this" || n == "new.target" {
			continue // the compiler's own
		}
		c.Variables = append(c.Variables, v)
	}
	if module, ok := r.Field(o, l.Data+r.Slots(2)); ok && len(s.modules) > 0 {
		c.Imported = r.imported(module, s.modules)
	}
	return c, nil
}

// Contexts returns the chain of contexts that o, a function or a context,
// sees: its own first, without the native context.
func (r *ScopeReader) Contexts(o layout.Tagged) ([]*Context, error) {
	if r.IsFunction(o) {
		c, ok := r.Field(o, r.Layout.JSFunction.Context)
		if !ok {
			return nil, r.Fault(o, r.Layout.JSFunction.Context)
		}
		o = c
	}
	var out []*Context
	for o != 0 && len(out) < MaxContexts {
		c, err := r.Context(o)
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
