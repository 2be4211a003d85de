package crash

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"coredbg/core"
)

//go:embed syscalls.txt
var syscallList string

// syscallColumns are the columns of syscalls.txt after the name.
var syscallColumns = []*core.Arch{core.AMD64, core.I386, core.ARM64, core.ARM}

// syscallNames returns the names of Linux's system calls by number, for each column.
var syscallNames = sync.OnceValue(func() []map[uint64]string {
	all := make([]map[uint64]string, len(syscallColumns))
	for i := range all {
		all[i] = map[uint64]string{}
	}
	for line := range strings.Lines(syscallList) {
		f := strings.Fields(line)
		if len(f) != len(all)+1 || f[0] == "#" {
			continue
		}
		for i, text := range f[1:] {
			if n, err := strconv.ParseUint(text, 10, 32); err == nil {
				all[i][n] = f[0]
			}
		}
	}
	return all
})

// SyscallName returns the name of a system call of Linux, as "openat"; "" if none is known of
// that number, or the numbers of the architecture are not.
func SyscallName(arch *core.Arch, number uint64) string {
	i := slices.Index(syscallColumns, arch)
	if i < 0 || arch == nil {
		return ""
	}
	return syscallNames()[i][number]
}

// syscallWords says which system call a number is.
func syscallWords(arch *core.Arch, number uint64) string {
	if name := SyscallName(arch, number); name != "" {
		return fmt.Sprintf("%s (system call %d of %s)", name, number, arch.Name)
	}
	return fmt.Sprintf("system call %d of %s", number, arch.Name)
}

// abis are the conventions by which a process may call the kernel, by the numbers that
// include/uapi/linux/audit.h gives them (AUDIT_ARCH_*). x32 is x86-64 with a bit in the number.
var abis = map[uint32]*core.Arch{0xc000003e: core.AMD64, 0x40000003: core.I386, 0xc00000b7: core.ARM64, 0x40000028: core.ARM}

// refusedCall returns the number of the system call that was refused, and of which
// architecture: as the kernel gives it with the signal, or from the registers where the core
// has no such record.
func (e *explainer) refusedCall() (arch *core.Arch, number uint64, ok bool) {
	if e.g.HasSyscall {
		arch = abis[e.g.ABI]
		return arch, uint64(uint32(e.g.Syscall)), arch != nil
	}
	slots := map[*core.Arch]int{core.AMD64: 0, core.ARM64: 8}
	slot, known := slots[e.p.Arch]
	number, ok = e.regs.Get(slot)
	return e.p.Arch, number, known && ok && number <= 1<<20
}
