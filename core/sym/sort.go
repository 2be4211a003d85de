package sym

import (
	"slices"

	"coredbg/core"
)

// sort orders the symbols and drops duplicates of a second table. It sorts keys of 16 bytes, not the
// symbols: most addresses differ, and only symbols with equal addresses need to be compared.
func (x *index) sort() {
	var placed, tls []key
	for i := range x.syms {
		k := key{x.syms[i].addr, uint32(i)}
		if x.syms[i].kind == core.SymTLS {
			tls = append(tls, k)
		} else {
			if placed == nil {
				placed = make([]key, 0, len(x.syms))
			}
			placed = append(placed, k)
		}
	}
	order := make([]uint32, 0, len(x.syms))
	order, dropped := x.take(order, nil, radixSort(placed))
	x.placed = len(order)
	order, dropped = x.take(order, dropped, radixSort(tls))
	kept := len(order)
	if len(x.groups) == len(x.syms) {
		sorted := make([]uint16, kept)
		for i, from := range order {
			sorted[i] = x.groups[from]
		}
		x.groups = sorted
	}
	permute(x.syms, append(order, dropped...))
	clear(x.syms[kept:])
	x.syms = x.syms[:kept]
}

// permute puts the elements of list in an order, in their own place: a second list
// of the symbols of a big program would be ten megabytes. It uses up the order.
func permute(list []entry, order []uint32) {
	for i := range order {
		first := list[i]
		at := i
		for {
			from := int(order[at])
			order[at] = uint32(at)
			if from == i {
				break
			}
			list[at] = list[from]
			at = from
		}
		if at != i {
			list[at] = first
		}
	}
}

// take appends the symbols of sorted keys to order, symbols of one address in the order of prefer, each
// once; the others are dropped.
func (x *index) take(order, dropped []uint32, keys []key) (_, _ []uint32) {
	next := 0
	for i := 0; i < len(keys); i = next {
		for next = i + 1; next < len(keys) && keys[next].addr == keys[i].addr; next++ {
		}
		if next > i+1 {
			slices.SortFunc(keys[i:next], func(a, b key) int { return prefer(&x.syms[a.sym], &x.syms[b.sym]) })
		}
		begin := len(order)
		for _, k := range keys[i:next] {
			if n := len(order); n > begin && x.syms[order[n-1]].same(&x.syms[k.sym]) {
				dropped = append(dropped, k.sym)
			} else {
				order = append(order, k.sym)
			}
		}
	}
	return order, dropped
}

// key is an address and the index of a symbol there.
type key struct {
	addr uint64
	sym  uint32
}

// radixSort returns keys in order of address, equal ones in the order they came
// in; it may reuse keys. For the 150,000 symbols of a big program it takes a
// tenth of the time that comparing takes.
func radixSort(keys []key) []key {
	const bits = 11
	var low, high uint64 = ^uint64(0), 0
	for _, k := range keys {
		low, high = min(low, k.addr), max(high, k.addr)
	}
	other := make([]key, len(keys))
	for shift := 0; shift < 64 && len(keys) > 1 && (high-low)>>shift != 0; shift += bits {
		var at [1 << bits]int
		for _, k := range keys {
			at[(k.addr-low)>>shift&(1<<bits-1)]++
		}
		sum := 0
		for d, n := range at {
			at[d] = sum
			sum += n
		}
		for _, k := range keys {
			d := (k.addr - low) >> shift & (1<<bits - 1)
			other[at[d]] = k
			at[d]++
		}
		keys, other = other, keys
	}
	return keys
}
