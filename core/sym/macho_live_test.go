package sym

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/core/macho"
)

// machoTool returns the path of one of LLVM's tools.
func machoTool(t *testing.T, name string) string {
	t.Helper()
	for _, n := range []string{name + "-19", name + "-20", name} {
		if p, err := exec.LookPath(n); err == nil {
			return p
		}
	}
	t.Skip(name + " is not installed")
	return ""
}

// machoTable is a process of one image, at its link-time addresses.
func machoTable(t *testing.T, path string, files find.Finder) (*Table, *macho.File) {
	t.Helper()
	src, err := file.Map(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	f, err := macho.NewFile(src, path, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := core.Module{Path: path, Exe: true}
	for _, s := range f.Segments() {
		part := core.ModulePart{Start: core.Addr(s.Addr), End: core.Addr(s.Addr + s.MemSize), Off: s.Off}
		m.Parts = append(m.Parts, part)
		m.End = max(m.End, part.End)
	}
	m.Start = core.Addr(f.Base())
	p := &core.Process{Arch: core.AMD64, Space: core.NewSpace(nil, nil), Modules: []*core.Module{
		core.NewModule(m, func(*core.Module) core.ModuleFacts {
			return core.ModuleFacts{BuildID: f.UUID(), BiasKnown: true, Image: f}
		})}}
	t.Cleanup(func() { p.Close() })
	return NewTable(p, files), f
}

// TestMachOLines asks for the lines of each instruction of the programs that
// testdata/cores/make built: from a dSYM bundle, from the object files
// that the debug map names, and from an archive of these. llvm-symbolizer says what
// is right.
func TestMachOLines(t *testing.T) {
	var images []string
	for _, name := range []string{"victim", "libfoo.dylib"} {
		found, _ := filepath.Glob(filepath.Join(os.Getenv("COREDBG_MACHO"), "macho-*", "out", name))
		images = append(images, found...)
	}
	if len(images) == 0 {
		images = coretest.Live(t)
	}
	dsymutil, symbolizer := machoTool(t, "dsymutil"), machoTool(t, "llvm-symbolizer")
	for _, path := range images {
		t.Run(path, func(t *testing.T) { checkLines(t, path, dsymutil, symbolizer, 0) })
	}
}

// TestMachOInlines does the same with a C++ program that is partly from an archive; its functions are
// inlined into each other.
func TestMachOInlines(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs compilers")
	}
	dsymutil, symbolizer := machoTool(t, "dsymutil"), machoTool(t, "llvm-symbolizer")
	for _, arch := range []string{"x86_64", "arm64"} {
		t.Run(arch, func(t *testing.T) {
			checkLines(t, buildShapes(t, arch), dsymutil, symbolizer, 50)
		})
	}
}

// buildShapes links the program of testdata/macho for an architecture.
func buildShapes(t *testing.T, arch string) string {
	t.Helper()
	dir := t.TempDir()
	run := func(tool string, args ...string) {
		cmd := exec.Command(machoTool(t, tool), args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v: %s", tool, args, err, out)
		}
	}
	sources, err := filepath.Abs("testdata/macho")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"main.cc", "part.cc", "object.m"} {
		run("clang", "-target", arch+"-apple-macos13.0", "-fno-builtin", "-fno-stack-protector", "-fno-exceptions",
			"-g", "-O2", "-c",
			filepath.Join(sources, name), "-o", filepath.Join(dir, strings.TrimSuffix(name, filepath.Ext(name))+".o"))
	}
	run("llvm-ar", "--format=darwin", "rcs", "libpart_with_a_long_name.a", "part.o")
	run("ld64.lld", "-arch", arch, "-platform_version", "macos", "13.0", "13.0", "-fixup_chains", "-undefined",
		"dynamic_lookup",
		"-execute", "-e", "_main", "main.o", "object.o", "libpart_with_a_long_name.a", "-o", "shapes")
	return filepath.Join(dir, "shapes")
}

// checkLines compares the lines of all instructions of a program, by its object files and by a dSYM
// bundle, with llvm-symbolizer's output. At least inlines of them must be in inlined functions.
func checkLines(t *testing.T, path, dsymutil, symbolizer string, inlines int) {
	t.Helper()
	bundles := t.TempDir()
	dsym := filepath.Join(bundles, "b", filepath.Base(path)+".dSYM")
	if out, err := exec.Command(dsymutil, "--oso-prepend-path", prefix(t, path), path, "-o",
		dsym).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	byMap, f := machoTable(t, path, &macho.Disk{})
	byBundle, _ := machoTable(t, path, &macho.Disk{Disk: find.Disk{DebugDirs: []string{bundles}}})
	if from := byMap.LinesFrom(byMap.p.Modules[0]); !strings.Contains(from, "object file") {
		t.Errorf("lines come from %q", from)
	}
	if from := byBundle.LinesFrom(byBundle.p.Modules[0]); !strings.HasPrefix(from, dsym) {
		t.Errorf("lines come from %q, not from the bundle", from)
	}
	text, err := f.Section("__text")
	if err != nil {
		t.Fatal(err)
	}
	want := symbolize(t, symbolizer, filepath.Join(dsym, "Contents/Resources/DWARF", filepath.Base(path)), text)
	seen, inlined := 0, 0
	for a, w := range want {
		one, two := linesText(byMap, a), linesText(byBundle, a)
		if w == "" && strings.HasPrefix(one, " ") && strings.Contains(one, ".s:") {
			one = "" // dsymutil leaves out what assemblers write
		}
		if one != w || two != w {
			t.Errorf("%v:\nby object files %s\nby bundle       %s\nllvm-symbolizer %s", a, one, two, w)
			break
		}
		if w != "" {
			seen++
		}
		if strings.Contains(w, ";") {
			inlined++
		}
	}
	if seen == 0 || inlined < inlines {
		t.Errorf("only %d addresses have a line, %d of them in inlined functions; %v", seen, inlined,
			byMap.LinesError(byMap.p.Modules[0]))
	}
	t.Logf("%d addresses, %d with lines, %d of them in inlined functions", len(want), seen, inlined)
}

