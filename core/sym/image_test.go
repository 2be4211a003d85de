package sym

import (
	"bytes"
	stdelf "debug/elf"
	"os"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// stdImage is a core.Image by debug/elf, so that what this package makes of an
// image does not rest on core/elf.
type stdImage struct {
	path string
	f    *stdelf.File
}

func openStd(t testing.TB, path string) *stdImage {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("no %s on this machine", path)
	}
	f, err := stdelf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Skipf("%s: %v", path, err)
	}
	return &stdImage{path, f}
}

func (i *stdImage) Path() string { return i.path }

func (i *stdImage) Section(name string) (core.Section, error) {
	s := i.f.Section(name)
	if s == nil {
		return core.Section{}, core.ErrNoSection
	}
	data, err := s.Data()
	return core.Section{Name: name, Addr: s.Addr, Data: data}, err
}

func (i *stdImage) Segments() []core.ImageSegment {
	var out []core.ImageSegment
	for _, p := range i.f.Progs {
		if p.Type == stdelf.PT_LOAD {
			out = append(out, core.ImageSegment{Addr: p.Vaddr, Off: p.Off, FileSize: p.Filesz, MemSize: p.Memsz,
				Prot: core.Prot(p.Flags)})
		}
	}
	return out
}

func (i *stdImage) Symbols(dynamic bool, yield func(core.ImageSymbol) bool) error {
	typ, get := stdelf.SHT_SYMTAB, i.f.Symbols
	if dynamic {
		typ, get = stdelf.SHT_DYNSYM, i.f.DynamicSymbols
	}
	if i.f.SectionByType(typ) == nil {
		return nil
	}
	syms, err := get()
	if err != nil {
		return err
	}
	kinds := map[stdelf.SymType]core.SymKind{stdelf.STT_NOTYPE: core.SymNone, stdelf.STT_FUNC: core.SymFunc,
		stdelf.STT_OBJECT: core.SymObject, stdelf.STT_TLS: core.SymTLS, stdelf.STT_FILE: core.SymFile,
		stdelf.STT_GNU_IFUNC: core.SymFunc}
	for _, s := range syms {
		kind, ok := kinds[stdelf.ST_TYPE(s.Info)]
		if !ok {
			kind = core.SymOther
		}
		bind := stdelf.ST_BIND(s.Info)
		section := uint32(s.Section)
		if s.Section >= stdelf.SHN_LORESERVE {
			section = 0
		}
		if !yield(core.ImageSymbol{Name: []byte(s.Name), Value: s.Value, Size: s.Size, Kind: kind,
			Global: bind != stdelf.STB_LOCAL, Weak: bind == stdelf.STB_WEAK,
			Defined: s.Section != stdelf.SHN_UNDEF, Section: section}) {
			break
		}
	}
	return nil
}

// process returns a process with one module of img, loaded at bias.
func process(img core.Image, bias core.Addr) (*core.Process, *core.Module) {
	b := coretest.New(core.AMD64)
	lo, hi := ^core.Addr(0), core.Addr(0)
	for _, s := range img.Segments() {
		lo, hi = min(lo, bias+core.Addr(s.Addr)), max(hi, bias+core.Addr(s.Addr+s.MemSize))
	}
	b.Module(img.Path(), lo, hi, core.ModuleFacts{Bias: bias, BiasKnown: true, Image: img})
	p := b.Process()
	return p, p.Modules[0]
}
