package jit

import (
	"bytes"
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// descriptorName is the symbol that debuggers look for.
const descriptorName = "__jit_debug_descriptor"

// descriptors returns where modules have their descriptors. Debug returns the separate debug file of a module, nil if
// there is none; it may be nil.
func descriptors(p *core.Process, debug func(*core.Module) core.Image) (out []core.Addr) {
	for _, m := range p.Modules {
		f := m.Facts()
		if f.Image == nil || !f.BiasKnown {
			continue
		}
		link, ok := named(f.Image)
		if !ok && m.Exe && debug != nil {
			if d := debug(m); d != nil {
				link, ok = named(d)
			}
		}
		if ok {
			out = append(out, f.Bias+core.Addr(link))
		}
	}
	return out
}

// named returns the link-time address of an image's descriptor. The tables of names are searched before symbols are
// read: few images have one.
func named(img core.Image) (link uint64, ok bool) {
	for _, t := range []struct {
		names   string
		dynamic bool
	}{{".dynstr", true}, {".strtab", false}} {
		if s, err := img.Section(t.names); err != nil || !bytes.Contains(s.Data, []byte(descriptorName)) {
			continue
		}
		err := img.Symbols(t.dynamic, func(s core.ImageSymbol) bool {
			if s.Defined && string(s.Name) == descriptorName {
				link, ok = s.Value, true
			}
			return !ok
		})
		if ok && err == nil {
			return link, true
		}
	}
	return 0, false
}

// errVersion is wrapped by the error for a descriptor that another version of the interface describes.
var errVersion = errors.New("not version 1 of the interface")

// objects returns the objects that a descriptor lists, the one that was registered last first. The error names the
// part that could not be read; it comes with the objects that could.
func objects(mem core.Memory, p *core.Process, c format.Class, at core.Addr, headers *int) ([]*object, error) {
	order, ptr := p.Words()
	w := core.Addr(ptr)
	cur := core.NewCursor(mem, order, ptr)
	version, entry := cur.U32(at), cur.Pointer(at+8+w)
	if err := cur.Err(); err != nil {
		return nil, fmt.Errorf("%s at %v: %w", descriptorName, at, err)
	}
	if version != 1 {
		return nil, fmt.Errorf("%s at %v: version %d: %w", descriptorName, at, version, errVersion)
	}
	sizeOff := 3 * w
	if p.Arch != core.I386 && p.Arch != core.M68K { // these align 8 bytes as 4
		sizeOff = sizeOff.Align(8)
	}
	var out []*object
	var first error
	bad := 0
	seen := map[core.Addr]bool{}
	for entry != 0 {
		if seen[entry] || len(seen) >= maxObjects {
			return out, fmt.Errorf("%s at %v: the list runs in a circle at %v, or is too long: %d objects were read",
				descriptorName, at, entry, len(out))
		}
		seen[entry] = true
		next, file, size := cur.Pointer(entry), cur.Pointer(entry+2*w), cur.U64(entry+sizeOff)
		if err := cur.Err(); err != nil {
			return out, fmt.Errorf("%s at %v: the list breaks after %d objects: %w", descriptorName, at, len(out), err)
		}
		if o, err := readObject(mem, file, size, c, headers); err == nil {
			out = append(out, o)
		} else if bad++; first == nil {
			first = err
		}
		entry = next
	}
	if bad > 0 {
		return out, fmt.Errorf("%s at %v: %d of %d objects cannot be read, the first: %w", descriptorName, at, bad,
			bad+len(out), first)
	}
	return out, nil
}
