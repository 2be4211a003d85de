package fault

import (
	"encoding/binary"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/walk"
)

func subjectOf(p *core.Process) *Subject {
	return &Subject{Process: p, Symbols: sym.NewTable(p), Thread: p.Threads[0]}
}

// code puts instructions at 0x1000, as the assembler would.
func code(b ...byte) []byte { return append(b, make([]byte, 64)...) }

// The instructions' meaning is what objdump 2.40 prints for their bytes.
func TestExplain(t *testing.T) {
	segv := func(addr core.Addr) *core.Signal {
		return &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: 1, CodeName: "SEGV_MAPERR",
			HasAddr: true, Addr: addr}
	}
	gp := &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: 128, CodeName: "SI_KERNEL"}
	for _, c := range []struct {
		name   string
		signal *core.Signal
		code   []byte
		regs   map[string]uint64
		want   []string
	}{
		{"null pointer", segv(0x18), code(0x8b, 0x40, 0x18), map[string]uint64{"rip": 0x1000, "rsp": 0x80800},
			[]string{"in the null page: a null pointer plus 0x18", "by mov 0x18(%rax),%eax"}},
		{"null function", segv(0), code(), map[string]uint64{"rip": 0, "rsp": 0x80800},
			[]string{"call or jump to 0x0: a null function pointer"}},
		{"wild function", segv(0x41414141), code(), map[string]uint64{"rip": 0x41414141, "rsp": 0x80800},
			[]string{"jump to an address that is not mapped, and no mapping is near",
				`the address reads as text: "AAAA": an overwritten return address or function pointer`}},
		{"function in data", segv(0x80100), code(), map[string]uint64{"rip": 0x80100, "rsp": 0x80800},
			[]string{"jump to memory that is not executable: in the anonymous mapping at 0x80000 (rw-)"}},
		{"stack overflow", segv(0x7fff8), code(0xe8, 0, 0, 0, 0), map[string]uint64{"rip": 0x1000, "rsp": 0x80000},
			[]string{"in the guard below the stack of thread 1: stack overflow", "by call 0x1005"}},
		{"read-only", segv(0x90010), code(0xc6, 0x00, 0x01), map[string]uint64{"rip": 0x1000, "rsp": 0x80800},
			[]string{"in the anonymous mapping at 0x90000 (r--)", "by movb $0x1,(%rax)"}},
		{"after a mapping", segv(0x91234), code(0x8b, 0x00), map[string]uint64{"rip": 0x1000, "rsp": 0x80800},
			[]string{"not mapped, 0x234 bytes past the end of the anonymous mapping at 0x90000", "by mov (%rax),%eax"}},
		{"non-canonical", &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: 128, CodeName: "SI_KERNEL",
			HasAddr: true},
			code(0x48, 0x8b, 0x44, 0x8b, 0x08), map[string]uint64{"rip": 0x1000, "rsp": 0x80800,
				"rbx": 0x4847464544434241, "rcx": 0},
			[]string{"access to 0x4847464544434249 (rbx+rcx*4+0x8), which is not canonical: no pointer",
				`the address reads as text: "IBCDEFGH"`, "by mov 0x8(%rbx,%rcx,4),%rax"}},
		{"smashed stack", &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: 128, CodeName: "SI_KERNEL"},
			code(0xc3), map[string]uint64{"rip": 0x1000, "rsp": 0x80000},
			[]string{"return to 0x4141414141414141, which is not canonical: the return address on the stack was overwritten",
				`it reads as text: "AAAAAAAA"`, "by ret"}},
		{"alignment check", &core.Signal{Number: 7, Name: "SIGBUS", HasCode: true, Code: 1, CodeName: "BUS_ADRALN",
			HasAddr: true},
			code(0x48, 0x8b, 0x00), map[string]uint64{"rip": 0x1000, "rsp": 0x80800},
			[]string{"an access that is not aligned, while alignment is checked (the AC flag)", "by mov (%rax),%rax"}},
		{"quotient", &core.Signal{Number: 8, Name: "SIGFPE", HasCode: true, Code: 1, CodeName: "FPE_INTDIV",
			HasAddr: true, Addr: 0x1000},
			code(0xf7, 0xfe), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rsi": 0xffffffff},
			[]string{"the divisor is -1, not zero: the quotient is too large for its register", "at idiv %esi"}},
		{"division by zero", &core.Signal{Number: 8, Name: "SIGFPE", HasCode: true, Code: 1, CodeName: "FPE_INTDIV",
			HasAddr: true, Addr: 0x1000},
			code(0x49, 0xf7, 0xf8), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "r8": 0},
			[]string{"at idiv %r8"}},
		{"division by zero, without a code", &core.Signal{Number: 8, Name: "SIGFPE", HasAddr: true, Addr: 0x1000},
			code(0xf7, 0x7d, 0xfc), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rbp": 0x80804},
			[]string{"the divisor is zero", "at idivl -0x4(%rbp)"}},
		{"quotient, without a code", &core.Signal{Number: 8, Name: "SIGFPE", HasAddr: true, Addr: 0x1000},
			code(0xf7, 0xfe), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rsi": 0xffffffff},
			[]string{"the divisor is -1, not zero: the quotient is too large for its register", "at idiv %esi"}},
		{"floating point, without a code", &core.Signal{Number: 8, Name: "SIGFPE", HasAddr: true, Addr: 0x1000},
			code(0xf2, 0x0f, 0x5e, 0xc1), map[string]uint64{"rip": 0x1000, "rsp": 0x80800},
			[]string{"at divsd %xmm1,%xmm0"}},
		{"seccomp", &core.Signal{Number: 31, Name: "SIGSYS", HasCode: true, Code: 1, CodeName: "SYS_SECCOMP"},
			code(0xc3), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rax": 110},
			[]string{"a filter of the process or of its container (seccomp) does not allow getppid (system call 110 of x86-64)", "at ret"}},
		{"code in data", &core.Signal{Number: 4, Name: "SIGILL", CodeName: "ILL_ILLOPN", HasAddr: true, Addr: 0x1000},
			code(0x06), map[string]uint64{"rip": 0x1000, "rsp": 0x80800},
			[]string{"the instruction is not of a file, but in the anonymous mapping at 0x1000: a jump into data, or code that was generated wrongly", "at .byte 0x06"}},
		{"ud2", &core.Signal{Number: 4, Name: "SIGILL", CodeName: "ILL_ILLOPN", HasAddr: true, Addr: 0x1000},
			code(0x0f, 0x0b), map[string]uint64{"rip": 0x1000, "rsp": 0x80800},
			[]string{"ud2: a trap that the compiler put in (abort, unreachable code, failed check)", "at ud2"}},
		{"int3", &core.Signal{Number: 5, Name: "SIGTRAP", CodeName: "SI_KERNEL"},
			code(0xcc, 0x0f, 0x0b), map[string]uint64{"rip": 0x1001, "rsp": 0x80800},
			[]string{"int3: a trap that the program has at this place (abort, failed check, breakpoint), as Chromium's and V8's IMMEDIATE_CRASH", "at int3"}},
		{"division", &core.Signal{Number: 8, Name: "SIGFPE", CodeName: "FPE_INTDIV", HasAddr: true, Addr: 0x1000},
			code(0xf7, 0xf9), map[string]uint64{"rip": 0x1000, "rsp": 0x80800}, []string{"at idiv %ecx"}},
		{"killed by somebody", &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, HasSender: true, PID: 99},
			code(0x90), map[string]uint64{"rip": 0x1000, "rsp": 0x80800},
			[]string{"sent by another process: no instruction of this one caused it"}},
		{"killed from outside", &core.Signal{Number: 4, Name: "SIGILL", HasCode: true, HasSender: true},
			code(0x0f, 0x0b), map[string]uint64{"rip": 0x1000, "rsp": 0x80800},
			[]string{"sent from outside of the process' pid namespace: no instruction of this process caused it"}},
		{"raised", &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: -6, CodeName: "SI_TKILL",
			HasSender: true, PID: 1},
			code(0x0f, 0x05, 0x8b, 0x00), map[string]uint64{"rip": 0x1002, "rsp": 0x80800, "rax": 0},
			[]string{"the process sent it to itself, or a handler raised again what it was sent: no instruction caused it"}},
		{"raised again", &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: -6, CodeName: "SI_TKILL",
			HasSender: true, PID: 1},
			code(0x8b, 0x40, 0x18), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rax": 0},
			[]string{"the process sent it to itself: it seems that a handler did, and returned to the instruction at fault",
				"access to 0x18 (rax+0x18), which is in the null page: a null pointer plus 0x18",
				"by mov 0x18(%rax),%eax"}},
		{"call through a register", gp, code(0xff, 0xd0), map[string]uint64{"rip": 0x1000, "rsp": 0x80800,
			"rax": 0x4847464544434241},
			[]string{"jump or call to 0x4847464544434241 (rax), which is not canonical: no pointer",
				`it reads as text: "ABCDEFGH"`, "by call *%rax"}},
		{"call through memory", gp, code(0xff, 0x20), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rax": 0x80000},
			[]string{"jump or call to 0x4141414141414141 (the pointer at rax), which is not canonical: no pointer",
				`it reads as text: "AAAAAAAA"`, "by jmp *(%rax)"}},
		{"wild stack pointer", &core.Signal{Number: 7, Name: "SIGBUS", HasCode: true, Code: 128, CodeName: "SI_KERNEL"},
			code(0x50), map[string]uint64{"rip": 0x1000, "rsp": 0x8000000000000000},
			[]string{"access to 0x7ffffffffffffff8 (rsp-0x8), which is not canonical: no pointer", "by push %rax"}},
		{"misaligned", gp, code(0x0f, 0x29, 0x00), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rax": 0x80801},
			[]string{"access to 0x80801 (rax), which is misaligned: the instruction needs a multiple of 16",
				"by movaps %xmm0,(%rax)"}},
		{"misaligned, 32 bytes", gp, code(0xc4, 0xc1, 0x7d, 0x7f, 0x00),
			map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "r8": 0x80810},
			[]string{"access to 0x80810 (r8), which is misaligned: the instruction needs a multiple of 32",
				"by vmovdqa %ymm0,(%r8)"}},
		{"privileged", gp, code(0xf4), map[string]uint64{"rip": 0x1000, "rsp": 0x80800},
			[]string{"a privileged instruction", "by hlt"}},
		{"nothing wrong", gp, code(0x8b, 0x00), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rax": 0x80800},
			[]string{"the kernel gives no address with it, and the instruction's operands show nothing wrong",
				"by mov (%rax),%eax"}},
		{"no room for a handler's frame", gp, code(0xe8, 0, 0, 0, 0), map[string]uint64{"rip": 0x1000, "rsp": 0x80000},
			[]string{"the stack pointer is in the guard below the stack of thread 1: stack overflow, and no room for the frame of a signal's handler", "by call 0x1005"}},
		{"without siginfo", &core.Signal{Number: 11, Name: "SIGSEGV"}, code(0xc6, 0x40, 0x10, 0x01),
			map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rax": 0x90000},
			[]string{"access to 0x90010 (rax+0x10), which is in the anonymous mapping at 0x90000 (r--)",
				"by movb $0x1,0x10(%rax)"}},
		{"without siginfo, nowhere", &core.Signal{Number: 11, Name: "SIGSEGV"}, code(),
			map[string]uint64{"rip": 0x41414141, "rsp": 0x80800},
			[]string{"jump to an address that is not mapped, and no mapping is near",
				`the address reads as text: "AAAA": an overwritten return address or function pointer`}},
	} {
		p := coretest.New(core.AMD64).
			MapProt(0x1000, c.code, core.Read|core.Exec).
			Map(0x80000, append([]byte("AAAAAAAA"), make([]byte, 0x1000-8)...)).
			MapProt(0x90000, make([]byte, 0x1000), core.Read).
			Thread(1, c.regs).Process()
		p.Signal, p.PID = c.signal, 1
		got := Explain(t.Context(), subjectOf(p)).Words
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// The frame is Linux' struct rt_sigframe of x86-64 (arch/x86/include/asm/sigframe.h).
func TestRaisedInHandler(t *testing.T) {
	const sp, trampoline, fault = 0x80100, 0x1100, 0x1200
	for _, c := range []struct {
		name    string
		siginfo []byte
		cr2     uint64
		want    []string
	}{
		{"siginfo", []byte{11, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x18}, 0,
			[]string{"raised in a handler of SIGSEGV, SEGV_MAPERR at 0x18",
				"in the null page: a null pointer plus 0x18", "by mov 0x18(%rax),%eax"}},
		{"only the address", nil, 0x18,
			[]string{"raised in a handler of a fault at 0x18", "in the null page: a null pointer plus 0x18",
				"by mov 0x18(%rax),%eax"}},
		{"an older address", nil, 0x99,
			[]string{"the process sent it to itself"}},
	} {
		text := make([]byte, 0x1000)
		copy(text[trampoline-0x1000:], "\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05") // mov $15,%rax; syscall
		copy(text[fault-0x1000:], "\x8b\x40\x18")                              // mov 0x18(%rax),%eax
		stack := make([]byte, 0x1000)
		binary.LittleEndian.PutUint64(stack[sp+40+8*16-0x80000:], fault) // rip
		binary.LittleEndian.PutUint64(stack[sp+40+8*15-0x80000:], 0x80800)
		binary.LittleEndian.PutUint64(stack[sp+40+176-0x80000:], c.cr2)
		copy(stack[sp+304-0x80000:], c.siginfo)
		p := coretest.New(core.AMD64).MapProt(0x1000, text, core.Read|core.Exec).Map(0x80000, stack).
			Thread(1, map[string]uint64{"rip": trampoline, "rsp": sp}).Process()
		p.PID = 1
		p.Signal = &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: -6, CodeName: "SI_TKILL",
			HasSender: true, PID: 1}
		p.Siginfo = func(d []byte) *core.Signal {
			if d[0] != 11 {
				return &core.Signal{}
			}
			return &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: 1, CodeName: "SEGV_MAPERR",
				HasAddr: true, Addr: core.Addr(d[16])}
		}
		s := subjectOf(p)
		s.Walk = walk.NewTarget(p, walk.Options{})
		if got := Explain(t.Context(), s).Words; strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestHandlerElsewhere has a thread in a handler that has sent its signal to the process, and
// another one that got it.
func TestHandlerElsewhere(t *testing.T) {
	const sp, trampoline, fault = 0x80100, 0x1100, 0x1200
	text := make([]byte, 0x1000)
	copy(text[trampoline-0x1000:], "\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05") // mov $15,%rax; syscall
	copy(text[fault-0x1000:], "\x8b\x40\x18")                              // mov 0x18(%rax),%eax
	stack := make([]byte, 0x1000)
	binary.LittleEndian.PutUint64(stack[sp+40+8*16-0x80000:], fault)
	binary.LittleEndian.PutUint64(stack[sp+40+8*15-0x80000:], 0x80800)
	copy(stack[sp+304-0x80000:], []byte{11, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x18})
	registers := map[string]uint64{"rip": trampoline, "rsp": sp}
	for _, c := range []struct {
		code   string
		number int
		call   []core.Register // of a thread that is in a call, within the handler
		more   bool            // another thread is in a handler as well
		want   string
		tid    int
	}{
		{"SI_USER", 11, nil, false, "raised by thread 2 in a handler of SIGSEGV, SEGV_MAPERR at 0x18", 2},
		{"SI_TKILL", 11, nil, false, "the process sent it to itself", 1},
		{"SI_USER", 3, calling(1, 3), false, "raised by thread 2 in a handler of SIGSEGV, SEGV_MAPERR at 0x18", 2},
		{"SI_USER", 3, calling(1, 3), true, "raised by thread 2 in a handler of SIGSEGV, SEGV_MAPERR at 0x18", 2},
		{"SI_USER", 3, calling(1, 9), false, "it came while thread 2 was in a handler of SIGSEGV, SEGV_MAPERR at 0x18",
			2},
		{"SI_USER", 3, calling(2, 3), true, "the process sent it to itself", 1},
		{"SI_USER", 3, nil, false, "it came while thread 2 was in a handler of SIGSEGV, SEGV_MAPERR at 0x18", 2},
		{"SI_USER", 3, nil, true, "the process sent it to itself", 1},
	} {
		b := coretest.New(core.AMD64).MapProt(0x1000, text, core.Read|core.Exec).Map(0x80000, stack).
			Thread(1, map[string]uint64{"rip": 0x1300, "rsp": 0x80f00}).Thread(2, registers)
		if c.more {
			b.Thread(3, registers)
		}
		p := b.Process()
		p.PID = 1
		if c.call != nil {
			p.Threads[1].Registers = func() []core.Register { return c.call }
		}
		p.Signal = &core.Signal{Number: c.number, Name: "SIGSEGV", HasCode: true, CodeName: c.code,
			HasSender: true, PID: 1}
		p.Siginfo = func(d []byte) *core.Signal {
			if d[0] != 11 {
				return &core.Signal{}
			}
			return &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: 1, CodeName: "SEGV_MAPERR",
				HasAddr: true, Addr: core.Addr(d[16])}
		}
		if c.number != 11 {
			p.Signal.Name = "SIGQUIT"
		}
		s := subjectOf(p)
		s.Thread, s.Walk = p.Threads[0], walk.NewTarget(p, walk.Options{})
		if got := Explain(t.Context(), s); got.Thread.TID != c.tid || got.Words[0] != c.want {
			t.Errorf("%+v: thread %d, %q", c, got.Thread.TID, got.Words)
		}
	}
}

