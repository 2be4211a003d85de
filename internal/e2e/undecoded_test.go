package e2e

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
)

// An undecodable is a process of x86-64 with a V8 that cannot be decoded: what is in
// its executable, and its heap.
type undecodable struct {
	texts   []string         // C strings among the constants of the image
	numbers map[string]int32 // variables of the image by their names
	word    int              // bytes of a word on the pages of its heap; 0 without these
	gone    bool             // the executable is not there any more
}

// Where things are in the process, and in the executable from its start on.
const (
	undecodableImage = 0x400000
	undecodableTexts = 0x1000
	undecodableVars  = 0x2000
	undecodableSize  = 0x3000
	undecodableHeap  = 0x2a00000000
	undecodableStack = 0x7ffd00000000
	v8ChunkSize      = 256 << 10 // of a page of V8's heap
)

// executable makes the image, which has its variables as symbols.
func (u *undecodable) executable() []byte {
	out := make([]byte, undecodableSize)
	copy(out[undecodableTexts:], "\x00"+strings.Join(u.texts, "\x00")+"\x00")
	names, symbols := []byte{0}, []elf.Sym64{{}}
	for name, v := range u.numbers {
		at := undecodableVars + 4*len(symbols)
		binary.LittleEndian.PutUint32(out[at:], uint32(v))
		symbols = append(symbols, elf.Sym64{Name: uint32(len(names)), Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_OBJECT),
			Shndx: 1, Value: undecodableImage + uint64(at), Size: 4})
		names = append(append(names, name...), 0)
	}
	const sections = "\x00.rodata\x00.symtab\x00.strtab\x00.shstrtab\x00"
	name := func(s string) uint32 { return uint32(strings.Index(sections, "\x00"+s) + 1) }
	tables := uint64(len(out))
	parts := [][]byte{packed(symbols), names, []byte(sections)}
	headers := []elf.Section64{{},
		{Name: name(".rodata"), Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC), Addr: undecodableImage +
			undecodableTexts, Off: undecodableTexts, Size: undecodableSize - undecodableTexts},
		{Name: name(".symtab"), Type: uint32(elf.SHT_SYMTAB), Link: 3, Info: 1, Entsize: elf.Sym64Size},
		{Name: name(".strtab"), Type: uint32(elf.SHT_STRTAB)},
		{Name: name(".shstrtab"), Type: uint32(elf.SHT_STRTAB)}}
	for i, p := range parts {
		headers[2+i].Off, headers[2+i].Size = tables, uint64(len(p))
		tables += uint64(len(p))
		out = append(out, p...)
	}
	h := elfHeader(elf.ET_EXEC, 1)
	h.Entry, h.Shoff, h.Shentsize, h.Shnum, h.Shstrndx = undecodableImage+undecodableTexts, tables, 64,
		uint16(len(headers)), 4
	copy(out, packed(h))
	copy(out[h.Ehsize:], packed(elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R), Vaddr: undecodableImage,
		Filesz: undecodableSize, Memsz: undecodableSize, Align: 0x1000}))
	return append(out, packed(headers)...)
}

// heap makes pages that begin with objects: each begins with its map. All have the map of maps, which
// is its own map and says that it is one.
func (u *undecodable) heap() []byte {
	pages := make([]byte, 8*v8ChunkSize)
	put := func(at, to int) {
		if w := uint64(undecodableHeap + to + 1); u.word == 4 {
			binary.LittleEndian.PutUint32(pages[at:], uint32(w))
		} else {
			binary.LittleEndian.PutUint64(pages[at:], w)
		}
	}
	const maps, other = 0x200, 0x240
	put(maps, maps)
	put(other, maps)
	binary.LittleEndian.PutUint16(pages[maps+u.word+4:], 255) // instance_type: some number of V8's own
	for page := 0; page < len(pages); page += v8ChunkSize {
		for i := range 20 {
			put(page+0x300+32*i, other)
		}
	}
	return pages
}

