package minidump

import (
	"fmt"

	"coredbg/core"
	"coredbg/core/elf/note"
)

// Codes of dumps that were requested, not caused by a crash: Breakpad's on Linux and macOS, and
// Crashpad's.
const (
	dumpRequested    = 0xffffffff
	machSimulated    = 0x43507378 // kMachExceptionSimulated, "CPsx"
	crashpadOnDemand = 0x0517a7ed // of Windows and Linux
)

// crashpadCodes are the codes that Crashpad itself makes (util/mach/mach_extensions.h).
var crashpadCodes = map[uint32]string{0x43506e78: "NSException"}

// A record is an exception: its code, the system's parameters, and its place.
type record struct {
	code, flags uint32
	addr        core.Addr
	info        []uint64
}

// A crash is how the process died.
type crash struct {
	in      *reader
	p       *core.Process
	died    bool
	thread  uint32 // the id of the thread that died
	context []byte // the registers that it died with
}

// readCrash reads the Exception streams. LLDB writes one for each thread that was stopped; the first
// one that ends a process counts.
func readCrash(in *reader) *crash {
	l := &crash{in: in, p: in.p}
	for _, s := range in.streams {
		if s.typ != exceptionInfo {
			continue
		}
		d := l.in.data(s)
		if len(d) < exceptionSize {
			l.in.warn(s.name(), uint64(s.loc.rva), "%d of %d bytes", len(d), exceptionSize)
			continue
		}
		r := record{code: le.Uint32(d[8:]), flags: le.Uint32(d[12:]), addr: l.in.addr(le.Uint64(d[24:]))}
		n := le.Uint32(d[32:])
		if n > 15 {
			l.in.warn(s.name(), uint64(s.loc.rva), "%d parameters, more than the 15 there is room for,", n)
			n = 15
		}
		for i := range int(n) {
			r.info = append(r.info, le.Uint64(d[40+8*i:]))
		}
		g, snapshot := l.signal(&r)
		if l.died && (snapshot || !l.p.Snapshot) {
			continue
		}
		l.died, l.thread = true, le.Uint32(d)
		l.p.Signal, l.p.Snapshot = g, snapshot
		loc := locationAt(d[160:])
		l.context = l.in.slice(uint64(loc.rva), uint64(min(loc.size, maxContext)))
		if len(l.context) == 0 && loc.size > 0 {
			l.in.need(uint64(loc.rva)+uint64(loc.size), "registers")
		}
	}
	if !l.died {
		l.p.Snapshot = true
	}
	return l
}

// signal says what an exception is on the system of the dump.
func (l *crash) signal(r *record) (g *core.Signal, snapshot bool) {
	switch r.code {
	case dumpRequested, machSimulated, crashpadOnDemand:
		return nil, true
	}
	switch l.p.OS {
	case "windows":
		g := r.windows()
		g.Addr = l.in.addr(uint64(g.Addr))
		return g, false
	case "darwin":
		return r.mach(), false
	}
	g = note.NewSignal(int(r.code), int(int32(r.flags)), r.addr)
	if l.crashpadMade() {
		r.sender(g)
	} else if r.flags == 0 && r.code != 0 {
		// Older versions of Breakpad leave the si_code out.
		g.HasCode, g.CodeName, g.CodeText = false, "", ""
		switch g.Name {
		case "SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL":
			g.HasAddr, g.Addr = r.addr != 0, r.addr
		}
	}
	if r.code == 0 {
		return nil, true
	}
	return g, !note.DumpsCore(int(r.code))
}

// crashpadMade reports whether Crashpad has made the dump.
func (l *crash) crashpadMade() bool {
	_, ok := l.in.find(crashpadInfo)
	return ok
}

// sender takes from an exception of Crashpad on Linux who sent the signal (Crashpad,
// snapshot/linux/exception_snapshot_linux.cc): for signals that have an address that word of
// siginfo_t is taken as one, whatever it is; of others it is the first two parameters.
func (r *record) sender(g *core.Signal) {
	switch {
	case !note.SentBy(g.Number, g.Code):
	case note.Faults(g.Number):
		g.HasSender, g.PID, g.UID = true, int(int32(r.addr)), int(uint32(r.addr>>32))
	case len(r.info) >= 2 && !otherParameters(g.Number):
		g.HasSender, g.PID, g.UID = true, int(int32(r.info[0])), int(uint32(r.info[1]))
	}
}

