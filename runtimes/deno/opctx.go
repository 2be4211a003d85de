package deno

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

// opContexts are the OpCtx of a runtime of Deno's: an array in order of the ops' numbers.
type opContexts struct {
	heap   core.Addr // of V8 that has the functions of the ops
	base   core.Addr // where the op with the number 0 would be
	stride int64     // bytes from one to the next
	name   core.Addr // offset of the pointer to the name of an op, which its length follows
	any    core.Addr // one of them
}

// Bounds of the search.
const (
	maxCtxBytes  = 512 // of an OpCtx
	maxOpName    = 128
	fewContexts  = 8 // that must agree on the number's offset
	maxTemplate  = 24
	maxExternal  = 40
	mostContexts = 1 << 12
)

var errNoContexts = core.Unknown(errors.New("deno: no function of an op leads to its OpCtx"))

// A namedCtx is the OpCtx of an op, which has its name at an offset.
type namedCtx struct {
	at, name core.Addr
}

// opContextsOf returns the ops of the runtime whose functions are in a heap of V8.
func (dr *Reader) opContextsOf(ctx context.Context, of core.Addr) (*opContexts, error) {
	all, err := dr.allContexts(ctx)
	if err != nil {
		return nil, err
	}
	var found *opContexts
	for i := range all {
		if c := &all[i]; c.heap == of {
			found = c
		}
	}
	if found == nil {
		return nil, errNoContexts
	}
	return found, nil
}

// allContexts returns the OpCtx of all functions of ops, by the heap; they are found once.
func (dr *Reader) allContexts(ctx context.Context) ([]opContexts, error) {
	dr.contextsMu.Lock()
	defer dr.contextsMu.Unlock()
	if dr.contexts == nil {
		found, err := dr.findContexts(ctx)
		if err != nil {
			return nil, err
		}
		dr.contexts = found
	}
	return dr.contexts, nil
}

// findContexts finds the OpCtx of all functions of ops: the data of a function's template is an
// External with the address of its OpCtx, which has the text of the function's name.
func (dr *Reader) findContexts(ctx context.Context) ([]opContexts, error) {
	list, err := dr.all(ctx)
	if err != nil {
		return nil, err
	}
	byHeap := map[core.Addr][]namedCtx{}
	for i := range list {
		f := &list[i]
		if f.Tier != "api" || f.Name == "" || len(f.Name) > maxOpName {
			continue
		}
		h := dr.heapAt(f.Shared.Addr())
		if len(byHeap[h]) > mostContexts {
			continue
		}
		if c, ok := dr.contextOf(f); ok {
			byHeap[h] = append(byHeap[h], c)
		}
	}
	out := []opContexts{}
	for _, h := range sortedKeys(byHeap) {
		all := byHeap[h]
		if c, ok := dr.arrayOf(all); ok {
			c.heap = h
			out = append(out, c)
		}
	}
	return out, nil
}

// contextOf returns the OpCtx of a function.
func (dr *Reader) contextOf(f *heap.SharedFunction) (namedCtx, bool) {
	l := &dr.Layout.SharedFunctionInfo
	for _, off := range []int{l.FunctionData, l.UntrustedData} {
		template, ok := dr.DataField(f.Shared, off)
		if !ok || !dr.Is(template, dr.Types.FunctionTemplateInfo) {
			continue
		}
		for i := 1; i < maxTemplate; i++ {
			w, ok := dr.Field(template, dr.Slots(i))
			if !ok {
				break
			}
			if !w.IsHeap() || !dr.IsReceiver(w) {
				continue
			}
			if c, ok := dr.externalContext(w, f.Name); ok {
				return c, true
			}
		}
	}
	return namedCtx{}, false
}

// externalContext finds the address of an OpCtx with the given name among the words of an
// External.
func (dr *Reader) externalContext(external layout.Tagged, name string) (namedCtx, bool) {
	for off := dr.SlotSize(); off < maxExternal; off += dr.SlotSize() {
		w, ok := dr.Word(external.Addr() + core.Addr(off))
		if !ok {
			break
		}
		if w&7 != 0 || w < core.TracePage {
			continue
		}
		for at := core.Addr(0); at+16 <= maxCtxBytes; at += 8 {
			if text, ok := dr.str(core.Addr(w) + at); ok && text == name {
				return namedCtx{core.Addr(w), at}, true
			}
		}
	}
	return namedCtx{}, false
}

// arrayOf finds the place of an OpCtx' number: the offset where the differences of most numbers equal
// the differences of their addresses, in units of the distance between neighbours. Methods of classes
// are ops as well, in arrays of their own.
func (dr *Reader) arrayOf(all []namedCtx) (opContexts, bool) {
	slices.SortFunc(all, func(a, b namedCtx) int { return cmp.Compare(a.at, b.at) })
	all = slices.CompactFunc(all, func(a, b namedCtx) bool { return a.at == b.at })
	if len(all) < fewContexts {
		return opContexts{}, false
	}
	apart := map[int64]int{}
	for i := range all[1:] {
		apart[int64(all[i+1].at-all[i].at)]++
	}
	c := opContexts{name: all[0].name, stride: commonest(apart)}
	best := len(all) / 2
	for off := core.Addr(0); off < maxCtxBytes; off += 2 {
		votes := map[core.Addr]int{}
		for _, x := range all {
			if id, ok := dr.U16(x.at + off); ok && x.name == c.name {
				votes[x.at.Add(-c.stride*int64(id))]++
			}
		}
		if base := commonest(votes); votes[base] > best {
			best, c.base = votes[base], base
		}
	}
	for _, x := range all {
		if c.any == 0 && c.base != 0 && int64(x.at-c.base)%c.stride == 0 {
			c.any = x.at
		}
	}
	return c, c.any != 0
}

// commonest returns the key with the most votes, of several the least.
func commonest[K cmp.Ordered](votes map[K]int) (best K) {
	for k, n := range votes {
		if n > votes[best] || n == votes[best] && k < best {
			best = k
		}
	}
	return best
}

// opName returns the name of the op with a number.
func (dr *Reader) opName(c *opContexts, id uint16) (string, error) {
	name, ok := dr.str(c.base.Add(c.stride*int64(id)) + c.name)
	if !ok {
		return "", fmt.Errorf("deno: there is no op %d", id)
	}
	return name, nil
}