// core makes the core of a process whose executable is at path.
func (u *undecodable) core(path string) []byte {
	le := binary.LittleEndian
	var notes []byte
	note := func(typ elf.NType, desc []byte) {
		notes = append(notes, packed([]uint32{5, uint32(len(desc)), uint32(typ)})...)
		notes = append(append(notes, "CORE\x00\x00\x00\x00"...), desc...)
		notes = append(notes, make([]byte, -len(notes)&3)...)
	}
	status := make([]byte, 336) // struct elf_prstatus of x86-64
	le.PutUint16(status[12:], 6)
	le.PutUint32(status[32:], 4711)
	le.PutUint64(status[112+16*8:], undecodableImage+undecodableTexts) // rip
	le.PutUint64(status[112+19*8:], undecodableStack+0x800)            // rsp
	note(elf.NT_PRSTATUS, status)
	// NT_AUXV
	note(6, packed([]uint64{3, undecodableImage + 64, 4, 56, 5, 1, 9, undecodableImage + undecodableTexts, 0, 0}))
	note(0x46494c45, append(packed([]uint64{1, 4096, undecodableImage, undecodableImage + undecodableSize, 0}),
		path+"\x00"...))
	type load struct {
		addr uint64
		size int
		flag elf.ProgFlag
		data []byte
	}
	loads := []load{{undecodableImage, undecodableSize, elf.PF_R | elf.PF_X, u.executable()[:0x1000]},
		{undecodableStack, 0x1000, elf.PF_R | elf.PF_W, make([]byte, 0x1000)}}
	if u.word > 0 {
		loads = append(loads, load{undecodableHeap, 8 * v8ChunkSize, elf.PF_R | elf.PF_W, u.heap()})
	}
	h := elfHeader(elf.ET_CORE, 1+len(loads))
	at := uint64(h.Ehsize) + uint64(h.Phnum)*uint64(h.Phentsize)
	progs := []elf.Prog64{{Type: uint32(elf.PT_NOTE), Off: at, Filesz: uint64(len(notes))}}
	data := notes
	for _, l := range loads {
		progs = append(progs, elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(l.flag),
			Off: at + uint64(len(data)), Vaddr: l.addr,
			Filesz: uint64(len(l.data)), Memsz: uint64(l.size)})
		data = append(data, l.data...)
	}
	return append(append(packed(h), packed(progs)...), data...)
}

func elfHeader(typ elf.Type, progs int) elf.Header64 {
	return elf.Header64{Ident: [16]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), 1},
		Type:    uint16(typ),
		Machine: uint16(elf.EM_X86_64), Version: 1, Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: uint16(progs)}
}

