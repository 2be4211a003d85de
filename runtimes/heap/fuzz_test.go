package heap

import (
	"context"
	"testing"

	"coredbg/core"
)

// A damaged is a heap whose source says whatever some bytes do: objects that overlap, lie
// out of order or outside of their span, references and roots to anywhere.
type damaged struct {
	fake
	data []byte
}

func (d *damaged) word(i int) core.Addr {
	if len(d.data) == 0 {
		return 0
	}
	at := func(k int) core.Addr { return core.Addr(d.data[k%len(d.data)]) }
	return 0x10000 + at(i)<<4 + at(i+1)&0xf8
}

func (d *damaged) Reader() Reader { return d }

func (d *damaged) Type(t int32, _ core.Addr) Type {
	return Type{Class: string(rune('A' + t%5)), Late: t%3 == 0, Internal: t%2 == 0, Program: t%7 == 0}
}

func (d *damaged) Objects(span int, visit func(core.Addr, uint64, int32)) {
	for i := range d.data {
		visit(d.word(i), uint64(d.data[i])<<(d.data[i]%50), int32(d.data[i]%16))
	}
}

func (d *damaged) Edges(at core.Addr, size uint64, typ int32, visit func(from, to core.Addr)) {
	for i := range min(len(d.data), int(typ)) {
		from := at
		if d.data[i]&1 == 0 {
			from = d.word(i + 1)
		}
		visit(from, d.word(i+int(size&0xff)))
	}
}

func (d *damaged) Roots(_ context.Context, reached func(core.Addr) bool, visit func(Root)) error {
	for i, b := range d.data {
		r := Root{Kind: "fuzz", Strength: Strength(b % 5), Rank: Rank(b % 4), Target: d.word(i)}
		reached(r.Target)
		visit(r)
	}
	return nil
}

func (d *damaged) Steps(path []core.Addr) []Step { return make([]Step, len(path)) }

// FuzzBuild builds graphs of damaged heaps, and asks all of them that commands ask.
func FuzzBuild(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte("\x10\x08\x20\x10\x30\x18\xff\xfe\x00\x11\x13\x17\x1d"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<10 {
			return
		}
		d := &damaged{fake: fake{spans: []Span{{Start: 0x10000, End: 0x10400}, {Start: 0x10400, End: 0x10800},
			{Start: 0x11000, End: 0x11100}}}, data: data}
		g, err := Build(context.Background(), d)
		if err != nil {
			return
		}
		ctx := context.Background()
		if _, err := g.Suspects(ctx); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Classes(ctx, 0, nil); err != nil {
			t.Fatal(err)
		}
		sum := uint64(0)
		for id := range ID(g.Len()) {
			if at, ok := g.ID(g.Addr(id)); !ok || at != id {
				t.Fatalf("object %d is at %v, which is object %d", id, g.Addr(id), at)
			}
			ways, err := g.Paths(ctx, id, 2)
			if _, reachable := g.Strength(id); err != nil || reachable != (len(ways) > 0) {
				t.Fatalf("object %d: %d ways, %v", id, len(ways), err)
			}
			if g.Reachable(id, Stacked) {
				sum += g.Size(id) + g.External(id)
			}
		}
		if sum != g.Tree().Total() {
			t.Fatalf("%d bytes are reachable, the tree has %d", sum, g.Tree().Total())
		}
	})
}
