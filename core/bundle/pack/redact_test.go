package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/bundle/redact"
	"coredbg/core/bundle/secret"
	"coredbg/core/bundle/span"

	"github.com/klauspost/compress/zstd"
)

// scene is a core made for redacting: a page of notes, three pages of heap of
// which one is not dumped, a stack.
type scene struct {
	file []byte
	p    *core.Process
}

// atRandom is AT_RANDOM of the auxiliary vector.
const atRandom = 25

const (
	sceneNotes = 0
	sceneHeap  = 1 * span.Block // at 0x10000; the page after it is not dumped
	sceneNext  = 2 * span.Block // at 0x12000
	sceneStack = 3 * span.Block // at 0x7ff000
	sceneSize  = 4 * span.Block

	sceneArgs = "./prog\x00--token\x00two-w0rds-9\x00--password=eq-va1ue-8\x00-pSt1cky7\x00plain-4rg\x00shop/Server\x00/data/in.csv\x00"
	sceneEnv  = "TOKEN=tok-9f8e7d6c\x00PIN=k3y7\x00URL=pg://joe:pw9x@h/d\x00PATH=/usr/bin:/bin\x00MODE=production\x00WHERE=handleRequest\x00"
)

func newScene(os string) *scene {
	s := &scene{file: make([]byte, sceneSize)}
	for i := range s.file {
		s.file[i] = byte(i*7 | 0x80) // nothing that is text
	}
	src := core.Bytes(s.file)
	seg := func(at core.Addr, off int64) core.Segment {
		return core.Segment{Start: at, End: at + span.Block, Kind: core.SegCore, Prot: core.Read | core.Write,
			Src: src, Off: off}
	}
	s.p = &core.Process{OS: os, Arch: core.AMD64, Path: "core", Space: core.NewSpace([]core.Segment{
		seg(0x10000, sceneHeap), {Start: 0x11000, End: 0x12000, Gap: core.NotDumped}, seg(0x12000, sceneNext),
		seg(0x7ff000, sceneStack)}, nil)}
	t := &core.Thread{TID: 1}
	t.Regs.Set(core.AMD64.SP, 0x7ff010)
	t.Regs.Set(core.AMD64.PC, 0x400000)
	s.p.Threads = []*core.Thread{t}
	for _, g := range s.p.Space.Segments() {
		s.p.Mappings = append(s.p.Mappings, core.Mapping{Start: g.Start, End: g.End, Prot: core.Read | core.Write,
			Dumped: g.Size()})
	}
	return s
}

// start puts arguments and environment to the top of the stack, as Linux does.
func (s *scene) start() *scene {
	text := "0123456789abcdef" + sceneArgs + sceneEnv + "./prog\x00"
	at := sceneStack + span.Block - len(text)
	copy(s.file[at:], text)
	s.p.Auxv = []core.AuxEntry{{Type: atRandom, Value: uint64(0x7ff000 + at - sceneStack)}}
	return s
}

func (s *scene) note(name, owner string, typ uint32, at, size int) {
	binary.LittleEndian.PutUint32(s.file[at-12:], typ)
	copy(s.file[at-8:at], owner+"\x00\x00\x00\x00")
	s.p.Notes = append(s.p.Notes, core.Note{Owner: owner, Name: name, Type: typ, Off: int64(at),
		Desc: s.file[at : at+size], TID: 1})
}

