package heap

import (
	"encoding/binary"
	"testing"
)

// TestHandleNodes: a block of nodes is known by their numbers, of 8 bits or of 16, and ends
// where these do.
func TestHandleNodes(t *testing.T) {
	global, traced := nodeKinds[0], nodeKinds[2]
	block := func(n handleNodes, count int, wide bool, flags byte) []byte {
		b := make([]byte, count*n.size)
		for k := range count {
			node := b[k*n.size:]
			if wide {
				binary.LittleEndian.PutUint16(node[indexAt:], uint16(k))
				node[indexAt+2] = flags
			} else {
				node[indexAt], node[indexAt+1] = byte(k), flags
			}
		}
		return b
	}
	for _, c := range []struct {
		name  string
		nodes handleNodes
		data  []byte
		count int
		wide  bool
	}{
		{"global", global, block(global, 256, false, 1), 256, false},
		{"two global ones", global, block(global, 512, false, 1), 256, false},
		{"traced, 8 bits", traced, block(traced, 256, false, 1), 256, false},
		{"traced, 16 bits", traced, block(traced, 256, true, 1), 256, true},
		{"traced, many", traced, block(traced, 1000, true, 1), 1000, true},
		{"traced, and more", traced, append(block(traced, 600, true, 1), make([]byte, 4096)...), 600, true},
		{"zeros", traced, make([]byte, 1<<13), 0, true},
		{"of another size", traced, block(global, 256, false, 1), 0, false},
	} {
		if got := c.nodes.count(c.data); got != c.count {
			t.Errorf("%s: %d nodes, want %d", c.name, got, c.count)
		} else if got > 0 && c.nodes.wide && c.nodes.wideIndex(c.data) != c.wide {
			t.Errorf("%s: numbers of 16 bits: %t", c.name, !c.wide)
		}
	}
}
