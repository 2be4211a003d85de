package machocore_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/macho"
	"coredbg/core/macho/format"
	"coredbg/core/macho/machocore"
	"coredbg/core/macho/machotest"
)

// readProcess asks everything of a process that a command may ask.
func readProcess(p *core.Process) {
	for _, th := range p.Threads {
		th.Registers()
	}
	for _, m := range p.Modules {
		if img, ok := m.Facts().Image.(*macho.File); ok {
			machotest.ReadAll(img)
			if m := img.DebugMap(); m != nil {
				m.Find(img.Base())
			}
		}
	}
	for i, s := range p.Space.Segments() {
		if i > 64 {
			break
		}
		_, _ = p.Space.Window(s.Start)
		_, _ = p.Space.Window(s.End - 1)
	}
}

// TestHostileCores opens cores with counts, sizes and offsets that lie. Each names
// what is wrong, and shows what can be read.
func TestHostileCores(t *testing.T) {
	good := machotest.SegmentCommand(0x9000, 0x1000, 0, 16, 3)
	thread := machotest.LC(format.LCThread, machotest.Words(4, 42, machotest.X86State(0x1111)))
	for _, c := range []struct {
		name string
		core []byte
		want string // a part of a warning
		maps int
	}{
		{"a command that runs past the others", machotest.CoreFile(format.CPUX86_64, 3,
			machotest.Concat(good, thread, machotest.Words(format.LCSegment64, 1<<20), make([]byte, 64))),
			"load commands: only 2 of 3 can be read", 1},
		{"a command of no size", machotest.CoreFile(format.CPUX86_64, 3, machotest.Concat(good,
			machotest.Words(format.LCSegment64, 0))), "load commands: only 1 of 3 can be read", 1},
		{"4 billion commands", machotest.CoreFile(format.CPUX86_64, -1, machotest.Concat(good, thread)),
			"load commands: only 2 of 4294967295 can be read", 1},
		{"a segment too short", machotest.CoreFile(format.CPUX86_64, 2, machotest.Concat(good,
			machotest.LC(format.LCSegment64, make([]byte, 8)))), "load commands: 1 are too short", 1},
		{"a thread of 4 billion words", machotest.CoreFile(format.CPUX86_64, 2,
			machotest.Concat(good, machotest.LC(format.LCThread, machotest.Words(4, -1, machotest.X86State(0x1111))))),
			"1 threads have states that exceed", 1},
		{"overlapping segments", machotest.CoreFile(format.CPUX86_64, 2,
			machotest.Concat(good, machotest.SegmentCommand(0x9800, 0x1000, 0, 16, 3))), "1 regions overlap", 2},
		{"a segment around the end", machotest.CoreFile(format.CPUX86_64, 2,
			machotest.Concat(good, machotest.SegmentCommand(^uint64(0)-0xfff, 0x2000, 0, 16, 3))), "wraps around", 1},
		{"a note that is elsewhere", machotest.CoreFile(format.CPUX86_64, 2,
			machotest.Concat(good, machotest.NoteCommand("all image infos", 1<<62, 1<<62))),
			`"all image infos": only 0 of its 4611686018427387904 bytes are in the file`, 1},
		{"a list of 4 billion images", append(machotest.CoreFile(format.CPUX86_64, 2, machotest.Concat(good,
			machotest.NoteCommand("all image infos", 32+72+40, 24))), machotest.Words(1, -1, uint64(0), 48, 0)...),
			`"all image infos": its contents make no sense`, 1},
		{"metadata that is not JSON", append(machotest.CoreFile(format.CPUX86_64, 2,
			machotest.Concat(good, machotest.NoteCommand("process metadata", 32+72+40, 5))), "{\"thr"...),
			`"process metadata": its contents make no sense`, 1},
		{"an address of 99 bits", append(machotest.CoreFile(format.CPUX86_64, 2, machotest.Concat(good,
			machotest.NoteCommand("addrable bits", 32+72+40, 16))), machotest.Words(3, 99, uint64(0))...),
			`"addrable bits": its contents make no sense`, 1},
		{"dyld at nothing", append(machotest.CoreFile(format.CPUX86_64, 2,
			machotest.Concat(good, machotest.NoteCommand("main bin spec", 32+72+40, 40))),
			machotest.Words(2, 2, uint64(0x1234), ^uint64(0), make([]byte, 16), 12, 1)...),
			"dyld: the core does not hold its header at 0x1234", 1},
		{"infos at nothing", append(machotest.CoreFile(format.CPUX86_64, 2,
			machotest.Concat(good, machotest.NoteCommand("main bin spec", 32+72+40, 40))),
			machotest.Words(2, 4, uint64(0x1234), ^uint64(0), make([]byte, 16), 12, 1)...),
			"dyld: dyld_all_image_infos at 0x1234 cannot be read", 1},
	} {
		p, err := machocore.Open(core.Bytes(c.core), "core", machocore.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !strings.Contains(fmt.Sprint(p.Warnings), c.want) || len(p.Mappings) != c.maps {
			t.Errorf("%s: %v, %d mappings", c.name, p.Warnings, len(p.Mappings))
		}
		readProcess(p)
	}
}

// TestHostileImage reads an image in a core whose commands are cut Off: what stands
// before is used, and the rest is reported.
func TestHostileImage(t *testing.T) {
	exe, _ := machotest.TwoImages()
	binary.LittleEndian.PutUint32(exe[16:], 500) // ncmds
	p, err := machocore.Open(core.Bytes(machotest.CoreOf(machotest.LoadNote(1, 0x500000000, "/bin/a"))), "core",
		machocore.Options{Files: someFiles{"/bin/a": exe}})
	if err != nil {
		t.Fatal(err)
	}
	f := p.Modules[0].Facts()
	if f.Image == nil || f.Err == nil || !strings.Contains(f.Err.Error(), "/bin/a: only ") ||
		!strings.Contains(f.Err.Error(), " of its 500 load commands can be read") {
		t.Errorf("%+v", f)
	}
	if b, err := p.Space.Slice(0x500000800, 4); string(b) != "text" {
		t.Errorf("%q, %v", b, err)
	}
}

// TestExecutable expects to hear at once that the executable that the user named is not the one.
func TestExecutable(t *testing.T) {
	exe, lib := machotest.TwoImages()
	for _, c := range []struct{ named, want string }{
		{"/here/a", ""},
		{"/here/b", "/here/b: the process has no image with its UUID"},
		{"/here/none", "/here/none: the process has no image with its UUID"},
	} {
		p, err := machocore.Open(core.Bytes(machotest.CoreOf(machotest.LoadNote(1, 0x500000000, "/bin/a"))), "core",
			machocore.Options{Exe: c.named, Files: someFiles{"/here/a": exe, "/here/b": lib}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, w := range p.Warnings {
			if w.Place == core.PlaceExecutable {
				got = w.Text
			}
		}
		if got != c.want || (p.Modules[0].Facts().Image != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v", c.named, got, p.Modules[0].Facts().Err)
		}
	}
}

// TestDamagedCores cuts a core with a shared cache at each of its parts and changes
// bytes of its headers: nothing of it may panic or hang.
func TestDamagedCores(t *testing.T) {
	whole := machotest.FullCore(false)
	files := machotest.CacheFiles(machotest.Cache())
	for size := 0; size < len(whole); size += 97 {
		if p, err := machocore.Open(core.Bytes(whole[:size]), "core", machocore.Options{Files: files}); err == nil {
			if size < len(whole)-97 && size > 1000 && !p.Truncated {
				t.Errorf("of %d bytes %d are there, and the core is not called truncated", len(whole), size)
			}
			readProcess(p)
		}
	}
	r := rand.New(rand.NewSource(1))
	for range 3000 {
		b := bytes.Clone(whole)
		for range 1 + r.Intn(4) {
			at := r.Intn(len(b))
			if r.Intn(2) == 0 {
				at = []int{0, 0x300, 0x600}[r.Intn(3)] + r.Intn(0x300)
			}
			b[at] = []byte{0, 1, 0x7f, 0x80, 0xff}[r.Intn(5)]
		}
		if p, err := machocore.Open(core.Bytes(b), "core", machocore.Options{Files: files}); err == nil {
			readProcess(p)
		}
	}
}

func FuzzNote(f *testing.F) {
	f.Add("all image infos", machotest.Words(1, 1, uint64(0), 48, 0))
	f.Add("addrable bits", machotest.Words(4, 47, 47, 0))
	f.Add("main bin spec", machotest.Words(2, 4, uint64(0x9000), ^uint64(0), make([]byte, 16), 12, 1))
	f.Add("load binary", machotest.LoadNote(1, 0x9000, "/bin/a"))
	f.Add("process metadata", []byte(`{"threads":[{"thread_id":5}]}`))
	f.Fuzz(func(t *testing.T, owner string, payload []byte) {
		if len(owner) > 16 {
			return
		}
		cmds := machotest.Concat(machotest.NoteCommand(owner, format.HeaderSize+format.NoteSize+machotest.SegmentSize,
			uint64(len(payload))),
			machotest.SegmentCommand(0x9000, uint64(len(payload)), format.HeaderSize+format.NoteSize+
				machotest.SegmentSize, uint64(len(payload)), 3))
		p, err := machocore.Open(core.Bytes(append(machotest.CoreFile(format.CPUX86_64, 2, cmds), payload...)), "fuzz",
			machocore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		readProcess(p)
	})
}
