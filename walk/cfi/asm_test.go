package cfi

import (
	"encoding/binary"

	"coredbg/core"
)

// The addresses of the hand-made sections and of the function they describe.
const (
	ehAddr  = 0x400000
	hdrAddr = 0x3ff000
	fnAddr  = 0x401000
	fnSize  = 0x100
)

// An assembler puts call frame sections together byte by byte, so that each
// test shows what it feeds.
type assembler struct {
	buf   []byte
	order binary.ByteOrder
	// wide makes 64-bit records; debug makes .debug_frame instead of .eh_frame.
	wide, debug bool
}

func newAssembler() *assembler { return &assembler{order: binary.LittleEndian} }

func (a *assembler) word(size int, v uint64) []byte {
	b := make([]byte, 8)
	if a.order == binary.BigEndian {
		binary.BigEndian.PutUint64(b, v)
		return b[8-size:]
	}
	binary.LittleEndian.PutUint64(b, v)
	return b[:size]
}

// record appends a record with the given id and contents, and returns its
// offset. For an FDE of .eh_frame the id is made from the CIE's offset.
func (a *assembler) record(cie int, contents ...[]byte) int {
	off := len(a.buf)
	var body []byte
	for _, c := range contents {
		body = append(body, c...)
	}
	idSize, head := 4, 4
	if a.wide {
		head = 12
		if a.debug {
			idSize = 8
		}
	}
	id := uint64(0)
	switch {
	case cie < 0 && a.debug:
		id = ^uint64(0) >> (64 - 8*idSize)
	case cie >= 0 && a.debug:
		id = uint64(cie)
	case cie >= 0:
		id = uint64(off + head - cie)
	}
	length := uint64(idSize + len(body))
	if a.wide {
		a.buf = append(a.buf, 0xff, 0xff, 0xff, 0xff)
		a.buf = append(a.buf, a.word(8, length)...)
	} else {
		a.buf = append(a.buf, a.word(4, length)...)
	}
	a.buf = append(a.buf, a.word(idSize, id)...)
	a.buf = append(a.buf, body...)
	return off
}

// cie appends a version 1 CIE with code alignment 1, data alignment -8 and the
// return address in column ra.
func (a *assembler) cie(aug string, augData []byte, ra byte, insns ...byte) int {
	data := []byte{}
	if aug != "" && aug[0] == 'z' {
		data = append([]byte{byte(len(augData))}, augData...)
	}
	return a.record(-1, []byte{1}, []byte(aug), []byte{0, 1, 0x78, ra}, data, insns)
}

// fde appends an FDE for the function, with absolute addresses.
func (a *assembler) fde(cie int, augmented bool, insns ...byte) int {
	return a.fdeAt(cie, augmented, fnAddr, fnSize, insns...)
}

func (a *assembler) fdeAt(cie int, augmented bool, at, size uint64, insns ...byte) int {
	var aug []byte
	if augmented {
		aug = []byte{0}
	}
	return a.record(cie, a.word(8, at), a.word(8, size), aug, insns)
}

// table makes a table of the assembled bytes.
func (a *assembler) table(arch *core.Arch) *Table {
	s := core.Section{Addr: ehAddr, Data: a.buf}
	if a.debug {
		return New(arch, Sections{DebugFrame: s})
	}
	return New(arch, Sections{EHFrame: s})
}

// The prologue that every x86-64 CIE has: CFA = rsp+8, return address at c-8.
var initAMD64 = []byte{0x0c, 7, 8, 0x90, 1}

// The one of aarch64: CFA = sp.
var initARM64 = []byte{0x0c, 31, 0}