// otherParameters reports whether Crashpad gives a signal parameters that are not about a
// process: SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL and SIGSYS.
func otherParameters(number int) bool {
	switch number {
	case 14, 26, 27, 29, 31:
		return true
	}
	return false
}

// weighAddr removes the address of a fault if it is the address of the instruction, which is
// executable: LLDB writes that one.
func weighAddr(p *core.Process) {
	g := p.Signal
	if g == nil || !g.HasAddr || len(p.Threads) == 0 || !p.Threads[0].Crashed ||
		g.Unix() != "SIGSEGV" && g.Unix() != "SIGBUS" {
		return
	}
	pc, ok := p.Threads[0].Regs.Get(p.Arch.PC)
	if ok && core.Addr(pc) == g.Addr && p.Executable(g.Addr) && (!g.HasCode || p.OS == "linux") {
		g.HasAddr, g.Addr = false, 0
	}
}

// mach makes the signal of Unix of a Mach exception, as the kernel does (xnu,
// bsd/uxkern/ux_exception.c). The record has the exception, its first code and its second,
// which for a bad access is the address.
func (r *record) mach() *core.Signal {
	type signal struct {
		number           int
		name, text, code string
	}
	g, ok := map[uint32]signal{
		1: {11, "SIGSEGV", "segmentation fault", "EXC_BAD_ACCESS"},
		2: {4, "SIGILL", "illegal instruction", "EXC_BAD_INSTRUCTION"},
		3: {8, "SIGFPE", "floating-point exception", "EXC_ARITHMETIC"},
		4: {7, "SIGEMT", "emulation trap", "EXC_EMULATION"},
		5: {6, "SIGABRT", "aborted", "EXC_SOFTWARE"}, 6: {5, "SIGTRAP", "trace or breakpoint trap", "EXC_BREAKPOINT"},
		10: {6, "SIGABRT", "aborted", "EXC_CRASH"}, 11: {9, "SIGKILL", "killed", "EXC_RESOURCE"},
		12: {9, "SIGKILL", "killed", "EXC_GUARD"},
	}[r.code]
	if !ok {
		if name := crashpadCodes[r.code]; name != "" {
			return &core.Signal{Name: name, Text: "not an exception of Mach: one that Crashpad has made",
				Like: "SIGABRT"}
		}
		g = signal{name: fmt.Sprintf("exception %#x", r.code), text: "a Mach exception"}
	}
	s := &core.Signal{Number: g.number, Name: g.name, Text: g.text, HasCode: true, Code: int(r.code), CodeName: g.code}
	const protection, alignment = 2, 0x101 // KERN_PROTECTION_FAILURE, EXC_ARM_DA_ALIGN
	switch r.code {
	case 1:
		s.HasAddr, s.Addr = true, r.addr
		switch r.flags {
		case 1:
			s.CodeText = "access to an address that is not mapped (KERN_INVALID_ADDRESS)"
		case protection:
			s.Number, s.Name, s.Text = 10, "SIGBUS", "bus error"
			s.CodeText = "access to memory that does not allow it (KERN_PROTECTION_FAILURE)"
		case alignment:
			s.CodeText = "access that is not aligned"
		case 13: // EXC_I386_GPFLT
			s.HasAddr = false
			s.CodeText = "general protection fault: a non-canonical address or a forbidden instruction"
		}
	case 10:
		r.crashed(s)
	}
	return s
}

// crashed takes the signal that EXC_CRASH is for from its code (xnu, bsd/kern/kern_exit.c):
// bits 24 to 31.
func (r *record) crashed(s *core.Signal) {
	code := uint64(r.flags)
	if len(r.info) > 1 && r.info[0] == 10 {
		code = r.info[1]
	}
	names := map[uint64][2]string{3: {"SIGQUIT", "quit"}, 4: {"SIGILL", "illegal instruction"},
		5: {"SIGTRAP", "trace or breakpoint trap"},
		6: {"SIGABRT", "aborted"}, 8: {"SIGFPE", "floating-point exception"}, 9: {"SIGKILL", "killed"},
		10: {"SIGBUS", "bus error"},
		11: {"SIGSEGV", "segmentation fault"}, 12: {"SIGSYS", "bad system call"}}
	if n := names[code>>24&0xff]; n[0] != "" {
		s.Number, s.Name, s.Text = int(code>>24&0xff), n[0], n[1]
	}
}
