package heap

import (
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestWordsIn: words of a stack with a gap, one that ends within a word, and stacks at the end of the address space.
func TestWordsIn(t *testing.T) {
	const last = ^core.Addr(0)
	page := make([]byte, 4096)
	page[0], page[8], page[4088] = 1, 2, 3
	p := coretest.New(core.AMD64).Map(0x10000, page).Map(0x12000, page).Process()
	for _, c := range []struct {
		at, end core.Addr
		want    []core.Addr // that have words
	}{
		{0x10000, 0x10010, []core.Addr{0x10000, 0x10008}},
		{0x10003, 0x1000c, []core.Addr{0x10000}},
		{0x10ff8, 0x12010, []core.Addr{0x10ff8, 0x12000, 0x12008}},
		{0x11008, 0x11010, nil},
		{0x10010, 0x10000, nil},
		{last - 0x2000, last, nil},
		{last, last, nil},
	} {
		var got []core.Addr
		for at := range wordsIn(p, c.at, c.end) {
			got = append(got, at)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("from %v to %v: words at %v, want %v", c.at, c.end, got, c.want)
		}
	}
	for at, v := range wordsIn(p, 0x12000, 0x13000) {
		if want := map[core.Addr]uint64{0x12000: 1, 0x12008: 2, 0x12ff8: 3}[at]; v != want {
			t.Errorf("%d at %v, want %d", v, at, want)
		}
	}
}
