package android

import (
	"encoding/binary"
	"fmt"
	"slices"

	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
)

// The extent of the memory that debuggerd shows around a register's value: two words before it, 16 lines of two
// words (debuggerd/libdebuggerd/utility.cpp, dump_memory).
const (
	nearBefore = 32
	nearBytes  = 256
)

// memoryNear is what lies around the address that a register holds.
type memoryNear struct {
	register, mapping string
	start             core.Addr
	data              []byte
	order             binary.ByteOrder
}

// memoryNearRegisters reads the memory around the value of each register that is
// an address, in the order of rows.
func memoryNearRegisters(p *core.Process, regs []core.Register, rows [][]string) []memoryNear {
	var list []memoryNear
	for _, name := range slices.Concat(rows...) {
		g, ok := registerNamed(regs, name)
		a := core.Addr(g.Value) &^ core.Addr(p.Arch.PtrSize-1)
		m, mapped := p.Mapping(a)
		if !ok || !mapped || a < nearBefore {
			continue
		}
		start := max(a-nearBefore, m.Start)
		data, _ := core.ReadBytes(p.Space, start, min(nearBytes, uint64(m.End-start)))
		if len(data) < 16 {
			continue
		}
		list = append(list, memoryNear{name, m.Path, start, data, p.Arch.Order})
	}
	return list
}

// text writes the words and their characters.
func (m *memoryNear) text(w *out.Writer, ptr int) {
	name := ""
	if m.mapping != "" {
		name = " (" + sym.Clean(m.mapping) + ")"
	}
	w.Printf("memory near %s%s:\n", m.register, name)
	for off := 0; off+16 <= len(m.data); off += 16 {
		row := m.data[off : off+16]
		line := fmt.Sprintf("    %0*x", 2*ptr, uint64(m.start)+uint64(off))
		for i := 0; i < 16; i += ptr {
			v := uint64(m.order.Uint32(row[i:]))
			if ptr == 8 {
				v = m.order.Uint64(row[i:])
			}
			line += fmt.Sprintf(" %0*x", 2*ptr, v)
		}
		line += "  "
		for _, c := range row {
			if c < 0x20 || c > 0x7e {
				c = '.'
			}
			line += string(rune(c))
		}
		w.Printf("%s\n", line)
	}
	w.Printf("\n")
}
