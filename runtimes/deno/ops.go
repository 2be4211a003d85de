package deno

import (
	"context"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/promise"
)

// An Op is an asynchronous op that has not been answered.
type Op struct {
	// ID is core's number for its promise; it counts the asynchronous ops of a realm.
	ID int
	// Name is what Deno calls the op, "op_read"; "" if that is not known, and Unknown says why.
	Name    string
	Unknown string
	// Promise is what the caller of the op got; 0 if nothing leads to it any more.
	Promise layout.Tagged
	// Awaited is where that is waited for, the nearest place; Program is the nearest place of a
	// program's own. Kind is how the promise itself is waited for, "" if it is not.
	Awaited, Program frame.Place
	Kind             promise.WaitKind
	// Unref is set if the op does not keep the process alive; HasRef if that is known.
	Unref, HasRef bool
}

// maxOps bounds the promises of one realm.
const maxOps = 1 << 22

// Ops returns the pending ops of each realm, in the order of their start. Core keeps the functions that
// settle the promise of an op in a ring, in the place of its number modulo the ring's length, and in a
// Map by number once the place is needed anew (core/00_infra.js).
func (dr *Reader) Ops(ctx context.Context) ([]Op, error) {
	scopes, err := dr.scopes(ctx, corePrefix, "promiseRing", "nextPromiseId")
	if err != nil {
		return nil, err
	}
	if len(scopes) == 0 {
		return nil, errNoCore
	}
	var out []Op
	for i := range scopes {
		s := &scopes[i]
		list, err := dr.ringOps(s)
		if err != nil {
			return out, err
		}
		dr.nameOps(ctx, s, list)
		out = append(out, list...)
	}
	return out, ctx.Err()
}

func (dr *Reader) ringOps(s *scope) ([]Op, error) {
	next, ok := dr.number(s.variables["nextPromiseId"])
	ring := s.variables["promiseRing"].Word
	size, ok2 := dr.objects.SlotNumber(ring, dr.Layout.JSArray.Length)
	if !ok || !ok2 || size < 1 || size > maxOps || next < 0 || next > 1<<32 {
		return nil, dr.Fault(ring, dr.Layout.JSArray.Length)
	}
	found := map[int]Op{}
	add := func(id int, entry layout.Tagged) {
		if !dr.IsReceiver(entry) {
			return
		}
		op := Op{ID: id}
		if p, ok := dr.promiseOf(entry); ok {
			op.Promise = p
			if n, ok := dr.numbered(p); ok {
				// An op that was answered at once leaves the place to an older one.
				id, op.ID = n, n
			}
			op.Awaited, op.Program, op.Kind = dr.waits(p)
		}
		found[id] = op
	}
	for i := range int(size) {
		e, ok := dr.objects.ElementAt(ring, uint64(i))
		if !ok || e.Raw {
			continue
		}
		last := int(next) - 1
		if id := last - ((last-i)%int(size)+int(size))%int(size); id >= 0 {
			add(id, e.Word)
		}
	}
	if older, ok := s.variables["promiseMap"]; ok {
		table, _ := dr.Field(older.Word, dr.Layout.JSCollection.Table)
		list, _, _ := dr.objects.OrderedEntries(table, true, 0, maxOps)
		for _, e := range list {
			if id, ok := dr.Number(e.Key); ok {
				add(int(id), e.Value)
			}
		}
	}
	var out []Op
	for _, id := range sortedKeys(found) {
		out = append(out, found[id])
	}
	return out, nil
}

// promiseOf returns the promise that the caller of an op got. An entry of the ring is what
// settles a promise: a function, or two in an array, or the promise itself with the functions
// as properties. Callers get a promise that follows it, which has the op's number by a symbol.
func (dr *Reader) promiseOf(entry layout.Tagged) (layout.Tagged, bool) {
	inner := entry
	if !dr.Is(entry, dr.Types.JSPromise) {
		fn := entry
		if !dr.IsFunction(entry) {
			e, ok := dr.objects.ElementAt(entry, 0)
			if !ok || e.Raw {
				return 0, false
			}
			fn = e.Word
		}
		var ok bool
		if inner, ok = dr.frames.Promises.SettledBy(fn); !ok {
			return 0, false
		}
	}
	list, err := dr.frames.Promises.Waiters(inner)
	if err == nil && len(list) == 1 && list[0].Next != 0 {
		if _, ok := dr.numbered(list[0].Next); ok {
			return list[0].Next, true
		}
	}
	return inner, true
}

// numbered returns the number of an op that a promise has.
func (dr *Reader) numbered(p layout.Tagged) (int, bool) {
	const most = 8
	list, _, _ := dr.objects.Properties(p, most)
	for _, x := range list {
		if x.Symbol && x.Name == "Deno.core.internalPromiseId" {
			n, ok := dr.number(x.Value)
			return int(n), ok && n >= 0 && n <= 1<<32
		}
	}
	return 0, false
}

// nameOps sets the properties of pending ops that Rust alone knows: their names, and which are
// unreferenced.
func (dr *Reader) nameOps(ctx context.Context, s *scope, list []Op) {
	if len(list) == 0 {
		return
	}
	names, err := dr.opContextsOf(ctx, s.heap)
	if err != nil {
		for i := range list {
			list[i].Unknown = err.Error()
		}
		return
	}
	next, _ := dr.number(s.variables["nextPromiseId"])
	if unref, err := dr.unreferenced(s, names, int(next)); err == nil {
		for i := range list {
			list[i].HasRef, list[i].Unref = true, unref[list[i].ID]
		}
	}
	ids := map[int32]bool{}
	for _, op := range list {
		ids[int32(op.ID)] = true
	}
	pending := dr.pendingOps(ctx, names, ids, dr.asyncOps(ctx, s.heap))
	for i := range list {
		op := &list[i]
		switch all := pending[int32(op.ID)]; {
		case len(all) == 1:
			op.Name = all[0]
		case len(all) > 1:
			slices.Sort(all)
			op.Unknown = "the core has several futures of its number"
		default:
			op.Unknown = "no future of its number was found in the memory of Rust"
		}
	}
}

// asyncOps returns the names of the asynchronous ops of a heap: core has made a function of JavaScript
// for each, which takes a number for its promise and calls the op with it.
func (dr *Reader) asyncOps(ctx context.Context, heap core.Addr) map[string]bool {
	out := map[string]bool{}
	list, _ := dr.all(ctx)
	for i := range list {
		f := &list[i]
		if !strings.HasPrefix(f.File, corePrefix) || dr.heapAt(f.Shared.Addr()) != heap {
			continue
		}
		for _, c := range f.Closures {
			fn := layout.Tag(c)
			if name := dr.objects.FunctionNameOf(fn); name != "" && name != f.Name {
				if _, ok := dr.closes(fn, "originalOp"); ok {
					out[name] = true
				}
			}
		}
	}
	return out
}

// closes finds a variable that a function closes over.
func (dr *Reader) closes(fn layout.Tagged, name string) (object.Slot, bool) {
	list, _ := dr.objects.Contexts(fn)
	for _, c := range list {
		for _, x := range c.Variables {
			if x.Name == name {
				return x.Slot, true
			}
		}
	}
	return object.Slot{}, false
}
