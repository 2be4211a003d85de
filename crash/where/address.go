package where

import (
	"encoding/binary"
	"fmt"

	"coredbg/core"
	"coredbg/core/sym"
)

// Limits for classifying an address.
const (
	NullPage    = 64 << 10 // addresses below are a null pointer plus an offset
	nearMapping = 1 << 20  // how far from a mapping "near" reaches
)

// Symbolic returns a as module`symbol+0xoff, module+0xoff, or "".
func Symbolic(p *core.Process, symbols *sym.Table, a core.Addr) string {
	if y, off, ok := symbols.Lookup(a); ok {
		name := sym.Clean(symbols.Demangle(y.Name, true))
		if y.Module != nil {
			name = sym.Clean(y.Module.Name()) + "`" + name
		}
		if off != 0 {
			name += fmt.Sprintf("+%#x", off)
		}
		return name
	}
	if m := p.Module(a); m != nil {
		return fmt.Sprintf("%s+%#x", sym.Clean(m.Name()), m.Offset(a))
	}
	return ""
}

// Near says which mapping is next to an address that is not mapped.
func Near(p *core.Process, a core.Addr) string {
	if a < NullPage {
		return "not mapped: the null page"
	}
	if u, ok := p.UnloadedAt(a); ok {
		return fmt.Sprintf("not mapped: %s+%#x, which was unloaded", sym.Clean(core.BaseName(u.Path)),
			uint64(a-u.Start))
	}
	var best core.Mapping
	bestDist, behind := uint64(nearMapping), false
	for _, m := range p.Mappings {
		if m.End <= a {
			if d := uint64(a - m.End); d < bestDist {
				best, bestDist, behind = m, d, true
			}
			continue
		}
		if d := uint64(m.Start - a); d <= bestDist {
			best, bestDist, behind = m, d, false
		}
		break
	}
	switch {
	case best.End == 0:
		return "not mapped, and no mapping is near"
	case behind:
		return fmt.Sprintf("not mapped, %#x bytes past the end of %s", bestDist, MappingName(best))
	}
	return fmt.Sprintf("not mapped, %#x bytes below %s", bestDist, MappingName(best))
}

// Poisoned names the allocator that fills freed memory with a byte, if all of an address except its
// last bytes is made of that byte.
func Poisoned(a uint64) string {
	for b, who := range map[uint64]string{0x6b: "the kernel's slab poison", 0xe5: "jemalloc", 0x5a: "jemalloc",
		0xdd: "a debugging allocator", 0xde: "a debugging allocator", 0xa5: "a debugging allocator"} {
		if a>>16 == b*0x0101_0101_0101 {
			return who
		}
	}
	return ""
}

// Text returns the printable bytes of a word that holds nothing else, in
// quotes and in the order of memory: the mark of a pointer that text was
// written over.
func Text(p *core.Process, v uint64) string {
	if p.Arch == nil || p.Arch.Order != binary.LittleEndian {
		return ""
	}
	var b []byte
	for ; v != 0; v >>= 8 {
		if c := byte(v); c < 0x20 || c > 0x7e {
			return ""
		}
		b = append(b, byte(v))
	}
	if len(b) < 4 {
		return ""
	}
	return fmt.Sprintf("%q", b)
}

// MappingName names a mapping in a sentence.
func MappingName(m core.Mapping) string {
	if m.Path == "" {
		return fmt.Sprintf("the anonymous mapping at %v", m.Start)
	}
	return sym.Clean(m.Path)
}

// Untagged removes the byte of an address that arm64 ignores (Arm ARM, D8.8
// "Address tagging").
func Untagged(arch *core.Arch, a core.Addr) core.Addr {
	if arch == core.ARM64 {
		return a.Untagged()
	}
	return a
}

// NotAnAddress says why hardware, or the kernel of any system, accepts an address in
// no program; "" if there is no such reason.
func NotAnAddress(arch *core.Arch, a core.Addr) string {
	switch top := uint64(a) >> 47; {
	case arch == core.AMD64 && top != 0 && top != 1<<17-1:
		return "not canonical"
	case arch == core.ARM64 && Untagged(arch, a)>>52 != 0:
		return "outside of the addresses of programs"
	}
	return ""
}
