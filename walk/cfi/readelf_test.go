package cfi

import (
	"bufio"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"coredbg/core"
)

// TestAgainstReadelf compares each row of each function of some libraries with
// what readelf --debug-dump=frames-interp prints. COREDBG_CFI names more files,
// separated by colons.
func TestAgainstReadelf(t *testing.T) {
	readelf, err := exec.LookPath("readelf")
	if err != nil {
		t.Skip("needs readelf")
	}
	files := []string{
		"/lib/x86_64-linux-gnu/libc.so.6",
		"/usr/aarch64-linux-gnu/lib/libc.so.6",
	}
	files = append(files, filepath.SplitList(os.Getenv("COREDBG_CFI"))...)
	tested := 0
	for _, file := range files {
		if _, err := os.Stat(file); err == nil {
			t.Run(strings.ReplaceAll(file, "/", "_"), func(t *testing.T) { againstReadelf(t, readelf, file) })
			tested++
		}
	}
	if tested == 0 {
		t.Skip("none of the libraries is here")
	}
}

// fileSections opens the call frame sections of a file with debug/elf.
func fileSections(t testing.TB, file string) (*core.Arch, Sections) {
	f, err := elf.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	arch := map[elf.Machine]*core.Arch{elf.EM_X86_64: core.AMD64, elf.EM_AARCH64: core.ARM64, elf.EM_386: core.I386,
		elf.EM_RISCV: core.RISCV64, elf.EM_S390: core.S390X, elf.EM_PPC64: core.PPC64LE,
		elf.EM_ARM: core.ARM}[f.Machine]
	if arch == nil {
		t.Skip("unknown machine")
	}
	get := func(name string) core.Section {
		s := f.Section(name)
		if s == nil || s.Type == elf.SHT_NOBITS {
			return core.Section{}
		}
		data, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		return core.Section{Name: name, Addr: s.Addr, Data: data}
	}
	return arch, Sections{EHFrame: get(".eh_frame"), EHFrameHdr: get(".eh_frame_hdr"), DebugFrame: get(".debug_frame")}
}

func againstReadelf(t *testing.T, readelf, file string) {
	arch, sections := fileSections(t, file)
	table := New(arch, sections)
	cmd := exec.Command(readelf, "--debug-dump=frames-interp", file)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	d := readelfDump{t: t, table: table, arch: arch}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		d.line(lines.Text())
	}
	d.check()
	t.Logf("%d rows compared", d.rows)
	if d.rows < 100 {
		t.Errorf("only %d rows", d.rows)
	}
}

// A readelfDump follows the output of readelf.
type readelfDump struct {
	t         *testing.T
	table     *Table
	arch      *core.Arch
	columns   []string // of the current table
	end       uint64   // of the current FDE; 0 in a CIE
	last      readelfRow
	rows, bad int
}

func (d *readelfDump) line(text string) {
	fields := strings.Fields(text)
	switch {
	case len(fields) == 0:
		d.check()
		d.columns, d.last = nil, readelfRow{}
	case strings.Contains(text, " CIE "):
		d.end = 0
	case strings.Contains(text, " FDE "):
		_, rest, _ := strings.Cut(text, "..")
		d.end, _ = strconv.ParseUint(rest, 16, 64)
	case fields[0] == "LOC":
		d.columns = fields[1:]
	case d.columns != nil && len(fields) == len(d.columns)+1 && d.end != 0:
		pc, err := strconv.ParseUint(fields[0], 16, 64)
		if err != nil {
			return
		}
		// The last of several rows at one address counts.
		if pc != d.last.pc {
			d.check()
		}
		d.last = readelfRow{pc, d.columns, fields[1:]}
		if pc >= d.end {
			d.last = readelfRow{}
		}
	}
}

// check compares the last row.
func (d *readelfDump) check() {
	if d.last.columns == nil || d.bad > 10 {
		return
	}
	d.rows++
	if diff := d.last.compare(d.table, d.arch); diff != "" {
		d.bad++
		d.t.Errorf("at %#x: %s", d.last.pc, diff)
	}
}

// A readelfRow is a line of readelf's table.
type readelfRow struct {
	pc      uint64
	columns []string // "CFA", "rbx", "ra" …
	values  []string // "rsp+8", "c-16", "u" …
}

// compare returns how the table differs from readelf's row, or "".
func (r *readelfRow) compare(table *Table, arch *core.Arch) string {
	row, err := table.Row(r.pc)
	if err != nil {
		return err.Error()
	}
	cfa := "exp"
	if row.CFAExpr == nil {
		cfa = fmt.Sprintf("%s%+d", arch.RegNames[row.CFAReg], row.CFAOff)
	}
	if cfa != r.values[0] {
		return fmt.Sprintf("CFA %s, readelf %s", cfa, r.values[0])
	}
	for i, column := range r.columns[1:] {
		slot := arch.SlotOf(column)
		if column == "ra" {
			slot = int(row.RA)
		}
		if slot < 0 {
			continue // a register that is not tracked
		}
		rule := row.Rule(slot)
		got := describeRule(arch, rule)
		if rule.Kind == Register {
			got = arch.RegNames[rule.Reg]
		}
		if want := r.values[i+1]; got != want {
			return fmt.Sprintf("%s %s, readelf %s", column, got, want)
		}
	}
	return ""
}
