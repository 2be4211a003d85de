package java

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestPrimitives: the letters of chapter 4.3.2 of the Java Virtual Machine Specification, and values of all ones.
func TestPrimitives(t *testing.T) {
	p := coretest.New(core.AMD64).Map(0x1000, []byte{255, 255, 255, 255, 255, 255, 255, 255}).Process()
	for _, c := range []struct {
		descriptor, name string
		size, ones       uint64
	}{
		{"Z", "boolean", 1, 0xff}, {"B", "byte", 1, 1<<64 - 1}, {"C", "char", 2, 0xffff}, {"S", "short", 2, 1<<64 - 1},
		{"I", "int", 4, 1<<64 - 1},
		{"J", "long", 8, 1<<64 - 1}, {"F", "float", 4, 1<<32 - 1}, {"D", "double", 8, 1<<64 - 1}, {"V", "void", 0, 0},
		{"L", "", 0, 0}, {"", "", 0, 0},
	} {
		x := PrimitiveOf(c.descriptor)
		if x.String() != c.name || x.Size() != c.size || x != NotPrimitive && x.Descriptor() != c.descriptor {
			t.Errorf("%q: %s of %d bytes, %q; want %s of %d", c.descriptor, x, x.Size(), x.Descriptor(), c.name, c.size)
		}
		if got := x.Read(p.Cursor(), 0x1000); got != c.ones {
			t.Errorf("%s: %#x, want %#x", x, got, c.ones)
		}
	}
}

// TestTypeName: names as Java's language writes them.
func TestTypeName(t *testing.T) {
	for descriptor, want := range map[string]string{"I": "int", "[[J": "long[][]",
		"Ljava/util/Map$Entry;": "java.util.Map$Entry",
		"[Ljava/lang/String;":   "java.lang.String[]", "": "", "[": "[]"} {
		if got := TypeName(descriptor); got != want {
			t.Errorf("%q: %q, want %q", descriptor, got, want)
		}
	}
}
