package values

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/elf"
	"coredbg/core/find"
	"coredbg/core/sym"
)

// TestMissingFiles asks a process of core/dwarf's program, which has its debugging information in files next to
// it, first with all of them, then without one.
func TestMissingFiles(t *testing.T) {
	for _, c := range []struct{ program, others, gone string }{
		{"split4", "split4-?.dwo", "split4-b.dwo"}, {"split5", "split5-?.dwo", "split5-b.dwo"},
		{"pack4", "pack4.dwp", "pack4.dwp"}, {"pack5", "pack5.dwp", "pack5.dwp"},
		{"share4", "share4.sup", "share4.sup"}, {"share5", "share5.sup", "share5.sup"},
	} {
		root := t.TempDir()
		dir := filepath.Join(root, "opt/x")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, pattern := range []string{c.program, c.others} {
			names, err := filepath.Glob(filepath.Join("../../core/dwarf/testdata", pattern))
			if err != nil || len(names) == 0 {
				t.Fatalf("%s: %v", pattern, err)
			}
			for _, name := range names {
				b, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		got := asked(t, root, c.program, "::sizeof app::Shape; ::print app::other.colour")
		if got != "sizeof (app::Shape) = 0x40\napp::other.colour = blue (9)\n" {
			t.Errorf("%s: %q", c.program, got)
		}
		if err := os.Remove(filepath.Join(dir, c.gone)); err != nil {
			t.Fatal(err)
		}
		for line, name := range map[string]string{"::sizeof app::Absent": "app::Absent",
			"::print app::other": "app::other"} {
			got := asked(t, root, c.program, line)
			// Without the package, each unit's own file is what is missing.
			gone := strings.Replace(c.gone, ".dwp", "-a.dwo", 1)
			if !strings.Contains(got, "what "+name+" is is not known: ") ||
				!strings.Contains(got, gone+": it is not there") {
				t.Errorf("%s without %s: %s", c.program, c.gone, got)
			}
		}
	}
}

// asked returns what a line prints for a process of a program that is in /opt/x below a folder.
func asked(t *testing.T, root, program, line string) string {
	t.Helper()
	path := "/opt/x/" + program
	b, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	img, err := elf.NewFile(core.Bytes(b), path)
	if err != nil {
		t.Fatal(err)
	}
	p := coretest.New(core.AMD64)
	for _, s := range img.Segments() {
		p = p.Map(core.Addr(s.Addr), b[s.Off:s.Off+s.FileSize]).
			Module(path, core.Addr(s.Addr), core.Addr(s.Addr+s.MemSize), core.ModuleFacts{Image: img, BiasKnown: true,
				BuildID: img.BuildID()})
	}
	var out bytes.Buffer
	process := p.Process()
	process.Modules = process.Modules[:1]
	s := commands.NewSession(process, commands.NewRegistry(Commands()), &out, &out)
	s.Symbols = sym.NewTable(process, elf.Disk{Disk: find.Disk{Sysroot: root}})
	s.Run(t.Context(), line)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	return out.String()
}
