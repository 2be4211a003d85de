package e2e

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
)

// The tests in this file rewrite a core of Linux as one of macOS: the same memory
// and registers, but load commands instead of program headers, a note that lists
// the images, and in place of each ELF file a Mach-O one that has the same bytes at
// the same addresses, the same symbols, and the same call frame information.

const rewritePage = 0x1000

// words appends little-endian words: of 4 bytes for uint32, of 8 for uint64.
func words(b []byte, vs ...any) []byte {
	for _, v := range vs {
		switch v := v.(type) {
		case int:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		case uint32:
			b = binary.LittleEndian.AppendUint32(b, v)
		case uint64:
			b = binary.LittleEndian.AppendUint64(b, v)
		case string:
			b = append(b, append([]byte(v), make([]byte, 16)...)[:16]...)
		}
	}
	return b
}

// A machOSegment is an LC_SEGMENT_64 in the making.
type machOSegment struct {
	name                   string
	addr, size, off, bytes uint64
	prot                   core.Prot
	sections               []machOSection
}

type machOSection struct {
	name  string
	s     core.Section
	flags uint32
}

func (s *machOSegment) command() []byte {
	b := words(nil, 0x19, 72+80*len(s.sections), s.name, s.addr, s.size, s.off, s.bytes, machProt(s.prot),
		machProt(s.prot), len(s.sections), 0)
	for _, x := range s.sections {
		b = words(b, x.name, s.name, x.s.Addr, uint64(len(x.s.Data)), uint32(s.off+x.s.Addr-s.addr), 0, 0, 0,
			x.flags, 0, 0, 0)
	}
	return b
}

// machProt turns a protection into VM_PROT bits.
func machProt(p core.Prot) (vm uint32) {
	for i, bit := range []core.Prot{core.Read, core.Write, core.Exec} {
		if p&bit != 0 {
			vm |= 1 << i
		}
	}
	return vm
}

// A rewrite turns one process round.
type rewrite struct {
	t     *testing.T
	p     *core.Process
	dir   string // of the images' files
	cpu   uint32
	paths []string
	infos []byte // entries of "all image infos" without their paths
	loads [][2]core.Addr
}

func newRewrite(t *testing.T, p *core.Process, dir string) *rewrite {
	r := &rewrite{t: t, p: p, dir: dir, cpu: 0x01000007}
	if p.Arch == core.ARM64 {
		r.cpu = 0x0100000c
	}
	return r
}

// image writes the Mach-O file of a module.
func (r *rewrite) image(m *core.Module) {
	f := m.Facts()
	if f.Image == nil || f.InMemory || !f.BiasKnown || len(f.Image.Segments()) == 0 {
		return
	}
	segs, data := r.segments(f.Image)
	uuid := append(bytes.Clone(f.BuildID), make([]byte, 16)...)[:16]
	symtab, strs := r.symbols(f.Image, segs)
	// Its size in memory is 0: Linux has left no room for it.
	link := machOSegment{name: "__LINKEDIT", addr: segs[len(segs)-1].addr + segs[len(segs)-1].size, prot: core.Read,
		off: uint64(len(data)), bytes: uint64(len(symtab) + len(strs))}
	var cmds []byte
	for i := range segs {
		cmds = append(cmds, segs[i].command()...)
	}
	cmds = append(cmds, link.command()...)
	cmds = words(cmds, 0x1b, 24)
	cmds = append(cmds, uuid...)
	cmds = words(cmds, 2, 24, uint32(link.off), len(symtab)/16, uint32(link.off)+uint32(len(symtab)), len(strs))
	filetype := 6
	if m.Exe {
		filetype = 2
	}
	head := append(words(nil, uint32(0xfeedfacf), r.cpu, 0, filetype, len(segs)+3, len(cmds), 4, 0), cmds...)
	copy(data, head) // over ELF's header, notes and hash table
	name := strings.ReplaceAll(m.Path, "/", "_")
	out := append(append(data, symtab...), strs...)
	if err := os.WriteFile(filepath.Join(r.dir, name), out, 0o600); err != nil {
		r.t.Fatal(err)
	}
	load := f.Bias + core.Addr(segs[0].addr)
	r.infos = append(words(r.infos, uint64(0)), uuid...)
	r.infos = words(r.infos, uint64(load), ^uint64(0), 0, 1)
	r.paths = append(r.paths, "/"+name)
	for _, s := range segs {
		at := f.Bias + core.Addr(s.addr)
		r.loads = append(r.loads, [2]core.Addr{at, at + core.Addr(s.size)})
	}
}

