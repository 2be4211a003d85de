package sym

import (
	"bytes"
	"context"
	"errors"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/file"
	"coredbg/core/find"

	"github.com/ulikunitz/xz"
)

// oneFile is a Finder of one debug file.
type oneFile struct {
	path  string
	asked int
	link  string
	crc   uint32
}

func (o *oneFile) Find(_ context.Context, w find.Want) find.Found {
	if w.Kind != find.Debug {
		return find.Found{}
	}
	o.asked, o.link, o.crc = o.asked+1, w.Link, w.CRC
	data, err := os.ReadFile(o.path)
	if err != nil {
		return find.Found{Refused: []error{err}}
	}
	return find.Found{Source: core.Bytes(data), From: o.path}
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("no %s", name)
	}
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

func openImage(t *testing.T, path string) core.Image {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	img, err := elf.NewFile(core.Bytes(data), path)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestSeparateDebugFile strips a program and expects the names and lines that
// it had from the file that was split off.
func TestSeparateDebugFile(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs a compiler")
	}
	whole := build(t, "g++", "-O1", "-g")
	debug, stripped := whole+".debug", whole+".stripped"
	run(t, "objcopy", "--only-keep-debug", whole, debug)
	run(t, "objcopy", "--strip-all", "--add-gnu-debuglink="+debug, whole, stripped)

	const name = "_ZN3app5outerERKNS_3BoxEi"
	p, _ := process(openImage(t, whole), 0x5000)
	want, ok := NewTable(p).Find("", name)
	if !ok {
		t.Fatalf("no %s in the whole program", name)
	}
	wantLines := lineString(NewTable(p).Lines(want.Addr + 8))

	p, m := process(openImage(t, stripped), 0x5000)
	find := &oneFile{path: debug}
	tab := NewTable(p, find)
	if s, off, ok := tab.Lookup(want.Addr + 1); !ok || s.Name != name || off != 1 || s.Size != want.Size {
		t.Errorf("Lookup = %+v + %d, %v, want %+v", s, off, ok, want)
	}
	if got := lineString(tab.Lines(want.Addr + 8)); got != wantLines || got == "" {
		t.Errorf("Lines = %q, want %q", got, wantLines)
	}
	data, _ := os.ReadFile(debug)
	if find.asked != 1 || find.link != filepath.Base(debug) || find.crc != crc32.ChecksumIEEE(data) {
		t.Errorf("asked %d times for %q with CRC %#x", find.asked, find.link, find.crc)
	}

	tab = NewTable(p, &oneFile{path: "/nowhere"})
	if s, _, ok := tab.Lookup(want.Addr + 1); ok {
		t.Errorf("without the debug file: %+v", s)
	}
	if err := tab.Module(m, func(Symbol) bool { return true }); err == nil {
		t.Error("no word about the debug file that is missing")
	}
}

func TestDebugData(t *testing.T) {
	whole := build(t, "g++", "-O1")
	mini, stripped := whole+".mini", whole+".stripped"
	run(t, "objcopy", "-S", "--keep-symbol=main", "--keep-symbol=_ZN3app5outerERKNS_3BoxEi",
		"--remove-section=.comment", whole, mini)
	run(t, "xz", "-k", mini)
	run(t, "objcopy", "--strip-all", "--add-section=.gnu_debugdata="+mini+".xz", whole, stripped)
	p, _ := process(openImage(t, stripped), 0x5000)
	s, ok := NewTable(p).Find("", "app::outer")
	if !ok || s.Kind != core.SymFunc {
		t.Errorf("Find(app::outer) = %+v, %v", s, ok)
	}
}

// packedImage is an image that has only a .gnu_debugdata.
type packedImage struct {
	core.Image
	data []byte
}

func (p packedImage) Section(string) (core.Section, error) { return core.Section{Data: p.data}, nil }
func (p packedImage) Path() string                         { return "/lib/packed.so" }

// TestDenseDebugData: a few kilobytes of .gnu_debugdata are not unpacked to hundreds of
// megabytes.
func TestDenseDebugData(t *testing.T) {
	if testing.Short() {
		t.Skip("it unpacks much")
	}
	var b bytes.Buffer
	w, err := xz.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	for range 64 {
		w.Write(make([]byte, 1<<20))
	}
	w.Close()
	img, err := openDebugData(packedImage{data: b.Bytes()})
	if img != nil || !errors.Is(err, file.ErrTooLong) {
		t.Errorf("%d bytes: %v, %v, want %v", b.Len(), img, err, file.ErrTooLong)
	}
}