// calling are the registers of a thread that sends a signal to a process.
func calling(pid, signal uint64) []core.Register {
	return []core.Register{{Name: "orig_rax", Value: 62}, {Name: "rdi", Value: pid}, {Name: "rsi", Value: signal},
		{Name: "rdx"}, {Name: "r10"}}
}

// TestHandlerReturned has the frame of a handler below the stack, which has returned to where the
// thread is: it raised the signal while that was blocked.
func TestHandlerReturned(t *testing.T) {
	const sp, pc = 0x83808, 0x1000
	segv := []byte{11, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x18}
	exact := []string{"raised in a handler of SIGSEGV, SEGV_MAPERR at 0x18",
		"in the null page: a null pointer plus 0x18", "by mov 0x18(%rax),%eax"}
	guess := []string{"the process sent it to itself: it seems that a handler did, and returned to the instruction at fault",
		"access to 0x18 (rax+0x18), which is in the null page: a null pointer plus 0x18", "by mov 0x18(%rax),%eax"}
	for _, c := range []struct {
		name    string
		frame   uint64 // the stack pointer that its trampoline had
		siginfo []byte
		sp, pc  uint64
		want    []string
	}{
		{"right below", 0x83480, segv, sp, pc, exact},
		{"far below", 0x80010, segv, sp, pc, exact},
		{"without siginfo", 0x83480, nil, sp, pc, []string{"raised in a handler of a fault at 0x18",
			exact[1], exact[2]}},
		{"of another place", 0x83480, segv, sp, pc + 3, guess},
		{"of another stack pointer", 0x83480, segv, sp + 16, pc, guess},
		{"on a stack of its own", 0x92010, segv, sp, pc, exact},
		{"not aligned", 0x83484, segv, sp, pc, guess},
		{"of another signal", 0x83480, []byte{10}, sp, pc, guess},
	} {
		stack := make([]byte, 0x14000) // two mappings of it, at 0x80000 and at 0x90000
		word := func(at, v uint64) { binary.LittleEndian.PutUint64(stack[at-0x80000:], v) }
		word(c.frame+40+8*15, c.sp)
		word(c.frame+40+8*16, c.pc)
		if c.siginfo == nil {
			word(c.frame+40+176, 0x18) // cr2
		}
		copy(stack[c.frame+304-0x80000:], c.siginfo)
		p := coretest.New(core.AMD64).MapProt(0x1000, code(0x8b, 0x40, 0x18), core.Read|core.Exec).Map(0x80000,
			stack[:0x4000]).Map(0x90000, stack[0x10000:]).
			Thread(1, map[string]uint64{"rip": pc, "rsp": sp, "rax": 0}).Process()
		p.PID = 1
		p.Signal = &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: -6, CodeName: "SI_TKILL",
			HasSender: true, PID: 1}
		p.Siginfo = func(d []byte) *core.Signal {
			switch d[0] {
			case 11:
				return &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: 1, CodeName: "SEGV_MAPERR",
					HasAddr: true, Addr: core.Addr(d[16])}
			case 10:
				return &core.Signal{Number: 10, Name: "SIGUSR1", HasCode: true, CodeName: "SI_USER",
					HasSender: true, PID: 1}
			}
			return &core.Signal{}
		}
		if got := Explain(t.Context(), subjectOf(p)).Words; strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestFaultTitle: what the cause alone does not say.
