package fault

import (
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/bugs"
)

// TestTagFaults: the explanation of a pointer whose tag differs from its memory's. Granule i of the
// tagged page has the tag i modulo 16; the core has no tags for the second half.
func TestTagFaults(t *testing.T) {
	tags := make([]byte, 64)
	for i := range tags {
		tags[i] = byte(2*i&15 | (2*i+1)&15<<4)
	}
	fault := func(name string, code int, a core.Addr) *core.Signal {
		return &core.Signal{Number: 11, Name: "SIGSEGV", HasCode: true, Code: code, CodeName: name,
			HasAddr: true, Addr: a}
	}
	sync := func(a core.Addr) *core.Signal { return fault("SEGV_MTESERR", 9, a) }
	const in, by = "in the anonymous mapping at 0x80000 (rw-)", "by strb w1, [x0]"
	for _, c := range []struct {
		name   string
		signal *core.Signal
		want   []string
	}{
		{"past the end", sync(0x0500_0000_0008_0063), []string{"the pointer's tag is 0x5, that of its memory 0x6",
			"memory with the pointer's tag ends 3 bytes below the access", in, by}},
		{"before the beginning", sync(0x0700_0000_0008_0061),
			[]string{"the pointer's tag is 0x7, that of its memory 0x6",
				"memory with the pointer's tag begins 15 bytes above the access", in, by}},
		{"far away", sync(0x0d00_0000_0008_0060), []string{"the pointer's tag is 0xd, that of its memory 0x6", in, by}},
		{"not in the core", sync(0x0500_0000_0008_0a00),
			[]string{"the pointer's tag is 0x5; that of its memory is not known: 0x80a00: not dumped (its allocation tag)", in, by}},
		{"no tags at all", sync(0x0500_0000_0009_0000),
			[]string{"the pointer's tag is 0x5; the core has no tags of its memory",
				"in the anonymous mapping at 0x90000 (r--)", by}},
		{"the same", sync(0x0600_0000_0008_0060),
			[]string{"the pointer's tag and that of its memory are both 0x6 in the core: one was another when the access came", in, by}},
		{"later", fault("SEGV_MTEAERR", 8, 0), []string{
			"checks were asynchronous: neither the address nor the instruction is recorded; the access came before this place, after the thread's last entry to the kernel",
			"seen at strb w1, [x0]"}},
	} {
		p := coretest.New(core.ARM64).
			MapProt(0x1000, code(0x01, 0x00, 0x00, 0x39), core.Read|core.Exec).
			Map(0x80000, make([]byte, 0x1000)).
			MapProt(0x90000, make([]byte, 0x1000), core.Read).
			Thread(1, map[string]uint64{"pc": 0x1000, "sp": 0x80800}).Process()
		p.Signal, p.PID = c.signal, 1
		p.Tags = []core.TagRun{{Start: 0x80000, End: 0x81000, Src: core.Bytes(tags), Size: uint64(len(tags))}}
		f := Explain(t.Context(), subjectOf(p))
		if got := strings.Join(f.Words, "\n"); got != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n got %q\nwant %q", c.name, f.Words, c.want)
		}
		if f.Cause != bugs.TagMismatch || f.Sure != bugs.Certain {
			t.Errorf("%s: %s, %v", c.name, f.Cause, f.Sure)
		}
	}
}
