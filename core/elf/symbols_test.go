package elf

import (
	stdelf "debug/elf"
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/elf/elftest"
	"coredbg/core/elf/format"
)

// TestDescriptors: in the ELF V1 ABI of ppc64 a function's symbol is the address of
// its descriptor in .opd: the code, the TOC pointer, the environment.
func TestDescriptors(t *testing.T) {
	for _, c := range []struct {
		abi  uint32
		want uint64
	}{{0, 0x10000868}, {1, 0x10000868}, {2, 0x20000018}} {
		f := &File{exec: executionView{head: format.Header{Class: format.Class{Order: binary.BigEndian, Wide: true},
			Machine: stdelf.EM_PPC64, Flags: c.abi}}}
		b := elftest.New(stdelf.EM_PPC64, binary.BigEndian, true)
		data := b.AppendWord(make([]byte, 24), 0x10000868, 0x100d7e00, 0)
		f.exec.src = core.Bytes(data)
		f.init()
		var got []uint64
		sections := []format.Section{{Name: ".opd", Type: stdelf.SHT_PROGBITS, Addr: 0x20000000,
			Size: uint64(len(data))}}
		yield := f.throughDescriptors(sections,
			func(s core.ImageSymbol) bool { got = append(got, s.Value); return true })
		yield(core.ImageSymbol{Kind: core.SymFunc, Value: 0x20000018})
		yield(core.ImageSymbol{Kind: core.SymFunc, Value: 0x20000000 + uint64(len(data)) - 4})
		yield(core.ImageSymbol{Kind: core.SymFunc, Value: 0x1000})
		if len(got) != 3 || got[0] != c.want || got[1] != 0x20000000+uint64(len(data))-4 || got[2] != 0x1000 {
			t.Errorf("ABI %d: %#x, want %#x first", c.abi, got, c.want)
		}
	}
}
