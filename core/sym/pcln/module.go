package pcln

import "coredbg/core"

// ForModule returns the table of a module of a process; nil if the module is not a Go program.
func ForModule(p *core.Process, m *core.Module) (*Table, error) {
	facts := m.Facts()
	if facts.Image == nil {
		return nil, nil
	}
	of := Program{Image: facts.Image}
	if facts.BiasKnown && p.Space != nil {
		of.Bias = uint64(facts.Bias)
		of.Read = func(b []byte, link uint64) int {
			n, _ := p.Space.ReadAt(b, facts.Bias+core.Addr(link))
			return n
		}
	}
	return Open(of)
}

// A moduledata is what the runtime's description of a program says, as link-time addresses
// (runtime/symtab.go, moduledata).
type moduledata struct {
	first  uint64 // minpc: the first function
	text   uint64 // which code counts from
	gofunc uint64 // which trees of inlined calls count from
}

// Words of a moduledata.
const (
	nameWord  = 1 // the first of a slice
	minpcWord = 20
	textWord  = 22
	// gofunc is after the fields of coverage, which Go 1.20 added.
	gofuncWord118 = 38
	gofuncWord120 = 40
)

// locate finds where code and trees of inlined calls are.
func (t *Table) locate() error {
	m := t.findModule()
	if m != nil {
		t.gofunc = m.gofunc
	}
	if t.magic == go116 {
		return nil // it has addresses
	}
	first := t.u32(t.funcs)
	switch {
	case m != nil && m.text != 0 && m.first == m.text+first:
		t.text = m.text
	case t.text != 0 && t.Bias == 0:
	default:
		var err error
		t.text, err = textStart(codeOf(t.Image), t.u32(t.funcs+8*t.count))
		return err
	}
	return nil
}

// maxScanned bounds how many bytes of a program's data are looked through for its description.
const maxScanned = 64 << 20

// findModule returns the description of the program; nil if it is not found.
func (t *Table) findModule() *moduledata {
	if t.addr == 0 {
		return nil
	}
	if s, err := t.Image.Section(".go.module"); err == nil && s.Addr != 0 {
		if m := t.module(s.Addr); m != nil {
			return m
		}
	}
	if t.Read == nil {
		s, err := t.Image.Section(".noptrdata")
		if err != nil || s.Addr == 0 {
			return nil
		}
		return t.modules(s.Data, s.Addr)
	}
	b, scanned := make([]byte, 1<<16), uint64(0)
	for _, s := range t.Image.Segments() {
		if s.Prot&core.Write == 0 {
			continue
		}
		for off := uint64(0); off < s.FileSize && scanned < maxScanned; {
			n := t.Read(b[:min(uint64(len(b)), s.FileSize-off)], s.Addr+off)
			if m := t.modules(b[:n], s.Addr+off); m != nil {
				return m
			}
			const page = 4096
			step := max(uint64(n)&^(page-1), page)
			off, scanned = off+step, scanned+step
		}
	}
	return nil
}

// modules looks for the description among data at a link-time address.
func (t *Table) modules(data []byte, addr uint64) *moduledata {
	want := t.addr + t.Bias
	for at := -addr & (t.word - 1); at+t.word <= uint64(len(data)); at += t.word {
		if v := t.wordOf(data[at:]); v == want || t.word == 4 && v == uint64(uint32(want)) {
			if m := t.module(addr + at); m != nil {
				return m
			}
		}
	}
	return nil
}

// module returns the description at a link-time address; nil if it does not belong to this table.
func (t *Table) module(addr uint64) *moduledata {
	b := make([]byte, (gofuncWord120+1)*t.word)
	if !t.read(b, addr) {
		return nil
	}
	at := func(n uint64) uint64 { return t.wordOf(b[n*t.word:]) }
	link := func(n uint64) uint64 {
		if at(n) == 0 {
			return 0
		}
		return t.link(at(n))
	}
	if link(0) != t.addr || link(nameWord) != t.addr+t.names || at(nameWord+1) != at(nameWord+2) {
		return nil
	}
	m := &moduledata{first: link(minpcWord), text: link(textWord)}
	switch t.magic {
	case go118:
		m.gofunc = link(gofuncWord118)
	case go120:
		m.gofunc = link(gofuncWord120)
	}
	return m
}

// wordOf returns the pointer that b begins with.
func (t *Table) wordOf(b []byte) uint64 {
	if t.word == 4 {
		return uint64(t.order.Uint32(b))
	}
	return t.order.Uint64(b)
}

// constants are the sections that a program's constants and its description are in.
var constants = []string{".rodata", ".go.module", ".noptrdata", ".data.rel.ro"}

// read reads what is at a link-time address and reports whether it could.
func (t *Table) read(b []byte, link uint64) bool {
	n := uint64(len(b))
	if off := link - t.addr; off <= uint64(len(t.data)) && uint64(len(t.data))-off >= n {
		copy(b, t.data[off:])
		return true
	}
	if t.Read != nil {
		return t.Read(b, link) == len(b)
	}
	for _, name := range constants {
		s, err := t.Image.Section(name)
		if off := link - s.Addr; err == nil && off <= uint64(len(s.Data)) && uint64(len(s.Data))-off >= n {
			copy(b, s.Data[off:])
			return true
		}
	}
	return false
}

// A span is a range of link-time addresses: a program's code.
type span struct{ addr, size uint64 }

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
	return 0, errTable
}
