package dex

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The witness of these tests is dexdump 11.0.0 (Debian's package dexdump). Its output for the files of testdata
// is next to them; smali 2.5 made the files (smali assemble --api 29).

var (
	dumpedMethod = regexp.MustCompile(`^([0-9a-f]{6}): +\|\[[0-9a-f]{6}\] (\S+):(\(.*)$`)
	dumpedInsn   = regexp.MustCompile(`^([0-9a-f]{6}): .*?\|([0-9a-f]{4}): (\S+)(?: (.*))?$`)
	dumpedUnits  = regexp.MustCompile(`^\((\d+) units\)$`)
	dumpedRange  = regexp.MustCompile(`^\{v(\d+)(?:, v\d+)*?(?:, v(\d+))?\}`)
	dumpedLocal  = regexp.MustCompile(`^        (0x[0-9a-f]{4} - 0x[0-9a-f]{4} reg=\d+ .*)$`)
	dumpedLine   = regexp.MustCompile(`^        (0x[0-9a-f]{4}) line=(\d+)$`)
	dumpedTry    = regexp.MustCompile(`^ {8,10}(0x[0-9a-f]{4} - 0x[0-9a-f]{4}|\S+ -> 0x[0-9a-f]{4})$`)
)

// A dumped is a method as dexdump writes it, or as this package would.
type dumped struct {
	header               string
	insns, lines, others []string // instructions; positions; tries and locals
}

// parseDump reads the methods of dexdump's output by the offset of their code.
func parseDump(text string) map[uint32]*dumped {
	methods := make(map[uint32]*dumped)
	var m *dumped
	for _, l := range strings.Split(text, "\n") {
		if f := dumpedMethod.FindStringSubmatch(l); f != nil {
			off, _ := strconv.ParseUint(f[1], 16, 32)
			m = &dumped{header: f[2] + ":" + f[3]}
			methods[uint32(off)] = m
		}
		if m == nil {
			continue
		}
		if f := dumpedInsn.FindStringSubmatch(l); f != nil {
			m.insns = append(m.insns, canonical(f[2], f[3], f[4]))
		} else if f := dumpedLine.FindStringSubmatch(l); f != nil {
			m.lines = append(m.lines, f[1]+" "+f[2])
		} else if f := dumpedLocal.FindStringSubmatch(l); f != nil {
			if !strings.Contains(f[1], " (null) ") { // parameters without names
				m.others = append(m.others, strings.TrimSpace(f[1]))
			}
		} else if f := dumpedTry.FindStringSubmatch(l); f != nil {
			m.others = append(m.others, f[1])
		}
	}
	return methods
}

// canonical rewrites an instruction of dexdump into this package's form: it
// shows ranges of registers in full, guesses that constants are floats, and
// names payloads otherwise.
func canonical(pc, name, rest string) string {
	text, comment, _ := strings.Cut(rest, " // ")
	at, _ := strconv.ParseUint(pc, 16, 32)
	switch {
	case name == "nop":
		text, comment = "", ""
	case strings.HasSuffix(name, "-data") && dumpedUnits.MatchString(text):
		name = strings.TrimSuffix(name, "data") + "payload"
		return pc + " " + name + " " + dumpedUnits.FindStringSubmatch(text)[1]
	case name == "goto/32":
		off, _ := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
		text = fmt.Sprintf("%04x", uint32(at)+uint32(off))
	case strings.Contains(name, "/range"):
		if f := dumpedRange.FindStringSubmatch(text); f != nil && f[2] == "" {
			f[2] = f[1]
			text = dumpedRange.ReplaceAllString(text, "{v"+f[1]+" .. v"+f[2]+"}")
		} else if f != nil {
			text = dumpedRange.ReplaceAllString(text, "{v"+f[1]+" .. v"+f[2]+"}")
		}
	case name == "fill-array-data" || strings.HasSuffix(name, "-switch"):
		reg, target, _ := strings.Cut(text, ", ")
		off, _ := strconv.ParseUint(target, 16, 32)
		text = fmt.Sprintf("%s, %04x", reg, off)
	case strings.Contains(text, "#"):
		text = text[:strings.Index(text, "#")+1] + literalOf(text, comment)
	}
	if !strings.Contains(comment, "@") {
		comment = ""
	}
	return strings.TrimSpace(pc + " " + name + " " + text + " " + comment)
}

func literalOf(text, comment string) string {
	hex := strings.TrimPrefix(comment, "#")
	if strings.Contains(text, "#float") {
		v, _ := strconv.ParseUint(hex, 16, 32)
		return strconv.Itoa(int(int32(v)))
	}
	if strings.Contains(text, "#double") {
		v, _ := strconv.ParseUint(hex, 16, 64)
		return strconv.Itoa(int(v))
	}
	return text[strings.LastIndex(text, " ")+1:]
}

// ours returns an instruction in the same form.
func ours(f *File, in Instruction) string {
	pc := fmt.Sprintf("%04x", in.PC)
	if in.Payload != nil {
		return fmt.Sprintf("%s %s %d", pc, in.Name, in.Size)
	}
	text, comment, _ := strings.Cut(f.Operands(in), " // ")
	if !strings.Contains(comment, "@") {
		comment = ""
	}
	return strings.TrimSpace(pc + " " + in.Name + " " + text + " " + comment)
}

// dump returns a method as parseDump does.
func dump(t *testing.T, f *File, d MethodDef) (uint32, *dumped) {
	t.Helper()
	m, err := f.Method(d.Index)
	if err != nil {
		t.Fatal(err)
	}
	code, err := f.CodeAt(d.Code, d.Index)
	if err != nil {
		t.Fatal(err)
	}
	units, err := f.Instructions(code)
	if err != nil {
		t.Fatal(err)
	}
	out := &dumped{header: m.String() + ":" + m.Proto.Signature()}
	insns, err := Disassemble(units)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range insns {
		out.insns = append(out.insns, ours(f, in))
	}
	lines, err := f.Lines(code)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		out.lines = append(out.lines, fmt.Sprintf("0x%04x %d", l.PC, l.Line))
	}
	out.others = append(dumpTries(t, f, code), dumpLocals(t, f, code, d)...)
	return d.Code, out
}

