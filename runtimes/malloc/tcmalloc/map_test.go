package tcmalloc

import (
	"bytes"
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestLoadIsBounded: a root all of whose elements refer to one leaf, as damaged memory has it, would cost
// 2^35 looks at a span.
func TestLoadIsBounded(t *testing.T) {
	const base = 0x7f0000000000
	m := newMap(coretest.New(core.AMD64).Process(), 13)
	root, leaf := 8<<m.top, 8<<m.leaf
	word := func(v uint64, n int) []byte { return bytes.Repeat(binary.LittleEndian.AppendUint64(nil, v), n/8) }
	mem := append(word(base+uint64(root), root), word(base, leaf)...)
	m = newMap(coretest.New(core.AMD64).MapProt(base, mem, core.Read|core.Write).Process(), 13)
	m.root = base
	if m.load(t.Context(), 1000); m.work > 1010 || len(m.spans) > 0 {
		t.Errorf("%d elements were looked at, %d spans", m.work, len(m.spans))
	}
}