func TestFaultTitle(t *testing.T) {
	ill := core.Signal{Number: 4, Name: "SIGILL", CodeName: "ILL_ILLOPN"}
	division := core.Signal{Number: 8, Name: "SIGFPE", CodeName: "FPE_INTDIV"}
	for _, c := range []struct {
		signal core.Signal
		code   []byte
		rsi    uint64
		want   string
	}{
		{ill, code(0x0f, 0x0b), 0, "trap: ud2: a trap that the compiler put in (abort, unreachable code, failed check)"},
		{ill, code(0x06), 0, "illegal instruction outside of all files"},
		{division, code(0xf7, 0xfe), 0xffffffff, "quotient too large"},
		{division, code(0xf7, 0xfe), 0, ""},
		{division, code(0x0f, 0x0b), 0, ""}, // a division, whatever is there
		{core.Signal{Number: 31, Name: "SIGSYS", CodeName: "SYS_SECCOMP"}, code(0xc3), 0, ""},
		{core.Signal{Number: 31, Name: "SIGSYS"}, code(0xc3), 0, "unknown system call"},
	} {
		p := coretest.New(core.AMD64).
			MapProt(0x1000, c.code, core.Read|core.Exec).
			Thread(1, map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rsi": c.rsi}).Process()
		p.Signal, p.PID = &c.signal, 1
		if got := Explain(t.Context(), subjectOf(p)).Title; got != c.want {
			t.Errorf("%s, % x: %q, want %q", c.signal.Name, c.code[:2], got, c.want)
		}
	}
}
