package fault

import (
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestExplainARM64: arm64 has no canonical addresses, ignores the top byte of a pointer,
// and keeps a return address in x30. The instructions' meaning is what objdump 2.40
// prints for their bytes.
func TestExplainARM64(t *testing.T) {
	segv := func(addr core.Addr) *core.Signal {
		return &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: 1, CodeName: "SEGV_MAPERR",
			HasAddr: true, Addr: addr}
	}
	bare := &core.Signal{Number: 11, Name: "SIGSEGV"}
	const text = 0x4847464544434241
	at := func(regs map[string]uint64) map[string]uint64 {
		all := map[string]uint64{"pc": 0x1000, "sp": 0x80800}
		for name, v := range regs {
			all[name] = v
		}
		return all
	}
	ldr, str, indexed := code(0x00, 0x18, 0x40, 0xb9), code(0x01, 0x10, 0x00, 0xb9), code(0x20, 0x78, 0x62, 0xf8)
	for _, c := range []struct {
		name   string
		signal *core.Signal
		code   []byte
		regs   map[string]uint64
		want   []string
	}{
		{"null pointer", segv(0x18), ldr, at(nil),
			[]string{"in the null page: a null pointer plus 0x18", "by ldr w0, [x0, #24]"}},
		{"outside", segv(text + 0x18), ldr, at(map[string]uint64{"x0": text}),
			[]string{"outside of the addresses of programs: no pointer", `the address reads as text: "YBCDEFGH"`,
				"by ldr w0, [x0, #24]"}},
		{"outside, without siginfo", bare, ldr, at(map[string]uint64{"x0": text}),
			[]string{"access to 0x4847464544434259 (x0+0x18), which is outside of the addresses of programs: no pointer",
				`the address reads as text: "YBCDEFGH"`, "by ldr w0, [x0, #24]"}},
		{"the kernel's", bare, ldr, at(map[string]uint64{"x0": 0xffff_8000_0000_0000}),
			[]string{"access to 0xffff800000000018 (x0+0x18), which is outside of the addresses of programs: no pointer", "by ldr w0, [x0, #24]"}},
		// An address that is not canonical on x86-64 may belong to a program, up to 52 bits.
		{"beyond 47 bits", bare, ldr, at(map[string]uint64{"x0": 0x0008_0000_0000_0000}),
			[]string{"access to 0x8000000000018 (x0+0x18), which is not mapped, and no mapping is near",
				"by ldr w0, [x0, #24]"}},
		{"tagged", bare, str, at(map[string]uint64{"x0": 0xb400_0000_0009_0000}),
			[]string{"access to 0xb400000000090010 (x0+0x10), which is in the anonymous mapping at 0x90000 (r--)",
				"by str w1, [x0, #16]"}},
		{"tagged, recorded", segv(0xb400_0000_0009_0010), str, at(nil),
			[]string{"in the anonymous mapping at 0x90000 (r--)", "by str w1, [x0, #16]"}},
		{"null pointer with a tag", segv(0xb400_0000_0000_0018), ldr, at(nil),
			[]string{"in the null page: a null pointer plus 0x18", "by ldr w0, [x0, #24]"}},
		{"read-only", bare, str, at(map[string]uint64{"x0": 0x90000}),
			[]string{"access to 0x90010 (x0+0x10), which is in the anonymous mapping at 0x90000 (r--)",
				"by str w1, [x0, #16]"}},
		{"an index", bare, indexed, at(map[string]uint64{"x1": 0x10, "x2": 2}),
			[]string{"access to 0x20 (x1+x2), which is in the null page: a null pointer plus 0x20",
				"by ldr x0, [x1, x2, lsl #3]"}},
		{"nothing wrong", bare, ldr, at(map[string]uint64{"x0": 0x80000}),
			[]string{"the core does not record the address, and the instruction's operands show nothing wrong",
				"by ldr w0, [x0, #24]"}},
		{"stack overflow", segv(0x7fff8), str, map[string]uint64{"pc": 0x1000, "sp": 0x80000},
			[]string{"in the guard below the stack of thread 1: stack overflow", "by str w1, [x0, #16]"}},
		{"null function", segv(0), ldr, map[string]uint64{"pc": 0, "sp": 0x80800, "x30": 0x1004},
			[]string{"call or jump to 0x0: a null function pointer"}},
		{"a return into text", segv(0x41414141), ldr, map[string]uint64{"pc": 0x41414141, "sp": 0x80800,
			"x30": 0x41414141},
			[]string{"jump to an address that is not mapped, and no mapping is near",
				`the address reads as text: "AAAA": an overwritten return address or function pointer`}},
		{"a jump outside", segv(text), ldr, map[string]uint64{"pc": text, "sp": 0x80800},
			[]string{"jump to an address that is outside of the addresses of programs: no pointer",
				`the address reads as text: "ABCDEFGH": an overwritten return address or function pointer`}},
		{"misaligned", &core.Signal{Number: 7, Name: "SIGBUS", HasCode: true, Code: 1, CodeName: "BUS_ADRALN",
			HasAddr: true, Addr: 0x80801},
			code(0x20, 0xfc, 0x5f, 0x88), at(map[string]uint64{"x1": 0x80801}),
			[]string{"an access to 0x80801, which is not aligned as the processor wants it", "by ldaxr w0, [x1]"}},
		{"brk", &core.Signal{Number: 5, Name: "SIGTRAP", HasCode: true, Code: 1, CodeName: "TRAP_BRKPT",
			HasAddr: true, Addr: 0x1000},
			code(0x00, 0x7d, 0x20, 0xd4), at(nil),
			[]string{"brk #0x3e8: a trap that the compiler put in (abort, unreachable code, failed check), as GCC and glibc's abort do", "at brk #0x3e8"}},
		{"seccomp", &core.Signal{Number: 31, Name: "SIGSYS", HasCode: true, Code: 1, CodeName: "SYS_SECCOMP"},
			code(0x01, 0x00, 0x00, 0xd4), at(map[string]uint64{"x8": 221}),
			[]string{"a filter of the process or of its container (seccomp) does not allow execve (system call 221 of aarch64)", "at svc #0x0"}},
	} {
		p := coretest.New(core.ARM64).
			MapProt(0x1000, c.code, core.Read|core.Exec).
			Map(0x80000, make([]byte, 0x1000)).
			MapProt(0x90000, make([]byte, 0x1000), core.Read).
			Thread(1, c.regs).Process()
		p.Signal, p.PID = c.signal, 1
		got := Explain(t.Context(), subjectOf(p)).Words
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
		for _, clause := range got {
			if strings.Contains(clause, "canonical") {
				t.Errorf("%s: %q has a word of x86-64", c.name, clause)
			}
		}
	}
}
