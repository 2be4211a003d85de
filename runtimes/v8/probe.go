package v8

import "coredbg/core"

// Probing finds numbers that no constant tells by looking at known objects of
// the core: the functions that lie on its stacks. It corrects the table of
// versions where the two disagree, as they may for a version that the table
// does not know. What it looks for is recognised by its type, which constants
// do tell.

// maxProbed bounds the functions that are looked at.
const maxProbed = 40

// probe corrects the layout. It reads a few functions of the stacks.
func (v *V8) probe() {
	functions := v.stackFunctions(maxProbed)
	shareds := make([]Tagged, 0, len(functions))
	for _, fn := range functions {
		if s, ok := v.Objects.closureShared(fn); ok {
			shareds = append(shareds, s)
		}
	}
	l := v.layout
	v.probeSlot(shareds, "SharedFunctionInfo", "FunctionData", &l.SharedFunctionInfo.FunctionData, 8, 48, func(w Tagged) bool {
		typ, ok := v.instanceType(w)
		return ok && (typ == v.types.bytecodeArray || typ == v.types.interpreterData || typ == v.types.baselineData || typ == v.types.code)
	})
	v.probeSlot(shareds, "SharedFunctionInfo", "Name", &l.SharedFunctionInfo.Name, 8, 48, func(w Tagged) bool {
		return v.Objects.IsString(w) || v.is(w, v.types.scopeInfo)
	})
	v.probeSlot(shareds, "SharedFunctionInfo", "Script", &l.SharedFunctionInfo.Script, 8, 64, func(w Tagged) bool {
		return v.Objects.scriptOf(w) != 0
	})
	var arrays, scripts []Tagged
	for _, s := range shareds {
		if b, ok := v.Objects.bytecodeOf(s); ok {
			arrays = append(arrays, b)
		}
		if f, ok := v.Objects.function(s); ok && f.script != 0 {
			scripts = append(scripts, f.script)
		}
	}
	v.probeSlot(arrays, "BytecodeArray", "Positions", &l.BytecodeArray.Positions, 16, 48, func(w Tagged) bool {
		table, ok := v.Objects.byteArray(w, maxTable)
		if !ok {
			return false
		}
		entries, err := decodePositions(table, v.Objects.positionEncoding(l.Frame.FirstCodeOffset))
		return err == nil && len(entries) > 0
	})
	v.probeSlot(scripts, "Script", "Source", &l.Script.Source, 8, 48, func(w Tagged) bool {
		info, err := v.Objects.StringInfo(w)
		return err == nil && info.Length > 0
	})
}

// probeSlot finds the one slot in [from, to] that suits most of the objects,
// and more of them than the one that the layout has.
func (v *V8) probeSlot(objects []Tagged, class, field string, known *int, from, to int, suits func(Tagged) bool) {
	for i := range v.layout.facts {
		if f := &v.layout.facts[i]; f.Class == class && f.Field == field && f.Supplier == FromSymbol {
			return
		}
	}
	count := func(off int) (n int) {
		for _, o := range objects {
			if w, ok := v.field(o, off); ok && w.IsHeap() && suits(w) {
				n++
			}
		}
		return n
	}
	best, most := *known, 0
	if best != Unknown {
		most = count(best)
	}
	if len(objects) == 0 || 2*most > len(objects) {
		return // what is known suits
	}
	for off := from; off <= to; off += 8 {
		if n := count(off); n > most && 2*n > len(objects) {
			best, most = off, n
		}
	}
	if best != *known {
		v.layout.probed(class, field, best)
	}
}

// stackFunctions returns functions that the threads' stacks refer to.
func (v *V8) stackFunctions(limit int) []Tagged {
	var out []Tagged
	seen := map[Tagged]bool{}
	for _, th := range v.process.Threads {
		sp, ok := th.Regs.Get(v.process.Arch.SP)
		if !ok {
			continue
		}
		for i := range maxStackWords {
			w, ok := v.word(core.Addr(sp)&^7 + core.Addr(8*i))
			if !ok {
				break
			}
			if fn := Tagged(w); fn&3 == 1 && !seen[fn] && v.isFunction(fn) {
				seen[fn] = true
				if out = append(out, fn); len(out) == limit {
					return out
				}
			}
		}
	}
	return out
}
