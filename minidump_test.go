package coredbg

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/minidump"
	"coredbg/core/minidump/minidumptest"
	"coredbg/stack"
)

// asMinidump opens a core of the corpus and the minidump that a writer makes of its process.
func asMinidump(t *testing.T, name string, of minidumptest.Of) (was, is *commands.Session) {
	t.Helper()
	path := filepath.Join("testdata/cores", name+".cdb")
	c, err := load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	was = newSession(c, Options{})
	t.Cleanup(func() { was.Close() })
	data, err := minidumptest.FromProcess(c.process, of)
	if err != nil {
		t.Fatal(err)
	}
	p, err := minidump.Open(core.Bytes(data), name+".dmp", minidump.Options{Files: c.files})
	if err != nil {
		t.Fatal(err)
	}
	is = newSession(&loaded{process: p, src: core.Bytes(data), files: c.files, data: c.data}, Options{})
	t.Cleanup(func() { is.Close() })
	return was, is
}

// lines are the frames of all threads.
func lines(t *testing.T, s *commands.Session) map[int][]string {
	out := map[int][]string{}
	for st := range s.Stacks.All(t.Context(), s.Process.Threads, stack.Options{}) {
		for _, f := range st.Frames {
			out[st.Thread.TID] = append(out[st.Thread.TID], fmt.Sprintf("%v %s %s:%d", f.PC, f.Name, f.File, f.Line))
		}
	}
	return out
}

// TestMinidumpStacks compares the stacks of cores with the stacks of minidumps of the same processes:
// the cores' are checked against the programs' own traces.
func TestMinidumpStacks(t *testing.T) {
	all := minidumptest.Of{Full: true, Maps: true}
	for _, c := range []struct {
		name string
		of   minidumptest.Of
	}{
		{"server", all}, {"server", minidumptest.Of{Maps: true}}, {"server", minidumptest.Of{Full: true}},
		{"server", minidumptest.Of{}},
		{"threads", all}, {"threads", minidumptest.Of{}}, {"segv", minidumptest.Of{}}, {"null", minidumptest.Of{}},
		{"abort", minidumptest.Of{}},
		{"sigaltstack", all}, {"exception", minidumptest.Of{}}, {"rust", minidumptest.Of{}},
		{"node-24", all}, {"node-20", all}, {"art-armhf", all}, {"art-i386", all}, {"art-arm64", all},
	} {
		t.Run(fmt.Sprintf("%s %+v", c.name, c.of), func(t *testing.T) {
			if testing.Short() && !strings.HasPrefix(c.name, "s") {
				t.Skip("opens a large core")
			}
			was, is := asMinidump(t, c.name, c.of)
			want, got := lines(t, was), lines(t, is)
			frames, same := 0, 0
			for tid, w := range want {
				g := got[tid]
				for i := range w {
					frames++
					if i < len(g) && g[i] == w[i] {
						same++
					} else if i < len(g) {
						t.Errorf("thread %d, frame %d: %s, want %s", tid, i, g[i], w[i])
						break
					} else {
						t.Errorf("thread %d: %d frames, want %d: %s", tid, len(g), len(w), w[i])
						break
					}
				}
			}
			if frames == 0 {
				t.Error("no frames")
			}
			if a, b := was.Process.Signal, is.Process.Signal; a != nil &&
				(b == nil || a.Name != b.Name || a.Addr != b.Addr || a.CodeName != b.CodeName) {
				t.Errorf("signal %+v, want %+v", b, a)
			}
			if len(is.Runtimes()) != len(was.Runtimes()) {
				t.Errorf("%d runtimes, want %d", len(is.Runtimes()), len(was.Runtimes()))
			}
			t.Logf("%d of %d frames", same, frames)
		})
	}
}

