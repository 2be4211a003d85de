package span

import (
	"testing"

	"coredbg/core"
)

func TestTileAndCarve(t *testing.T) {
	data := make([]byte, 64*Block)
	for _, page := range []int{0, 1, 3, 10, 40, 63} {
		data[page*Block+7] = 1
	}
	left := core.GapError{Gap: core.LeftOut, Detail: "x"}
	cut := core.GapError{Gap: core.Redacted}
	spans := Tile(core.Bytes(data), Join([]Range{{0, 50 * Block}, {-5, Block}, {60 * Block, 1 << 40}},
		int64(len(data))), left)
	spans = Carve(spans, []Range{{100, 200}, {9 * Block, 10*Block + 5}, {55 * Block, 56 * Block},
		{64*Block - 3, 64 * Block}}, cut)
	at := int64(0)
	for _, s := range spans {
		if s.Lo != at || s.Hi <= s.Lo {
			t.Fatalf("spans do not tile: %+v", spans)
		}
		at = s.Hi
	}
	kind := func(off int64) (uint8, core.Gap) {
		for _, s := range spans {
			if off < s.Hi {
				return s.Kind, s.Gap.Gap
			}
		}
		return 99, 0
	}
	for _, c := range []struct {
		off  int64
		kind uint8
		gap  core.Gap
	}{
		{0, Data, 0}, {99, Data, 0}, {100, Gap, core.Redacted}, {200, Data, 0},
		{2 * Block, Data, 0}, // few zeros
		{5 * Block, Zero, 0}, {9 * Block, Gap, core.Redacted}, {10*Block + 5, Data, 0},
		{49 * Block, Zero, 0}, {50 * Block, Gap, core.LeftOut}, {55 * Block, Gap, core.LeftOut},
		{60 * Block, Zero, 0}, {63 * Block, Data, 0}, {64*Block - 4, Data, 0}, {64*Block - 1, Gap, core.Redacted},
	} {
		if k, g := kind(c.off); k != c.kind || k == Gap && g != c.gap {
			t.Errorf("at %#x: kind %d, gap %v, want %d, %v", c.off, k, g, c.kind, c.gap)
		}
	}
	if at != int64(len(data)) {
		t.Errorf("spans end at %#x", at)
	}
}
