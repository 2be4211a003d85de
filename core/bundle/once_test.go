package bundle

import (
	"testing"

	"coredbg/core"
	"coredbg/core/bundle/span"
)

// A counted source counts how often the bytes at an offset are read.
type counted struct {
	core.Bytes
	at    int64
	reads int
}

// Window implements core.Source.
func (c *counted) Window(off int64) ([]byte, error) {
	if off == c.at {
		c.reads++
	}
	return c.Bytes.Window(off)
}

// TestUnpackedOnce: a chunk that cannot be unpacked is read and unpacked once, however many of its words are
// asked for.
func TestUnpackedOnce(t *testing.T) {
	data := small(t)
	whole := unpack(t, data)
	first := whole.parts[0].chunks[0]
	at := whole.base + first.off
	data[at] ^= 0x55 // the magic number of its frame
	src := &counted{Bytes: data, at: at}
	b, err := Open(src)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	m := core.NewSpace([]core.Segment{{Start: span.Block, End: 2 * span.Block, Kind: core.SegCore, Prot: core.Read,
		Src: b.Core()}}, nil)
	src.reads = 0
	for a := core.Addr(span.Block); a < 2*span.Block; a += 8 {
		if _, err := core.ReadBytes(m, a, 8); err == nil {
			t.Fatalf("%v is read from a damaged chunk", a)
		}
	}
	if src.reads != 1 {
		t.Errorf("the chunk is unpacked %d times, want once", src.reads)
	}
}
