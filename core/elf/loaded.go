package elf

import (
	stdelf "debug/elf"
	"slices"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// Queries of a process that has loaded an image: whether a file is the one that it has, and how it has
// placed it.

// IsFor reports whether the image is for a machine, in words of a class.
func (f *File) IsFor(c format.Class, m stdelf.Machine) bool {
	return f.exec.head.Class == c && f.exec.head.Machine == m
}

// Header returns the header of the image. For an image of program headers alone (NewMemoryProgs) only
// the class, the machine, and the fields about these headers are set.
func (f *File) Header() format.Header { return f.exec.head }

// HasProgs reports whether the image has program headers. A debug file has meaningless ones, an object
// file has no program headers, and in memory they may not have been dumped.
func (f *File) HasProgs() bool { return len(f.exec.progs) > 0 }

// SameProgs reports whether two images have the same program headers.
func (f *File) SameProgs(g *File) bool { return slices.Equal(f.exec.progs, g.exec.progs) }

// DynamicAddr returns the link-time address of the dynamic section, if there is one.
func (f *File) DynamicAddr() (link uint64, ok bool) {
	p, ok := f.exec.prog(stdelf.PT_DYNAMIC)
	return p.Vaddr, ok
}

// SameDynamic compares the dynamic section in a process' memory, which is written to and
// so is dumped even where the headers are not, with the file's. One that was not
// dumped proves nothing.
func (f *File) SameDynamic(mem core.Memory, bias core.Addr) bool {
	p, ok := f.exec.prog(stdelf.PT_DYNAMIC)
	if !ok {
		return true
	}
	want := f.exec.progBytes(p)
	have := lend(mem, bias+core.Addr(p.Vaddr), uint64(len(want)))
	w := f.exec.head.Ptr()
	for i := 0; i < maxDynamic && (i+1)*2*w <= min(len(want), len(have)); i++ {
		tag := f.exec.head.Word(want, 2*i*w)
		if tag != f.exec.head.Word(have, 2*i*w) {
			return false
		}
		a, b := f.exec.head.Word(want, (2*i+1)*w), f.exec.head.Word(have, (2*i+1)*w)
		if stdelf.DynTag(tag) == stdelf.DT_DEBUG || f.exec.moved(a, b, bias) {
			if tag == uint64(stdelf.DT_NULL) {
				return true
			}
			continue
		}
		return false
	}
	return true
}

// Relro returns what the dynamic linker writes to and then protects, in whole pages; 0, 0
// if there is nothing.
func (f *File) Relro(bias core.Addr) (start, end core.Addr) {
	p, ok := f.exec.prog(stdelf.PT_GNU_RELRO)
	if !ok {
		return 0, 0
	}
	start = bias + core.Addr(p.Vaddr)
	return start &^ 0xfff, (start + core.Addr(p.Memsz)).Align(4096)
}

// moved reports whether b is a, as it is or with the bias added: once by the
// dynamic linker, or twice where it treats its own section with a relocation and
// by hand (DT_PPC64_GLINK of ld64.so).
func (v *executionView) moved(a, b uint64, bias core.Addr) bool {
	for range 3 {
		if a == b {
			return true
		}
		if a += uint64(bias); !v.head.Wide {
			a &= 1<<32 - 1
		}
	}
	return false
}
