package note

import (
	stdelf "debug/elf"
	"fmt"

	"coredbg/core"
)

// siginfo decodes NT_SIGINFO, siginfo_t of 128 bytes: number, errno, code, then, aligned to a pointer,
// fields that depend on the code (Linux, include/uapi/asm-generic/siginfo.h). MIPS swaps errno and
// code. On machines whose signal numbers are unknown it takes only the number.
func (m *machine) siginfo(d []byte) *core.Signal {
	if len(d) < 4 {
		return nil
	}
	s := m.newSignal(int(int32(m.Order.Uint32(d))))
	if len(d) < 12 || m.ownSignals() && m.id != stdelf.EM_MIPS && m.id != stdelf.EM_SPARCV9 {
		return s
	}
	s.Errno, s.Code = int(int32(m.Order.Uint32(d[4:]))), int(int32(m.Order.Uint32(d[8:])))
	if m.id == stdelf.EM_MIPS {
		s.Errno, s.Code = s.Code, s.Errno
	}
	number := linuxNumber(s)
	s.HasCode = true
	s.CodeName, s.CodeText = codeName(number, s.Code)
	fields, word := 12, 4
	if m.Wide {
		fields, word = 16, 8
	}
	if len(d) < fields+8 {
		return s
	}
	d = d[fields:]
	switch {
	case hasFault(number, s.Code):
		s.HasAddr, s.Addr = true, core.Addr(m.Word(d, 0))
	case SentBy(number, s.Code):
		s.HasSender = true
		s.PID, s.UID = int(int32(m.Order.Uint32(d))), int(m.Order.Uint32(d[4:]))
	case number == 31 && s.Code == sysSeccomp && len(d) >= word+8: // _call_addr, _syscall, _arch
		d = d[word:]
		s.HasSyscall, s.Syscall, s.ABI = true, int(int32(m.Order.Uint32(d))), m.Order.Uint32(d[4:])
	}
	return s
}

// infoIllumos returns the signal in a struct lwpstatus, or nil if there is no signal.
func (m *machine) infoIllumos(d []byte) *core.Signal {
	const info = 16
	if len(d) < info+24 {
		return nil
	}
	sig := int(int16(m.Order.Uint16(d[12:])))
	if sig <= 0 {
		return nil
	}
	g := newSignalSVR4(sig)
	d = d[info:]
	if int(int32(m.Order.Uint32(d))) != sig {
		return g
	}
	g.Code, g.HasCode = int(int32(m.Order.Uint32(d[4:]))), true
	fault := linuxNumber(g)
	if g.Code > 0 {
		g.CodeName, g.CodeText = codeName(fault, g.Code)
	}
	if at := 12; g.Code > 0 && Faults(fault) {
		if m.Wide {
			at = 16
		}
		g.HasAddr, g.Addr = true, core.Addr(m.Word(d, at))
	}
	return g
}

// sysSeccomp is the code of a SIGSYS for a system call that a filter has refused.
const sysSeccomp = 1

// hasFault reports whether siginfo_t has the address of a fault.
func hasFault(number, code int) bool { return code > 0 && code < siKernel && Faults(number) }

// SentBy reports whether siginfo_t of a signal with a number of Linux and an si_code has, where
// faults have their address, the ids of the process that sent it, or of the child that it is
// about, and of its user.
func SentBy(number, code int) bool {
	return code <= 0 && code != siTimer && code != siSigIO && code != siAsyncNL || number == 17 && code != siKernel
}

// Faults reports whether the kernel gives an address with a signal, by its number on Linux, that
// a fault has caused.
func Faults(n int) bool {
	switch n {
	case 4, 5, 7, 8, 11: // SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV
		return true
	}
	return false
}

// DumpsCore reports whether the default action of a signal of Linux, as NewSignal numbers
// them, ends a process with a core: signal(7), "Standard signals", action Core.
func DumpsCore(n int) bool {
	switch n {
	case 3, 4, 5, 6, 7, 8, 11, 24, 25, 31: // QUIT, ILL, TRAP, ABRT, BUS, FPE, SEGV, XCPU, XFSZ, SYS
		return true
	}
	return false
}

