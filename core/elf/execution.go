package elf

import (
	stdelf "debug/elf"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// An executionView is an image as its program headers describe it to a loader (gABI, "Program Header"): its
// bytes are in a file, or in the memory of a process, and have link-time addresses.
type executionView struct {
	head  format.Header
	src   core.Source // nil if the image is in memory
	mem   core.Memory
	bias  core.Addr // of the image in mem
	progs []format.Prog
}

// addrToOffset returns the file offset of a link-time address, and how many
// bytes of the file follow it in its segment.
func (v *executionView) addrToOffset(link uint64) (off, left uint64, ok bool) {
	for _, p := range v.progs {
		if p.Type == stdelf.PT_LOAD && link >= p.Vaddr && link-p.Vaddr < p.Filesz {
			d := link - p.Vaddr
			return p.Off + d, p.Filesz - d, true
		}
	}
	return 0, 0, false
}

// loaded returns up to n bytes at a link-time address, fewer if the segment, the
// file or the dumped memory ends before.
func (v *executionView) loaded(link, n uint64) []byte {
	if v.src != nil {
		off, left, ok := v.addrToOffset(link)
		if !ok {
			return nil
		}
		return format.Slice(v.src, off, min(n, left))
	}
	for _, p := range v.progs {
		if p.Type == stdelf.PT_LOAD && link >= p.Vaddr && link-p.Vaddr < p.Memsz {
			return lend(v.mem, v.bias+core.Addr(link), min(n, p.Memsz-(link-p.Vaddr)))
		}
	}
	return nil
}

// prog returns the first program header of a type.
func (v *executionView) prog(typ stdelf.ProgType) (format.Prog, bool) {
	for _, p := range v.progs {
		if p.Type == typ {
			return p, true
		}
	}
	return format.Prog{}, false
}

// progBytes returns the bytes of a program header's segment that can be had.
func (v *executionView) progBytes(p format.Prog) []byte {
	if v.src != nil {
		return format.Slice(v.src, p.Off, p.Filesz)
	}
	return lend(v.mem, v.bias+core.Addr(p.Vaddr), min(p.Filesz, maxLent))
}

// toLink makes a link-time address of one from the dynamic section: glibc adds
// the bias to the words in memory, musl, the vdso and some architectures do not.
func (v *executionView) toLink(a uint64) uint64 {
	if v.src != nil || v.spans(a) {
		return a
	}
	if moved := a - uint64(v.bias); v.spans(moved) {
		return moved
	}
	return a
}

func (v *executionView) spans(link uint64) bool {
	for _, p := range v.progs {
		if p.Type == stdelf.PT_LOAD && link >= p.Vaddr && link-p.Vaddr < p.Memsz {
			return true
		}
	}
	return false
}

// maxLent bounds what is copied from memory for one piece of an image, in bytes.
const maxLent = 1 << 30

// lend returns up to n bytes of m at a, without a copy if it can be.
func lend(m core.Memory, a core.Addr, n uint64) []byte {
	if w, ok := m.(core.Windower); ok {
		b, err := w.Window(a)
		if err != nil {
			return nil
		}
		if uint64(len(b)) >= n {
			return b[:n:n]
		}
	}
	b, _ := core.ReadBytes(m, a, min(n, maxLent))
	return b
}
