package fault

import (
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/bugs"
)

// headerImage has a header, and no symbols.
type headerImage struct{}

func (headerImage) Path() string                                    { return "" }
func (headerImage) Section(string) (core.Section, error)            { return core.Section{}, core.ErrNoSection }
func (headerImage) Segments() []core.ImageSegment                   { return nil }
func (headerImage) Symbols(bool, func(core.ImageSymbol) bool) error { return nil }
func (headerImage) AreaAt(link uint64) (what string, code, ok bool) {
	return "the ELF header", false, link < 0x40
}

// TestNotCode: what was executed is no code, so that the instruction there explains nothing, whichever signal it
// raised. Zeros disassemble as add %al,(%rax), which faults if rax is null, and else goes on up to the end.
func TestNotCode(t *testing.T) {
	segv := func(addr core.Addr) *core.Signal {
		return &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: 1, CodeName: "SEGV_MAPERR",
			HasAddr: true, Addr: addr}
	}
	for _, c := range []struct {
		name   string
		signal *core.Signal
		rip    uint64
		rax    uint64
		below  uint64 // what is below the stack pointer
		cause  bugs.Cause
		title  string
		want   string
	}{
		{"zeros", segv(0), 0x1020, 0, 0, bugs.WildPointer, "jump to what is not code",
			"what was executed at 0x1020 is not code: zeros in the anonymous mapping at 0x1000"},
		{"zeros cannot be an illegal instruction", &core.Signal{Number: 4, Name: "SIGILL", HasAddr: true, Addr: 0x1020},
			0x1020, 0, 0, bugs.IllegalInstruction,
			"illegal instruction outside of all files",
			"the instruction is not of a file, but in the anonymous mapping at 0x1000: a jump into data, or code that was generated wrongly\nat add %al,(%rax)"},
		{"zeros cannot fault elsewhere", segv(0x10), 0x1020, 0x60000, 0, bugs.NullDereference, "",
			"in the null page: a null pointer plus 0x10\nby add %al,(%rax)"},
		{"zeros up to the end", segv(0x2000), 0x2000, 0, 0, bugs.WildPointer, "jump to what is not code",
			"what was executed is not code: zeros in the anonymous mapping at 0x1000, up to its end at 0x2000"},
		{"returned to zeros", segv(0), 0x1020, 0, 0x1020, bugs.StackSmash, "",
			"what was executed at 0x1020 is not code: zeros in the anonymous mapping at 0x1000"},
		{"header", segv(0), 0x90007, 0, 0, bugs.WildPointer, "jump to what is not code",
			"what was executed at 0x90007 is not code: the ELF header of prog"},
		{"code of the image", segv(0), 0x90100, 0, 0, bugs.NullDereference, "",
			"a null pointer\nby prog+0x100: mov (%rax),%eax"},
	} {
		image := make([]byte, 0x1000)
		for i := range image {
			image[i] = 0x11
		}
		copy(image[0x100:], []byte{0x8b, 0x00})
		p := coretest.New(core.AMD64).MapProt(0x1000, make([]byte, 0x1000), core.Read|core.Write|core.Exec).
			Words(0x80000, c.below, 0).MapProt(0x90000, image, core.Read|core.Exec).
			Module("/bin/prog", 0x90000, 0x91000, core.ModuleFacts{Image: headerImage{}, Bias: 0x90000,
				BiasKnown: true}).
			Thread(1, map[string]uint64{"rip": c.rip, "rsp": 0x80008, "rax": c.rax}).Process()
		p.Signal, p.PID = c.signal, 1
		f := Explain(t.Context(), subjectOf(p))
		if got := strings.Join(f.Words, "\n"); got != c.want || f.Cause != c.cause || f.Title != c.title ||
			(f.NotCode != "") != (c.cause == bugs.WildPointer || c.cause == bugs.StackSmash) ||
			f.Sure == bugs.Certain && f.NotCode != "" {
			t.Errorf("%s: %s %q, %q, not code %q\nwant %s %q", c.name, f.Cause, f.Title, got, f.NotCode,
				c.cause, c.want)
		}
	}
}