// rewrittenSections are the sections of ELF files that the Mach-O ones have, and
// their names there.
var rewrittenSections = [][2]string{{".text", "__text"}, {".rodata", "__const"}, {".eh_frame", "__eh_frame"},
	{".data.rel.ro", "__const"}, {".data", "__data"}}

// segments lays the loaded parts of an image out as a Mach-O file has them: whole
// pages, one after the other.
func (r *rewrite) segments(img core.Image) (segs []machOSegment, data []byte) {
	file, err := os.Open(img.Path())
	if err != nil {
		r.t.Fatal(err)
	}
	defer file.Close()
	for _, s := range img.Segments() {
		if s.MemSize == 0 {
			continue
		}
		slack := s.Addr % rewritePage
		seg := machOSegment{name: "__TEXT", addr: s.Addr - slack, off: uint64(len(data)), prot: s.Prot,
			bytes: s.FileSize + slack}
		seg.size = uint64(core.Addr(s.MemSize + slack).Align(rewritePage))
		if len(segs) > 0 {
			seg.name = "__SEG" + string(rune('A'+len(segs)))
		}
		b := make([]byte, core.Addr(seg.bytes).Align(rewritePage))
		if _, err := file.ReadAt(b[:seg.bytes], int64(s.Off-slack)); err != nil {
			r.t.Fatal(err)
		}
		data = append(data, b...)
		segs = append(segs, seg)
	}
	for _, name := range rewrittenSections {
		x := machOSection{name: name[1]}
		if x.s, err = img.Section(name[0]); err != nil {
			continue
		}
		if x.s.Exec {
			x.flags = 0x80000400 // S_ATTR_PURE_INSTRUCTIONS, S_ATTR_SOME_INSTRUCTIONS
		}
		for i := range segs {
			if x.s.Addr >= segs[i].addr && x.s.Addr-segs[i].addr < segs[i].bytes {
				segs[i].sections = append(segs[i].sections, x)
			}
		}
	}
	return segs, data
}

// symbols makes an LC_SYMTAB. Sections are numbered from 1 on.
func (r *rewrite) symbols(img core.Image, segs []machOSegment) (table, strs []byte) {
	strs = []byte{0}
	section := func(a uint64) (n byte) {
		for i := range segs {
			for _, x := range segs[i].sections {
				if n++; a >= x.s.Addr && a-x.s.Addr < uint64(len(x.s.Data)) {
					return n
				}
			}
		}
		return 0
	}
	seen := map[string]bool{}
	for _, dynamic := range []bool{false, true} {
		_ = img.Symbols(dynamic, func(s core.ImageSymbol) bool {
			if !s.Defined || s.Kind != core.SymFunc && s.Kind != core.SymObject && s.Kind != core.SymNone ||
				dynamic && seen[string(s.Name)] {
				return true
			}
			if len(s.Name) == 0 || s.Name[0] == '$' {
				return true // marks of the assembler, which Mach-O does not have
			}
			seen[string(s.Name)] = true
			const abs, sect, ext = 2, 0xe, 1
			typ, n := byte(sect), section(s.Value)
			if n == 0 {
				typ = abs
			}
			if s.Global {
				typ |= ext
			}
			table = words(table, len(strs))
			table = append(table, typ, n, 0, 0)
			table = words(table, s.Value)
			strs = append(append(append(strs, '_'), s.Name...), 0)
			return true
		})
	}
	return table, strs
}

