package dwarf

import (
	"errors"
	"testing"

	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// TestGoParts: pieces that Go's compiler writes one after the other are put in the places of their
// parts, or are not known. The type is struct{ a int8; b int64 }.
func TestGoParts(t *testing.T) {
	d, u := &part{}, &Unit{w: format.Widths{Addr: 8}}
	d.types.Store(format.Offset(1), &Type{d: d, u: u, Kind: Base, size: 1})
	d.types.Store(format.Offset(2), &Type{d: d, u: u, Kind: Base, size: 8})
	whole := &Type{d: d, u: u, Kind: Struct, size: 16}
	whole.full.Do(func() { whole.members = []Member{{Off: 0, typ: ref{d, 1}}, {Off: 8, typ: ref{d, 2}}} })
	mem := func(size int64, at core.Addr) piece { return piece{size: 8 * size, mem: true, addr: at} }
	for _, c := range []struct {
		name   string
		pieces []piece
		want   []piece
		err    error
	}{
		{"a gap", []piece{mem(1, 16), mem(8, 32)}, []piece{mem(1, 16), {size: 56, err: ErrNoLocation}, mem(8, 32)},
			nil},
		{"one twice", []piece{mem(1, 16), mem(1, 16), mem(8, 32)}, []piece{mem(1, 16), {size: 56, err: ErrNoLocation},
			mem(8, 32)}, nil},
		{"one too many", []piece{mem(1, 16), mem(1, 17), mem(8, 32)}, nil, errParts},
		{"one of two", []piece{mem(8, 32)}, nil, errGoParts},
		{"other sizes", []piece{mem(8, 16), mem(8, 32)}, nil, errGoParts},
	} {
		got, err := (&Variable{}).goParts(whole, c.pieces)
		if !errors.Is(err, c.err) || len(got) != len(c.want) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
			continue
		}
		for i := range got {
			if got[i].size != c.want[i].size || got[i].addr != c.want[i].addr || got[i].err != c.want[i].err {
				t.Errorf("%s: piece %d is %+v, want %+v", c.name, i, got[i], c.want[i])
			}
		}
	}
}
