package heapsnapshot

import (
	"fmt"
	"strings"
	"testing"
)

// TestTexts numbers strings of several chunks, each more than once.
func TestTexts(t *testing.T) {
	x := newTexts()
	known := map[string]uint32{"": 0}
	for i := range 30_000 {
		text := fmt.Sprint(i%7919) + strings.Repeat("é", i%7919%512)
		want, ok := known[text]
		if !ok {
			want = uint32(len(known))
			known[text] = want
		}
		if got := x.number(text); got != want {
			t.Fatalf("string %d has number %d, want %d", i, got, want)
		}
		if x.number("") != 0 {
			t.Fatal("the empty string has another number")
		}
	}
	if len(x.chunks) < 3 || len(x.at) != len(known) {
		t.Fatalf("%d strings in %d chunks, want %d in several", len(x.at), len(x.chunks), len(known))
	}
	for text, n := range known {
		if string(x.text(n)) != text {
			t.Fatalf("string %d is %q, want %q", n, x.text(n), text)
		}
	}
}