func dumpTries(t *testing.T, f *File, code *Code) []string {
	t.Helper()
	var out []string
	tries, err := f.Tries(code)
	if err != nil {
		t.Fatal(err)
	}
	for _, try := range tries {
		out = append(out, fmt.Sprintf("0x%04x - 0x%04x", try.Start, try.End))
		for _, h := range try.Handlers {
			name := "<any>"
			if h.Type != NoIndex {
				if name, err = f.Type(h.Type); err != nil {
					t.Fatal(err)
				}
			}
			out = append(out, fmt.Sprintf("%s -> 0x%04x", name, h.PC))
		}
	}
	return out
}

func dumpLocals(t *testing.T, f *File, code *Code, d MethodDef) []string {
	t.Helper()
	var out []string
	locals, err := f.Locals(code, d.Index, d.AccessFlags&AccStatic != 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range locals {
		out = append(out, strings.TrimSpace(fmt.Sprintf("0x%04x - 0x%04x reg=%d %s %s %s", l.Start, l.End, l.Register,
			l.Name, l.Type, l.Signature)))
	}
	return out
}

// compareDump compares all methods of a file with dexdump's output.
func compareDump(t *testing.T, file, golden string) (methods int) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := parseDump(string(text))
	f, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.ClassDefs.Size {
		c, err := f.ClassDef(i)
		if err != nil {
			t.Fatal(err)
		}
		data, err := f.ClassData(c.ClassData)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range append(data.DirectMethods, data.VirtualMethods...) {
			if d.Code == 0 {
				continue
			}
			off, got := dump(t, f, d)
			w := want[off]
			if w == nil {
				t.Errorf("%s: dexdump has no method at %#x", got.header, off)
				continue
			}
			methods++
			compareMethod(t, got, w)
		}
	}
	if methods != len(want) {
		t.Errorf("%s: %d methods, dexdump has %d", file, methods, len(want))
	}
	return methods
}

func compareMethod(t *testing.T, got, want *dumped) {
	t.Helper()
	if got.header != want.header {
		t.Errorf("method %s, dexdump has %s", got.header, want.header)
	}
	compareLists(t, got.header, "instructions", got.insns, want.insns)
	compareLists(t, got.header, "lines", got.lines, want.lines)
	compareLists(t, got.header, "tries and locals", got.others, want.others)
}

func compareLists(t *testing.T, method, what string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		var g, w string
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if !same(g, w) {
			t.Errorf("%s: %s:\n got %q\nwant %q", method, what, g, w)
		}
	}
}

// same compares two lines. Only the index of a string is compared, because dexdump does not escape strings (and
// writes the index of const-string/jumbo with more zeros). dexdump does not resolve call sites and method
// handles.
func same(got, want string) bool {
	for _, kind := range []string{"string@", "call_site@", "method_handle@"} {
		if g, w := strings.Index(got, kind), strings.Index(want, kind); g >= 0 && w >= 0 {
			return got[g:] == strings.Replace(want[w:], "string@0000", "string@", 1) &&
				strings.Fields(got)[1] == strings.Fields(want)[1]
		}
	}
	return got == want
}

func TestDexdump(t *testing.T) {
	for name, methods := range map[string]int{"opcodes": 2, "debug": 3} {
		t.Run(name, func(t *testing.T) {
			if n := compareDump(t, filepath.Join("testdata", name+".dex"),
				filepath.Join("testdata", name+".dexdump")); n != methods {
				t.Errorf("%d methods compared, want %d", n, methods)
			}
		})
	}
}
