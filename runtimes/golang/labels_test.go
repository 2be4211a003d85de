package golang

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestLabels reads sets of labels as a slice, as Go 1.24 keeps them, and as a map, as Go did before: in
// one bucket, in two, and in one that goes on in another. It reads no labels from other memory.
func TestLabels(t *testing.T) {
	const setAt, headAt, bucketAt, textAt = 0x1000, 0x1100, 0x2000, 0x3000
	const size = cells + 4*cells*8 + 8 // of a bucket
	texts := []byte("kindnumberlabelled7")
	kind, number, labelled, seven := [2]uint64{textAt, 4}, [2]uint64{textAt + 4, 6}, [2]uint64{textAt + 10, 8},
		[2]uint64{textAt + 18, 1}
	both := []Label{{"kind", "labelled"}, {"number", "7"}}
	type cell struct {
		bucket, at int
		key, value [2]uint64
	}
	for _, c := range []struct {
		name  string
		set   []uint64
		count uint64
		log   uint8
		next  uint64 // of the first bucket
		cells []cell
		want  []Label
	}{
		{name: "slice", set: []uint64{bucketAt, 2, 2}, want: both},
		{name: "longer than its room", set: []uint64{bucketAt, 2, 1}},
		{name: "one bucket", count: 2, cells: []cell{{0, 7, number, seven}, {0, 1, kind, labelled}}, want: both},
		{name: "two", count: 2, log: 1, cells: []cell{{0, 0, number, seven}, {1, 3, kind, labelled}}, want: both},
		{name: "one and more", count: 2, next: bucketAt + 2*size,
			cells: []cell{{0, 0, number, seven}, {2, 3, kind, labelled}}, want: both},
		{name: "fewer than it says", count: 3, cells: []cell{{0, 0, number, seven}, {0, 3, kind, labelled}}},
		{name: "more than it says", count: 1, cells: []cell{{0, 0, number, seven}, {0, 3, kind, labelled}}},
		{name: "in a circle", count: 2, next: bucketAt, cells: []cell{{0, 0, number, seven}}},
		{name: "no texts", count: 1, cells: []cell{{0, 0, [2]uint64{0x9000, 4}, seven}}},
		{name: "too many buckets", count: 1, log: 40, cells: []cell{{0, 0, number, seven}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := make([]byte, 4*size)
			put := func(at int, words ...uint64) {
				for i, w := range words {
					binary.LittleEndian.PutUint64(data[at+8*i:], w)
				}
			}
			for _, x := range c.cells {
				at := x.bucket * size
				data[at+x.at] = minTopHash
				put(at+cells+16*x.at, x.key[:]...)
				put(at+cells+16*(cells+x.at), x.value[:]...)
			}
			put(size-8, c.next)
			set := c.set
			if set == nil {
				set = []uint64{headAt, 0, 0}
			} else {
				put(0, slices.Concat(kind[:], labelled[:], number[:], seven[:])...)
			}
			p := coretest.New(core.AMD64).Words(setAt, set...).Words(headAt, c.count, uint64(c.log)<<8, bucketAt, 0).
				Map(bucketAt, data).Map(textAt, texts).Process()
			if got := (labelReader{p, 8}).labels(setAt); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
