package sym

import (
	"bytes"
	"encoding/binary"
	"errors"

	"coredbg/core"
)

// The function table of a Go program, which its runtime needs and which a
// linker therefore keeps when it drops the symbols (go build -ldflags=-s):
// pcHeader -> functab, pairs of the offsets of a function's code and of its
// _func -> nameOff -> name (runtime/symtab.go, cmd/link/internal/ld/pcln.go).
// Known are the layouts of Go 1.18 and of Go 1.20 to 1.26.
//
// From Go 1.26 on the table does not say where the code starts. The runtime's own
// description of the program does (moduledata, in .go.module), and where the linker
// has not put it together, as in a position-independent program, .text if that holds
// nothing else.
//
// LIMITATIONS: a position-independent program of Go 1.26 with C in it has no names
// here. Inlined calls are not read.
const (
	pclntab118 = 0xfffffff0
	pclntab120 = 0xfffffff1
)

var errPclntab = errors.New(".gopclntab: not understood")

// A pclntab is a function table with its offsets resolved.
type pclntab struct {
	data  []byte
	order binary.ByteOrder
	count uint64
	text  uint64 // link-time address of the first function
	names uint64 // offset in bytes in data of the names
	funcs uint64 // and of the functab, from which those in it count
}

// goFunctions calls yield for each function in the .gopclntab of an image, in
// order of address, until it returns false. Without one it does nothing.
func goFunctions(img core.Image, yield func(core.ImageSymbol) bool) error {
	s, err := img.Section(".gopclntab")
	if err != nil || len(s.Data) == 0 {
		return nil
	}
	code := codeOf(img)
	if m, err := img.Section(".go.module"); err == nil {
		code.module = moduleOf(m.Data, s.Addr)
	}
	p, err := newPclntab(s.Data, code)
	if err != nil {
		return err
	}
	for i := range p.count {
		entry, at := p.u32(p.funcs+8*i), p.u32(p.funcs+8*i+4)
		end := p.u32(p.funcs + 8*i + 8)
		name := p.name(p.u32(p.funcs + at + 4))
		if len(name) == 0 || end <= entry {
			continue
		}
		f := core.ImageSymbol{Name: name, Value: p.text + entry, Size: end - entry,
			Kind: core.SymFunc, Defined: true, Section: 1}
		if !yield(f) {
			break
		}
	}
	return nil
}

// A span is a range of link-time addresses, that of a program's code.
type span struct {
	addr, size uint64
	module     *moduledata // what the runtime says of it; nil if nothing
}

// A moduledata is what the runtime's description of a program says of its code, as
// link-time addresses (runtime/symtab.go of Go 1.26, moduledata).
type moduledata struct {
	first uint64 // minpc: the first function
	text  uint64 // which the offsets of the table count from
}

// moduleOf returns what a moduledata says of the program with a table at an address;
// nil if it is not of that, or its words are not there before relocation.
func moduleOf(data []byte, table uint64) *moduledata {
	const minpc, text = 20, 22 // words
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, size := range []int{8, 4} {
			word := func(n int) uint64 {
				switch at := n * size; {
				case at+size > len(data):
					return 0
				case size == 4:
					return uint64(order.Uint32(data[at:]))
				default:
					return order.Uint64(data[at:])
				}
			}
			if table != 0 && word(0) == table && word(text) != 0 {
				return &moduledata{word(minpc), word(text)}
			}
		}
	}
	return nil
}

// codeOf returns where .text is or, if the section is not at hand, as in a
// bundle, the first executable segment, at whose end the section lies.
func codeOf(img core.Image) span {
	if text, err := img.Section(".text"); err == nil {
		return span{addr: text.Addr, size: uint64(len(text.Data))}
	}
	for _, s := range img.Segments() {
		if s.Prot&core.Exec != 0 {
			return span{addr: s.Addr, size: s.MemSize}
		}
	}
	return span{}
}

// textStart finds the first function, whose address the table does not
// give, from where the last one ends.
func textStart(code span, end uint64) (uint64, error) {
	const (
		slack = 64   // bytes of padding after the last function
		head  = 4096 // bytes before .text, for the headers, that Go's linker leaves
	)
	if end <= code.size && code.size-end <= slack {
		return code.addr, nil
	}
	if end <= code.size && code.size-end-head <= slack {
		return code.addr + head, nil
	}
	return 0, errPclntab
}

func newPclntab(b []byte, text span) (*pclntab, error) {
	p := &pclntab{data: b, order: binary.LittleEndian}
	if len(b) < 8 {
		return nil, errPclntab
	}
	if b[0] == 0xff {
		p.order = binary.BigEndian
	}
	magic, word := p.u32(0), uint64(b[7])
	if magic != pclntab118 && magic != pclntab120 || word != 4 && word != 8 {
		return nil, errPclntab
	}
	field := func(n uint64) uint64 {
		if word == 4 {
			return p.u32(8 + 4*n)
		}
		if uint64(len(b)) < 8*(n+2) {
			return 0
		}
		return p.order.Uint64(b[8*(n+1):])
	}
	p.count, p.text, p.names, p.funcs = field(0), field(2), field(3), field(7)
	size := uint64(len(b))
	if p.names >= size || p.funcs >= size || p.count > (size-p.funcs)/8 || p.count > maxSymbols {
		return nil, errPclntab
	}
	first := p.u32(p.funcs)
	switch m := text.module; {
	case p.text != 0:
	case m != nil && m.text != 0 && m.first == m.text+first:
		p.text = m.text
	default:
		var err error
		p.text, err = textStart(text, p.u32(p.funcs+8*p.count))
		return p, err
	}
	return p, nil
}

// u32 returns the 32-bit value at off; 0 past the end.
func (p *pclntab) u32(off uint64) uint64 {
	if off > uint64(len(p.data)) || uint64(len(p.data))-off < 4 {
		return 0
	}
	return uint64(p.order.Uint32(p.data[off:]))
}

// name returns the name at an offset among the names, nil if it has no end.
func (p *pclntab) name(off uint64) []byte {
	b := p.data[p.names:]
	if off >= uint64(len(b)) {
		return nil
	}
	b = b[off:min(off+maxName, uint64(len(b)))]
	n := bytes.IndexByte(b, 0)
	if n < 0 {
		return nil
	}
	return b[:n]
}
