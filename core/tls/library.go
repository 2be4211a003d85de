package tls

import (
	"fmt"

	"coredbg/core"
	"coredbg/core/elf"
)

// A linked image knows the words that the dynamic linker fills in for its block.
type linked interface {
	TLSWords() []elf.TLSWord
}

// ofLibrary returns a thread's block of a library, by the first word that leads to mapped memory.
func ofLibrary(p *core.Process, t *core.Thread, m *core.Module) (core.Addr, error) {
	facts := m.Facts()
	image, ok := facts.Image.(linked)
	if !ok || !facts.BiasKnown {
		return 0, unknown("where the block of a library lies is not known")
	}
	err := unknown("no word of the library says where its block lies")
	for _, w := range image.TLSWords() {
		block, e := follow(p, t, w, facts.Bias+core.Addr(w.Link))
		if e == nil && mapped(p, block) {
			return block, nil
		}
		if e == nil {
			e = fmt.Errorf("its block would begin at %v, where nothing is mapped", block)
		}
		err = core.Unknown(e)
	}
	return 0, err
}

// follow returns the block that the word at an address says.
func follow(p *core.Process, t *core.Thread, w elf.TLSWord, at core.Addr) (core.Addr, error) {
	c := p.Cursor()
	v := c.Pointer(at)
	if c.Err() == nil && v == 0 {
		return 0, unknown("the library has not been linked")
	}
	switch {
	case c.Err() != nil:
	case w.Kind == elf.TLSModule:
		return dtvBlock(p, t, uint64(v))
	case w.Kind == elf.TLSOffset:
		return distant(p, t, v-core.Addr(w.Off)), nil
	default:
		// The argument of a descriptor is a distance if the block was allocated with the
		// thread, else the address of the module's number and an offset (glibc 2.36,
		// elf/tlsdesc.h, struct tlsdesc_dynamic_arg; musl 1.2.5, ldso/dynlink.c, do_relocs).
		arg := c.Pointer(at + core.Addr(p.Arch.PtrSize))
		if c.Err() != nil {
			break
		}
		if module := c.Pointer(arg); c.Err() == nil {
			return dtvBlock(p, t, uint64(module))
		}
		return distant(p, t, arg-core.Addr(w.Off)), nil
	}
	return 0, fmt.Errorf("the library's word for its block: %w", c.Err())
}

// distant returns the address at a distance from the thread pointer, which wraps.
func distant(p *core.Process, t *core.Thread, distance core.Addr) core.Addr {
	a := t.TLS + distance
	if p.Arch.PtrSize == 4 {
		a = core.Addr(uint32(a))
	}
	return a
}
