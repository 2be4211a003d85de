package heap

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// numbersOfEachSize returns numbers of one byte to ten.
func numbersOfEachSize(r *rand.Rand, n int) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		list[i] = r.Uint64() >> r.IntN(64)
	}
	return append(list, 0, math.MaxUint64)
}

// TestStream writes more than a block, and reads it in each way.
func TestStream(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var p pool
	for _, n := range []int{0, 1, 100, 10_000, 50_000} {
		want := numbersOfEachSize(r, n)
		var s, stack stream
		for _, v := range want {
			s.add(&p, v)
			stack.push(&p, v)
		}
		var got []uint64
		for pos := int64(0); pos < s.len; {
			var v uint64
			v, pos = s.at(pos)
			got = append(got, v)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d numbers are read as others", n)
		}
		got = nil
		for d := (drain{stream: &s, pool: &p}); !d.done(); {
			got = append(got, d.next())
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d numbers are drained as others", n)
		}
		for i, v := range slices.Backward(want) {
			if got := stack.pop(&p); got != v {
				t.Fatalf("number %d of %d is popped as %d, want %d", i, n, got, v)
			}
		}
		if blocks := 2 * len(s.blocks); len(p.free) < blocks {
			t.Fatalf("%d blocks were used, %d are free", blocks, len(p.free))
		}
	}
}

// TestRows compares rows of any length, of objects near by and far away.
func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	var p pool
	first := ID(3 * partSize)
	want := make([][]ID, 5000)
	rows := newRows(len(want))
	for i := range want {
		id := first + ID(i)
		var in []uint32
		for range r.IntN(4) << (r.IntN(8) * r.IntN(2)) {
			if from := ID(r.Int32() >> r.IntN(31)); from != id {
				in = append(in, uint32(from), uint32(from))
			}
		}
		slices.Sort(in)
		rows.add(&p, id, in)
		for _, from := range in {
			want[i] = append(want[i], ID(from))
		}
	}
	for i, w := range want {
		var got []ID
		in := rows.row(first + ID(i))
		for from := in.next(); from != None; from = in.next() {
			got = append(got, from)
		}
		if !slices.Equal(got, w) {
			t.Fatalf("row %d has %v, want %v", i, got, w)
		}
	}
}

// TestLargeNumbers builds a heap of large objects of types with large numbers, whose bytes need more
// than four bytes. One of them owns bytes elsewhere.
func TestLargeNumbers(t *testing.T) {
	f := randomHeap(rand.New(rand.NewPCG(1, 4)), 90, 2)
	f.types = append(f.types, make([]Type, 1<<17)...)
	f.types[1<<17] = Type{Class: "last"}
	f.external = map[int]uint64{7: 1 << 40, 8: 1}
	for i := range f.size {
		f.size[i] <<= (i * i) % 35
		if i%3 == 0 {
			f.typ[i] = 1 << 17
		}
	}
	checkGraph(t, f)
	g, err := Build(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	for id := range ID(g.Len()) {
		if g.External(id) != f.external[int(id)] || g.TypeNumber(id) != f.typ[id] {
			t.Errorf("object %d owns %d bytes and is of type %d, want %d and %d", id, g.External(id), g.TypeNumber(id),
				f.external[int(id)], f.typ[id])
		}
	}
}
