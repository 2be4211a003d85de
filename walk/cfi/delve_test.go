package cfi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-delve/delve/pkg/dwarf/frame"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestAgainstDelve compares each row of each FDE of some libraries with the row of delve's interpreter,
// which is independent of ours. If they differ, the cause must be one of delve's known gaps, which are
// counted.
func TestAgainstDelve(t *testing.T) {
	tested := 0
	for _, dir := range []string{"/usr/lib/x86_64-linux-gnu", "/usr/aarch64-linux-gnu/lib"} {
		for _, name := range []string{"libc.so.6", "libstdc++.so.6"} {
			file := filepath.Join(dir, name)
			if _, err := os.Stat(file); err == nil {
				t.Run(strings.ReplaceAll(file, "/", "_"), func(t *testing.T) { againstDelve(t, file) })
				tested++
			}
		}
	}
	if tested == 0 {
		t.Skip("none of the libraries is here")
	}
}

// TestLiveAgainstDelve does the same for the programs of some live cores: Node,
// and some that sign return addresses with either key.
func TestLiveAgainstDelve(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
			if err != nil {
				t.Fatal(err)
			}
			var truth struct{ Exe string }
			if err := json.Unmarshal(data, &truth); err != nil {
				t.Fatal(err)
			}
			if !filepath.IsAbs(truth.Exe) {
				truth.Exe = filepath.Join(dir, truth.Exe)
			}
			gaps := againstDelve(t, truth.Exe)
			// As many FDEs of this release have a DW_CFA_restore, by readelf.
			if want := 3937; name == "node-20.20.2-deep" && gaps["restore"] != want {
				t.Errorf("%d FDEs have a row that delve restores wrongly, want %d", gaps["restore"], want)
			}
		})
	}
}

// againstDelve compares all rows of a file. It returns in how many FDEs each
// known gap of delve was met.
func againstDelve(t *testing.T, file string) map[string]int {
	arch, sections := fileSections(t, file)
	s := New(arch, Sections{EHFrame: sections.EHFrame}).eh
	w := witness{t: t, s: s, gaps: map[string]int{}, fdes: delveEntries(t, s)}
	spans := s.index()
	for _, span := range spans {
		w.fde(span)
	}
	t.Logf("%d rows of %d FDEs compared, FDEs with gaps of delve: %v", w.rows, len(spans), w.gaps)
	if w.rows < 20 {
		t.Errorf("only %d rows", w.rows)
	}
	return w.gaps
}

// delveEntries returns the FDEs of a section as delve parses it, without the letters of
// augmentations that it refuses whole sections for: a nop after the CIE's
// instructions makes up for each.
func delveEntries(t *testing.T, s *section) frame.FrameDescriptionEntries {
	data := bytes.Clone(s.data)
	for off := 0; off < len(data); {
		rec, err := s.record(off)
		if err != nil {
			t.Fatal(err)
		}
		off = rec.end
		if !rec.cie || rec.body == rec.end {
			continue
		}
		body := data[rec.body:rec.end]
		aug, rest, _ := bytes.Cut(body[1:], []byte{0})
		aug = bytes.Map(func(r rune) rune {
			if r == 'B' || r == 'G' {
				return -1
			}
			return r
		}, bytes.Clone(aug))
		mended := bytes.Join([][]byte{body[:1], aug, {0}, rest}, nil)
		clear(body[copy(body, mended):])
	}
	fdes, err := frame.Parse(data, s.arch.Order, 0, s.arch.PtrSize, s.base.section)
	if err != nil {
		t.Fatal(err)
	}
	return frame.FrameDescriptionEntries{}.Append(fdes)
}

// A witness compares the FDEs of a section with delve's.
type witness struct {
	t         *testing.T
	s         *section
	fdes      frame.FrameDescriptionEntries
	gaps      map[string]int // for each, the number of FDEs that show it
	rows, bad int
}

