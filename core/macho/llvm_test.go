package macho

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/file"
	"coredbg/core/macho/fixup"
	"coredbg/core/macho/format"
)

// machoFiles lists the images in $COREDBG_MACHO_FILES, or else in macho-files of the live set. They
// check the readers against the output of LLVM's tools for the same files: node for macOS from npm, and
// the programs of the live cores.
func machoFiles(t *testing.T) []*File {
	t.Helper()
	var paths []string
	if root := os.Getenv("COREDBG_MACHO_FILES"); root != "" {
		paths, _ = filepath.Glob(filepath.Join(root, "*"))
	} else {
		paths = coretest.Live(t)
	}
	var out []*File
	for _, path := range paths {
		src, err := file.Map(path)
		if err != nil {
			continue
		}
		t.Cleanup(func() { src.Close() })
		f, err := NewFile(src, path, 0, nil)
		if err == nil && (f.head.FileType == format.MHExecute || f.head.FileType == format.MHDylib) {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		t.Fatal("no Mach-O files to compare with LLVM")
	}
	return out
}

// llvm returns the lines that a tool prints.
func llvm(t *testing.T, name string, args ...string) []string {
	t.Helper()
	path := ""
	for _, n := range []string{name + "-19", name + "-20", name} {
		if p, err := exec.LookPath(n); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip(name + " is not installed")
	}
	out, err := exec.Command(path, args...).Output()
	if err != nil {
		t.Fatalf("%s %v: %v", path, args, err)
	}
	var lines []string
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

// same holds two lists to each other without regard to order.
func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if len(want) == 0 && len(got) > 0 {
		t.Errorf("%s: LLVM prints nothing", what)
	}
	if slices.Equal(got, want) {
		t.Logf("%s: %d agree", what, len(got))
		return
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Errorf("%s: %d, LLVM has %d; the first that differs is %q, %q", what, len(got), len(want),
				got[min(i, len(got)):min(i+1, len(got))], want[min(i, len(want)):min(i+1, len(want))])
			return
		}
	}
}

// TestExportsAgainstLLVM compares exports tries with llvm-objdump's.
func TestExportsAgainstLLVM(t *testing.T) {
	for _, f := range machoFiles(t) {
		if f.exportsAt.size == 0 {
			continue
		}
		var want, got []string
		for _, l := range llvm(t, "llvm-objdump", "--macho", "--exports-trie", f.path) {
			if w := strings.Fields(l); len(w) >= 2 && strings.HasPrefix(w[0], "0x") {
				want = append(want, "0x"+strings.TrimLeft(w[0][2:], "0")+" "+w[1])
			}
		}
		err := f.exports().walk(func(e Export) bool {
			v := e.Value
			if e.Flags&ExportKindMask != ExportAbsolute {
				v += f.Base()
			}
			got = append(got, fmt.Sprintf("0x%X %s", v, e.Name))
			if one, ok := f.exports().find(e.Name); !ok || one.Value != e.Value || one.Flags != e.Flags {
				t.Errorf("%s: %s is not found", f.path, e.Name)
			}
			return true
		})
		if err != nil {
			t.Errorf("%s: %v", f.path, err)
		}
		same(t, f.path, got, want)
	}
}

// TestFuncStartsAgainstLLVM compares function starts with llvm-objdump's.
func TestFuncStartsAgainstLLVM(t *testing.T) {
	for _, f := range machoFiles(t) {
		var want, got []string
		for _, l := range llvm(t, "llvm-objdump", "--macho", "--function-starts", f.path) {
			if len(l) == 16 && strings.Trim(l, "0123456789abcdef") == "" {
				want = append(want, l)
			}
		}
		for _, a := range f.FuncStarts() {
			got = append(got, fmt.Sprintf("%016x", a))
		}
		same(t, f.path, got, want)
	}
}

// TestSymbolsAgainstLLVM compares symbol tables with llvm-nm's.
func TestSymbolsAgainstLLVM(t *testing.T) {
	for _, f := range machoFiles(t) {
		var want, got []string
		for _, l := range llvm(t, "llvm-nm", "--defined-only", "--no-sort", f.path) {
			if len(l) < 20 || l[17] == '-' {
				continue
			}
			name := strings.TrimPrefix(l[19:], "_")
			if !isHeaderName([]byte(name)) && name != "" {
				want = append(want, l[:16]+" "+name)
			}
		}
		err := f.Symbols(false, func(s core.ImageSymbol) bool {
			if s.Defined && !strings.HasSuffix(string(s.Name), ".stub") {
				got = append(got, fmt.Sprintf("%016x %s", s.Value, s.Name))
			}
			return true
		})
		if err != nil {
			t.Errorf("%s: %v", f.path, err)
		}
		same(t, f.path, got, want)
	}
}