// ownSignals reports whether Linux has numbers of signals of its own on the
// machine (arch/*/include/uapi/asm/signal.h).
func (m *machine) ownSignals() bool {
	switch m.id {
	case stdelf.EM_MIPS, stdelf.EM_MIPS_RS3_LE, stdelf.EM_SPARC, stdelf.EM_SPARC32PLUS, stdelf.EM_SPARCV9,
		stdelf.EM_ALPHA, stdelf.EM_PARISC:
		return true
	}
	return false
}

// newSignal names a signal of the machine: MIPS has the numbers of System V, SPARC has BSD's. On other
// machines with their own numbers it names only the signals that have the same number everywhere.
func (m *machine) newSignal(n int) *core.Signal {
	switch {
	case m.id == stdelf.EM_MIPS:
		return newSignalSVR4(n)
	case m.id == stdelf.EM_SPARCV9 && n != 29: // SIGPWR, not SIGINFO
		return newSignalBSD(n)
	case m.ownSignals():
		switch n {
		case 1, 2, 3, 4, 5, 6, 8, 9, 11, 13, 14, 15:
		default:
			return &core.Signal{Number: n, Name: fmt.Sprintf("SIG%d", n)}
		}
	}
	return newSignal(n)
}

// newSignalSVR4 names a signal by the numbers of System V Release 4, which illumos,
// Solaris and Linux on MIPS have.
func newSignalSVR4(n int) *core.Signal {
	return renumbered(n, map[int]int{10: 7, 12: 31, 16: 10, 17: 12, 18: 17, 19: 30, 20: 28, 21: 23, 22: 29, 23: 19,
		24: 20, 25: 18,
		26: 21, 27: 22, 28: 26, 29: 27, 30: 24, 31: 25})
}

// newSignalBSD names a signal of a BSD (sys/signal.h of 4.4BSD and of all that came
// of it).
func newSignalBSD(n int) *core.Signal {
	if n == 29 {
		return &core.Signal{Number: n, Name: "SIGINFO", Text: "request for status"}
	}
	return renumbered(n, map[int]int{10: 7, 12: 31, 16: 23, 17: 19, 18: 20, 19: 18, 20: 17, 23: 29, 30: 10, 31: 12})
}

// renumbered names a signal of a system that descends from the first Unixes. Linux maps the signals
// with different numbers to Linux' numbers. All these systems have SIGEMT.
func renumbered(n int, linux map[int]int) *core.Signal {
	var g *core.Signal
	switch to, other := linux[n]; {
	case n == 7:
		g = &core.Signal{Name: "SIGEMT", Text: "emulation trap"}
	case n >= 32:
		g = &core.Signal{Name: fmt.Sprintf("SIG%d", n)}
	case other:
		g = newSignal(to)
	default:
		g = newSignal(n)
	}
	g.Number = n
	return g
}

// linuxNumber returns the number that most machines have for a signal; its own if it is
// none of theirs.
func linuxNumber(g *core.Signal) int {
	for n := 1; n < 32; n++ {
		if newSignal(n).Name == g.Name {
			return n
		}
	}
	return g.Number
}

// NewSignal names a signal of Linux with its si_code, as processors have them that number
// signals as x86 does. The address counts for signals that have one.
func NewSignal(number, code int, a core.Addr) *core.Signal {
	s := newSignal(number)
	s.Code, s.HasCode = code, true
	s.CodeName, s.CodeText = codeName(number, code)
	s.HasAddr = hasFault(number, code)
	if s.HasAddr {
		s.Addr = a
	}
	return s
}

