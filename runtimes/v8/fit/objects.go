package fit

import (
	"iter"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/layout"
)

// maxProbed bounds the functions that are looked at.
const maxProbed = 40

// fewFunctions are too few to vote on what is not known.
const fewFunctions = 16

// leastFieldVotes is how many functions must agree on the type of a field.
const leastFieldVotes = 3

// sampleFunctions returns functions of programs: the ones that the threads' stacks refer to and,
// where a table stands in for the constants and these are few, others of the heap, which
// have a script. Functions with bytecodes come first: a program that was packed into a snapshot may have
// thousands that were never called.
func (v *Candidate) sampleFunctions() []layout.Tagged {
	l := v.Layout
	k := functionFields{l.JSFunction.Shared, l.SharedFunctionInfo.FunctionData, l.SharedFunctionInfo.Script,
		v.TypeNumber("SHARED_FUNCTION_INFO_TYPE"), v.Types.Script, v.Types.BytecodeArray}
	if v.some == nil || v.someBy != k {
		v.someBy, v.some = k, v.findFunctions()
	}
	return slices.Clone(v.some)
}

// findFunctions is sampleFunctions, found anew.
func (v *Candidate) findFunctions() []layout.Tagged {
	list := v.stackFunctions(maxProbed)
	if len(list) >= fewFunctions || v.Image.Constants.Table == nil {
		return list
	}
	maps := map[layout.Tagged]bool{}
	var lazy []layout.Tagged
	v.objects().each(func(a core.Addr, m layout.Tagged) bool {
		o := layout.Tag(a)
		is, known := maps[m]
		if !known {
			is = v.IsMap(m) && v.IsFunction(o)
			maps[m] = is
		}
		switch {
		case !is || !v.hasScript(o) || slices.Contains(list, o):
		case hasBytecodes(v, o):
			touch(v.Memory, a)
			list = append(list, o)
		case len(lazy) < maxProbed:
			lazy = append(lazy, o)
		}
		return len(list) < maxProbed
	})
	for _, o := range lazy[:min(len(lazy), max(0, maxProbed-len(list)))] {
		touch(v.Memory, o.Addr())
		list = append(list, o)
	}
	return list
}

// hasBytecodes reports whether a function was called, and its bytecodes are still there.
func hasBytecodes(v *Candidate, fn layout.Tagged) bool {
	shared, ok := v.Objects.ClosureShared(fn)
	if ok {
		_, ok = v.Objects.BytecodeOf(shared)
	}
	return ok
}

// hasScript reports whether a function has a script, which V8's own functions lack.
func (v *Candidate) hasScript(fn layout.Tagged) bool {
	shared, ok := v.Field(fn, v.Layout.JSFunction.Shared)
	if !ok || !v.IsSharedFunctionInfo(shared) {
		return false
	}
	script, ok := v.Field(shared, v.Layout.SharedFunctionInfo.Script)
	return ok && v.Is(script, v.Types.Script)
}

// stackFunctions returns functions that the threads' stacks refer to.
func (v *Candidate) stackFunctions(limit int) []layout.Tagged {
	var out []layout.Tagged
	for fn := range v.StackReferences() {
		if v.IsFunction(fn) {
			if out = append(out, fn); len(out) == limit {
				break
			}
		}
	}
	return out
}

// wantSamples is how many objects of a type are enough.
const wantSamples = 64

// samples returns objects of JavaScript of an instance type, from the pages of any heap.
func (v *Candidate) samples(typ int) (list []layout.Tagged) {
	maps := map[layout.Tagged]bool{}
	v.objects().each(func(a core.Addr, m layout.Tagged) bool {
		is, known := maps[m]
		if !known {
			t, ok := v.MapInstanceType(m)
			is = ok && t == typ && v.IsMap(m)
			maps[m] = is
		}
		if o := layout.Tag(a); is && v.hasStores(o) {
			touch(v.Memory, a)
			list = append(list, o)
		}
		return len(list) < wantSamples
	})
	return list
}

// hasStores reports whether o has properties and elements, as objects of JavaScript do:
// a map is referred to by others than its instances.
func (v *Candidate) hasStores(o layout.Tagged) bool {
	for _, off := range []int{v.Layout.JSReceiver.Properties, v.Layout.JSObject.Elements} {
		w, ok := v.Field(o, off)
		if !ok {
			return false
		}
		if w.IsSmi() && off == v.Layout.JSObject.Elements {
			return false
		}
		if typ, ok := v.InstanceType(w); !w.IsSmi() && (!ok || typ >= v.Types.FirstReceiver || typ == v.Types.MapType) {
			return false
		}
	}
	return true
}

// heapObjects iterates over objects on the pages of any heap whose types come after the type of maps.
func heapObjects(v *Candidate) iter.Seq[layout.Tagged] {
	return func(yield func(layout.Tagged) bool) {
		maps := map[layout.Tagged]bool{}
		v.objects().each(func(a core.Addr, m layout.Tagged) bool {
			is, known := maps[m]
			if !known {
				typ, ok := v.MapInstanceType(m)
				is = ok && typ > v.Types.MapType && v.IsMap(m)
				maps[m] = is
			}
			return !is || yield(layout.Tag(a))
		})
	}
}

// wantShapes is how many maps are enough to see what all of them have.
const wantShapes = 512

// shapes returns JavaScript objects of an instance type, each with a different map. The first objects of a heap
// are V8's own, and many of them are alike.
func (v *Candidate) shapes(typ int) (list []layout.Tagged) {
	seen := map[layout.Tagged]bool{}
	v.objects().each(func(a core.Addr, m layout.Tagged) bool {
		if seen[m] {
			return true
		}
		if t, ok := v.MapInstanceType(m); !ok || t != typ || !v.IsMap(m) {
			seen[m] = true
			return true
		}
		if o := layout.Tag(a); v.hasStores(o) {
			seen[m] = true
			touch(v.Memory, a)
			list = append(list, o)
		}
		return len(list) < wantShapes
	})
	return list
}

// eachReference calls visit with each reference in writable memory of the core, and its address, until visit
// returns false. The search is not traced.
func (v *Candidate) eachReference(visit func(a core.Addr, w layout.Tagged) bool) {
	buf := make([]byte, layout.ChunkSize)
	chunks, step := 0, v.SlotSize()
	for _, s := range v.Space.Segments() {
		if s.Kind != core.SegCore || s.Prot&core.Write == 0 {
			continue
		}
		whole := layout.EachChunk(s, func(at core.Addr) bool {
			if v.Compressed() && !v.InCage(at) {
				return true // fields there are words
			}
			n, _ := embedded.Peek(v.Space, buf[:min(layout.ChunkSize, uint64(s.End-at))], at)
			if n > 0 {
				chunks++
			}
			for i := 0; i+step <= n; i += step {
				if w := v.Tagged(buf[i:], at); v.IsReference(w) && !visit(at+core.Addr(i), w) {
					return false
				}
			}
			return chunks < maxSampleChunks
		})
		if !whole {
			return
		}
	}
}
