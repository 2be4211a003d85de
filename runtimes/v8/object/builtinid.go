package object

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/layout"
)

// BuiltinName returns the name of the builtin that a function of V8's own runs,
// as builtins/builtins-definitions.h has it. Its SharedFunctionInfo holds the
// builtin's number; the isolate's table of entry points leads from that to its
// code, and the image's symbols name the code, or, in a stripped image, its own
// table of names has it. It is "" where both are missing.
func (r *Functions) BuiltinName(fn layout.Tagged) string {
	id, ok := r.builtinID(fn)
	if !ok {
		return ""
	}
	names := r.builtinNames()
	if id >= len(names) {
		return ""
	}
	return names[id]
}

// builtinID returns the number of the builtin that fn runs.
func (r *Functions) builtinID(fn layout.Tagged) (int, bool) {
	s, ok := r.ClosureShared(fn)
	if !ok {
		return 0, false
	}
	if f, ok := r.SharedInfo(s); !ok || f.Script != 0 {
		return 0, false
	}
	l := &r.Layout.SharedFunctionInfo
	for _, off := range []int{l.FunctionData, l.UntrustedData} {
		if d, ok := r.DataField(s, off); ok && d.IsSmi() && d != 0 {
			return int(d.Smi()), d.Smi() > 0
		}
	}
	return 0, false
}

// isolateData are the bytes from the isolate within which the table of entry points begins.
const isolateData = 0x10000

// builtinNames returns the names of builtins by number: where the image has no symbols of them, those
// that it has for itself. IsolateData's
// builtin_entry_table is the longest run of words that lead to the starts of
// builtins (execution/isolate-data.h @ 7.8 to 14.6).
func (r *Functions) builtinNames() []string {
	r.builtinsOnce.Do(func() {
		if b := r.Image.Builtins; b != nil && b.Names != nil {
			r.builtinsByID = b.Names
			return
		}
		for _, a := range r.IsolateAreas() {
			if names := r.entryTable(a); len(names) >= embedded.FewestBuiltins {
				r.builtinsByID = names
				return
			}
		}
	})
	return r.builtinsByID
}

// IsolateAreas returns the memory that isolates begin in: the threads' isolates, or, if no thread says which
// isolate it has entered, the memory before heaps, because a heap is a member of its isolate.
func (r *Functions) IsolateAreas() []layout.Area {
	var list []layout.Area
	for _, t := range r.Process.Threads {
		if isolate, ok := r.Isolate(t); ok {
			list = append(list, layout.Area{Start: isolate, End: isolate + isolateData})
		}
	}
	if len(list) > 0 || r.above == nil {
		return list
	}
	for _, heap := range r.above.Heaps() {
		if s, ok := r.Space.Find(heap); ok {
			list = append(list, layout.Area{Start: max(s.Start, heap-min(heap, code.MaxIsolate)), End: heap})
		}
	}
	return list
}

func (r *Functions) entryTable(a layout.Area) []string {
	data, _ := core.ReadBytes(r.Space, a.Start, uint64(a.End-a.Start))
	var best, run []string
	for i := 0; i+8 <= len(data); i += 8 {
		p, ok := r.BlobPlace(core.Addr(r.Order.Uint64(data[i:])))
		// The first builtin's address may have another symbol: the blob's.
		if ok && (p.Builtin == "" || p.Off == 0) {
			run = append(run, p.Builtin)
			continue
		}
		if len(run) > len(best) {
			best = run
		}
		run = nil
	}
	if len(run) > len(best) {
		best = run
	}
	return best
}

// awaitClosures are the builtins that resume an async function or generator
// which awaits (execution/isolate.cc: IsBuiltinAsyncFulfillHandler,
// IsBuiltinAsyncRejectHandler; AsyncGeneratorYieldResolveClosure until V8 11).
var awaitClosures = []string{
	"AsyncFunctionAwaitResolveClosure", "AsyncFunctionAwaitRejectClosure",
	"AsyncGeneratorAwaitResolveClosure", "AsyncGeneratorAwaitRejectClosure",
	"AsyncGeneratorYieldResolveClosure", "AsyncGeneratorYieldWithAwaitResolveClosure",
}

// MaxClosureSlots bounds the context of a builtin closure.
const MaxClosureSlots = 16

// Awaits returns the generator that a builtin closure resumes, if the closure exists to resume one. Other
// closures may hold a generator too, as an object that they work on: the closures of Array.fromAsync, of
// finally, and of for await over something that is not async. If the image does not name builtins, the
// generator's slot decides: an AwaitContext has it as the context's extension (builtins/builtins-async-gen.cc),
// and other closures seldom do.
func (r *Functions) Awaits(fn layout.Tagged) (layout.Tagged, bool) {
	const extension = 2
	ctx, ok := r.Field(fn, r.Layout.JSFunction.Context)
	if n, has := r.ContextLength(ctx); !ok || !has || n <= extension || n > MaxClosureSlots {
		return 0, false
	}
	if name := r.BuiltinName(fn); name != "" && !slices.Contains(awaitClosures, name) {
		return 0, false
	}
	g, ok := r.WordAt(ctx, extension)
	return g, ok && r.IsGenerator(g)
}

// IsAwaitClosure reports whether the builtin of a frame may resume what awaits;
// where builtins have no names any may.
func IsAwaitClosure(builtin string) bool {
	return builtin == "" || slices.Contains(awaitClosures, builtin)
}

// IsGenerator knows a generator object by its shape, for its types have no
// names before V8 9: a receiver with a function where generators keep it, and
// a number where they keep their state.
func (r *Functions) IsGenerator(o layout.Tagged) bool {
	if !r.IsReceiver(o) || r.IsFunction(o) {
		return false
	}
	l := &r.Layout.JSGeneratorObject
	fn, ok1 := r.Field(o, l.Function)
	st, ok2 := r.Field(o, l.Continuation)
	return ok1 && ok2 && st.IsSmi() && r.IsFunction(fn)
}