// newSignal names a signal (Linux on x86, arm, riscv, ppc and s390; the texts come from signal(7) and
// strsignal(3)).
func newSignal(n int) *core.Signal {
	names := [...][2]string{1: {"SIGHUP", "hangup"}, 2: {"SIGINT", "interrupt"}, 3: {"SIGQUIT", "quit"},
		4: {"SIGILL", "illegal instruction"}, 5: {"SIGTRAP", "trace or breakpoint trap"}, 6: {"SIGABRT", "aborted"},
		7: {"SIGBUS", "bus error"}, 8: {"SIGFPE", "floating-point exception"}, 9: {"SIGKILL", "killed"},
		10: {"SIGUSR1", "user-defined signal 1"}, 11: {"SIGSEGV", "segmentation fault"},
		12: {"SIGUSR2", "user-defined signal 2"},
		13: {"SIGPIPE", "broken pipe"}, 14: {"SIGALRM", "alarm clock"}, 15: {"SIGTERM", "terminated"},
		16: {"SIGSTKFLT", "stack fault"}, 17: {"SIGCHLD", "child exited"}, 18: {"SIGCONT", "continued"},
		19: {"SIGSTOP", "stopped"}, 20: {"SIGTSTP", "stopped by the terminal"},
		21: {"SIGTTIN", "stopped by terminal input"},
		22: {"SIGTTOU", "stopped by terminal output"}, 23: {"SIGURG", "urgent condition on a socket"},
		24: {"SIGXCPU", "CPU time limit exceeded"}, 25: {"SIGXFSZ", "file size limit exceeded"},
		26: {"SIGVTALRM", "virtual timer expired"}, 27: {"SIGPROF", "profiling timer expired"},
		28: {"SIGWINCH", "window changed"}, 29: {"SIGIO", "I/O possible"}, 30: {"SIGPWR", "power failure"},
		31: {"SIGSYS", "bad system call"}}
	s := &core.Signal{Number: n}
	switch {
	case n > 0 && n < len(names):
		s.Name, s.Text = names[n][0], names[n][1]
	case n >= 32 && n <= 64:
		s.Name, s.Text = fmt.Sprintf("SIG%d", n), fmt.Sprintf("real-time signal %d", n-32)
	default:
		s.Name = fmt.Sprintf("SIG%d", n)
	}
	return s
}

// Codes of any signal.
const (
	siUser    = 0
	siQueue   = -1
	siTimer   = -2
	siMesgQ   = -3
	siAsyncIO = -4
	siSigIO   = -5
	siTKill   = -6
	siAsyncNL = -60
	siKernel  = 0x80
)

// codeName names an si_code (include/uapi/asm-generic/siginfo.h, Linux 6.12).
func codeName(sig, code int) (name, text string) {
	switch code {
	case siUser:
		return "SI_USER", "sent by kill"
	case siQueue:
		return "SI_QUEUE", "sent by sigqueue"
	case siTimer:
		return "SI_TIMER", "a POSIX timer expired"
	case siMesgQ:
		return "SI_MESGQ", "a message queue changed state"
	case siAsyncIO:
		return "SI_ASYNCIO", "asynchronous I/O completed"
	case siSigIO:
		return "SI_SIGIO", "queued SIGIO"
	case siTKill:
		return "SI_TKILL", "sent by tkill or tgkill, as raise and abort do"
	case siAsyncNL:
		return "SI_ASYNCNL", "asynchronous name lookup completed"
	case siKernel:
		if sig == 11 {
			return "SI_KERNEL", "sent by the kernel, without an address"
		}
		return "SI_KERNEL", "sent by the kernel"
	}
	if e, ok := traced(sig, code); ok {
		return e[0], e[1]
	}
	table := codesOf(sig)
	if code > 0 && code < len(table) {
		return table[code][0], table[code][1]
	}
	return "", ""
}

// traced names the stop of a traced process, which is not a fault and has no address:
// the code is SIGTRAP with bit 7 at a system call, with an event of ptrace above it
// elsewhere (kernel/signal.c, ptrace_notify; include/uapi/linux/ptrace.h).
func traced(sig, code int) (e [2]string, ok bool) {
	const trap = 5
	switch {
	case sig != trap || code&^0x80&0xff != trap:
		return e, false
	case code == trap|0x80:
		return [2]string{"SIGTRAP | 0x80", "a tracer's stop at a system call"}, true
	}
	e, ok = map[int][2]string{1: {"PTRACE_EVENT_FORK", "a tracer's stop at fork"},
		2: {"PTRACE_EVENT_VFORK", "a tracer's stop at vfork"},
		3: {"PTRACE_EVENT_CLONE", "a tracer's stop at clone"}, 4: {"PTRACE_EVENT_EXEC", "a tracer's stop at exec"},
		5:   {"PTRACE_EVENT_VFORK_DONE", "a tracer's stop at the end of vfork"},
		6:   {"PTRACE_EVENT_EXIT", "a tracer's stop at exit"},
		7:   {"PTRACE_EVENT_SECCOMP", "a tracer's stop by seccomp"},
		128: {"PTRACE_EVENT_STOP", "a stop that a tracer asked for"}}[code>>8]
	return e, ok
}

