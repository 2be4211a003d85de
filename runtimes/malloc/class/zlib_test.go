package class

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestStream: a block is a state of zlib if its stream leads back to it, behind the words of an allocator or
// not, and if it has a status that zlib has. TestLiveNodeService has a core with 60 states.
func TestStream(t *testing.T) {
	const strm, state = 0x10000, 0x20000
	for _, c := range []struct {
		name   string
		off    core.Addr // of the state in its block
		to     core.Addr // where the stream leads
		status uint32
		size   uint64
		want   string
	}{
		{"deflate", 0, state, 113, 5936, deflateState},
		{"inflate", 0, state, 16191, 7160, inflateState},
		{"behind a size", 16, state + 16, 42, 6000, deflateState},
		{"another state", 0, state + 8, 113, 5936, ""},
		{"no status", 0, state, 114, 5936, ""},
		{"no mode", 0, state, 16212, 7160, ""},
		{"small", 0, state, 113, 512, ""},
	} {
		words := make([]uint64, 4)
		words[c.off/8], words[c.off/8+1] = strm, uint64(c.status)
		b := coretest.New(core.AMD64).Words(strm, 0, 0, 0, 0, 0, 0, 0, uint64(c.to)).Words(state, words...)
		if got := New(b.Process(), nil).stream(state, c.size); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
