package heap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
	"coredbg/runtimes/v8/reference"
)

// maxHits bounds the references that one scan collects; some of V8's own
// objects have millions.
const maxHits = 1 << 18

// ErrManyRefs is returned with the references found so far.
var ErrManyRefs = fmt.Errorf("v8: more than %d references: the rest is left out", maxHits)

// scanRefs finds all words of live pages that refer to one of the targets, on
// all processors: first the words, then, on the pages that have any, the
// objects that they belong to. Free space and dead copies do not count.
func (h *Snapshot) scanRefs(ctx context.Context, targets []layout.Tagged) ([]reference.Word, error) {
	want := make(map[layout.Tagged]bool, len(targets))
	var filter [1 << 10]uint64
	for _, t := range targets {
		t &^= 2
		want[t] = true
		filter[refHash(t)>>6] |= 1 << (refHash(t) & 63)
	}
	found := make([][]reference.Word, len(h.Pages))
	var total atomic.Int64
	begin := func() *page.Walker { return page.NewWalker(h.v.Reader, h.Maps, h.Gaps) }
	err := page.EachPage(ctx, len(h.Pages), begin, func(w *page.Walker, i int) {
		p := &h.Pages[i]
		if p.FromSpace || total.Load() >= maxHits {
			return
		}
		list := h.scanPage(p, func(t layout.Tagged) bool {
			return filter[refHash(t)>>6]>>(refHash(t)&63)&1 == 1 && want[t]
		})
		if len(list) > 0 {
			found[i] = h.holders(w, p, list)
			total.Add(int64(len(found[i])))
		}
	})
	if err == nil && total.Load() >= maxHits {
		err = ErrManyRefs
	}
	return slices.Concat(found...), err
}

func refHash(t layout.Tagged) uint { return uint(t>>2*0x9e3779b97f4a7c15>>48) & 0xffff }

// scanPage returns the addresses of the words of a page that match.
func (h *Snapshot) scanPage(p *page.Page, match func(layout.Tagged) bool) []core.Addr {
	var out []core.Addr
	step := h.v.SlotSize()
	for at := p.AreaStart; at < p.AreaEnd && len(out) < maxHits; {
		data, err := h.v.Space.Slice(at, int(min(p.AreaEnd-at, layout.ChunkSize)))
		data = data[:len(data)&^(step-1)]
		for i := 0; i < len(data); i += step {
			w := h.v.Tagged(data[i:], at)
			if w&1 == 1 && match(w&^2) {
				out = append(out, at+core.Addr(i))
			}
		}
		at += core.Addr(len(data))
		if err != nil || len(data) == 0 {
			at = h.v.SkipFault(at, p.AreaEnd)
		}
	}
	return out
}

// holders finds the objects of a page that contain the words at the given addresses, which are in order.
func (h *Snapshot) holders(w *page.Walker, p *page.Page, list []core.Addr) []reference.Word {
	var out []reference.Word
	w.Blocks(p, func(a core.Addr, m *page.MapInfo, size int) bool {
		for len(list) > 0 && list[0] < a+core.Addr(size) {
			if list[0] >= a && !m.Free && !h.v.rawBytes(m.Typ) {
				x, _ := h.v.TaggedAt(list[0])
				out = append(out, reference.Word{Holder: layout.Tag(a), Offset: int(list[0] - a), Type: m.Typ,
					Target: x &^ 2, Weak: x&2 != 0})
			}
			list = list[1:]
		}
		return len(list) > 0
	})
	return out
}

// rawBytes reports whether objects of a type hold bytes and no references:
// what looks like one is chance.
func (hs *Walker) rawBytes(typ int) bool {
	if typ < hs.Layout.String.FirstNonstringType {
		return typ&hs.Layout.String.RepresentationMask == hs.Layout.String.SeqTag
	}
	switch hs.Types.Names[typ] {
	case "BYTE_ARRAY_TYPE", "TRUSTED_BYTE_ARRAY_TYPE", "FIXED_DOUBLE_ARRAY_TYPE", "HEAP_NUMBER_TYPE":
		return true
	}
	return typ == hs.Types.BigInt
}

// Steps describes each object on a path, and how the previous one refers to it.
func (h *Snapshot) Steps(path []layout.Tagged) []reference.Step { return h.names.Steps(path) }

// A pendingRef is a reference whose holder is a store of V8's. Its owner is looked for.
type pendingRef struct {
	first reference.Word
	via   []layout.Tagged
}

// A refFollower follows references to an object through V8's stores.
type refFollower struct {
	names    *reference.Namer
	to       layout.Tagged
	depth    int  // stores that are gone through, at most
	internal bool // V8's own objects count as referrers
	found    []reference.Ref
	open     map[layout.Tagged][]pendingRef // by the store
}

// take takes a word that refers to the object, or to the store that p has come to.
func (f *refFollower) take(x reference.Word, p pendingRef) {
	if x.Offset == 0 {
		return // an instance of a map
	}
	if r, ok := f.names.Explain(x, p.first, p.via); ok {
		r.Target = f.to
		if f.internal || r.Kind != reference.Internal {
			f.found = append(f.found, r)
		}
		return
	}
	if len(p.via) < f.depth && !slices.Contains(p.via, x.Holder) {
		p.via = append(slices.Clone(p.via), x.Holder)
		f.open[x.Holder] = append(f.open[x.Holder], p)
	} else if f.internal {
		f.found = append(f.found, reference.Ref{Holder: x.Holder, Target: f.to, Weak: x.Weak, Via: p.via,
			Reference: graph.Reference{Kind: reference.Internal, Name: f.names.Place(x)}})
	}
}

// References returns the referrers of o: objects of JavaScript, and with internal V8's own objects too. A
// reference through V8's stores is followed to the object that owns the store, at most depth times. The result
// is ordered by address. The error is ctx's, or ErrManyRefs.
func (h *Snapshot) References(ctx context.Context, o layout.Tagged, depth int, internal bool) ([]reference.Ref, error) {
	hits, err := h.scanRefs(ctx, []layout.Tagged{o})
	if err != nil && !errors.Is(err, ErrManyRefs) {
		return nil, err
	}
	many := err
	f := refFollower{names: h.names, to: o, depth: depth, internal: internal, open: map[layout.Tagged][]pendingRef{}}
	for i, x := range hits {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f.take(x, pendingRef{first: x})
	}
	for len(f.open) > 0 {
		last := f.open
		f.open = map[layout.Tagged][]pendingRef{}
		hits, err := h.scanRefs(ctx, slices.Sorted(maps.Keys(last)))
		if err != nil && !errors.Is(err, ErrManyRefs) {
			return nil, err
		}
		many = cmp.Or(many, err)
		for i, x := range hits {
			if i%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for _, p := range last[x.Target] {
				f.take(x, p)
			}
		}
	}
	out := f.found
	slices.SortStableFunc(out, func(a, b reference.Ref) int {
		return cmp.Or(cmp.Compare(a.Holder, b.Holder), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return slices.CompactFunc(out, func(a, b reference.Ref) bool {
		return a.Holder == b.Holder && a.Kind == b.Kind && a.Name == b.Name
	}), many
}
