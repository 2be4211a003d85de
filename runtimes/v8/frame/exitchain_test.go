package frame

import (
	"encoding/binary"
	"testing"

	"coredbg/runtimes/v8/bytecode"
)

// The instructions of Builtins_JSEntry from mov x29, sp on, as objdump shows
// them in the aarch64 binaries of Node 20.20.2, 24.21.0 and 26.10.0; the same
// offsets are in their x86-64 binaries.
func TestExitOffsetARM64(t *testing.T) {
	for _, c := range []struct {
		node string
		code []uint32
		want int
	}{
		{"20.20.2", []uint32{0x910003fd, 0xd280004c, 0xa9bf33ff, 0x9102034b, 0xf940016a}, 0x180},
		{"24.21.0", []uint32{0x910003fd, 0xd280004c, 0xa9bf33ff, 0x9101034b, 0xf940016a}, 0x140},
		{"26.10.0", []uint32{0x910003fd, 0xd280004c, 0xa9bf33ff, 0xf940274a, 0xf900275f}, 0x148},
	} {
		var b []byte
		for _, w := range c.code {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		if got, ok := exitOffsetARM64(b, binary.LittleEndian.Uint32); !ok || got != c.want {
			t.Errorf("Node %s: c_entry_fp at %#x, want %#x", c.node, got, c.want)
		}
		if _, ok := exitOffsetARM64(b[4:], binary.LittleEndian.Uint32); ok {
			t.Errorf("Node %s: found without a frame", c.node)
		}
	}
}

// A stripped image takes sizes from the list of bytecodes: it has to agree
// with itself.
func TestSizesOfSets(t *testing.T) {
	for _, s := range bytecode.Sets() {
		if !s.Fits(s.Sizes()) {
			t.Errorf("V8 %v: its sizes do not fit its bytecodes", s.Version)
		}
	}
}
