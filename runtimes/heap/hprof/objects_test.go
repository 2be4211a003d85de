package hprof

import (
	"cmp"
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/heap/hprof/format"
)

// TestObjects: objects are what they were when they were added, in order of identifier, the
// first of the file where two have the same; whichever way they are sorted.
func TestObjects(t *testing.T) {
	for name, late := range map[string]int{"in order": 0, "classes first": 9, "at random": 1 << 20} {
		rnd := rand.New(rand.NewPCG(1, 2))
		want := make([]object, 70000+2<<pieceBits)
		for i := range want {
			want[i] = object{id: uint64(i)*8 + 1, off: int64(i) * 11, kind: int32(i % 300)}
			switch { // some of the larger numbers
			case i > 1<<17:
				want[i].id += 7 << 40
			case i > 1<<16:
				want[i].id += 5 << 32
			}
			if i%50000 == 1 {
				want[i].off, want[i].kind = maxOffset-int64(i), maxKinds-int32(i)
			}
		}
		added := slices.Clone(want)
		part := added[:min(late*len(added)/100, len(added))]
		if late > 0 {
			part = added[:max(len(part), 1000)]
			for i := range part { // some of all
				k := rnd.IntN(len(added))
				part[i], added[k] = added[k], part[i]
			}
			slices.SortFunc(added[len(part):], func(a, b object) int { return cmp.Compare(a.id, b.id) })
		}
		var x objects
		for _, o := range added {
			x.add(o)
			if o.id%1000 == 1 { // again, later in the file
				x.add(object{id: o.id, off: maxOffset - 1, kind: o.kind})
			}
		}
		x.sort()
		x.pack()
		if x.len() != len(want) {
			t.Fatalf("%s: %d objects, want %d", name, x.len(), len(want))
		}
		for i := range want {
			if got := x.at(i); got != want[i] {
				t.Fatalf("%s: object %d is %+v, want %+v", name, i, got, want[i])
			}
		}
		d := &Dump{objects: x}
		d.index.build(&d.objects)
		for i := 0; i < len(want); i += 777 {
			if n, ok := d.find(want[i].id); !ok || int(n) != i {
				t.Errorf("%s: object %d is found as %d, %v", name, i, n, ok)
			}
			if _, ok := d.find(want[i].id + 1); ok {
				t.Errorf("%s: %#x is found", name, want[i].id+1)
			}
		}
	}
}

// TestMemory bounds the memory that a dump needs for each object.
func TestMemory(t *testing.T) {
	const most = 13 // bytes
	m := &maker{size: 8}
	m.b = m.put("JAVA PROFILE 1.0.2", byte(0), uint32(8), uint32(0), uint32(0))
	var body []byte
	n := 0
	for ; n < 400000; n++ {
		body = append(body, m.put(byte(format.InstanceDump), 0x700000000+24*n, uint32(0), 0x1000, uint32(0))...)
	}
	m.record(format.TagHeapSegment, string(body))
	m.record(format.TagHeapEnd)
	used := func() uint64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	before := used()
	d, err := Read(context.Background(), core.Bytes(m.b))
	if err != nil {
		t.Fatal(err)
	}
	after := used()
	if d.Len() != n || after > before+most*uint64(n) {
		t.Errorf("%d objects take %d bytes, want %d each at most", d.Len(), after-before, most)
	}
	t.Logf("%.1f bytes an object", float64(after-before)/float64(n))
	runtime.KeepAlive(d)
	runtime.KeepAlive(m)
}
