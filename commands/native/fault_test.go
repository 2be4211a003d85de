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
		return &core.Signal{Number: 11, Name: "SIGSEGV", CodeName: "SEGV_MAPERR", HasAddr: true, Addr: addr}
	}
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
			[]string{"not mapped, 0x234 bytes behind the end of the anonymous mapping at 0x90000", "by mov (%rax),%eax"}},
		{"non-canonical", &core.Signal{Number: 11, Name: "SIGSEGV", Code: 128, CodeName: "SI_KERNEL", HasAddr: true},
			code(0x48, 0x8b, 0x44, 0x8b, 0x08), map[string]uint64{"rip": 0x1000, "rsp": 0x80800, "rbx": 0x4847464544434241, "rcx": 0},
			[]string{"access to 0x4847464544434249 (rbx+rcx*4+0x8), which is not canonical: no pointer",
				`the address reads as text: "IBCDEFGH"`, "by mov 0x8(%rbx,%rcx,4),%rax"}},
		{"smashed stack", &core.Signal{Number: 11, Name: "SIGSEGV", Code: 128, CodeName: "SI_KERNEL"},
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
		{"killed by somebody", &core.Signal{Number: 11, Name: "SIGSEGV", HasSender: true, PID: 99, HasAddr: true, Addr: 0},
			code(0x90), map[string]uint64{"rip": 0x1000, "rsp": 0x80800}, nil},
	} {
		p := coretest.New(core.AMD64).
			MapProt(0x1000, c.code, core.Read|core.Exec).
			Map(0x80000, append([]byte("AAAAAAAA"), make([]byte, 0x1000-8)...)).
			MapProt(0x90000, make([]byte, 0x1000), core.Read).
			Thread(1, c.regs).Process()
		p.Signal = c.signal
		got := explain(sessionOf(p))
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
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
			accesses(arch, b, &core.Regs{Known: ^uint64(0)})
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
	err := search(t.Context(), p, chunks(p, 0), func(b []byte, c chunk) []wordHit {
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
	err = search(t.Context(), p, chunks(p, 16), func(b []byte, c chunk) []int { return findText(b, c.size, []byte("needle")) },
		func(int) error { n++; return nil })
	if err != nil || n != 1 {
		t.Errorf("%d needles, %v", n, err)
	}
}
