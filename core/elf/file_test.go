package elf

import (
	"bytes"
	"compress/zlib"
	"context"
	stdelf "debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/elf/elftest"
	"coredbg/core/elf/format"
	"coredbg/core/file"
	"coredbg/core/find"

	"github.com/klauspost/compress/zstd"
)

// images lists files of this machine that debug/elf can read too.
func images(t testing.TB) []string {
	var out []string
	self, err := os.Executable()
	if err == nil {
		out = append(out, self)
	}
	for _, pattern := range []string{"/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libm.so.6",
		"/lib64/ld-linux-x86-64.so.2", "/usr/lib32/libc.so.6", "/usr/*-linux-gnu*/lib/libc.so.6"} {
		more, _ := filepath.Glob(pattern)
		out = append(out, more...)
	}
	var elfs []string
	for _, p := range out {
		if f, err := stdelf.Open(p); err == nil {
			f.Close()
			elfs = append(elfs, p)
		}
	}
	if len(elfs) == 0 {
		t.Skip("no ELF files here")
	}
	return elfs
}

func openImage(t testing.TB, path string) *File {
	src, err := file.Map(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	f, err := NewFile(src, path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFileAgainstDebugELF compares sections, segments and symbols with the standard library's.
func TestFileAgainstDebugELF(t *testing.T) {
	for _, path := range images(t) {
		std, err := stdelf.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer std.Close()
		f := openImage(t, path)
		for _, s := range std.Sections {
			if s.Type == stdelf.SHT_NULL || s.Type == stdelf.SHT_NOBITS || std.Section(s.Name) != s {
				continue
			}
			want, err := s.Data()
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.Section(s.Name)
			if err != nil || !bytes.Equal(got.Data, want) || got.Addr != s.Addr {
				t.Errorf("%s: section %s: %d bytes at %#x, %v; want %d at %#x", path, s.Name, len(got.Data), got.Addr,
					err, len(want), s.Addr)
			}
		}
		n := 0
		for _, p := range std.Progs {
			if p.Type != stdelf.PT_LOAD {
				continue
			}
			if g := f.Segments()[n]; g.Addr != p.Vaddr || g.Off != p.Off || g.FileSize != p.Filesz ||
				g.MemSize != p.Memsz || g.Prot != core.Prot(p.Flags) {
				t.Errorf("%s: segment %+v, want %+v", path, g, p.ProgHeader)
			}
			n++
		}
		compareSymbols(t, f, false, std.Symbols)
		compareSymbols(t, f, true, std.DynamicSymbols)
		compareStripped(t, f)
	}
}

func compareSymbols(t *testing.T, f *File, dynamic bool, truth func() ([]stdelf.Symbol, error)) {
	want, _ := truth()
	i, bad := 0, 0
	var opd core.Section
	if f.exec.head.Machine == stdelf.EM_PPC64 && f.exec.head.Flags&3 != 2 { // symbols are addresses of descriptors
		opd, _ = f.Section(".opd")
	}
	err := f.Symbols(dynamic, func(s core.ImageSymbol) bool {
		if i < len(want) {
			w := want[i]
			if at := w.Value - opd.Addr; w.Value >= opd.Addr && at < uint64(len(opd.Data)) && s.Kind == core.SymFunc {
				w.Value = f.exec.head.Order.Uint64(opd.Data[at:])
			}
			if string(s.Name) != w.Name || s.Value != w.Value || s.Size != w.Size ||
				s.Defined != (w.Section != stdelf.SHN_UNDEF) ||
				s.Global != (stdelf.ST_BIND(w.Info) != stdelf.STB_LOCAL) ||
				(s.Kind == core.SymFunc) != (stdelf.ST_TYPE(w.Info) == stdelf.STT_FUNC ||
					stdelf.ST_TYPE(w.Info) == stdelf.STT_GNU_IFUNC) {
				if bad++; bad < 5 {
					t.Errorf("%s: symbol %d: %+v, want %+v", f.Path(), i, s, w)
				}
			}
		}
		i++
		return true
	})
	if err != nil || i != len(want) {
		t.Errorf("%s: dynamic %v: %d symbols, %v, want %d", f.Path(), dynamic, i, err, len(want))
	}
}

// compareStripped compares the section headers' results with the results without them, in the file and
// in memory that holds its first segments.
func compareStripped(t *testing.T, f *File) {
	bare := &File{exec: executionView{head: f.exec.head, src: f.exec.src, progs: f.exec.progs}, path: f.path}
	bare.exec.head.Shoff = 0
	bare.init()
	var segs []core.Segment
	const at = 0x7f0000000000
	for _, p := range f.exec.progs {
		if p.Type == stdelf.PT_LOAD {
			s := core.Addr(at + p.Vaddr)
			segs = append(segs, core.Segment{Start: s, End: s + core.Addr(p.Filesz), Kind: core.SegCore,
				Src: f.exec.src, Off: int64(p.Off)})
		}
	}
	inMemory := []*File{bare}
	lowest, ok := f.exec.prog(stdelf.PT_LOAD)
	if ok && f.exec.head.Wide && lowest.Off == 0 {
		m, err := NewMemoryFile(core.NewSpace(segs, nil), core.Addr(at+lowest.Vaddr))
		if err != nil {
			t.Errorf("%s in memory: %v", f.path, err)
			return
		}
		if m.Bias() != at {
			t.Errorf("%s in memory: bias %v", f.path, m.Bias())
		}
		inMemory = append(inMemory, m)
	}
	for _, g := range inMemory {
		for _, name := range []string{".dynsym", ".dynstr", ".eh_frame_hdr", ".eh_frame"} {
			want, err := f.Section(name)
			_, hdr := f.exec.prog(stdelf.PT_GNU_EH_FRAME)
			if err != nil || name == ".eh_frame" && !hdr {
				continue
			}
			got, err := g.Section(name)
			if name == ".eh_frame" && len(got.Data) > len(want.Data) {
				got.Data = got.Data[:len(want.Data)] // its end is not known
			}
			if err != nil || got.Addr != want.Addr || !bytes.Equal(got.Data, want.Data) {
				t.Errorf("%s (%q): without section headers %s has %d bytes at %#x, %v; want %d at %#x",
					f.path, g.path, name, len(got.Data), got.Addr, err, len(want.Data), want.Addr)
			}
		}
		// The Go linker has a build-id that no PT_NOTE reaches.
		s, err := f.Section(".note.gnu.build-id")
		reached := slices.ContainsFunc(f.exec.progs, func(p format.Prog) bool {
			return p.Type == stdelf.PT_NOTE && p.Vaddr <= s.Addr && s.Addr < p.Vaddr+p.Filesz
		})
		if err == nil && reached && !bytes.Equal(g.BuildID(), f.BuildID()) {
			t.Errorf("%s: without section headers build-id %x, want %x", f.path, g.BuildID(), f.BuildID())
		}
	}
}

// withSections makes a file of sections with contents; those named with a "*"
// have SHF_COMPRESSED.
func withSections(b *elftest.Builder, names []string, contents [][]byte) []byte {
	strtab := []byte{0}
	var offs []uint32
	for _, n := range append(names, ".shstrtab") {
		offs = append(offs, uint32(len(strtab)))
		strtab = append(append(strtab, bytes.TrimPrefix([]byte(n), []byte("*"))...), 0)
	}
	data := b.HeaderBytes(stdelf.ET_DYN, 0, 0, 0)
	shdrs := make([]byte, b.SectionSize())
	for i, c := range append(contents, strtab) {
		flags := uint64(0)
		if i < len(names) && names[i][0] == '*' {
			flags = uint64(stdelf.SHF_COMPRESSED)
		}
		typ := stdelf.SHT_PROGBITS
		if i < len(names) && strings.HasPrefix(names[i], ".note") {
			typ = stdelf.SHT_NOTE
		}
		shdrs = b.Append32(shdrs, offs[i], uint32(typ))
		shdrs = b.AppendWord(shdrs, flags, 0, uint64(len(data)), uint64(len(c)))
		shdrs = b.AppendWord(b.Append32(shdrs, 0, 0), 1, 0)
		data = append(data, c...)
	}
	copy(data, b.HeaderBytes(stdelf.ET_DYN, 0, uint64(len(data)), 0))
	n := b.HeaderSize() - 4
	b.Order.PutUint16(data[n:], uint16(len(names)+2))
	b.Order.PutUint16(data[n+2:], uint16(len(names)+1))
	return append(data, shdrs...)
}

func TestCompressedSections(t *testing.T) {
	want := bytes.Repeat([]byte("debug information "), 1000)
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write(want)
	w.Close()
	enc, _ := zstd.NewWriter(nil)
	zst := enc.EncodeAll(want, nil)
	for _, b := range []*elftest.Builder{elftest.AMD64(), elftest.New(stdelf.EM_386, binary.LittleEndian, false),
		elftest.New(stdelf.EM_S390, binary.BigEndian, true)} {
		chdr := func(typ uint32, size uint64) []byte {
			h := b.Append32(nil, typ)
			if b.Wide {
				h = b.Append32(h, 0)
			}
			return b.AppendWord(h, size, 1)
		}
		old := binary.BigEndian.AppendUint64([]byte("ZLIB"), uint64(len(want)))
		f, err := NewFile(core.Bytes(withSections(b,
			[]string{"*.debug_info", "*.debug_line", ".zdebug_str", "*.debug_abbrev", "*.debug_loc"},
			[][]byte{append(chdr(1, uint64(len(want))), z.Bytes()...), append(chdr(2, uint64(len(want))), zst...),
				append(old, z.Bytes()...), append(chdr(1, 1<<30), z.Bytes()...), chdr(7, 10)})), "f")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{".debug_info", ".debug_line", ".debug_str"} {
			if s, err := f.Section(name); err != nil || !bytes.Equal(s.Data, want) {
				t.Errorf("%s %s: %d bytes, %v", f.Machine(), name, len(s.Data), err)
			}
		}
		for _, name := range []string{".debug_abbrev", ".debug_loc"} {
			if _, err := f.Section(name); err == nil || errors.Is(err, core.ErrNoSection) {
				t.Errorf("%s %s: %v, want a reason", f.Machine(), name, err)
			}
		}
		if _, err := f.Section(".debug_types"); err != core.ErrNoSection {
			t.Errorf("%s: absent section: %v", f.Machine(), err)
		}
	}
}

// TestDenseSections: a small section that would unpack to a large one is refused by its
// claim, or when the claim is lower than the truth, where that ends.
func TestDenseSections(t *testing.T) {
	large := make([]byte, 64<<20)
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write(large)
	w.Close()
	enc, _ := zstd.NewWriter(nil)
	zst := enc.EncodeAll(large, nil)
	b := elftest.AMD64()
	chdr := func(typ uint32, size uint64) []byte { return b.AppendWord(b.Append32(nil, typ, 0), size, 1) }
	old := func(size uint64) []byte { return binary.BigEndian.AppendUint64([]byte("ZLIB"), size) }
	claim := uint64(len(large))
	f, err := NewFile(core.Bytes(withSections(b, []string{"*.a", "*.b", ".zdebug_c", "*.d", "*.e"},
		[][]byte{append(chdr(1, claim), z.Bytes()...), append(chdr(2, claim), zst...), append(old(claim), z.Bytes()...),
			append(chdr(2, 1000), zst...), append(chdr(2, 1<<63), zst...)})), "f")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".a", ".b", ".debug_c", ".d", ".e"} {
		if s, err := f.Section(name); !errors.Is(err, file.ErrTooLong) || len(s.Data) > 1<<20 {
			t.Errorf("%s: %d bytes, %v, want %v", name, len(s.Data), err, file.ErrTooLong)
		}
	}
}

// TestCutFile cuts an image everywhere within its headers and here and there
// after; nothing may fail but with an error.
func TestCutFile(t *testing.T) {
	data, err := os.ReadFile(images(t)[len(images(t))-1])
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(data); n += 1 + n/7 {
		exercise(data[:n])
	}
}

// exercise reads all parts of an image.
func exercise(data []byte) {
	f, err := NewFile(core.Bytes(data), "x")
	if err != nil {
		return
	}
	count := func(core.ImageSymbol) bool { return true }
	f.Symbols(false, count)
	f.Symbols(true, count)
	for _, name := range []string{".text", ".debug_info", ".eh_frame", ".eh_frame_hdr", ".dynsym",
		".note.gnu.build-id"} {
		f.Section(name)
	}
	f.BuildID()
	f.SoName()
	f.OffsetToAddr(0x1000)
	mem := core.NewSpace([]core.Segment{{Start: 0x1000, End: 0x1000 + core.Addr(len(data)), Kind: core.SegCore,
		Src: core.Bytes(data)}}, nil)
	if m, err := NewMemoryFile(mem, 0x1000); err == nil {
		m.Symbols(true, count)
		m.Section(".eh_frame")
		m.BuildID()
	}
}

func lookup(d Disk, path string, id []byte) (core.Source, string, []error) {
	got := d.Find(context.Background(), find.Want{Kind: find.Image, Path: path, ID: id})
	return got.Source, got.From, got.Refused
}

func debugFile(d Disk, id []byte, link string, crc uint32, near string) (core.Source, string, []error) {
	got := d.Find(context.Background(), find.Want{Kind: find.Debug, ID: id, Link: link, CRC: crc, Near: near})
	return got.Source, got.From, got.Refused
}

func TestDisk(t *testing.T) {
	dir := t.TempDir()
	id, other := []byte{0xaa, 0xbb, 0xcc, 0xdd}, []byte{0x11, 0x22, 0x33}
	b := elftest.AMD64()
	put := func(path string, data []byte) string {
		path = filepath.Join(dir, path)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good, wrong := b.Library(id, 4096, 1), b.Library(other, 4096, 2)
	put("root/opt/app/lib.so", wrong)
	suffix := put("search/app/lib.so", good)
	byID := put("ids/.build-id/aa/bbccdd", good)
	debug := put("debug/.build-id/aa/bbccdd.debug", good)
	real := put("real/lib.so", good)
	linked := put("real/.debug/lib.debug", []byte("123456789"))
	for name, to := range map[string]string{"leak.so": real, "link.so": "/opt/app/lib.so"} {
		if err := os.Symlink(to, filepath.Join(dir, "root/opt", name)); err != nil && runtime.GOOS != "windows" {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		d       Disk
		path    string
		id      []byte
		from    string
		refused int
	}{
		{Disk{Disk: find.Disk{Sysroot: filepath.Join(dir, "root")}}, "/opt/app/lib.so", id, "", 1},
		{Disk{Disk: find.Disk{Sysroot: filepath.Join(dir, "root")}}, "/opt/app/lib.so", other,
			filepath.Join(dir, "root/opt/app/lib.so"), 0},
		{Disk{Disk: find.Disk{Sysroot: filepath.Join(dir, "root"), Search: []string{filepath.Join(dir, "search")}}},
			"/opt/app/lib.so", id, suffix, 1},
		{Disk{Disk: find.Disk{Search: []string{filepath.Join(dir, "ids")}}}, "/no/such", id, byID, 0},
		{Disk{}, real + " (deleted)", id, real, 0},
		{Disk{Disk: find.Disk{Sysroot: filepath.Join(dir, "root")}}, "/../../real/lib.so", nil, "", 0},
		{Disk{Disk: find.Disk{Sysroot: filepath.Join(dir, "root")}}, real, id, "", 0},
		{Disk{Disk: find.Disk{Sysroot: filepath.Join(dir, "root")}}, "/opt/leak.so", id, "", 0},
		{Disk{Disk: find.Disk{Sysroot: filepath.Join(dir, "root")}}, "/opt/link.so", other,
			filepath.Join(dir, "root/opt/link.so"), 0},
		{Disk{}, "/dev/null", nil, "", 1},
		{Disk{}, dir, nil, "", 1},
	} {
		src, from, refused := lookup(c.d, c.path, c.id)
		if from != c.from || len(refused) != c.refused || (src == nil) != (from == "") {
			t.Errorf("Lookup(%s): %q, refused %v; want %q and %d refused", c.path, from, refused, c.from, c.refused)
		}
		if src != nil {
			src.Close()
		}
	}
	// In a folder that was named a debug file may lie by its name; the standard
	// place stays one.
	named := put("named/lib.debug", []byte("123456789"))
	own := put("own/lib.so.debug", withSections(b, []string{".note.gnu.build-id", ".symtab"}, [][]byte{
		append(b.Append32(nil, 4, 4, elftest.NTGNUBuildID), "GNU\x00\xaa\xbb\xcc\xdd"...), make([]byte, 24)}))
	put("stripped/lib.so", good)
	far := put("far/lib.so", good)
	for _, c := range []struct{ dir, want string }{{"named", named}, {"own", own}, {"stripped", ""}} {
		d := Disk{Disk: find.Disk{DebugDirs: []string{filepath.Join(dir, c.dir)}}}
		if _, from, refused := debugFile(d, id, "lib.debug", 0xcbf43926, far); from != c.want {
			t.Errorf("Debug by name in %s: %q, refused %v", c.dir, from, refused)
		}
	}
	if got := (Disk{Disk: find.Disk{DebugDirs: []string{"/x"}}}).debugDirs(); !slices.Equal(got,
		[]string{"/x", "/usr/lib/debug"}) {
		t.Errorf("debug folders %v", got)
	}
	d := Disk{Disk: find.Disk{DebugDirs: []string{filepath.Join(dir, "debug")}}}
	if _, from, _ := debugFile(d, id, "", 0, real); from != debug {
		t.Errorf("Debug by build-id: %q", from)
	}
	// cbf43926 is the check value of CRC-32 for these nine digits.
	if _, from, refused := debugFile(d, nil, "lib.debug", 0xcbf43926, real); from != linked {
		t.Errorf("Debug by link: %q, %v", from, refused)
	}
	if src, _, refused := debugFile(d, nil, "lib.debug", 1, real); src != nil || len(refused) != 1 {
		t.Errorf("Debug with another checksum: %v", refused)
	}
	// With a sysroot, files next to a file of the same path on this machine do not belong to it.
	rooted := Disk{Disk: find.Disk{Sysroot: filepath.Join(dir, "root")}}
	if src, from, refused := debugFile(rooted, nil, "lib.debug", 0xcbf43926, real); src != nil || len(refused) > 0 {
		t.Errorf("Debug outside the sysroot: %q, %v", from, refused)
	}
	inRoot := put("root/usr/lib/debug/opt/app/lib.debug", []byte("123456789"))
	for _, near := range []string{filepath.Join(dir, "root/opt/app/lib.so"), "/opt/app/lib.so"} {
		if _, from, refused := debugFile(rooted, nil, "lib.debug", 0xcbf43926, near); from != inRoot {
			t.Errorf("Debug in the sysroot near %s: %q, %v", near, from, refused)
		}
	}
}
