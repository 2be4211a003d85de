package elfcore

import (
	"cmp"
	stdelf "debug/elf"
	"slices"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// ptAArch64MemTag is the program header of allocation tags, PT_AARCH64_MEMTAG_MTE (Linux 6.18,
// include/uapi/linux/elf.h; Documentation/arch/arm64/memory-tagging-extension.rst, "Core dump
// support"). Its address and size in memory describe the tagged memory. Its bytes hold two tags each,
// the lower address's in the low bits.
const ptAArch64MemTag stdelf.ProgType = 0x70000002

// tags takes a segment of allocation tags.
func (l *loader) tags(ph format.Prog) {
	if l.Machine != stdelf.EM_AARCH64 || ph.Memsz == 0 || ph.Vaddr%core.TagGranule != 0 ||
		ph.Vaddr+ph.Memsz < ph.Vaddr {
		return
	}
	r := core.TagRun{Start: core.Addr(ph.Vaddr), End: core.Addr(ph.Vaddr + ph.Memsz), Src: l.src, Off: int64(ph.Off),
		Size: ph.Filesz}
	l.needed = max(l.needed, satAdd(ph.Off, ph.Filesz))
	if size := uint64(l.src.Size()); ph.Off > size || ph.Filesz > size-ph.Off {
		l.cutSegs++
		r.Off = int64(min(ph.Off, size))
	}
	l.p.Tags = append(l.p.Tags, r)
}

// sortTags puts the runs of tags in order; of such that overlap the first stays.
func (l *loader) sortTags() {
	if l.Machine == stdelf.EM_AARCH64 {
		l.p.Space.Ignored = 0xff << 56
	}
	slices.SortStableFunc(l.p.Tags, func(a, b core.TagRun) int { return cmp.Compare(a.Start, b.Start) })
	kept := l.p.Tags[:0]
	for _, r := range l.p.Tags {
		if n := len(kept); n == 0 || kept[n-1].End <= r.Start {
			kept = append(kept, r)
		}
	}
	l.p.Tags = kept
}
