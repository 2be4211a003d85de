package native

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
)

// shown returns a table as a terminal with the number of columns shows it.
func shown(columns int, r commands.Record, more ...commands.Record) []string {
	var b bytes.Buffer
	w := out.NewWriter(&b)
	w.SetColumns(func() int { return columns })
	w.CutNames(true)
	commands.WriteHeader(w, r)
	commands.WriteText(w, r)
	for _, r := range more {
		commands.WriteText(w, r)
	}
	w.Flush()
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// TestMappingsFit: the table fits a terminal, and is whole where there is none.
func TestMappingsFit(t *testing.T) {
	lib := newMapping(&core.Process{}, core.Mapping{Start: 0x7f6d90400000, End: 0x7f6d90499000,
		Prot: core.Read | core.Exec,
		Path: "/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30", Off: 0x99000, Dumped: 0x1000})
	for columns, want := range map[int]string{
		40:  "7f6d90400000 7f6d90499000 r-x  /u…6.0.30",
		80:  "7f6d90400000 7f6d90499000     99000      1000 r-x  /usr/li…u/libstdc++.so.6.0.30",
		120: "    7f6d90400000     7f6d90499000        99000         1000 r-x        99000 /usr/lib/x8…4-linux-gnu/libstdc++.so.6.0.30",
		0:   "    7f6d90400000     7f6d90499000        99000         1000 r-x        99000 /usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30",
	} {
		lines := shown(columns, lib)
		if len(lines) != 2 || lines[1] != want {
			t.Errorf("%d columns\n%s\nwant\n%s", columns, strings.Join(lines, "\n"), want)
		}
	}
	lines := shown(80, newMapping(&core.Process{}, core.Mapping{End: 0x99000, Prot: core.Read | core.Exec}),
		newMapping(&core.Process{}, core.Mapping{End: 0x99000, Prot: core.Read | core.Exec, Dumped: 0x99000}))
	if !strings.Contains(lines[1], "     99000         - r-x") ||
		!strings.Contains(lines[2], "     99000       all r-x") {
		t.Errorf("dumped\n%s", strings.Join(lines, "\n"))
	}
}

// TestRegsFit: the registers are in two columns of one width, or in one.
func TestRegsFit(t *testing.T) {
	r := &regsRecord{ptr: 8, name: func(a core.Addr) string {
		return map[core.Addr]string{2: "libc.so.6`__pthread_kill_implementation+0x10c", 5: "x"}[a]
	}}
	for i := range 6 {
		r.list = append(r.list, core.Register{Name: fmt.Sprintf("r%d", i), Value: uint64(i), Size: 8, Set: "general"})
	}
	text := func(columns int) []string {
		var b bytes.Buffer
		w := out.NewWriter(&b)
		w.SetColumns(func() int { return columns })
		r.Text(w)
		w.Flush()
		return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	}
	for columns, rows := range map[int]int{0: 3, 80: 3, 200: 3, 40: 6} {
		lines := text(columns)
		if len(lines) != rows {
			t.Errorf("%d columns: %d rows\n%s", columns, len(lines), strings.Join(lines, "\n"))
		}
		second := -1
		for _, l := range lines {
			at := strings.LastIndex(l, "%")
			if columns > 0 && out.Width(l) > columns {
				t.Errorf("%d columns: %q", columns, l)
			}
			if rows == 3 && (second >= 0 && out.Width(l[:at]) != second || at == 0) {
				t.Errorf("%d columns: the second column is not straight\n%s", columns, strings.Join(lines, "\n"))
			}
			second = out.Width(l[:at])
		}
	}
	if l := text(80)[2]; l != "%r2 = 0x0000000000000002 libc.so…+0x10c  %r5 = 0x0000000000000005 x" {
		t.Errorf("%q", l)
	}
}