// TestStubsAgainstLLVM compares the names of stubs with llvm-objdump's.
func TestStubsAgainstLLVM(t *testing.T) {
	for _, f := range machoFiles(t) {
		var want, got []string
		in := false
		for _, l := range llvm(t, "llvm-objdump", "--macho", "--indirect-symbols", f.path) {
			if strings.HasPrefix(l, "Indirect symbols for") {
				in = strings.Contains(l, "stubs)")
			} else if w := strings.Fields(l); in && len(w) == 3 && strings.HasPrefix(w[2], "_") {
				want = append(want, strings.TrimPrefix(w[0], "0x")+" "+w[2][1:]+".stub")
			}
		}
		if err := f.Symbols(false, func(s core.ImageSymbol) bool {
			if strings.HasSuffix(string(s.Name), ".stub") {
				got = append(got, fmt.Sprintf("%016x %s", s.Value, s.Name))
			}
			return true
		}); err != nil {
			t.Errorf("%s: %v", f.path, err)
		}
		same(t, f.path, got, want)
	}
}

// allFixups lists what is done to the image's pointers as text, by address.
func allFixups(t *testing.T, f *File, line func(link uint64, x fixup.Fixup) string) (out []string) {
	t.Helper()
	fix := f.fixer()
	for i, s := range f.segs {
		size := uint64(0)
		if fix != nil {
			size = fix.Page(i)
		}
		for off := uint64(0); size > 0 && off < s.FileSize; off += size {
			data := f.at(s.VMAddr+off, size)
			if err := fix.Fixups(i, off, data, func(x fixup.Fixup) {
				if l := line(s.VMAddr+x.Off, x); l != "" {
					out = append(out, l)
				}
			}); err != nil {
				t.Errorf("%s: %v", f.path, err)
			}
		}
	}
	return out
}

// libraryName writes a library as llvm-objdump does.
func libraryName(f *File, n int) string {
	switch n {
	case fixup.LibrarySelf:
		return "this-image"
	case fixup.LibraryMain:
		return "main-executable"
	case fixup.LibraryFlat:
		return "flat-namespace"
	case fixup.LibraryWeak:
		return "weak"
	}
	if n > len(f.dylibs) {
		return "?"
	}
	name, _, _ := strings.Cut(filepath.Base(f.dylibs[n-1].Path), ".")
	return name
}

// TestChainedFixupsAgainstLLVM compares chained fixups with llvm-objdump's.
func TestChainedFixupsAgainstLLVM(t *testing.T) {
	for _, f := range machoFiles(t) {
		if f.fixupsAt.size == 0 {
			continue
		}
		var want []string
		for _, l := range llvm(t, "llvm-objdump", "--macho", "--dyld-info", f.path) {
			w := strings.Fields(l)
			switch {
			case len(w) >= 6 && w[4] == "rebase":
				want = append(want, w[2]+" "+w[5])
			case len(w) >= 8 && w[4] == "bind":
				addend, _ := strconv.ParseInt(w[5], 0, 64)
				want = append(want, fmt.Sprintf("%s %s of %s+%d", w[2], w[7], w[6], addend))
			}
		}
		got := allFixups(t, f, func(link uint64, x fixup.Fixup) string {
			if x.Bound != nil {
				return fmt.Sprintf("0x%X %s of %s+%d", link, x.Bound.Name, libraryName(f, x.Bound.Library), x.Addend)
			}
			return fmt.Sprintf("0x%X 0x%X", link, x.Target|x.High)
		})
		same(t, f.path, got, want)
	}
}

// TestOpcodesAgainstLLVM compares the opcodes of older images with llvm-objdump's.
func TestOpcodesAgainstLLVM(t *testing.T) {
	for _, f := range machoFiles(t) {
		if f.rebaseAt.size == 0 || f.fixupsAt.size > 0 {
			continue
		}
		var want []string
		for _, flag := range []string{"--rebase", "--bind", "--weak-bind"} {
			for _, l := range llvm(t, "llvm-objdump", "--macho", flag, f.path) {
				w := strings.Fields(l)
				switch {
				case len(w) < 4 || w[3] != "pointer":
				case flag == "--rebase":
					want = append(want, w[2])
				case flag == "--bind":
					want = append(want, fmt.Sprintf("%s %s of %s+%s", w[2], w[6], w[5], w[4]))
				case len(w) > 5:
					want = append(want, fmt.Sprintf("%s %s of weak+%s", w[2], w[5], w[4]))
				}
			}
		}
		got := allFixups(t, f, func(link uint64, x fixup.Fixup) string {
			if x.Bound != nil {
				return fmt.Sprintf("0x%X %s of %s+%d", link, x.Bound.Name, libraryName(f, x.Bound.Library), x.Addend)
			}
			return fmt.Sprintf("0x%X", link)
		})
		same(t, f.path, got, want)
	}
}
