package js

import (
	"cmp"
	"context"
	"slices"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

// addInternal adds the rows of -b, for memory outside a program's objects, and orders all rows by bytes.
func addInternal(ctx context.Context, c *commands.Call, h *heap.Snapshot, rows []*groupRecord) ([]*groupRecord, error) {
	if c.Flag('c') || c.Flag('p') {
		return inBytes(rows), nil
	}
	var keep func(layout.Tagged) bool
	if c.Flag('L') || c.Flag('u') {
		g, err := h.Graph(ctx)
		if err != nil {
			return nil, err
		}
		reachable := heap.Reachable(g)
		keep = func(o layout.Tagged) bool { return reachable(o) == c.Flag('L') }
	}
	types, err := h.Types(ctx, keep)
	if err != nil {
		return nil, err
	}
	internal := func(class, instance string, first core.Addr) *groupRecord {
		r := &groupRecord{Constructor: class, Instance: instance, First: first, Props: []string{},
			Internal: true, bytes: true, sum: c.Flag('s')}
		rows = append(rows, r)
		return r
	}
	known := map[[2]string]*groupRecord{}
	for _, t := range types {
		key := [2]string{t.Class}
		if c.Flag('a') {
			key[1] = t.Type
		}
		r := known[key]
		if r == nil {
			r = internal(key[0], key[1], core.Addr(t.First))
			known[key] = r
		}
		r.Count, r.Bytes, r.First = r.Count+t.Count, r.Bytes+t.Bytes, min(r.First, core.Addr(t.First))
	}
	if keep == nil {
		for _, x := range h.Rests(types) {
			internal(x.Name, "", 0).Bytes = x.Bytes
		}
	}
	return inBytes(rows), nil
}

// inBytes sorts rows by their bytes, the largest last.
func inBytes(rows []*groupRecord) []*groupRecord {
	slices.SortStableFunc(rows, func(a, b *groupRecord) int {
		return cmp.Or(cmp.Compare(a.Bytes, b.Bytes), cmp.Compare(a.Constructor, b.Constructor))
	})
	return rows
}
