package tls

import (
	"fmt"

	"coredbg/core"
)

// maxModules bounds the number of a module with a block.
const maxModules = 1 << 20

// A place is where a C library may keep the address of a DTV, in bytes from the thread pointer.
// glibc has it in the first or second word at the thread pointer (tcbhead_t), or right before it.
// musl has it in the last word of struct pthread on processors whose blocks lie above the thread
// pointer, else in the second.
type place struct{ glibc, musl int64 }

func placeOf(p *core.Process) (at place, known bool) {
	ptr := int64(p.Arch.PtrSize)
	switch p.Arch {
	case core.AMD64, core.X32, core.I386, core.S390X, core.S390:
		return place{ptr, ptr}, p.OS == "linux"
	case core.ARM64, core.ARM:
		return place{0, -ptr}, p.OS == "linux"
	case core.RISCV64, core.LOONGARCH64:
		return place{-2 * ptr, -ptr}, p.OS == "linux"
	}
	return place{}, false
}

// vector returns the address of a thread's DTV and the size of its entries in bytes. glibc's
// begins with a generation and a word that is always 0, and has two words for each module; musl's
// has the number of modules, then one word for each, the block of the first module among them.
func vector(p *core.Process, t *core.Thread) (dtv core.Addr, entry uint64, err error) {
	at, known := placeOf(p)
	if !known {
		return 0, 0, unknown("where the threads of this system keep their blocks is not known")
	}
	ptr := uint64(p.Arch.PtrSize)
	c := p.Cursor()
	dtv = c.Pointer(t.TLS + core.Addr(at.musl))
	count, first := c.Word(dtv), c.Pointer(dtv+core.Addr(ptr))
	last := c.Pointer(dtv + core.Addr(count*ptr))
	if c.Err() == nil && 0 < count && count <= maxModules && mapped(p, first) && mapped(p, last) {
		return dtv, ptr, nil
	}
	c.Reset()
	dtv = c.Pointer(t.TLS + core.Addr(at.glibc))
	if second := c.Word(dtv + core.Addr(ptr)); c.Err() == nil && second == 0 {
		return dtv, 2 * ptr, nil
	}
	if err := c.Err(); err != nil {
		return 0, 0, core.Unknown(fmt.Errorf("the thread's blocks: %w", err))
	}
	return 0, 0, unknown("the thread's list of blocks is neither glibc's nor musl's")
}

func mapped(p *core.Process, a core.Addr) bool {
	_, err := core.ReadBytes(p.Space, a, 1)
	return err == nil
}

// dtvBlock returns a thread's block of a module, by the number of the module.
func dtvBlock(p *core.Process, t *core.Thread, module uint64) (core.Addr, error) {
	if module == 0 || module > maxModules {
		return 0, unknown(fmt.Sprintf("%d is not the number of a module", module))
	}
	dtv, entry, err := vector(p, t)
	if err != nil {
		return 0, err
	}
	c := p.Cursor()
	block := c.Pointer(dtv + core.Addr(module*entry))
	if err := c.Err(); err != nil {
		return 0, core.Unknown(fmt.Errorf("the thread's blocks: %w", err))
	}
	// glibc allocates a block when a thread first uses it (TLS_DTV_UNALLOCATED is -1).
	if block == 0 || block == core.Addr(^uint64(0)>>(64-8*p.Arch.PtrSize)) {
		return 0, unknown("the thread has not used the block")
	}
	return block, nil
}
