package object

import (
	"fmt"
	"slices"

	"coredbg/runtimes/v8/layout"
)

// A ScopeInfo is V8's record of a scope after its compilation.
type ScopeInfo struct {
	Type          int // ScopeType of globals.h, by version
	Params        int // formal parameters
	FunctionName  layout.Tagged
	InferredName  layout.Tagged
	Start, End    int // source positions; -1 if unknown
	Outer         layout.Tagged
	ContextLocals []layout.Tagged // names, internalized strings
	Kind          int             // FunctionKind
	// Declaration is set for scopes that var may declare variables in: functions and the like,
	// and the block of a function whose parameters have expressions.
	Declaration bool
	// HasExtension is set if the scope's contexts have an extension slot.
	HasExtension bool

	modules []moduleVariable // imports and exports of a module
}

// maxScopeLocals bounds the locals of one scope: the compiler's own limit of
// variables is lower.
const maxScopeLocals = 1 << 17

// scopeReader steps through the words of a ScopeInfo.
type scopeReader struct {
	v   *ScopeReader
	o   layout.Tagged
	at  int // byte offset of the next word
	bad bool

	counted int // variables of a module, where their number comes first
}

func (r *scopeReader) next() layout.Tagged {
	w, ok := r.v.Field(r.o, r.at)
	if !ok {
		r.bad = true
		return 0
	}
	r.at += r.v.Slots(1)
	return w
}

func (r *scopeReader) smi() int {
	w := r.next()
	if !w.IsSmi() {
		r.bad = true
		return 0
	}
	return int(w.Smi())
}

// ScopeInfo decodes the ScopeInfo at o. The words follow objects/scope-info.tq:
// flags, parameter count, context local count, [position], [module variables],
// names or hash table, infos, [saved class variable], [receiver], [function
// name and slot], [inferred name], [position], [outer].
func (r *ScopeReader) ScopeInfo(o layout.Tagged) (*ScopeInfo, error) {
	if !r.Is(o, r.Types.ScopeInfo) {
		return nil, fmt.Errorf("v8: %#x is not a ScopeInfo", uint64(o))
	}
	return r.scopeInfo(o)
}

func (r *ScopeReader) scopeInfo(o layout.Tagged) (*ScopeInfo, error) {
	l := &r.Layout.ScopeInfo
	sr := &scopeReader{v: r, o: o, at: l.FlagsWord}
	var flags uint32
	if l.RawFlags == 1 {
		var ok bool
		if flags, ok = r.U32Field(o, sr.at); !ok {
			sr.bad = true
		}
		sr.next()
	} else {
		flags = uint32(sr.smi())
	}
	bits := func(shift, n int) int {
		if shift == layout.Unknown {
			return 0
		}
		return int(flags >> shift & (1<<n - 1))
	}
	s := &ScopeInfo{Type: int(flags & 0xf), Start: -1, End: -1}
	s.Kind = bits(17, 5)
	// The bit is before the receiver variable's bits, in all versions.
	s.Declaration = l.ReceiverShift > 0 && bits(l.ReceiverShift-1, 1) == 1
	s.HasExtension = l.ContextExtensionShift == layout.Unknown || bits(l.ContextExtensionShift, 1) == 1
	s.Params = sr.smi()
	n := sr.smi()
	if sr.bad || n < 0 || n > maxScopeLocals {
		return nil, fmt.Errorf("v8: ScopeInfo %#x: counts are not numbers", uint64(o))
	}
	if l.Positions == 1 {
		s.Start, s.End = sr.smi(), sr.smi()
	}
	sr.at = l.FlagsWord + r.Slots(l.FirstVars)
	sr.locals(s, n)
	if l.SavedClassVariable == 1 && bits(l.ClassVariableShift, 1) == 1 {
		sr.next()
	}
	// VariableAllocationInfo: 1 is a stack slot, 2 a context slot.
	if rcv := bits(l.ReceiverShift, 2); l.ReceiverSlot == 1 && (rcv == 1 || rcv == 2) {
		sr.next()
	}
	if bits(l.FunctionVariableShift, 2) != 0 {
		s.FunctionName = sr.next()
		sr.next()
	}
	if bits(l.InferredNameShift, 1) == 1 {
		s.InferredName = sr.next()
	}
	if l.Positions != 1 && r.ScopeHasPositions(s.Type) {
		s.Start, s.End = sr.smi(), sr.smi()
	}
	if bits(l.OuterShift, 1) == 1 {
		s.Outer = sr.next()
	}
	if s.modules = sr.moduleVariables(s); sr.bad {
		return s, fmt.Errorf("v8: ScopeInfo %#x: its words do not fit its flags", uint64(o))
	}
	return s, nil
}

// locals reads the names and infos of n context locals. From a limit on the
// names are the keys of one hash table.
func (r *scopeReader) locals(s *ScopeInfo, n int) {
	l := &r.v.Layout.ScopeInfo
	if l.ModuleCount == 1 && s.Type == l.ModuleType {
		r.counted = r.smi()
	}
	if n >= l.HashedLocals {
		s.ContextLocals = r.v.hashedLocals(r.next(), n)
	} else {
		for range n {
			if r.bad {
				return
			}
			s.ContextLocals = append(s.ContextLocals, r.next())
		}
	}
	r.at += r.v.Slots(n)
}

// hashedLocals returns the n names that a NameToIndexHashTable has, by index, or nil if o is no such table.
// After map, length and the three counters of every hash table come pairs of name and Smi
// (objects/hash-table.h, NameToIndexShape).
func (r *ScopeReader) hashedLocals(o layout.Tagged, n int) []layout.Tagged {
	capacityAt, entriesAt := r.Slots(4), r.Slots(5)
	w, ok := r.Field(o, capacityAt)
	if !ok || !w.IsSmi() || w.Smi() < int64(n) || w.Smi() > 8*maxScopeLocals {
		return nil
	}
	names := make([]layout.Tagged, min(n, maxScopeLocals))
	for i := range int(w.Smi()) {
		name, ok1 := r.Field(o, entriesAt+r.Slots(2*i))
		index, ok2 := r.Field(o, entriesAt+r.Slots(2*i+1))
		if !ok1 || !ok2 {
			return nil
		}
		if name.IsHeap() && index.IsSmi() && index.Smi() >= 0 && index.Smi() < int64(len(names)) {
			names[index.Smi()] = name
		}
	}
	if slices.Contains(names, 0) {
		return nil
	}
	return names
}

// ScopeHasPositions reports whether a scope type had a position info before V8 12.8. Functions, scripts, evals,
// modules and classes have one; with scopes and the empty scope do not.
func (r *ScopeReader) ScopeHasPositions(typ int) bool {
	switch typ {
	case 0, 1, 2, 3, 4: // CLASS, EVAL, FUNCTION, MODULE, SCRIPT
		return true
	}
	return false
}