// unpacked returns all bytes of a bundle.
func unpacked(t *testing.T, data []byte) []byte {
	t.Helper()
	dec, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	all, err := dec.DecodeAll(data[headerSize:], nil)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The header of a bundle: its size, and the offset of the index's size.
const (
	headerSize = 32
	indexSize  = 16
)

// unpackedChunks returns all bytes of a bundle after its index.
func unpackedChunks(t *testing.T, data []byte) []byte {
	return unpacked(t, data[binary.LittleEndian.Uint64(data[indexSize:]):])
}

func wide(s string, unit int, order binary.ByteOrder) string {
	out := make([]byte, len(s)*unit)
	for i := range len(s) {
		if unit == 2 {
			order.PutUint16(out[2*i:], uint16(s[i]))
		} else {
			order.PutUint32(out[4*i:], uint32(s[i]))
		}
	}
	return string(out)
}

// TestRedact puts secrets, whole and in pieces, wherever they may be, and looks
// for them in every byte that was written.
func TestRedact(t *testing.T) {
	for _, c := range []struct {
		name, left string // what may not be left
		at         int    // offset in the core
		kept       bool   // it is to be left
	}{
		{"a variable's value", "tok-9f8e7d6c", sceneHeap + 100, false},
		{"an option's value in a word of its own", "two-w0rds-9", sceneHeap + 200, false},
		{"an option's value after =", "eq-va1ue-8", sceneHeap + 300, false},
		{"an option's value after a letter", "St1cky7", sceneHeap + 400, false},
		{"an argument", "plain-4rg", sceneHeap + 500, false},
		{"four bytes", "k3y7", sceneHeap + 600, false},
		{"within a word", "xk3y7x", sceneHeap + 700, false},
		{"a password of an address", "pw9x", sceneHeap + 800, false},
		{"eight bytes of a value", "9f8e7d6c", sceneHeap + 900, false},
		{"UTF-16", wide("eq-va1ue-8", 2, binary.LittleEndian), sceneHeap + 1000, false},
		{"UTF-16, big-endian", wide("eq-va1ue-8", 2, binary.BigEndian), sceneHeap + 1101, false},
		{"UTF-32", wide("St1cky7", 4, binary.LittleEndian), sceneHeap + 1200, false},
		{"UTF-32, big-endian", wide("k3y7", 4, binary.BigEndian), sceneHeap + 1300, false},
		{"the head, before what was not dumped", "tok-9", sceneHeap + span.Block - 5, false},
		{"the tail, after what was not dumped", "0rds-9", sceneNext, false},
		{"a file's name in a note", "two-w0rds-9", sceneNotes + 700, false},
		{"a note", "eq-va1ue-8", sceneNotes + 1500, false},
		{"a register", "tok-9f8e", sceneNotes + 2000 + 16, false},
		{"four bytes in a register", "eq-v\x00\x00\x00\x00", sceneNotes + 2000 + 32, false},
		{"a piece in a vector register", "d6c", sceneNotes + 3000, false},
		{"the command line", "./prog --tok", sceneNotes + 3900, false},

		{"a path", "/data/in.csv", sceneHeap + 2000, true},
		{"a word of the program's file", "production", sceneHeap + 2100, true},
		{"a name on a stack", "handleRequest", sceneHeap + 2200, true},
		{"a class on a stack", "Lshop/Server;", sceneHeap + 2300, true},
		{"a name in a file's name", "/opt/lib/libx.so", sceneNotes + 600, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene("linux").start()
			s.note("NT_FILE", "CORE", 0x46494c45, 500, 300)
			s.note("NT_PRSTATUS", "CORE", 1, 2000, 336)
			s.note("NT_X86_XSTATE", "LINUX", 0x202, 2900, 600)
			s.note("NT_PRPSINFO", "CORE", 3, 3800, 180)
			copy(s.file[c.at:], c.left)
			if !bytes.Contains(s.file, []byte(c.left)) {
				t.Fatal("it was never there")
			}
			opt := Options{Redact: true, Names: []string{"shop.Server.handleRequest"},
				Data: []DataFile{{"/opt/app.jar", core.Bytes("\x01mode\x00production\x00\x02")}}}
			all := unpacked(t, pack(t, s.p, core.Bytes(s.file), opt))
			if got := bytes.Contains(all, []byte(c.left)); got != c.kept {
				t.Errorf("%q is left: %v", c.left, got)
			}
		})
	}
}

