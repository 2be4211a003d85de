package jit

import (
	"fmt"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestReadMap reads maps as they are written: V8 and perf's agents write no 0x, OpenJDK (CodeCache::write_perf_map)
// writes it, and leading zeros.
func TestReadMap(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string // of functions by address
	}{
		{"V8", "7f0010 20 LazyCompile:*run /srv/app.js:12:3\n7f0040 8 Stub:CEntry\n",
			"7f0010-7f0030 LazyCompile:*run /srv/app.js:12:3, 7f0040-7f0048 Stub:CEntry"},
		{"OpenJDK", "0x00007efea4ec71a0 0x0000000000000138 int java.lang.StringLatin1.hashCode(byte[])\n",
			"7efea4ec71a0-7efea4ec72d8 int java.lang.StringLatin1.hashCode(byte[])"},
		{"CR LF, tabs, blank lines, no last newline", "1000\t10\tf g\r\n\r\n2000   8  h", "1000-1010 f g, 2000-2008 h"},
		{"in no order", "2000 10 b\n1000 10 a\n", "1000-1010 a, 2000-2010 b"},
		{"replaced", "1000 100 old\n1000 40 new\n", "1000-1040 new, 1040-1100 old"},
		{"replaced in the middle", "1000 100 old\n1020 10 new\n", "1000-1020 old, 1020-1030 new, 1030-1100 old"},
		{"replaced by a larger one", "1020 10 old\n1000 100 new\n", "1000-1100 new"},
		{"replaced at its end", "1000 100 old\n10f0 40 new\n", "1000-10f0 old, 10f0-1130 new"},
		{"three", "1000 100 a\n1010 100 b\n1020 10 c\n", "1000-1010 a, 1010-1020 b, 1020-1030 c, 1030-1110 b"},
		{"twice the same", "1000 10 a\n1000 10 a\n", "1000-1010 a"},
		{"some damage", "1000 10 a\nnonsense\n2000 10 b\n", "1000-1010 a, 2000-2010 b"},
		{"nothing of size", "1000 0 a\n2000 10 b\n", "2000-2010 b"},
		{"beyond the address space", "ffffffffffffff00 200 a\n1000 8 b\n", "1000-1008 b"},
		{"no map", "int main() {\nreturn 0;\n}\n", ""},
		{"mostly no map", "1000 10 a\nx\ny\n", ""},
		{"no names", "1000 10\n2000 20 \n", ""},
		{"empty", "", ""},
	} {
		m, err := ReadMap(core.Bytes(c.text), "perf-1.map")
		if (err != nil) != (c.want == "") {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil {
			continue
		}
		var got []string
		m.Symbols(false, func(s core.ImageSymbol) bool {
			got = append(got, fmt.Sprintf("%x-%x %s", s.Value, s.Value+s.Size, s.Name))
			return true
		})
		if all := strings.Join(got, ", "); all != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, all, c.want)
		}
	}
}

// TestFits: a map is another process's if it names nothing in memory where this one has made code.
func TestFits(t *testing.T) {
	m, err := ReadMap(core.Bytes("7010 20 f\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		at   core.Addr
		prot core.Prot
		path string
		want bool
	}{
		{"code", 0x7000, core.Read | core.Exec, "", true},
		{"data", 0x7000, core.Read | core.Write, "", false},
		{"elsewhere", 0x9000, core.Read | core.Exec, "", false},
		{"a file", 0x7000, core.Read | core.Exec, "/lib/l.so", false},
	} {
		p := coretest.New(core.AMD64).MapProt(c.at, make([]byte, 0x1000), c.prot).Process()
		p.Mappings[0].Path = c.path
		if got := m.Fits(p); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// FuzzReadMap: functions of a map are in order and do not overlap, and the last line that has an address names it.
func FuzzReadMap(f *testing.F) {
	f.Add("1000 100 a\n1010 100 b\n0x1020 10 c\n")
	f.Add("0 ffffffffffffffff all\n1 1 x\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ReadMap(core.Bytes(text), "")
		if err != nil {
			return
		}
		for i := range m.names {
			e := &m.names[i]
			if e.start >= e.end || i > 0 && e.start < m.names[i-1].end {
				t.Fatalf("%x-%x after %+v", e.start, e.end, m.names[max(i-1, 0)])
			}
			last := ""
			for line := range strings.SplitSeq(text, "\n") {
				if x, ok := parseLine([]byte(strings.TrimRight(line, " \t\r"))); ok && x.start <= e.start &&
					e.start < x.end {
					last = string(x.name)
				}
			}
			if last != string(e.name) {
				t.Fatalf("%x is %q, want %q", e.start, e.name, last)
			}
			if i == 50 {
				break
			}
		}
	})
}
