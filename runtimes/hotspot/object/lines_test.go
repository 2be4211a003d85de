package object

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/hotspot/vmstructs"
)

const streamAt = 0x1000

// TestStream: the numbers at which UNSIGNED5 begins to take another byte, as share/utilities/unsigned5.hpp of
// JDK 25 has them in its comment, and share/code/compressedStream.hpp of JDK 17 in its constants (L = 192,
// lg_H = 6).
func TestStream(t *testing.T) {
	for _, c := range []struct {
		java  int
		bytes []byte
		want  int
	}{
		{17, []byte{0}, 0}, {17, []byte{191}, 191}, {17, []byte{192, 0}, 192}, {17, []byte{255, 191}, 255 + 191<<6},
		{25, []byte{1}, 0}, {25, []byte{191}, 190}, {25, []byte{192, 1}, 191}, {25, []byte{255, 191}, 254 + 190<<6},
		{25, []byte{0}, 0},
	} {
		p := coretest.New(core.AMD64).Map(streamAt, c.bytes).Process()
		s := NewStream(p, streamAt, c.java)
		if got := s.Int(); got != c.want || s.Err() != nil {
			t.Errorf("Java %d: % x is %d (%v), want %d", c.java, c.bytes, got, s.Err(), c.want)
		}
	}
	s := NewStream(coretest.New(core.AMD64).Map(streamAt, []byte{0, 1, 2, 3}).Process(), streamAt, 17)
	for _, want := range []int{0, -1, 1, -2} {
		if got := s.Signed(); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
}

// method returns a method of JDK 17 whose table of lines is made of some bytes.
func method(table []byte) *Method {
	p := coretest.New(core.AMD64).Map(streamAt, append(make([]byte, 20), table...)).Process()
	return &Method{Code: streamAt, CodeSize: 20, lines: true,
		r: newClassReader(newReferences(&vmstructs.Tables{Process: p}))}
}

// TestLine: lines 64, 67 from bytecode 2 on and 63 from 10 on, of which the last is behind the one before it.
func TestLine(t *testing.T) {
	m := method([]byte{0xff, 0, 128, 2<<3 | 3, 0xff, 16, 7, 0})
	for bci, want := range map[int]int{0: 64, 1: 64, 2: 67, 9: 67, 10: 63, 19: 63} {
		if got := m.Line(bci); got != want {
			t.Errorf("bytecode %d: line %d, want %d", bci, got, want)
		}
	}
	if got := method([]byte{0xff, 0}).Line(3); got != 0 {
		t.Errorf("a table that is cut: line %d", got)
	}
}

// FuzzLine wants an end of any table.
func FuzzLine(f *testing.F) {
	f.Add([]byte{0xff, 0, 128, 2<<3 | 3, 0}, 5)
	f.Fuzz(func(t *testing.T, table []byte, bci int) { method(table).Line(bci) })
}
