package heapsnapshot

import (
	"fmt"
	"strings"
	"testing"
)

// TestTexts: strings keep their numbers and come in order, whether their chunks are in memory, in the
// file, or being filled.
func TestTexts(t *testing.T) {
	x := newTexts()
	x.keep = 1
	defer x.close()
	const n = 6000
	name := func(i int) string { return fmt.Sprint(i, strings.Repeat("é", i%500)) }
	for i := 1; i < n; i++ {
		if got := x.find(name(i)); got != uint32(i) {
			t.Fatalf("string %d has number %d", i, got)
		}
	}
	if x.f == nil || len(x.chunks) != 1 || x.filled < 2 {
		t.Fatalf("%d chunks, %d in memory: none is in the file", x.filled, len(x.chunks))
	}
	for i := n - 1; i > 0; i -= 7 {
		if got := x.find(name(i)); got != uint32(i) {
			t.Fatalf("string %d is found as %d", i, got)
		}
	}
	i := 0
	x.each(func(text []byte) {
		if want := name(i); i > 0 && string(text) != want || i == 0 && len(text) != 0 {
			t.Fatalf("string %d is %.20q, want %.20q", i, text, want)
		}
		i++
	})
	if i != n || x.err != nil {
		t.Errorf("%d strings, %v, want %d", i, x.err, n)
	}
}

// TestTextsLost: a file that cannot be read is an error.
func TestTextsLost(t *testing.T) {
	x := newTexts()
	x.keep = 0
	for i := range 3000 {
		x.find(fmt.Sprint(i, strings.Repeat("x", 900)))
	}
	x.close()
	x.each(func([]byte) {})
	if x.err == nil {
		t.Error("the strings of a closed file are there")
	}
}
