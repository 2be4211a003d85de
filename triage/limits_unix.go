//go:build unix

package triage

import (
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
)

// Limit bounds this process' use of anonymous memory and the size of its files, in bytes; memory of 0
// means no bound. Writing more is an error. The process writes no core if it dies.
func Limit(memory, size int64) {
	signal.Ignore(syscall.SIGXFSZ)
	syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: uint64(size), Max: uint64(size)})
	if memory > 0 {
		debug.SetMemoryLimit(memory / 4 * 3)
		syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: uint64(memory), Max: uint64(memory)})
	}
}

// peakOf returns the most memory that an ended process had, in bytes; 0 if unknown.
func peakOf(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}

// killed reports whether a process was ended by SIGKILL.
func killed(s *os.ProcessState) bool {
	w, ok := s.Sys().(syscall.WaitStatus)
	return ok && w.Signaled() && w.Signal() == syscall.SIGKILL
}
