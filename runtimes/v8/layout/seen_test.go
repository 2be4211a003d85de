package layout

import (
	"fmt"
	"testing"
)

// at returns the offsets of C++ members with the given sizes. Members lie one after the other, each aligned
// to its size.
func at(members ...int) []int {
	var out []int
	next := 0
	for _, n := range members {
		next = (next + n - 1) / n * n
		out = append(out, next)
		next += n
	}
	return out
}

// TestWasmCodes lays WasmCode out by the members that wasm/wasm-code-manager.h lists: the instructions, the
// module that they belong to, what comes before the pointer to the tables, that pointer, and the sizes of 4
// bytes, with some between positions and the protected instructions.
func TestWasmCodes(t *testing.T) {
	const flags, pointer = 1, 8
	newer := func(before []int, between int) WasmCode {
		list := append(append([]int{8, 8}, before...), 8, 4, 4, 4)
		for range between {
			list = append(list, 4)
		}
		p := at(append(list, 4, 4)...)
		n := len(before)
		return WasmCode{Native: p[0], Start: p[1], Meta: p[2+n], Size: p[3+n], Reloc: p[4+n], Positions: p[5+n],
			Protected: p[6+n+between], Index: p[7+n+between]}
	}
	p84 := at(8, 8, 8, 8, 4, 4, 4, 4) // 8.4: base::Vector of instructions, module, tables, sizes
	p78 := at(8, 8, 8, 8, 8, 8, 8, 4) // 7.8: vectors of instructions, relocations and positions, module, index
	for i, want := range []WasmCode{
		newer([]int{pointer}, 2), // 13.6
		newer(nil, 2),            // 12
		newer(nil, 1),            // 11.3: inlining positions
		newer(nil, 0),
		newer([]int{flags}, 1),
		newer([]int{flags}, 0), // 10.2
		{Start: p84[0], Size: p84[1], Native: p84[2], Meta: p84[3], Reloc: p84[4], Positions: p84[5], Protected: p84[6],
			Index: p84[7]},
		{Start: p78[0], Size: p78[1], Meta: p78[4], Positions: p78[5], Native: p78[6], Index: p78[7], Separate: true},
	} {
		if i >= len(WasmCodes) || fmt.Sprintf("%+v", WasmCodes[i]) != fmt.Sprintf("%+v", want) {
			t.Errorf("%d: %+v, want %+v", i, WasmCodes[i], want)
		}
	}
}

// TestPages lays the headers of pages out by the words that heap/basic-memory-chunk.h and
// heap/memory-chunk-metadata.h list. Where the owner is searched for begins after the end of the area.
func TestPages(t *testing.T) {
	for i, words := range [][]string{
		1: {"flags", "", "size", "heap", "start", "end", "owner"},
		2: {"flags", "size", "heap", "start", "end", "owner"},
		3: {"size", "flags", "heap", "start", "end", "owner"}, // 10.2 and 11.3
		4: {"size", "flags", "", "heap", "start", "end", "owner"},
		// 7.8: the bitmap of marks comes before, and a sentinel
		5: {"size", "flags", "", "heap", "", "start", "end", "owner"},
	} {
		want := Page{OwnerTo: 160}
		for k, w := range words {
			if p := map[string]*int{"flags": &want.Flags, "size": &want.Size, "heap": &want.Heap,
				"start": &want.AreaStart, "end": &want.AreaEnd, "owner": &want.OwnerFirst}[w]; p != nil {
				*p = 8 * k
			}
		}
		if words != nil && Pages[i] != want {
			t.Errorf("%d: %+v, want %+v", i, Pages[i], want)
		}
	}
}
