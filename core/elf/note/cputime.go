package note

import (
	stdelf "debug/elf"
	"time"

	"coredbg/core"
)

// pr_utime, pr_stime, pr_cutime and pr_cstime, each a timeval of two longs, are right before the
// registers in struct elf_prstatus. The record of the thread that leads the process has the times of
// the whole process, ended threads included (Linux 6.12, fs/binfmt_elf.c: fill_prstatus);
// debuggers and qemu write zeros.

// prTimes is how many times there are.
const prTimes = 4

// cpuTime reads the times of a descriptor; nil if it is too short, or they are none.
func (m *machine) cpuTime(d []byte) *core.CPUTime {
	long := 4
	if m.Wide {
		long = 8
	}
	at := m.gregs.off - prTimes*2*long
	if at < 0 || len(d) < m.gregs.off {
		return nil
	}
	user, ok := m.timeval(d[at:], long)
	system, ok1 := m.timeval(d[at+2*long:], long)
	if !ok || !ok1 {
		return nil
	}
	return &core.CPUTime{User: user, System: system}
}

// timeval reads a timeval of two longs; false if it is none. On sparc64 the microseconds are an
// int, with four bytes after it.
func (m *machine) timeval(d []byte, long int) (time.Duration, bool) {
	s, us := uint64(m.Order.Uint32(d)), uint64(m.Order.Uint32(d[long:]))
	if long == 8 {
		s = m.Order.Uint64(d)
		if m.id != stdelf.EM_SPARCV9 {
			us = m.Order.Uint64(d[long:])
		}
	}
	if s > 1<<32 || us >= 1e6 {
		return 0, false
	}
	return time.Duration(s)*time.Second + time.Duration(us)*time.Microsecond, true
}
