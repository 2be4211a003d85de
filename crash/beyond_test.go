package crash

import (
	"slices"
	"testing"
)

func TestBeyond(t *testing.T) {
	v := &Verdict{Title: "fatal error: out of memory: full of objects of Leaky (oom.js:5): 22% of the bytes",
		Evidence: []string{
			"fatal error: out of memory", "the heap is full of objects of Leaky (/srv/app/oom.js:5): 22% of the bytes",
			"held by cache (/srv/app/oom.js:7)"}}
	if got, want := v.Beyond(), []string{"held by cache (/srv/app/oom.js:7)"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
