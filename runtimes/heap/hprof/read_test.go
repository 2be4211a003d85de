package hprof

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/heap/hprof/format"
)

// A maker writes a dump with identifiers of size bytes.
type maker struct {
	size int
	b    []byte
}

// put appends numbers: a byte as one, uint16 and uint32 as they are, an int as an identifier.
func (m *maker) put(values ...any) []byte {
	var b []byte
	for _, v := range values {
		switch v := v.(type) {
		case int:
			if m.size == 4 {
				b = binary.BigEndian.AppendUint32(b, uint32(v))
			} else {
				b = binary.BigEndian.AppendUint64(b, uint64(v))
			}
		case byte:
			b = append(b, v)
		case uint16:
			b = binary.BigEndian.AppendUint16(b, v)
		case uint32:
			b = binary.BigEndian.AppendUint32(b, v)
		case string:
			b = append(b, v...)
		}
	}
	return b
}

func (m *maker) record(tag byte, values ...any) {
	body := m.put(values...)
	m.b = append(m.b, m.put(tag, uint32(0), uint32(len(body)), string(body))...)
}

// small is a dump of a Leaf in a static field of the class Box, a Reference to another, and a
// string that a frame refers to.
func small(size int) []byte {
	m := &maker{size: size}
	m.b = m.put("JAVA PROFILE 1.0.2", byte(0), uint32(size), uint32(0), uint32(0))
	for i, s := range []string{"demo/Box", "demo/Leaf", "java/lang/ref/Reference", "java/lang/String", "held", "text",
		"referent", "value", "main", "Box.java"} {
		m.record(format.TagString, i+1, s)
	}
	for i := range 4 {
		m.record(format.TagLoadClass, uint32(i+1), 0x1000+0x100*i, uint32(0), i+1)
	}
	m.record(format.TagFrame, 77, 9, 0, 10, uint32(1), uint32(14))
	m.record(format.TagTrace, uint32(5), uint32(1), uint32(1), 77)
	class := func(id int, rest ...any) []any {
		return append([]any{byte(format.ClassDump), id, uint32(0), 0, 0, 0, 0, 0, 0, uint32(0), uint16(0)}, rest...)
	}
	o, z := byte(format.TypeObject), uint32(0)
	values := slices.Concat(
		[]any{byte(format.RootStickyClass), 0x1000, byte(format.RootThreadObject), 0x2000, uint32(1), uint32(5),
			byte(format.RootJavaFrame), 0x5000, uint32(1), z},
		class(0x1000, uint16(1), 5, o, 0x2000, uint16(0)),
		class(0x1100, uint16(0), uint16(1), 6, o), class(0x1200, uint16(0), uint16(1), 7, o),
		class(0x1300, uint16(0), uint16(1), 8, o),
		[]any{byte(format.InstanceDump), 0x2000, z, 0x1100, uint32(size), 0x3000},
		[]any{byte(format.InstanceDump), 0x3000, z, 0x1200, uint32(size), 0x4000},
		[]any{byte(format.InstanceDump), 0x4000, z, 0x1100, uint32(size), 0},
		[]any{byte(format.InstanceDump), 0x5000, z, 0x1300, uint32(size), 0x6000},
		[]any{byte(format.PrimitiveArrayDump), 0x6000, z, uint32(3), byte(format.TypeByte), "abc"},
	)
	m.record(format.TagHeapSegment, values...)
	m.record(format.TagHeapEnd)
	return m.b
}

func TestSmall(t *testing.T) {
	for _, size := range []int{4, 8} {
		g, err := open(small(size))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		src := g.Source()
		for id := range heap.ID(g.Len()) {
			_, kept := g.Strength(id)
			got = append(got, fmt.Sprintf("%x %s %s %v", uint64(src.Shown(g.Addr(id))), g.Type(id).Class,
				src.Describe(g.Addr(id)), kept))
		}
		want := []string{"1000 java.lang.Class class demo.Box true", "1100 java.lang.Class class demo.Leaf true",
			"1200 java.lang.Class class java.lang.ref.Reference true",
			"1300 java.lang.Class class java.lang.String true",
			"2000 demo.Leaf demo.Leaf true", "3000 java.lang.ref.Reference java.lang.ref.Reference true",
			"4000 demo.Leaf demo.Leaf false",
			`5000 java.lang.String "abc" true`, "6000 byte[] byte[3] true"}
		if !slices.Equal(got, want) {
			t.Errorf("%d: %s", size, strings.Join(got, "\n"))
		}
		steps := src.Steps([]core.Addr{src.Start(0x1000), src.Start(0x2000), src.Start(0x3000)})
		if steps[1].Reference.String() != "static field held" || steps[2].Reference.String() != "field text" {
			t.Errorf("%+v", steps)
		}
		at, _ := g.ID(src.Start(0x5000))
		if r := g.Roots(at); len(r) != 1 || r[0].Kind != "frame" ||
			r[0].Name != "demo.Box.main (Box.java:14) of thread 1" {
			t.Errorf("%+v", r)
		}
		if g.Damage() != nil {
			t.Errorf("%+v", g.Damage())
		}
	}
}

// TestStringWithoutClass: a string whose class the dump does not describe has no text, even
// where an array can be taken for its own.
func TestStringWithoutClass(t *testing.T) {
	for _, size := range []int{4, 8} {
		m := &maker{size: size}
		m.b = m.put("JAVA PROFILE 1.0.2", byte(0), uint32(size), uint32(0), uint32(0))
		m.record(format.TagString, 1, "java/lang/String")
		m.record(format.TagLoadClass, uint32(1), 0x1300, uint32(0), 1)
		m.record(format.TagHeapSegment, byte(format.PrimitiveArrayDump), 0, uint32(0), uint32(3),
			byte(format.TypeByte), "abc",
			byte(format.InstanceDump), 0x5000, uint32(0), 0x1300, uint32(size), 0x6000)
		g, err := open(m.b)
		if err != nil {
			t.Fatal(err)
		}
		if src := g.Source(); src.Describe(src.Start(0x5000)) != stringClass {
			t.Errorf("%d: it is %q", size, src.Describe(src.Start(0x5000)))
		}
	}
}

// TestCut cuts a dump everywhere: it is read up to there, and says so, or is refused.
func TestCut(t *testing.T) {
	whole := small(8)
	read := 0
	for n := range len(whole) {
		g, err := open(whole[:n])
		switch {
		case err != nil:
		case g.Damage() == nil || g.Damage().Cut == "":
			t.Errorf("cut at %d of %d it counts as whole", n, len(whole))
		default:
			read++
		}
	}
	if read < 100 {
		t.Errorf("of only %d cut dumps something was read", read)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(small(4))
	f.Add(small(8))
	android := small(4)
	f.Add(append(android[:len(android)-9], format.TagHeapSegment, 0, 0, 0, 0, 0, 0, 0, 9, format.HeapDumpInfo, 0, 0, 0,
		'A', 0, 0, 0, 1))
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := open(b)
		if err != nil {
			return
		}
		src := g.Source()
		var path []core.Addr
		for id := range heap.ID(min(g.Len(), 64)) {
			at := g.Addr(id)
			src.Describe(at)
			src.References(at, g.Size(id), func(heap.Edge) {})
			path = append(path, at)
		}
		src.Steps(path)
	})
}