// fde compares the rows of one FDE, each at its first and its last address: so
// it begins and ends where delve has it.
func (w *witness) fde(at span) {
	f, err := w.s.fdeAt(at.off)
	if err != nil {
		w.t.Fatal(err)
	}
	theirs, err := w.fdes.FDEForPC(at.begin)
	if err != nil || theirs.Begin() != at.begin || theirs.End() != at.end {
		w.fail("FDE %#x to %#x: delve has %v, %v", at.begin, at.end, theirs, err)
		return
	}
	met := map[string]bool{}
	for pc := at.begin; pc < at.end; {
		m := &machine{s: w.s, f: f, pc: pc}
		row, err := m.execute()
		if err != nil {
			w.fail("at %#x: %v", pc, err)
			return
		}
		next := at.end
		if m.loc > pc {
			next = min(next, m.loc)
		}
		w.rows++
		for _, pc := range []uint64{pc, next - 1} {
			gap, diff := compareDelve(row, m, theirs, pc)
			if diff != "" {
				w.fail("at %#x: %s", pc, diff)
			}
			if gap != "" {
				met[gap] = true
			}
		}
		pc = next
	}
	for gap := range met {
		w.gaps[gap]++
	}
}

func (w *witness) fail(format string, args ...any) {
	if w.bad++; w.bad <= 10 {
		w.t.Errorf(format, args...)
	}
}

// compareDelve compares the row that m has made with delve's at pc. It returns
// the known gap of delve that makes them differ, or else how they do.
func compareDelve(row *Row, m *machine, fde *frame.FrameDescriptionEntry, pc uint64) (gap, diff string) {
	theirs, err := fde.EstablishFrame(pc)
	if err != nil {
		// Each instruction that signs the return address is one that delve does not know.
		if strings.HasSuffix(err.Error(), "opcode: 0x2d") {
			return "negate_ra_state", ""
		}
		return "", err.Error()
	}
	if signal := strings.Contains(fde.CIE.Augmentation, "S"); signal != row.Signal || row.RASigned {
		return "", fmt.Sprintf("signal frame %v, signed %v; delve %v, false", row.Signal, row.RASigned, signal)
	}
	cfa := theirs.CFA
	if cfa.Rule == frame.RuleExpression {
		if !bytes.Equal(cfa.Expression, row.CFAExpr) {
			return "", fmt.Sprintf("CFA expression % x, delve % x", row.CFAExpr, cfa.Expression)
		}
	} else if row.CFAExpr != nil || m.slot(cfa.Reg) != int(row.CFAReg) || cfa.Offset != row.CFAOff {
		return "", fmt.Sprintf("CFA %d%+d, delve %d%+d", row.CFAReg, row.CFAOff, m.slot(cfa.Reg), cfa.Offset)
	}
	var want [core.MaxRegs]Rule
	for reg, rule := range theirs.Regs {
		if slot := m.slot(reg); slot >= 0 {
			want[slot] = delveRule(m, rule)
		}
	}
	for slot, want := range want {
		got := row.Rule(slot)
		switch {
		case got.Kind == want.Kind && got.Reg == want.Reg && got.Off == want.Off && bytes.Equal(got.Expr, want.Expr):
		case want.Kind == Undefined && got.Kind == m.initial.rules[slot].Kind && got.Off == m.initial.rules[slot].Off:
			gap = "restore" // to the CIE's rule, which delve does not keep
		default:
			return "", fmt.Sprintf("%s %+v, delve %+v", m.s.arch.RegNames[slot], got, want)
		}
	}
	return gap, ""
}

// delveRule returns a rule of delve as one of ours.
func delveRule(m *machine, r frame.DWRule) Rule {
	switch r.Rule {
	case frame.RuleUndefined:
		return Rule{Kind: Undefined}
	case frame.RuleSameVal:
		return Rule{Kind: SameValue}
	case frame.RuleOffset:
		return Rule{Kind: Offset, Off: r.Offset}
	case frame.RuleValOffset:
		return Rule{Kind: ValOffset, Off: r.Offset}
	case frame.RuleRegister:
		if slot := m.slot(r.Reg); slot >= 0 {
			return Rule{Kind: Register, Reg: int8(slot)}
		}
		return Rule{Kind: Undefined}
	case frame.RuleExpression:
		return Rule{Kind: Expression, Expr: r.Expression}
	}
	return Rule{Kind: ValExpression, Expr: r.Expression}
}
