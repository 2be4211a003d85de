package frame

import (
	"cmp"
	"context"
	"slices"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// maxRejected bounds the async functions that one reason went through.
const maxRejected = 64

// A rejection is an async function whose promise was rejected.
type rejection struct {
	generator layout.Tagged
	// thrown says that the reason came from a promise that the function awaited; else the function has
	// thrown it itself.
	thrown bool
	last   bool // its promise is the one that was not handled
}

// RejectedWith returns the async functions whose promises were rejected with the reason that a
// promise was rejected with: first the one that threw it, last the one whose promise the given one
// is. The others are in the order of their calls, by their addresses on the heap. A number or
// undefined may be the reason of other promises, too, so that only the last one counts. Functions that
// have ended are on the heap until it is collected.
func (dec *Decoder) RejectedWith(ctx context.Context, promise layout.Tagged) ([]runtimes.SourceFrame, error) {
	state, reason, err := dec.objects.Promise(promise)
	if err != nil || state != object.PromiseRejected {
		return nil, err
	}
	first := dec.Types.FirstReceiver
	shared := reason.IsSmi() || !dec.IsReceiver(reason) && !dec.objects.IsString(reason)
	types := map[int]bool{}
	list, err := dec.Receivers(ctx, func(typ int) bool { return typ >= first })
	if err != nil {
		return nil, err
	}
	var found []rejection
	for _, g := range list {
		typ, _ := dec.InstanceType(g)
		is, known := types[typ]
		if !known {
			is = dec.objects.IsGenerator(g)
			types[typ] = is
		}
		if !is || len(found) == maxRejected {
			continue
		}
		if r, ok := dec.rejectedAs(g, promise, reason); ok && (r.last || !shared) {
			found = append(found, r)
		}
	}
	sortRejections(found)
	var out []runtimes.SourceFrame
	for _, r := range found {
		fn, _ := dec.Field(r.generator, dec.Layout.JSGeneratorObject.Function)
		if p, ok := dec.FunctionPlace(fn); ok {
			out = append(out, runtimes.SourceFrame{Kind: runtimes.JS, Name: p.Name, File: p.File, Line: p.Line,
				Column: p.Column, Unmapped: p.Unmapped,
				Async: true, Function: core.Addr(fn)})
		}
	}
	return out, ctx.Err()
}

// sortRejections puts the function that threw first, and the one whose promise was not handled last.
func sortRejections(list []rejection) {
	slices.SortStableFunc(list, func(a, b rejection) int {
		return cmp.Or(order(a.last, b.last), order(a.thrown, b.thrown), -cmp.Compare(a.generator, b.generator))
	})
}

// order puts false before true.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// rejectedAs returns the rejection of an async function's promise, if it was rejected with a reason.
func (dec *Decoder) rejectedAs(g, promise, reason layout.Tagged) (rejection, bool) {
	p, ok := dec.Field(g, dec.Layout.JSGeneratorObject.Promise)
	if !ok || !dec.Promises.IsPromise(p) {
		return rejection{}, false
	}
	state, result, err := dec.objects.Promise(p)
	if err != nil || state != object.PromiseRejected || result != reason {
		return rejection{}, false
	}
	// A function that goes on has the value it was given in the place of the offset.
	given, _ := dec.Field(g, dec.Layout.JSGeneratorObject.Offset)
	return rejection{generator: g, thrown: given == reason, last: p == promise}, true
}