func packed(v any) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// session opens the core of the process in a folder of its own.
func (u *undecodable) session(t *testing.T, stdout, stderr *bytes.Buffer) (s *coredbg.Session, exe string) {
	t.Helper()
	dir := t.TempDir()
	exe, path := filepath.Join(dir, "app"), filepath.Join(dir, "core")
	if err := os.WriteFile(path, u.core(exe), 0o600); err != nil {
		t.Fatal(err)
	}
	if !u.gone {
		if err := os.WriteFile(exe, u.executable(), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s, err := coredbg.Open(path, coredbg.Options{Stdout: stdout, Stderr: stderr})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, exe
}

// TestUndecoded: for a V8 that cannot be decoded, ::status and ::v8version show the name, the version
// and the reason, and every command and walker that needs V8 gives the reason, and not that there is no
// V8.
func TestUndecoded(t *testing.T) {
	texts := []string{"Ineffective mark-compacts near heap limit", "CALL_AND_RETRY_LAST", "V8.GCScavenger",
		"V8.GCFinalizeMC",
		"v8::Isolate::Dispose()", "V8.MemoryExternalFragmentationTotal", "invalid table size"}
	compressed, symbols := map[string]int32{"v8dbg_TaggedSize": 4, "v8dbg_SmiTag": 0}, map[string]int32{}
	for i, name := range []string{"major", "minor", "build", "patch"} {
		compressed["_ZN2v88internal7Version6"+name+"_E"] = []int32{12, 4, 254, 21}[i]
		symbols["_ZN2v88internal7Isolate5"+name+"Ev"] = 0
	}
	const bare = "the image does not export the v8dbg_ constants, which describe the layout of objects"
	const narrow = "its pointers are compressed to 4 bytes"
	const tried = "; no function with bytecodes was found to try the table of V8 15.0 on"
	for _, c := range []struct {
		name    string
		u       undecodable
		version string // "" if there is no V8
		reason  string
		image   bool // it is known to be in the executable
	}{
		{"without constants", undecodable{texts: append(texts, "15.0.245.2-rusty"), word: 8}, "15.0.245.2-rusty",
			bare + tried, true},
		{"without constants and heap", undecodable{texts: append(texts, "15.0.245.2-rusty")},
			"15.0.245.2-rusty", bare, true},
		{"without constants and version", undecodable{texts: texts, word: 8}, "unknown", bare, true},
		{"without constants, compressed", undecodable{texts: append(texts, "15.8.62.5"), word: 4}, "15.8.62.5",
			bare + "; " + narrow + tried, true},
		{"without constants, with symbols", undecodable{numbers: symbols}, "unknown", bare, true},
		{"compressed", undecodable{numbers: compressed}, "12.4.254.21", narrow, true},
		{"without its image", undecodable{texts: texts, word: 8, gone: true}, "unknown",
			"there are pages of its heap, but the image with its constants could not be read: app; nothing in memory says which version it is", false},
		{"without its image, compressed", undecodable{texts: texts, word: 4, gone: true}, "unknown",
			"there are pages of its heap, but the image with its constants could not be read: app; nothing in memory says which version it is; " + narrow, false},
		{"none", undecodable{texts: texts[:2]}, "", "the process has no V8", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			s, exe := c.u.session(t, &stdout, &stderr)
			run := func(line string) (text, talk string) {
				stdout.Reset()
				stderr.Reset()
				s.Partial = false
				if err := s.Run(t.Context(), line); err != nil {
					t.Errorf("%s: %v", line, err)
				}
				return stdout.String(), stderr.String()
			}
			shown := c.version
			if shown == "unknown" {
				shown = "(version unknown)"
			}
			runtime := "\nruntime: v8 " + shown + ", not decoded: " + c.reason + "\n"
			if text, _ := run("::status"); strings.Contains(text, runtime) != (c.version != "") ||
				s.Partial != (c.version != "") {
				t.Errorf("::status: partial %v\n%s", s.Partial, text)
			}
			want, said := c.reason, ""
			if c.version != "" {
				want, said = "V8", "V8 version: "+c.version+"\n"
				if c.version != "unknown" {
					want += " " + c.version
				}
				if c.image {
					want += " in " + exe
					said += "image:      " + exe + "\n"
				}
				want += " cannot be decoded: " + c.reason
			}
			if text, _ := run("::v8version"); text != said {
				t.Errorf("::v8version:\n%swant\n%s", text, said)
			}
			for _, line := range needingV8(t, s, c.version != "") {
				text, talk := run(line)
				if talk = strings.TrimSuffix(talk, "\n"); !strings.HasSuffix(talk, want) ||
					strings.Contains(talk, "\n") || !s.Partial {
					t.Errorf("%s: partial %v, %q, want %q", line, s.Partial, talk, want)
				}
				if text != "" && !strings.HasPrefix(line, "::v8version") {
					t.Errorf("%s prints %q", line, text)
				}
			}
		})
	}
}

// needingV8 returns lines with each command and walker that needs V8, and, if heap is set, lines for
// the ones that need the heap of any runtime.
func needingV8(t *testing.T, s *coredbg.Session, heap bool) (lines []string) {
	t.Helper()
	for _, d := range s.Commands.Commands() {
		if d.Module == "v8" || heap && d.Module == "heap" && d.Name != "hprof" {
			lines = append(lines, d.Example)
		}
	}
	for _, w := range s.Commands.Walkers() {
		if strings.HasPrefix(w.Name, "js") {
			lines = append(lines, "::walk "+w.Name)
		}
	}
	if len(lines) < 40 {
		t.Fatalf("only %d commands of V8", len(lines))
	}
	return lines
}
