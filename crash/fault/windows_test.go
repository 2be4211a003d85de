package fault

import (
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/bugs"
)

// ntstatus.h and winnt.h name the codes.
func TestWindowsExceptions(t *testing.T) {
	for _, c := range []struct {
		number int
		code   int // -1 if there is none
		like   string
		cause  bugs.Cause
		sure   bugs.Confidence
	}{
		{0xc0000094, -1, "SIGFPE", bugs.DivideByZero, bugs.Certain},
		{0xc0000095, -1, "SIGFPE", bugs.DivideByZero, bugs.Certain},
		{0xc0000374, -1, "SIGABRT", bugs.HeapCorruption, bugs.Certain},
		{0xc0000409, 2, "SIGABRT", bugs.StackSmash, bugs.Certain},
		{0xc0000409, 7, "SIGABRT", bugs.Abort, bugs.Likely},
		{0xc0000409, 999, "SIGABRT", bugs.None, 0},
		{0xc0000409, -1, "SIGABRT", bugs.None, 0},
		{0xe06d7363, -1, "SIGABRT", bugs.CXXException, bugs.Certain},
		{0xc0000008, -1, "", bugs.None, 0},
	} {
		p := coretest.New(core.I386).MapProt(0x1000, code(0x90), core.Read|core.Exec).Thread(1,
			map[string]uint64{"eip": 0x1000, "esp": 0x80800}).Process()
		p.OS = "windows"
		p.Signal = &core.Signal{Number: c.number, Name: "exception", Like: c.like, HasCode: c.code >= 0,
			Code: max(c.code, 0)}
		got := Explain(t.Context(), subjectOf(p))
		if got.Cause != c.cause || got.Cause != bugs.None && got.Sure != c.sure {
			t.Errorf("%#x, %d: %s, %v, %q", c.number, c.code, got.Cause, got.Sure, got.Words)
		}
	}
}

// TestUnloadedImage: a call into a library that was unloaded says so.
func TestUnloadedImage(t *testing.T) {
	p := coretest.New(core.AMD64).Map(0x80000, make([]byte, 0x1000)).Thread(1,
		map[string]uint64{"rip": 0x7ff90f451230, "rsp": 0x80800}).Process()
	p.OS = "windows"
	p.Unloaded = []core.Unloaded{{Path: `C:\a\plugin.dll`, Start: 0x7ff90f450000, End: 0x7ff90f460000}}
	p.Signal = &core.Signal{Number: 0xc0000005, Name: "EXCEPTION_ACCESS_VIOLATION", Like: "SIGSEGV", HasCode: true,
		Code: 8, CodeName: "execute", HasAddr: true, Addr: 0x7ff90f451230}
	got := Explain(t.Context(), subjectOf(p)).Words
	if want := "jump to an address that is not mapped: plugin.dll+0x1230, which was unloaded"; strings.Join(got,
		"\n") != want {
		t.Errorf("%q", got)
	}
}

// Instructions of i386: what objdump 2.40 prints for the bytes.
func TestExplainI386(t *testing.T) {
	none := &core.Signal{Number: 11, Name: "SIGSEGV"}
	for _, c := range []struct {
		name   string
		signal *core.Signal
		code   []byte
		regs   map[string]uint64
		want   []string
	}{
		{"a null pointer's member", none, code(0x8b, 0x40, 0x18),
			map[string]uint64{"eip": 0x1000, "esp": 0x80800, "eax": 0},
			[]string{"access to 0x18 (eax+0x18), which is in the null page: a null pointer plus 0x18",
				"by mov 0x18(%eax),%eax"}},
		{"a push below the stack", none, code(0x50), map[string]uint64{"eip": 0x1000, "esp": 0x80000},
			[]string{"access to 0x7fffc (esp-0x4), which is in the guard below the stack of thread 1: stack overflow",
				"by push %eax"}},
		{"an index that wraps", none, code(0x8b, 0x04, 0x08), map[string]uint64{"eip": 0x1000, "esp": 0x80800,
			"eax": 0x80, "ecx": 0xffffffc0},
			[]string{"access to 0x40 (eax+ecx*1), which is in the null page: a null pointer plus 0x40",
				"by mov (%eax,%ecx,1),%eax"}},
		{"division by zero", &core.Signal{Number: 8, Name: "SIGFPE"}, code(0xf7, 0xf9),
			map[string]uint64{"eip": 0x1000, "esp": 0x80800, "ecx": 0},
			[]string{"the divisor is zero", "at idiv %ecx"}},
	} {
		p := coretest.New(core.I386).MapProt(0x1000, c.code, core.Read|core.Exec).Map(0x80000,
			make([]byte, 0x1000)).Thread(1, c.regs).Process()
		p.Signal, p.PID = c.signal, 1
		if got := Explain(t.Context(), subjectOf(p)).Words; strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}