// codesOf lists the codes of one signal from 1 on.
func codesOf(sig int) [][2]string {
	switch sig {
	case 4:
		return [][2]string{1: {"ILL_ILLOPC", "illegal opcode"}, {"ILL_ILLOPN", "illegal operand"},
			{"ILL_ILLADR", "illegal addressing mode"}, {"ILL_ILLTRP", "illegal trap"},
			{"ILL_PRVOPC", "privileged opcode"},
			{"ILL_PRVREG", "privileged register"}, {"ILL_COPROC", "coprocessor error"},
			{"ILL_BADSTK", "internal stack error"},
			{"ILL_BADIADDR", "unimplemented instruction address"}, {"__ILL_BREAK", "illegal break"},
			{"__ILL_BNDMOD", "bundle-update in progress"}}
	case 5:
		return [][2]string{1: {"TRAP_BRKPT", "breakpoint"}, {"TRAP_TRACE", "trace trap"},
			{"TRAP_BRANCH", "branch trap"},
			{"TRAP_HWBKPT", "hardware breakpoint"}, {"TRAP_UNK", "undiagnosed trap"}, {"TRAP_PERF", "perf event"}}
	case 7:
		return [][2]string{1: {"BUS_ADRALN", "invalid address alignment"},
			{"BUS_ADRERR", "nonexistent physical address: past the end of a mapped file"},
			{"BUS_OBJERR", "object-specific hardware error"}, {"BUS_MCEERR_AR", "memory error consumed"},
			{"BUS_MCEERR_AO", "memory error found"}}
	case 8:
		return [][2]string{1: {"FPE_INTDIV", "integer divide by zero"}, {"FPE_INTOVF", "integer overflow"},
			{"FPE_FLTDIV", "floating-point divide by zero"}, {"FPE_FLTOVF", "floating-point overflow"},
			{"FPE_FLTUND", "floating-point underflow"}, {"FPE_FLTRES", "floating-point inexact result"},
			{"FPE_FLTINV", "invalid floating-point operation"}, {"FPE_FLTSUB", "subscript out of range"},
			{"__FPE_DECOVF", "decimal overflow"}, {"__FPE_DECDIV", "decimal division by zero"},
			{"__FPE_DECERR", "packed decimal error"},
			{"__FPE_INVASC", "invalid ASCII digit"}, {"__FPE_INVDEC", "invalid decimal digit"},
			{"FPE_FLTUNK", "undiagnosed floating-point exception"}, {"FPE_CONDTRAP", "trap on condition"}}
	case 11:
		return [][2]string{1: {"SEGV_MAPERR", "address not mapped to object"},
			{"SEGV_ACCERR", "invalid permissions for mapped object"},
			{"SEGV_BNDERR", "failed address bound checks"}, {"SEGV_PKUERR", "access denied by a memory protection key"},
			{"SEGV_ACCADI", "ADI not enabled for mapped object"}, {"SEGV_ADIDERR", "disrupting MCD error"},
			{"SEGV_ADIPERR", "precise MCD exception"}, {"SEGV_MTEAERR", "asynchronous memory tag check fault"},
			{"SEGV_MTESERR", "synchronous memory tag check fault"}, {"SEGV_CPERR", "control protection fault"}}
	case 17:
		return [][2]string{1: {"CLD_EXITED", "child has exited"}, {"CLD_KILLED", "child was killed"},
			{"CLD_DUMPED", "child was killed and dumped core"}, {"CLD_TRAPPED", "traced child has trapped"},
			{"CLD_STOPPED", "child has stopped"}, {"CLD_CONTINUED", "stopped child has continued"}}
	case 29:
		return [][2]string{1: {"POLL_IN", "data input available"}, {"POLL_OUT", "output buffers available"},
			{"POLL_MSG", "input message available"}, {"POLL_ERR", "I/O error"},
			{"POLL_PRI", "high priority input available"},
			{"POLL_HUP", "device disconnected"}}
	case 31:
		return [][2]string{1: {"SYS_SECCOMP", "forbidden by seccomp"}, {"SYS_USER_DISPATCH", "syscall user dispatch"}}
	}
	return nil
}
