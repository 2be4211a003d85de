package jit

import (
	stdelf "debug/elf"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/elf/format"
)

// Bounds for objects that a process registered.
const (
	maxObjects    = 1 << 16
	maxObjectSize = 256 << 20 // bytes of one
	maxHeaders    = 1 << 20   // section headers of all
	maxSections   = 1 << 16   // section headers of one
)

// An object is an object file in memory.
type object struct {
	at, size core.Addr // where its bytes are
	head     format.Header
	sections []format.Section
}

// readObject reads the headers of the object file at an address.
func readObject(mem core.Memory, at core.Addr, size uint64, c format.Class, headers *int) (*object, error) {
	if size > maxObjectSize {
		return nil, fmt.Errorf("the object at %v is %d bytes long: at most %d are read", at, size, maxObjectSize)
	}
	b, err := core.ReadBytes(mem, at, min(size, 64))
	if err != nil {
		return nil, fmt.Errorf("the object at %v: %w", at, err)
	}
	o := &object{at: at, size: core.Addr(size)}
	if o.head, err = format.ParseHeader(b, ""); err != nil {
		return nil, fmt.Errorf("the object at %v: %w", at, err)
	}
	h := &o.head
	switch n := h.Shnum; {
	case h.Class != c:
		return nil, fmt.Errorf("the object at %v: it is for another processor", at)
	case n > maxSections || h.Shoff > size || h.Shentsize < h.SectionSize() ||
		uint64(n)*uint64(h.Shentsize) > size-h.Shoff:
		return nil, fmt.Errorf("the object at %v: its section headers are not in it", at)
	case n > *headers:
		return nil, fmt.Errorf("the object at %v: too many section headers before it", at)
	}
	*headers -= h.Shnum
	table, err := core.ReadBytes(mem, at+core.Addr(h.Shoff), uint64(h.Shnum)*uint64(h.Shentsize))
	if err != nil {
		return nil, fmt.Errorf("the section headers of the object at %v: %w", at, err)
	}
	for i := range h.Shnum {
		o.sections = append(o.sections, h.Section(table[i*h.Shentsize:]))
	}
	return o, nil
}

// An extent is a range of addresses.
type extent struct{ start, end core.Addr }

// code returns where the sections with code are.
func (o *object) code() (out []extent) {
	for i := range o.sections {
		s := &o.sections[i]
		const both = stdelf.SHF_ALLOC | stdelf.SHF_EXECINSTR
		if s.Flags&both == both && s.Addr != 0 && s.Addr+s.Size > s.Addr {
			out = append(out, extent{core.Addr(s.Addr), core.Addr(s.Addr + s.Size)})
		}
	}
	return out
}

// image reads the object as an image with a bias of zero.
func (o *object) image(mem core.Memory) (core.Image, error) {
	data, err := core.ReadBytes(mem, o.at, uint64(o.size))
	if err != nil {
		return nil, fmt.Errorf("the object at %v: %w", o.at, err)
	}
	if o.head.Type == stdelf.ET_REL {
		r := &relocator{Header: o.head, data: data, sections: o.sections}
		r.all()
	}
	f, err := elf.NewFile(core.Bytes(data), "")
	if err != nil {
		return nil, err
	}
	return &image{File: f, o: o}, nil
}

// An image is an object file that was relocated.
type image struct {
	*elf.File
	o *object
}

// Segments returns the sections that are in memory.
func (x *image) Segments() (out []core.ImageSegment) {
	for i := range x.o.sections {
		s := &x.o.sections[i]
		if s.Flags&stdelf.SHF_ALLOC == 0 || s.Addr == 0 || s.Size == 0 {
			continue
		}
		prot := core.Read
		if s.Flags&stdelf.SHF_WRITE != 0 {
			prot |= core.Write
		}
		if s.Flags&stdelf.SHF_EXECINSTR != 0 {
			prot |= core.Exec
		}
		out = append(out, core.ImageSegment{Addr: s.Addr, Off: s.Off, FileSize: s.Size, MemSize: s.Size, Prot: prot})
	}
	return out
}

// AreaAt says nothing: the file is not what lies where its code is.
func (x *image) AreaAt(uint64) (what string, code, ok bool) { return "", false, false }

// symbolExtents returns where the functions of an object are that has no section with code.
func (o *object) symbolExtents(mem core.Memory) (out []extent) {
	x, err := o.image(mem)
	if err != nil {
		return nil
	}
	err = x.Symbols(false, func(s core.ImageSymbol) bool {
		if s.Kind == core.SymFunc && s.Defined && s.Value+s.Size > s.Value {
			out = append(out, extent{core.Addr(s.Value), core.Addr(s.Value + s.Size)})
		}
		return len(out) < maxSections
	})
	if err != nil {
		return nil
	}
	return slices.Clip(out)
}
