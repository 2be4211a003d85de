package elfcore_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/elf"
	"coredbg/core/elf/elfcore"
	"coredbg/core/elf/format"
	"coredbg/core/file"
)

// liveCores lists the live cores. The package core/macho tests the cores of macOS, so the list leaves them out.
func liveCores(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(coretest.Live(t), func(path string) bool {
		return strings.HasPrefix(filepath.Base(filepath.Dir(path)), "macho-")
	})
}

func openLive(t *testing.T, path string) *core.Process {
	src, err := file.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := elfcore.Open(src, path, elfcore.Options{Files: liveDisk(path)})
	if err != nil {
		src.Close()
		t.Fatalf("%s: %v", path, err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// liveDisk returns the disk with the files that the flags in the core's truth.json name.
func liveDisk(path string) (d elf.Disk) {
	var truth struct{ Args []string }
	if data, err := os.ReadFile(filepath.Join(filepath.Dir(path), "truth.json")); err == nil {
		json.Unmarshal(data, &truth)
	}
	for i := 1; i < len(truth.Args); i++ {
		arg := truth.Args[i]
		if !filepath.IsAbs(arg) {
			arg = filepath.Join(filepath.Dir(path), arg)
		}
		switch truth.Args[i-1] {
		case "-sysroot":
			d.Sysroot = arg
		case "-search":
			d.Search = append(d.Search, arg)
		}
	}
	return d
}

// TestLiveSegments compares mappings and bytes with readelf's list and with the file's bytes at the
// listed offsets.
func TestLiveSegments(t *testing.T) {
	if _, err := exec.LookPath("readelf"); err != nil {
		t.Skip("no readelf")
	}
	row := regexp.MustCompile(`(?m)^  LOAD +0x([0-9a-f]+) 0x([0-9a-f]+) 0x[0-9a-f]+ 0x([0-9a-f]+) 0x([0-9a-f]+) (...)`)
	for _, path := range liveCores(t) {
		p := openLive(t, path)
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		out, _ := exec.Command("readelf", "-lW", path).Output()
		rows := row.FindAllSubmatch(out, -1)
		bad := 0
		for _, r := range rows {
			v := func(i int) uint64 { n, _ := strconv.ParseUint(string(r[i]), 16, 64); return n }
			off, vaddr, filesz, memsz := v(1), v(2), v(3), v(4)
			m, ok := p.Mapping(core.Addr(vaddr))
			prot := strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(string(r[5]), " ", "-"), "E", "x"))
			if !ok || uint64(m.End-m.Start) != memsz || m.Prot.String() != prot {
				if bad++; bad < 5 {
					t.Errorf("%s: mapping %+v (%v), readelf has %s", path, m, m.Prot, r[0])
				}
			}
			n := min(filesz, 64)
			want, got := make([]byte, n), make([]byte, n)
			k, _ := f.ReadAt(want, int64(off))
			g, _ := p.Space.Dumped().ReadAt(got, core.Addr(vaddr))
			if g != k || !bytes.Equal(got[:g], want[:k]) {
				if bad++; bad < 5 {
					t.Errorf("%s: at %#x %d bytes %x, the file has %d bytes %x", path, vaddr, g, got[:g], k, want[:k])
				}
			}
		}
		if len(rows) == 0 && len(p.Mappings) > 0 && !bytes.HasPrefix(head(t, path), []byte{0x1f, 0x8b}) &&
			format.IsELF(head(t, path)) && len(out) > 0 {
			t.Errorf("%s: readelf lists no segment, Open %d", path, len(p.Mappings))
		}
	}
}

func head(t *testing.T, path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 8)
	f.Read(b)
	return b
}

