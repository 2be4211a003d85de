package kernel

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

// CallName returns the name of a system call of Linux, as "openat"; "" if the number is unknown, or the
// numbers of the architecture are.
func CallName(arch *core.Arch, number uint64) string {
	i := slices.Index(syscallColumns, arch)
	if i < 0 || arch == nil {
		return ""
	}
	return syscallNames()[i][number]
}

// CallWords says which system call a number is.
func CallWords(arch *core.Arch, number uint64) string {
	if name := CallName(arch, number); name != "" {
		return fmt.Sprintf("%s (system call %d of %s)", name, number, arch.Name)
	}
	return fmt.Sprintf("system call %d of %s", number, arch.Name)
}
