package native

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/walk"
)

func sessionOf(p *core.Process) *commands.Session {
	s := commands.NewSession(p, commands.NewRegistry(Commands()), io.Discard, io.Discard)
	s.Symbols = sym.NewTable(p)
	return s
}

// code puts instructions at 0x1000, as the assembler would.
func code(b ...byte) []byte { return append(b, make([]byte, 64)...) }

// The instructions' meaning is what objdump 2.40 prints for their bytes.
func TestExplain(t *testing.T) {
	segv := func(addr core.Addr) *core.Signal {
		return &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: 1, CodeName: "SEGV_MAPERR", HasAddr: true, Addr: addr}
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
			[]string{"in the guard below the stack of thread 1: stack overflow", "by callq 0x1005"}},
		{"read-only", segv(0x90010), code(0xc6, 0x00, 0x01), map[string]uint64{"rip": 0x1000, "rsp": 0x80800},
			[]string{"in the anonymous mapping at 0x90000 (r--)", "by movb $0x1,(%rax)"}},
		{"behind a mapping", segv(0x91234), code(0x8b, 0x00), map[string]uint64{"rip": 0x1000, "rsp": 0x80800},
			[]string{"not mapped, 0x234 bytes past the end of the anonymous mapping at 0x90000", "by mov (%rax),%eax"}},
		{"non-canonical", &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: 128, CodeName: "SI_KERNEL", HasAddr: true},
			code(0x48, 0x8b, 0x44, 0x8b, 0x08), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rbx": 0x4847464544434241, "rcx": 0},
			[]string{"access to 0x4847464544434249 (rbx+rcx*4+0x8), which is not canonical: no pointer",
				`the address reads as text: "IBCDEFGH"`, "by mov 0x8(%rbx,%rcx,4),%rax"}},
		{"smashed stack", &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: 128, CodeName: "SI_KERNEL"},
			code(0xc3), map[string]uint64{"rip": 0x1000, "rsp": 0x80000},
			[]string{"return to 0x4141414141414141, which is not canonical: the return address on the stack was overwritten",
				`it reads as text: "AAAAAAAA"`, "by retq"}},
		{"ud2", &core.Signal{Number: 4, Name: "SIGILL", CodeName: "ILL_ILLOPN", HasAddr: true, Addr: 0x1000},
			code(0x0f, 0x0b), map[string]uint64{"rip": 0x1000, "rsp": 0x80800},
			[]string{"ud2: a trap that the compiler put in (abort, unreachable code, failed check)", "at ud2"}},
		{"int3", &core.Signal{Number: 5, Name: "SIGTRAP", CodeName: "SI_KERNEL"},
			code(0xcc, 0x0f, 0x0b), map[string]uint64{"rip": 0x1001, "rsp": 0x80800},
			[]string{"int3: a trap that the program has at this place (abort, failed check, breakpoint)", "at int3"}},
		{"division", &core.Signal{Number: 8, Name: "SIGFPE", CodeName: "FPE_INTDIV", HasAddr: true, Addr: 0x1000},
			code(0xf7, 0xf9), map[string]uint64{"rip": 0x1000, "rsp": 0x80800}, []string{"at idiv %ecx"}},
		{"killed by somebody", &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, HasSender: true, PID: 99},
			code(0x90), map[string]uint64{"rip": 0x1000, "rsp": 0x80800}, []string{"sent by another process: no instruction of this one caused it"}},
		{"killed from outside", &core.Signal{Number: 4, Name: "SIGILL", HasCode: true, HasSender: true},
			code(0x0f, 0x0b), map[string]uint64{"rip": 0x1000, "rsp": 0x80800},
			[]string{"sent from outside of the process' pid namespace: no instruction of this process caused it"}},
		{"raised", &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: -6, CodeName: "SI_TKILL", HasSender: true, PID: 1},
			code(0x0f, 0x05, 0x8b, 0x00), map[string]uint64{"rip": 0x1002, "rsp": 0x80800, "rax": 0},
			[]string{"the process sent it to itself, or a handler raised again what it was sent: no instruction caused it"}},
		{"raised again", &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: -6, CodeName: "SI_TKILL", HasSender: true, PID: 1},
			code(0x8b, 0x40, 0x18), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rax": 0},
			[]string{"the process sent it to itself: it seems that a handler did, and returned to the instruction at fault",
				"access to 0x18 (rax+0x18), which is in the null page: a null pointer plus 0x18", "by mov 0x18(%rax),%eax"}},
		{"call through a register", gp, code(0xff, 0xd0), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rax": 0x4847464544434241},
			[]string{"jump or call to 0x4847464544434241 (rax), which is not canonical: no pointer", `it reads as text: "ABCDEFGH"`, "by call *%rax"}},
		{"call through memory", gp, code(0xff, 0x20), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rax": 0x80000},
			[]string{"jump or call to 0x4141414141414141 (the pointer at rax), which is not canonical: no pointer", `it reads as text: "AAAAAAAA"`, "by jmpq *(%rax)"}},
		{"wild stack pointer", &core.Signal{Number: 7, Name: "SIGBUS", HasCode: true, Code: 128, CodeName: "SI_KERNEL"},
			code(0x50), map[string]uint64{"rip": 0x1000, "rsp": 0x8000000000000000},
			[]string{"access to 0x7ffffffffffffff8 (rsp-0x8), which is not canonical: no pointer", "by push %rax"}},
		{"misaligned", gp, code(0x0f, 0x29, 0x00), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rax": 0x80801},
			[]string{"access to 0x80801 (rax), which is misaligned: the instruction needs a multiple of 16", "by movaps %xmm0,(%rax)"}},
		{"misaligned, 32 bytes", gp, code(0xc4, 0xc1, 0x7d, 0x7f, 0x00), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "r8": 0x80810},
			[]string{"access to 0x80810 (r8), which is misaligned: the instruction needs a multiple of 32", "by vmovdqa %ymm0,(%r8)"}},
		{"privileged", gp, code(0xf4), map[string]uint64{"rip": 0x1000, "rsp": 0x80800}, []string{"a privileged instruction", "by hlt"}},
		{"nothing wrong", gp, code(0x8b, 0x00), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rax": 0x80800},
			[]string{"the kernel gives no address with it, and the instruction's operands show nothing wrong", "by mov (%rax),%eax"}},
		{"without siginfo", &core.Signal{Number: 11, Name: "SIGSEGV"}, code(0xc6, 0x40, 0x10, 0x01),
			map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rax": 0x90000},
			[]string{"access to 0x90010 (rax+0x10), which is in the anonymous mapping at 0x90000 (r--)", "by movb $0x1,0x10(%rax)"}},
		{"without siginfo, nowhere", &core.Signal{Number: 11, Name: "SIGSEGV"}, code(), map[string]uint64{"rip": 0x41414141, "rsp": 0x80800},
			[]string{"jump to an address that is not mapped, and no mapping is near",
				`the address reads as text: "AAAA": an overwritten return address or function pointer`}},
	} {
		p := coretest.New(core.AMD64).
			MapProt(0x1000, c.code, core.Read|core.Exec).
			Map(0x80000, append([]byte("AAAAAAAA"), make([]byte, 0x1000-8)...)).
			MapProt(0x90000, make([]byte, 0x1000), core.Read).
			Thread(1, c.regs).Process()
		p.Signal, p.PID = c.signal, 1
		got := explain(t.Context(), sessionOf(p))
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
			[]string{"raised in a handler of SIGSEGV, SEGV_MAPERR at 0x18", "in the null page: a null pointer plus 0x18", "by mov 0x18(%rax),%eax"}},
		{"only the address", nil, 0x18,
			[]string{"raised in a handler of a fault at 0x18", "in the null page: a null pointer plus 0x18", "by mov 0x18(%rax),%eax"}},
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
		p.Signal = &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: -6, CodeName: "SI_TKILL", HasSender: true, PID: 1}
		p.Siginfo = func(d []byte) *core.Signal {
			if d[0] != 11 {
				return &core.Signal{}
			}
			return &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: 1, CodeName: "SEGV_MAPERR", HasAddr: true, Addr: core.Addr(d[16])}
		}
		s := sessionOf(p)
		s.Walk = walk.NewTarget(p, walk.Options{})
		if got := explain(t.Context(), s); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// The operands are what objdump 2.40 prints for the instructions.