// prefix is where the object files of a program are, if its debug map does not say.
func prefix(t *testing.T, path string) string {
	t.Helper()
	src, err := file.Map(path)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	f, err := macho.NewFile(src, path, 0, nil)
	if err != nil || f.DebugMap() == nil {
		t.Fatalf("%s has no debug map: %v", path, err)
	}
	if filepath.IsAbs(f.DebugMap().Objects()[0].Path) {
		return ""
	}
	return filepath.Dir(path)
}

// TestObjectFileChanged takes lines of an object file that was copied, and refuses
// one that was built anew from another source.
func TestObjectFileChanged(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs a compiler")
	}
	path := buildShapes(t, "arm64")
	obj := filepath.Join(filepath.Dir(path), "main.o")
	then := time.Unix(1000000000, 0)
	if err := os.Chtimes(obj, then, then); err != nil {
		t.Fatal(err)
	}
	table, _ := machoTable(t, path, &macho.Disk{})
	entry, ok := table.Find("", "main")
	if !ok {
		t.Fatal("there is no main")
	}
	if got := linesText(table, entry.Addr); !strings.Contains(got, "main.cc:") {
		t.Errorf("the copied object file gives %q, %v", got, table.LinesError(entry.Module))
	}
	b, err := os.ReadFile(obj)
	if err != nil {
		t.Fatal(err)
	}
	f, err := macho.NewFile(core.Bytes(b), obj, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := f.Section("__text")
	if err != nil {
		t.Fatal(err)
	}
	for i := range text.Data {
		text.Data[i] ^= 0x10 // a slice of b
	}
	if err := os.WriteFile(obj, b, 0o644); err != nil {
		t.Fatal(err)
	}
	table, _ = machoTable(t, path, &macho.Disk{})
	if got := table.Lines(entry.Addr); got != nil {
		t.Errorf("the changed object file gives %v", got)
	}
	if err := table.LinesError(table.p.Modules[0]); err == nil ||
		!strings.Contains(err.Error(), "another file than the one that was linked") {
		t.Errorf("the error is %v", err)
	}
	if err := os.Remove(obj); err != nil {
		t.Fatal(err)
	}
	table, _ = machoTable(t, path, &macho.Disk{})
	if got, err := table.Lines(entry.Addr), table.LinesError(table.p.Modules[0]); got != nil || err == nil ||
		!strings.Contains(err.Error(), "main.o") {
		t.Errorf("without the object file: %v, %v", got, err)
	}
}

// TestObjectiveCNames looks at methods, whose names are not identifiers.
func TestObjectiveCNames(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs a compiler")
	}
	table, _ := machoTable(t, buildShapes(t, "x86_64"), &macho.Disk{})
	for _, name := range []string{"-[Shape areaOf:with:]", "+[Shape shared]"} {
		s, ok := table.Find("", name)
		if !ok {
			t.Errorf("%s is not found", name)
			continue
		}
		if got, _, _ := table.Lookup(s.Addr + 1); got.Name != name || Demangle(got.Name, true) != name {
			t.Errorf("%s is shown as %s", name, Demangle(got.Name, true))
		}
	}
}

func linesText(t *Table, a core.Addr) string {
	var out []string
	for _, l := range t.Lines(a) {
		out = append(out, fmt.Sprintf("%s %s:%d:%d", Demangle(l.Func, false), l.File, l.Line, l.Column))
	}
	return strings.Join(out, ";")
}

// symbolize asks llvm-symbolizer for each address of a section.
func symbolize(t *testing.T, tool, path string, text core.Section) map[core.Addr]string {
	t.Helper()
	cmd := exec.Command(tool, "--obj="+path, "--inlines", "--functions=linkage", "--no-demangle")
	in, out := new(bytes.Buffer), new(bytes.Buffer)
	for i := range text.Data {
		fmt.Fprintf(in, "%#x\n", text.Addr+uint64(i))
	}
	cmd.Stdin, cmd.Stdout = in, out
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	want := map[core.Addr]string{}
	at := core.Addr(text.Addr)
	var frames []string
	r := bufio.NewReader(out)
	for {
		fn, err := r.ReadString('\n')
		if err == io.EOF {
			return want
		}
		if fn == "\n" {
			want[at], frames = strings.Join(frames, ";"), nil
			at++
			continue
		}
		place, _ := r.ReadString('\n')
		place = strings.TrimSpace(place)
		if strings.HasPrefix(place, "??") {
			continue
		}
		if i := strings.LastIndexByte(place, ':'); i > 0 {
			if n, _ := strconv.Atoi(place[i+1:]); n < 0 {
				t.Fatal(place)
			}
		}
		frames = append(frames, Demangle(strings.TrimSpace(fn), false)+" "+filepath.Clean(place))
	}
}