// TestRedactFinds: without AT_RANDOM, the strings are found by the pointers to them, or by the data
// that macOS puts before them.
func TestRedactFinds(t *testing.T) {
	const text = "./prog\x00--key=k-8a7b6c5d\x00HOME=/root\x00PIN=p-1a2b3c4d\x00\x00"
	pointers := func(s *scene, text string, envAt int) {
		at := sceneStack + span.Block - len(text)
		copy(s.file[at:], text)
		base := uint64(0x7ff000 + at - sceneStack)
		for i, w := range []uint64{2, base, base + 7, 0, base + uint64(envAt), base + uint64(envAt) + 11, 0} {
			binary.LittleEndian.PutUint64(s.file[sceneStack+2000+8*i:], w)
		}
	}
	for name, make := range map[string]func() *scene{
		"pointers": func() *scene {
			s := newScene("linux")
			pointers(s, text, 24)
			return s
		},
		"macOS": func() *scene {
			s := newScene("darwin")
			apple := "\x00executable_path=/opt/prog\x00" + text + "ptr_munge=\x00main_stack=\x00"
			copy(s.file[sceneStack+span.Block-len(apple):], apple)
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := make()
			copy(s.file[sceneHeap+100:], "k-8a7b6c5d and p-1a2b3c4d")
			all := unpacked(t, pack(t, s.p, core.Bytes(s.file), Options{Redact: true}))
			for _, value := range []string{"k-8a7b6c5d", "p-1a2b3c4d"} {
				if bytes.Contains(all, []byte(value)) {
					t.Errorf("%q is left", value)
				}
			}
		})
	}
	none := newScene("linux")
	none.p.Threads = nil
	if _, err := NewPlan(t.Context(), none.p, core.Bytes(none.file), Options{Redact: true}); !errors.Is(err,
		redact.ErrNoArgs) {
		t.Errorf("without a stack: %v", err)
	}
}

// TestRedactSays: the description names what stays, and a plan that leaves a
// secret writes nothing.
func TestRedactSays(t *testing.T) {
	s := newScene("linux").start()
	plan, err := NewPlan(t.Context(), s.p, core.Bytes(s.file), Options{Redact: true, Names: []string{"handleRequest"}})
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	if said := Describe(plan); !strings.Contains(said, "names on stacks have too: of WHERE\n") ||
		!strings.Contains(said, "may remain: ") {
		t.Error(said)
	}
	copy(s.file[sceneHeap+50:], "tok-9f8e7d6c") // behind the plan's back
	var out bytes.Buffer
	if err := plan.Write(t.Context(), &out); err == nil ||
		!strings.Contains(err.Error(), "a secret of 12 bytes is left at offset 0x1032") || out.Len() != 0 {
		t.Errorf("%d bytes were written, %v", out.Len(), err)
	}
}

// FuzzRedact: no trace is left of a secret anywhere in memory.
func FuzzRedact(f *testing.F) {
	f.Add([]byte("tok-9f8e7d6c"), uint16(77))
	f.Add([]byte("\xff\xfe0 1"), uint16(span.Block-3))
	f.Add([]byte("memory"), uint16(9))
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaaaaaa"), uint16(0))
	f.Fuzz(func(t *testing.T, value []byte, at uint16) {
		if len(value) < secret.Min || len(value) > 200 || bytes.IndexByte(value, 0) >= 0 {
			return
		}
		s := newScene("linux")
		text := append([]byte("0123456789abcdefA="), value...)
		start := sceneStack + span.Block - len(text) - 1
		copy(s.file[start:], append(text, 0))
		s.p.Auxv = []core.AuxEntry{{Type: atRandom, Value: uint64(0x7ff000 + start - sceneStack)}}
		copy(s.file[sceneHeap+int(at)%(2*span.Block-len(value)):], value)
		if len(secret.Find(append([]byte("A="), value...))) == 0 {
			return // a path
		}
		plan, err := NewPlan(t.Context(), s.p, core.Bytes(s.file), Options{Redact: true})
		if err != nil {
			t.Fatal(err)
		}
		defer plan.Close()
		var out bytes.Buffer
		if err := plan.Write(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(unpackedChunks(t, out.Bytes()), value) {
			t.Errorf("%q is left", value)
		}
	})
}