func TestEffectARM64(t *testing.T) {
	regs := registerFile{}
	for i := range 31 {
		regs.Set(i, uint64(0x1000*i))
	}
	regs.Set(core.ARM64.SP, 0x90000)
	for _, c := range []struct {
		insn    uint32
		operand string
		addr    core.Addr
		write   bool
	}{
		{0xb9400000, "x0", 0, false},                   // ldr w0, [x0]
		{0xb9000c41, "x2+0xc", 0x200c, true},           // str w1, [x2, #12]
		{0xf85f8041, "x2-0x8", 0x1ff8, false},          // ldur x1, [x2, #-8]
		{0xa9bd7bfd, "sp-0x30", 0x8ffd0, true},         // stp x29, x30, [sp, #-48]!
		{0xa8c37bfd, "sp", 0x90000, false},             // ldp x29, x30, [sp], #48
		{0xf8408c41, "x2+0x8", 0x2008, false},          // ldr x1, [x2, #8]!
		{0xf8408441, "x2", 0x2000, false},              // ldr x1, [x2], #8
		{0xf8637841, "x2+x3", 0x2000 + 0x18000, false}, // ldr x1, [x2, x3, lsl #3]
		{0xb8234841, "x2+x3", 0x5000, true},            // str w1, [x2, w3, uxtw]
		{0x3dc00440, "x2+0x10", 0x2010, false},         // ldr q0, [x2, #16]
		{0x3d800440, "x2+0x10", 0x2010, true},          // str q0, [x2, #16]
		{0x58000041, "pc+0x8", 0x400008, false},        // ldr x1, 400008
		{0xc85f7c41, "x2", 0x2000, false},              // ldxr x1, [x2]
		{0xc8037c41, "x2", 0x2000, true},               // stxr w3, x1, [x2]
		{0xf8e10041, "x2", 0x2000, true},               // ldaddal x1, x1, [x2]
		{0x4c407040, "x2", 0x2000, false},              // ld1 {v0.16b}, [x2]
		{0, "", 0, false},                              // udf #0
		{0xf9800040, "", 0, false},                     // prfm pldl1keep, [x2]
		{0x8b030041, "", 0, false},                     // add x1, x2, x3
	} {
		code := binary.LittleEndian.AppendUint32(nil, c.insn)
		got := effectOf(core.ARM64, code, 0x400000, &regs).accesses
		if c.operand == "" {
			if len(got) != 0 {
				t.Errorf("%08x: %+v, want no access", c.insn, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Operand != c.operand || got[0].Addr != c.addr || got[0].Write != c.write {
			t.Errorf("%08x: %+v, want %s at %v, write: %t", c.insn, got, c.operand, c.addr, c.write)
		}
	}
}

func TestDisassembleNeverFails(t *testing.T) {
	for _, arch := range []*core.Arch{core.AMD64, core.I386, core.ARM64, core.RISCV64} {
		for w := uint32(1); w != 0; w *= 3 {
			b := binary.LittleEndian.AppendUint32(nil, w)
			if w > 0xf0000000 {
				break
			}
			in, ok := Disassemble(arch, b, 0x1000)
			if !ok || len(in.Bytes) == 0 || len(in.Bytes) > len(b) || in.Text == "" {
				t.Errorf("%s: %08x: %+v, %v", arch.Name, w, in, ok)
			}
		}
		if _, ok := Disassemble(arch, nil, 0); ok {
			t.Errorf("%s: an instruction in no bytes", arch.Name)
		}
	}
}

// The expectations are what GNU objdump 2.40 prints.
func TestDisassemble(t *testing.T) {
	for _, c := range []struct {
		arch   *core.Arch
		code   []byte
		text   string
		target core.Addr
	}{
		{core.AMD64, []byte{0xe8, 0xfb, 0xff, 0xff, 0xff}, "callq\t0x1000", 0x1000},
		{core.AMD64, []byte{0xf3, 0x0f, 0x1e, 0xfa}, "endbr64", 0},
		{core.AMD64, []byte{0x48, 0x8d, 0x05, 0x10, 0, 0, 0}, "lea\t0x10(%rip),%rax", 0x1017},
		{core.AMD64, []byte{0x06}, ".byte\t0x06", 0},
		{core.ARM64, []byte{0x02, 0x00, 0x00, 0x94}, "bl\t0x1008", 0x1008},
		{core.ARM64, []byte{0x3f, 0x23, 0x03, 0xd5}, "paciasp", 0},
		{core.ARM64, []byte{0, 0, 0, 0}, ".inst\t0x00000000 ; unknown", 0},
	} {
		in, ok := Disassemble(c.arch, c.code, 0x1000)
		if !ok || in.Text != c.text || in.Target != c.target || in.HasTarget != (c.target != 0) {
			t.Errorf("% x: %+v, want %q, target %v", c.code, in, c.text, c.target)
		}
	}
}

func FuzzDisassemble(f *testing.F) {
	f.Add([]byte{0x48, 0x8b, 0x44, 0x8b, 0x08})
	f.Add([]byte{0x3f, 0x23, 0x03, 0xd5})
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, arch := range []*core.Arch{core.AMD64, core.I386, core.ARM64} {
			in, ok := Disassemble(arch, b, 0x1000)
			if ok && (len(in.Bytes) == 0 || len(in.Bytes) > len(b) || !bytes.Equal(in.Bytes, b[:len(in.Bytes)])) {
				t.Fatalf("%s: %x: %+v", arch.Name, b, in)
			}
			effectOf(arch, b, 0x1000, &registerFile{Regs: core.Regs{Known: ^uint64(0)}})
		}
	})
}

func TestThreadAt(t *testing.T) {
	p := coretest.New(core.AMD64).Thread(4711, nil).Thread(0x4712, nil).Process()
	for _, c := range []struct {
		in   core.Addr
		want int
	}{{4711, 4711}, {0x4711, 4711}, {0x4712, 0x4712}, {0x4713, 0}, {0xabc, 0}} {
		got := 0
		if th := commands.ThreadAt(p, c.in); th != nil {
			got = th.TID
		}
		if got != c.want {
			t.Errorf("%v: thread %d, want %d", c.in, got, c.want)
		}
	}
}

func TestSearchOrderAndBorders(t *testing.T) {
	data := make([]byte, searchStep+64)
	for _, at := range []int{0, 8, searchStep - 8, searchStep, searchStep + 8} {
		binary.LittleEndian.PutUint64(data[at:], 0xfeed0000)
	}
	copy(data[searchStep-3:], "needle") // crosses the border of two chunks
	p := coretest.New(core.AMD64).Map(0x10000, data).Process()
	var words []core.Addr
	err := search(t.Context(), p, chunks(p, 0, true), func(b []byte, c chunk) []wordHit {
		return findWords(b, c.start, p.Arch, 0xfeed0000, 0, ^uint64(0))
	}, func(h wordHit) error { words = append(words, h.at); return nil })
	want := []core.Addr{0x10000, 0x10008, 0x10008 + searchStep}
	if err != nil || len(words) != len(want) {
		t.Fatalf("hits %v, %v, want %v", words, err, want)
	}
	for i := range want {
		if words[i] != want[i] {
			t.Errorf("hit %d at %v, want %v", i, words[i], want[i])
		}
	}
	n := 0
	err = search(t.Context(), p, chunks(p, 16, true), func(b []byte, c chunk) []int { return findText(b, c.size, []byte("needle")) },
		func(int) error { n++; return nil })
	if err != nil || n != 1 {
		t.Errorf("%d needles, %v", n, err)
	}
}