// TestLiveRegisters compares the registers of all threads, and the mappings of files, with eu-readelf's
// output for the notes.
func TestLiveRegisters(t *testing.T) {
	if _, err := exec.LookPath("eu-readelf"); err != nil {
		t.Skip("no eu-readelf")
	}
	reg := regexp.MustCompile(`([a-z][a-z0-9_.]*): +(-?[0-9]+|0x[0-9a-f]+)(?:\s|$)`)
	mapped := regexp.MustCompile(`^ +([0-9a-f]+)-([0-9a-f]+) ([0-9a-f]+) [0-9]+ +(.*)$`)
	for _, path := range liveCores(t) {
		if !format.IsELF(head(t, path)) {
			continue
		}
		p := openLive(t, path)
		out, _ := exec.Command("eu-readelf", "-n", path).Output()
		thread, listed, compared, files, bad := -1, 0, 0, 0, 0
		in := ""
		var have map[string]core.Register
		for sc := bufio.NewScanner(bytes.NewReader(out)); sc.Scan(); {
			line := sc.Text()
			if f := strings.Fields(line); len(f) == 3 && strings.HasPrefix(line, "  ") &&
				!strings.HasPrefix(line, "   ") {
				in = f[2]
				if in == "PRSTATUS" {
					thread++
					have = map[string]core.Register{}
					if thread < len(p.Threads) {
						for _, r := range p.Threads[thread].Registers() {
							if r.Bytes == nil {
								have[r.Name] = r
							}
						}
					}
				}
				continue
			}
			if in == "FILE" {
				if m := mapped.FindStringSubmatch(line); m != nil {
					start, _ := strconv.ParseUint(m[1], 16, 64)
					off, _ := strconv.ParseUint(m[3], 16, 64)
					if got, ok := p.Mapping(core.Addr(start)); !ok || got.Path != m[4] || got.Off != off ||
						uint64(got.Start) != start {
						t.Errorf("%s: mapping %+v, eu-readelf has %s", path, got, line)
					}
					files++
				}
			}
			if in != "PRSTATUS" {
				continue
			}
			for _, m := range reg.FindAllStringSubmatch(line, -1) {
				listed++
				got, ok := have[strings.ReplaceAll(strings.ReplaceAll(m[1], ".", "_"), "rflags", "eflags")]
				if !ok {
					continue
				}
				want, err := strconv.ParseUint(m[2], 0, 64)
				if n, serr := strconv.ParseInt(m[2], 10, 64); err != nil && serr == nil {
					want = uint64(n)
				}
				if compared++; got.Value != want&(1<<(8*got.Size)-1) {
					if bad++; bad < 5 {
						t.Errorf("%s thread %d: %s = %#x, eu-readelf has %s", path, thread, m[1], got.Value, m[2])
					}
				}
			}
		}
		if thread < 0 {
			t.Logf("%s: eu-readelf reads no notes", path) // as of cores with PN_XNUM
			continue
		}
		if listed == 0 && (thread+1 == len(p.Threads) || p.OS == "netbsd") && len(have) > 0 {
			// of processors and systems that it does not know, such as MIPS and NetBSD
			t.Logf("%s: eu-readelf lists no registers", path)
			continue
		}
		if thread+1 != len(p.Threads) || compared < 15*len(p.Threads) && !strings.Contains(p.Arch.Name, "ppc") {
			t.Errorf("%s: %d threads, eu-readelf has %d; %d registers compared", path, len(p.Threads),
				thread+1, compared)
		}
		t.Logf("%s: %s, %d threads, %d registers, %d file mappings", path, p.Arch.Name, len(p.Threads), compared, files)
	}
}

// TestLiveDamage cuts each small core at ten places: it must open, say that it
// is truncated, and read what is before the cut as before.
func TestLiveDamage(t *testing.T) {
	for _, path := range liveCores(t) {
		if st, err := os.Stat(path); err != nil || st.Size() > 4<<20 {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil || !format.IsELF(data) {
			continue
		}
		whole := openLive(t, path)
		if strings.Contains(warnings(whole), "truncated") {
			continue
		}
		for i := range 10 {
			n := 64 + (len(data)-64)*i/10
			p, err := elfcore.Open(core.Bytes(data[:n]), path, elfcore.Options{Files: liveDisk(path)})
			if err != nil {
				t.Errorf("%s cut at %d: %v", path, n, err)
				continue
			}
			if !strings.Contains(warnings(p), "truncated") {
				t.Errorf("%s cut at %d of %d without a word: %s", path, n, len(data), warnings(p))
			}
			ask(p)
			for _, s := range p.Space.Segments() {
				if s.Kind != core.SegCore {
					continue
				}
				a, _ := p.Space.Slice(s.Start, int(s.Size()))
				b, _ := whole.Space.Slice(s.Start, int(s.Size()))
				if !bytes.Equal(a, b) {
					t.Errorf("%s cut at %d: %v reads otherwise", path, n, s.Start)
				}
			}
			p.Close()
		}
	}
}

// TestLiveFill compares filled bytes of a core that left text out with the text
// of modules' files at the same place, and wants every module to have an image.
func TestLiveModules(t *testing.T) {
	for _, path := range liveCores(t) {
		p := openLive(t, path)
		// whose files are not here
		if len(p.Modules) > 100 || strings.HasPrefix(filepath.Base(filepath.Dir(path)), "lldb-") {
			continue
		}
		exes := 0
		for _, m := range p.Modules {
			if m.Exe {
				exes++
			}
			f := m.Facts()
			img, _ := f.Image.(*elf.File)
			if img == nil || f.InMemory || !f.BiasKnown {
				if m.Path == "[vdso]" && img != nil {
					continue
				}
				t.Logf("%s: %s (%v): %v", path, m.Path, m.Origin, f.Err)
				continue
			}
			text, err := img.Section(".text")
			if err != nil {
				continue
			}
			got, err := p.Space.Slice(f.Bias+core.Addr(text.Addr), min(len(text.Data), 1<<20))
			if p.Arch.PtrSize == 8 && (err != nil || !sameText(text.Data, got)) {
				t.Errorf("%s: %s: text at %v differs, %v", path, m.Path, f.Bias+core.Addr(text.Addr), err)
			}
		}
		if exes != 1 {
			t.Errorf("%s: %d executables among %d modules", path, exes, len(p.Modules))
		}
	}
}

// sameText reports whether the code of a process equals its file, except for a debugger's breakpoints,
// which are int3 on x86-64.
func sameText(file, memory []byte) bool {
	if len(memory) > len(file) {
		return false
	}
	for i, b := range memory {
		if b != file[i] && b != 0xcc {
			return false
		}
	}
	return true
}