// core writes the core into the images' folder and returns its path.
func (r *rewrite) core() string {
	for _, m := range r.p.Modules {
		r.image(m)
	}
	var cmds, threads []byte
	for i, th := range r.p.Threads {
		threads = append(threads, r.thread(th, i == 0)...)
	}
	regions := r.regions()
	const noteSize, listHead = 40, 24
	off := uint64(32 + 72*len(regions) + noteSize + len(threads))
	list := words(nil, 1, len(r.paths), off+listHead, 48, 0)
	names := off + listHead + uint64(len(r.infos))
	for i := range r.paths {
		binary.LittleEndian.PutUint64(r.infos[48*i:], names)
		names += uint64(len(r.paths[i])) + 1
	}
	list = append(append(list, r.infos...), strings.Join(r.paths, "\x00")+"\x00"...)
	note := words(nil, 0x31, noteSize, "all image infos", off, uint64(len(list)))
	at := uint64(core.Addr(off + uint64(len(list))).Align(rewritePage))
	path := filepath.Join(r.dir, "core")
	file, err := os.Create(path)
	if err != nil {
		r.t.Fatal(err)
	}
	defer file.Close()
	for _, s := range regions {
		seg := machOSegment{addr: uint64(s.Start), size: s.Size(), off: at, prot: s.Prot}
		if s.Kind != core.SegGap {
			seg.bytes = s.Size()
			r.copy(file, int64(at), s)
		}
		cmds = append(cmds, seg.command()...)
		at += uint64(core.Addr(seg.bytes).Align(rewritePage))
	}
	cmds = append(append(cmds, note...), threads...)
	head := append(words(nil, uint32(0xfeedfacf), r.cpu, 0, 4, len(regions)+1+len(r.p.Threads), len(cmds), 0, 0),
		append(cmds, list...)...)
	if _, err := file.WriteAt(head, 0); err != nil {
		r.t.Fatal(err)
	}
	if err := file.Truncate(int64(at)); err != nil {
		r.t.Fatal(err)
	}
	return path
}

// regions returns the memory that the core is to describe. Parts that Linux left out because files have
// them are filled in.
func (r *rewrite) regions() (out []core.Segment) {
	for _, s := range r.p.Space.Segments() {
		for a := s.Start; a < s.End; {
			part, ok := r.p.Space.Resolve(a)
			if !ok || part.End <= a {
				r.t.Fatalf("the segment at %v does not hold %v", s.Start, a)
			}
			part.Start, part.End = a, min(part.End, s.End)
			if !r.replaced(part) {
				out = append(out, part)
			}
			a = part.End
		}
	}
	return out
}

// replaced reports whether a region is a part of an image that nothing wrote to:
// it comes from the Mach-O file.
func (r *rewrite) replaced(s core.Segment) bool {
	for _, l := range r.loads {
		if l[0] <= s.Start && s.End <= l[1] && s.Prot&core.Write == 0 && s.Kind != core.SegCore {
			return true
		}
	}
	return false
}

// copy writes what is not zero of a region.
func (r *rewrite) copy(file *os.File, at int64, s core.Segment) {
	var page, zero [rewritePage]byte
	for a := s.Start; a < s.End; a += rewritePage {
		n, _ := r.p.Space.ReadAt(page[:min(rewritePage, int(s.End-a))], a)
		if bytes.Equal(page[:n], zero[:n]) {
			continue
		}
		if _, err := file.WriteAt(page[:n], at+int64(a-s.Start)); err != nil {
			r.t.Fatal(err)
		}
	}
}

// thread makes an LC_THREAD; a fault in the exception state marks the one that
// crashed.
func (r *rewrite) thread(th *core.Thread, crashed bool) []byte {
	get := func(name string) uint64 { v, _ := th.Regs.Get(r.p.Arch.SlotOf(name)); return v }
	var b []byte
	if r.p.Arch == core.AMD64 {
		b = words(b, 4, 42)
		for _, name := range strings.Fields("rax rbx rcx rdx rdi rsi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip") {
			b = words(b, get(name))
		}
		b = words(b, uint64(0), uint64(0), uint64(0), uint64(0))
		b = words(b, 6, 4, 133, 0, uint64(0))
		if crashed {
			binary.LittleEndian.PutUint32(b[len(b)-16:], 14)
		}
	} else {
		b = words(b, 6, 68)
		for i := range 31 {
			v, _ := th.Regs.Get(i)
			b = words(b, v)
		}
		b = words(b, get("sp"), get("pc"), 0, 0)
		b = words(b, 7, 4, uint64(0), 0, 0)
		if crashed {
			binary.LittleEndian.PutUint32(b[len(b)-8:], 0x92000046)
		}
	}
	return append(words(nil, 4, 8+len(b)), b...)
}