// TestWindowsMinidump walks a stack of x64 Windows by unwind information of a PE image, and by
// a symbol file. Truth: the stack is made here.
func TestWindowsMinidump(t *testing.T) {
	const base, sp = 0x7ff600000000, 0x10000
	guid := []byte("0123456789abcdef")
	text := make([]byte, 0x400)
	for i := range text {
		text[i] = 0x90
	}
	copy(text[0x1b:], []byte{0xe8, 0xe0, 0, 0, 0})  // inner, called by outer
	copy(text[0x115:], []byte{0xe8, 0xe6, 0, 0, 0}) // leaf, called by inner
	image := minidumptest.PE(text, guid,
		// push rbx; sub rsp, 0x20
		minidumptest.Unwind{Off: 0, Size: 0x40, Info: []byte{1, 6, 2, 0, 6, 3<<4 | 2, 2, 3 << 4}},
		minidumptest.Unwind{Off: 0x100, Size: 0x40, Info: []byte{1, 4, 1, 0, 4, 1<<4 | 2, 0, 0}}) // sub rsp, 0x10
	stackBytes := make([]byte, 0x100)
	put := func(off int, v uint64) { binary.LittleEndian.PutUint64(stackBytes[off:], v) }
	put(0, base+0x111a)    // of leaf, into inner
	put(0x18, base+0x1020) // of inner, into outer
	put(0x48, 0)           // of outer
	var regs core.Regs
	regs.Set(core.AMD64.PC, base+0x1200)
	regs.Set(core.AMD64.SP, sp)
	dump := func() []byte {
		context := minidumptest.Context(core.AMD64, regs)
		d := minidumptest.New(minidumptest.CPUAMD64, minidumptest.Windows)
		d.Thread(7, context, 0, sp, stackBytes)
		d.Module(`C:\bin\tiny.exe`, base, minidumptest.PESize, minidumptest.RSDS(guid, 1, `C:\src\tiny.pdb`))
		return d.Died(7, 0xc0000005, 0, base+0x1200, context, 1, 0x10).Bytes()
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "tiny.dmp")
	put2 := func(name, data string) string {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		return filepath.Dir(at)
	}
	put2("tiny.dmp", string(dump()))
	search := put2("image/tiny.exe", string(image))
	symbols := put2("symbols/tiny.pdb/333231303534373638396162636465661/tiny.sym", `MODULE windows x86_64 333231303534373638396162636465661 tiny.pdb
FILE 0 c:\src\tiny.c
FUNC 1000 40 0 outer
1000 40 5 0
FUNC 1100 40 0 inner
1100 40 9 0
FUNC 1200 10 0 leaf
STACK CFI INIT 1000 40 .cfa: $rsp 48 + .ra: .cfa 8 - ^
STACK CFI INIT 1100 40 .cfa: $rsp 24 + .ra: .cfa 8 - ^
STACK CFI INIT 1200 10 .cfa: $rsp 8 + .ra: .cfa 8 - ^
`)
	symbols = filepath.Join(symbols, "..", "..")
	for _, c := range []struct {
		name   string
		search []string
		want   []string
	}{
		{"image", []string{search}, []string{":0 registers", ":0 cfi", "exported:0 cfi"}},
		{"symbols", []string{symbols}, []string{"leaf:0 registers", "inner:9 cfi", "outer:5 cfi"}},
		{"both", []string{search, symbols}, []string{"leaf:0 registers", "inner:9 cfi", "outer:5 cfi"}},
		{"neither", nil, []string{":0 registers", ":0 scan", ":0 scan"}},
	} {
		s, err := Open(path, Options{Search: c.search, Sysroot: dir})
		if err != nil {
			t.Fatal(err)
		}
		p := s.Process
		if p.Signal.Name != "EXCEPTION_ACCESS_VIOLATION" || p.Signal.CodeName != "write" || p.Signal.Addr != 0x10 ||
			p.Modules[0].Name() != "tiny.exe" {
			t.Errorf("%s: %+v", c.name, p.Signal)
		}
		got := []string{}
		for st := range s.Stacks.All(t.Context(), p.Threads, stack.Options{}) {
			for i, f := range st.Frames {
				if want := []core.Addr{base + 0x1200, base + 0x111a, base + 0x1020}; i < len(want) && f.PC != want[i] {
					t.Errorf("%s: frame %d at %v, want %v", c.name, i, f.PC, want[i])
				}
				got = append(got, fmt.Sprintf("%s:%d %v", f.Name, f.Line, f.Trust))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		s.Close()
	}
}
