package frame

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestRejectedAs: the flags have the state of an async function's promise, and the place of the
// offset has the result (objects/js-promise.tq, js-generator.tq).
func TestRejectedAs(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	reason, other := h.Str("no quota"), h.Str("else")
	mem := h.Memory()
	l := mem.Layout
	promise := func(state int, result layout.Tagged) layout.Tagged {
		p := h.Promise(result)
		h.Put(p.Addr().Add(int64(l.ObjectLayout.JSPromise.Flags)), v8test.Smi(state))
		return p
	}
	function := func(p, given layout.Tagged) layout.Tagged {
		g := h.Object("JS_OBJECT", make([]uint64, 12)...)
		h.Put(g.Addr().Add(int64(l.JSGeneratorObject.Promise)), uint64(p))
		h.Put(g.Addr().Add(int64(l.JSGeneratorObject.Offset)), uint64(given))
		return g
	}
	const pending, fulfilled, rejected = 0, 1, 2
	last := promise(rejected, reason)
	type test struct {
		name           string
		p, given       layout.Tagged
		ok, thrown, at bool
	}
	tests := []test{
		{"the one that threw", promise(rejected, reason), other, true, false, false},
		{"one that awaited it", promise(rejected, reason), reason, true, true, false},
		{"the one that was not handled", last, reason, true, true, true},
		{"another reason", promise(rejected, other), other, false, false, false},
		{"fulfilled with it", promise(fulfilled, reason), other, false, false, false},
		{"no promise", other, other, false, false, false},
	}
	var functions []layout.Tagged
	for _, c := range tests {
		functions = append(functions, function(c.p, c.given))
	}
	waiting := promise(pending, reason)
	v := framesOf(h.Memory())
	for i, c := range tests {
		got, ok := v.Frames.rejectedAs(functions[i], last, reason)
		if ok != c.ok || ok && (got.thrown != c.thrown || got.last != c.at) {
			t.Errorf("%s: %+v, %v", c.name, got, ok)
		}
	}
	if list, err := v.Frames.RejectedWith(t.Context(), waiting); list != nil || err != nil {
		t.Errorf("of a promise that is pending: %v, %v", list, err)
	}
}

// TestRejectionOrder: first the function that threw, last the one whose promise nothing handled.
// The others follow their addresses, the newest first.
func TestRejectionOrder(t *testing.T) {
	list := []rejection{{generator: 0x100, thrown: true, last: true}, {generator: 0x200, thrown: true},
		{generator: 0x300, thrown: true}, {generator: 0x150}}
	sortRejections(list)
	for i, want := range []core.Addr{0x150, 0x300, 0x200, 0x100} {
		if core.Addr(list[i].generator) != want {
			t.Errorf("%d: %v, want %v", i, core.Addr(list[i].generator), want)
		}
	}
}
