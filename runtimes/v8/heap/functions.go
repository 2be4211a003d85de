package heap

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/page"
)

// A SharedFunction is a function of the heap with everything that runs it: a
// SharedFunctionInfo with its closures and its code.
type SharedFunction struct {
	object.Function
	// Closures are the JSFunctions, in order of address.
	Closures []core.Addr
	// Tier is the best code there is for it: "lazy" if it was not compiled or
	// its bytecode was flushed, "interpreter", "baseline", "maglev",
	// "turbofan", "builtin", "api", or "" if that is not known.
	Tier string
	// Codes are its machine code on the heap.
	Codes []object.CodeRange
}

// maxListed bounds the objects of one type that are listed.
const maxListed = 1 << 22

// OfType returns the objects of an instance type on all pages that are in use,
// in order of address.
func (h *Snapshot) OfType(ctx context.Context, typ int) ([]layout.Tagged, error) {
	found := make([][]layout.Tagged, len(h.Pages))
	begin := func() *page.Walker { return page.NewWalker(h.v.Reader, h.Maps, h.Gaps) }
	err := page.EachPage(ctx, len(h.Pages), begin, func(w *page.Walker, i int) {
		if h.Pages[i].FromSpace {
			return
		}
		w.Objects(&h.Pages[i], func(a core.Addr, m *page.MapInfo, _ int, _ []byte) {
			if m.Typ == typ && len(found[i]) < maxListed {
				found[i] = append(found[i], layout.Tag(a))
			}
		})
	})
	if err != nil {
		return nil, err
	}
	out := slices.Concat(found...)
	slices.Sort(out)
	return out, nil
}

// Functions returns the functions whose SharedFunctionInfo is on the heap, in order of script and position.
func (h *Snapshot) Functions(ctx context.Context) ([]SharedFunction, error) {
	hs := h.v
	shared, err := h.OfType(ctx, hs.Types.Shared)
	if err != nil {
		return nil, err
	}
	closures := h.closures()
	codes, err := h.codeOf(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]SharedFunction, 0, len(shared))
	for i, s := range shared {
		if i&0x3ff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x := SharedFunction{Function: *hs.objects.SharedFunction(s), Closures: closures[s], Codes: codes[s]}
		x.Tier = hs.objects.BestTier(s, x.Codes)
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b SharedFunction) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Script, b.Script), cmp.Compare(a.Start, b.Start),
			cmp.Compare(a.Shared, b.Shared))
	})
	return out, nil
}

// closures returns the JSFunctions of each SharedFunctionInfo.
func (h *Snapshot) closures() map[layout.Tagged][]core.Addr {
	out := map[layout.Tagged][]core.Addr{}
	for _, m := range h.Maps.List {
		own := h.Of(m.ID)
		if len(own) == 0 || !h.v.IsFunction(layout.Tag(own[0])) {
			continue
		}
		for _, a := range own {
			if s, ok := h.v.objects.ClosureShared(layout.Tag(a)); ok {
				out[s] = append(out[s], layout.Tag(a).TaggedAddr())
			}
		}
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out
}

// codeOf returns the machine code of each SharedFunctionInfo: optimised code
// names it in its deoptimization data, baseline code is in the function's own
// data.
func (h *Snapshot) codeOf(ctx context.Context) (map[layout.Tagged][]object.CodeRange, error) {
	hs := h.v
	typ := hs.Types.InstructionStream
	if hs.Layout.Code.FromBody == layout.Unknown {
		typ = hs.Types.Code
	}
	streams, err := h.OfType(ctx, typ)
	if err != nil {
		return nil, err
	}
	out := map[layout.Tagged][]object.CodeRange{}
	byBytecode := map[layout.Tagged][]object.CodeRange{}
	for _, o := range streams {
		c := hs.objects.ReadCode(o)
		if c == nil {
			continue
		}
		r := object.CodeRange{Word: c.Obj, Tier: hs.objects.Tier(c.Kind), Start: c.Start, Size: c.Size}
		if s, ok := hs.objects.CodeShared(c); ok {
			out[s] = append(out[s], r)
		} else if b, ok := hs.Field(c.Obj, hs.Layout.Code.DeoptData); ok && c.Kind == hs.Layout.Code.KindBaseline {
			byBytecode[b] = append(byBytecode[b], r)
		}
	}
	if len(byBytecode) == 0 {
		return out, nil
	}
	shared, err := h.OfType(ctx, hs.Types.Shared)
	if err != nil {
		return nil, err
	}
	for _, s := range shared {
		if b, ok := hs.objects.BytecodeOf(s); ok && byBytecode[b] != nil {
			out[s] = append(out[s], byBytecode[b]...)
		}
	}
	return out, nil
}

// Scripts returns the scripts of the heap by id.
func (h *Snapshot) Scripts(ctx context.Context) ([]object.ScriptInfo, error) {
	hs := h.v
	list, err := h.OfType(ctx, hs.Types.Script)
	if err != nil {
		return nil, err
	}
	shared, err := h.OfType(ctx, hs.Types.Shared)
	if err != nil {
		return nil, err
	}
	functions := map[layout.Tagged]int{}
	for _, s := range shared {
		if f, ok := hs.objects.SharedInfo(s); ok && f.Script != 0 {
			functions[f.Script]++
		}
	}
	out := make([]object.ScriptInfo, 0, len(list))
	for _, o := range list {
		s := hs.objects.ScriptInfo(o)
		s.Functions = functions[o]
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b object.ScriptInfo) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Word, b.Word))
	})
	return out, nil
}
