package pack

import (
	"coredbg/core"
	"coredbg/core/bundle/span"
	"coredbg/core/sym/pcln"
)

// maxTrees bounds the bytes taken of a Go program's trees of inlined calls.
const maxTrees = 64 << 20

// inlined returns the constants of a Go program without DWARF that record inlined calls.
func (m *moduleFile) inlined(p *core.Process, of *core.Module) (out []span.Range) {
	if m.f == nil || m.debugInfo(false) > 0 {
		return nil
	}
	table, _ := pcln.ForModule(p, of)
	if table == nil {
		return nil
	}
	taken, segs := uint64(0), of.Facts().Image.Segments()
	table.Trees(func(link, size uint64) bool {
		for _, s := range segs {
			if off := link - s.Addr; off < s.FileSize && size <= s.FileSize-off {
				at := int64(s.Off + off)
				out = append(out, span.Between(at, at+int64(size)))
				taken += size
				break
			}
		}
		return taken < maxTrees
	})
	return out
}
