package sym

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/macho"
)

// A memoryKeeper keeps in memory.
type memoryKeeper map[string][]byte

func (k memoryKeeper) Get(name string) []byte { return k[name] }

func (k memoryKeeper) Put(name string, pieces ...[]byte) {
	k[name] = bytes.Clone(slices.Concat(pieces...))
}

// keepingAll returns a table that keeps an index of any size, and the module of img in it.
func keepingAll(img core.Image, in memoryKeeper) (*Table, *core.Module) {
	p, m := process(img, 0)
	t := NewTable(p, nil)
	t.Indexes, t.minKept = in, 0
	return t, m
}

// realImages returns the libraries and programs of this machine.
func realImages(t *testing.T) (list []string) {
	for _, glob := range []string{"/usr/lib/*-linux-gnu/lib*.so*", "/usr/lib/*-linux-gnu/*/*.so", "/usr/bin/*"} {
		found, _ := filepath.Glob(glob)
		n := 0
		for _, path := range found {
			if st, err := os.Lstat(path); err == nil && st.Mode().IsRegular() && n < 6 {
				list, n = append(list, path), n+1
			}
		}
	}
	if exe, err := os.Executable(); err == nil {
		list = append(list, exe)
	}
	return list
}

// TestKept: kept indexes of real images give the same answers as new ones, symbol by symbol, name by
// name and address by address.
func TestKept(t *testing.T) {
	compared := 0
	for _, path := range realImages(t) {
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		img, err := elf.NewFile(core.Bytes(b), path)
		if err != nil {
			continue
		}
		in := memoryKeeper{}
		first, m := keepingAll(img, in)
		fresh := first.module(m).index()
		second, m2 := keepingAll(img, in)
		x := second.module(m2).index()
		if len(in) == 0 {
			if x.kept != nil {
				t.Errorf("%s: kept of nothing", path)
			}
			continue
		}
		if x.kept == nil || x.len() != fresh.len() || x.placed != fresh.placed {
			t.Errorf("%s: %d symbols are not read again", path, fresh.len())
			continue
		}
		compared++
		for i := range x.len() {
			got, want := *x.at(i), *fresh.at(i)
			if got.addr != want.addr || got.size != want.size || got.kind != want.kind || got.global != want.global ||
				!bytes.Equal(got.name, want.name) {
				t.Fatalf("%s: symbol %d is %q %+v, want %q %+v", path, i, got.name, got, want.name, want)
			}
			for _, a := range []uint64{want.addr - 1, want.addr, want.addr + want.size/2, want.addr + want.size} {
				g, w := x.lookup(a), fresh.lookup(a)
				if (g == nil) != (w == nil) || g != nil && (g.addr != w.addr || !bytes.Equal(g.name, w.name)) {
					t.Fatalf("%s: %#x is of %+v, want %+v", path, a, g, w)
				}
			}
		}
		step := max(fresh.len()/200, 1)
		for i := 0; i < fresh.len(); i += step {
			name := string(fresh.name(i))
			g, w := second.module(m2).names().scan(name), first.module(m).names().scan(name)
			if g == nil || g.addr != w.addr || g.global != w.global {
				t.Fatalf("%s: %q is %+v, want %+v", path, name, g, w)
			}
			for _, n := range []int{1, 5, 6, 9, len(name)} {
				prefix := name[:min(n, len(name))]
				if got, want := prefixed(second, m2, prefix), prefixed(first, m, prefix); !slices.Equal(got, want) {
					t.Fatalf("%s: %q begins %d symbols, want %d", path, prefix, len(got), len(want))
				}
			}
			if n := i / step; n >= 10 {
				step = fresh.len()
			}
		}
	}
	if compared == 0 && runtime.GOOS == "linux" {
		t.Error("no image of this machine has a build-id and symbols")
	}
	t.Logf("%d images", compared)
}

func prefixed(t *Table, m *core.Module, prefix string) (out []string) {
	t.Prefix(m, prefix, func(s Symbol) bool {
		out = append(out, s.Name+s.Addr.String())
		return true
	})
	return out
}

// TestKeptDamaged: kept bytes that were changed, or that belong to another file, are not read; the
// symbols are made anew.
func TestKeptDamaged(t *testing.T) {
	var img *elf.File
	in := memoryKeeper{}
	for _, path := range realImages(t) {
		if b, err := os.ReadFile(path); err == nil && len(b) < 256<<10 {
			if img, err = elf.NewFile(core.Bytes(b), path); err == nil {
				if table, m := keepingAll(img, in); table.module(m).index().len() > 20 && len(in) > 0 {
					break
				}
			}
		}
		clear(in)
	}
	if len(in) == 0 && runtime.GOOS != "linux" {
		t.Skip("libraries of this system are not ELF files")
	} else if len(in) == 0 {
		t.Fatal("no small library of this machine has a build-id and symbols")
	}
	name := slices.Collect(maps.Keys(in))[0]
	whole := in[name]
	ask := func() *index {
		table, m := keepingAll(img, in)
		return table.module(m).index()
	}
	for at := 0; at < len(whole); at += 1 + at/16 {
		bad := bytes.Clone(whole)
		bad[at] ^= 0x10
		in[name] = bad
		if ask().kept != nil {
			t.Errorf("byte %d may be another", at)
		}
		if !bytes.Equal(in[name], whole) {
			t.Errorf("byte %d: it is not kept anew", at)
		}
		in[name] = whole[:at]
		if ask().kept != nil {
			t.Errorf("it may end after %d bytes", at)
		}
	}
	in[name] = whole
	if ask().kept == nil {
		t.Error("the whole is not read")
	}
	if _, ok := any((*macho.File)(nil)).(wholeImage); ok {
		t.Error("Mach-O images are kept now, and not tested")
	}
}

// TestKeptTwin: the index of a file with the same build-id and other bytes in the middle of its symbols, or
// of their names, is not read for the real one.
func TestKeptTwin(t *testing.T) {
	for _, path := range realImages(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		original, err := elf.NewFile(core.Bytes(data), path)
		if err != nil {
			continue
		}
		symbols, names, ok := original.SymbolTable(true)
		if ok && len(original.BuildID()) > 0 && min(len(symbols), len(names)) > 16<<10 {
			twins(t, original, data, symbols, names)
			return
		}
	}
	t.Skip("no image of this machine has a build-id and many symbols")
}

// twins changes a byte in the middle of each of the parts of an image.
func twins(t *testing.T, original *elf.File, data []byte, parts ...[]byte) {
	for i, part := range parts {
		twin := bytes.Clone(data)
		twin[bytes.Index(data, part)+len(part)/2] ^= 1
		forged, err := elf.NewFile(core.Bytes(twin), original.Path())
		if err != nil {
			t.Fatal(err)
		}
		keep := memoryKeeper{}
		table, m := keepingAll(forged, keep)
		table.module(m).index()
		if len(keep) == 0 {
			t.Fatalf("part %d: nothing was kept of the twin", i)
		}
		table, m = keepingAll(original, keep)
		if table.module(m).index().kept != nil {
			t.Errorf("part %d: the twin's index is read", i)
		}
		table, m = keepingAll(original, keep)
		if table.module(m).index().kept == nil {
			t.Errorf("part %d: the file's own index is not read", i)
		}
	}
}
