package pack

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/bundle/span"
	"coredbg/core/coretest"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/core/sym"
)

func open(t testing.TB, path string) (*core.Process, core.Source) {
	t.Helper()
	src, err := file.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := elfcore.Open(src, path, elfcore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p, src
}

func pack(t testing.TB, p *core.Process, src core.Source, opt Options) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(t.Context(), &out, p, src, opt); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func unpack(t testing.TB, data []byte) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Open(core.Bytes(data))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// compare holds each byte of got against want, and returns how many bytes are
// gaps.
func compare(t *testing.T, name string, got, want core.Source) (gaps int64) {
	t.Helper()
	if got.Size() != want.Size() {
		t.Fatalf("%s: %d bytes, want %d", name, got.Size(), want.Size())
	}
	for at := int64(0); at < got.Size(); {
		w, err := got.Window(at)
		if gap := new(core.GapError); errors.As(err, &gap) {
			n := min(span.Block-at%span.Block, got.Size()-at)
			gaps += n
			at += n
			continue
		}
		if err != nil {
			t.Fatalf("%s at %#x: %v", name, at, err)
		}
		orig, err := core.SourceSlice(want, at, len(w))
		if err != nil || !bytes.Equal(w, orig) {
			t.Fatalf("%s: bytes differ in the %d at %#x (%v)", name, len(w), at, err)
		}
		at += int64(len(w))
	}
	return gaps
}

// TestRoundTrip packs whole cores and expects every byte of them back, and the
// same process with the same names, without the files of this machine.
func TestRoundTrip(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			p, src := open(t, path)
			data := pack(t, p, src, Options{})
			b := unpack(t, data)
			if gaps := compare(t, "core", b.Core(), src); gaps != 0 {
				t.Errorf("%d bytes of the core were left out", gaps)
			}
			for _, m := range p.Modules {
				got := b.Find(t.Context(), find.Want{Kind: find.Image, Path: m.Path, ID: m.Facts().BuildID})
				if got.Source == nil {
					continue
				}
				orig, err := file.Map(m.Path)
				if err != nil {
					t.Fatal(err)
				}
				gaps := compare(t, m.Path, got.Source, orig)
				t.Logf("%s: %s of %s", m.Path, span.Size(orig.Size()-gaps), span.Size(orig.Size()))
				orig.Close()
			}
			q, err := elfcore.Open(b.Core(), path, elfcore.Options{Files: b})
			if err != nil {
				t.Fatal(err)
			}
			sameProcess(t, p, q)
			sameNames(t, p, q)
			t.Logf("%d bytes", len(data))
		})
	}
}

// TestStacks packs without the heap. It expects a process with the same threads and modules and the
// same stack contents, and a reason for each missing byte.
func TestStacks(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			p, src := open(t, path)
			// A place that only the recording asks for.
			var heap core.Addr
			for _, m := range p.Mappings {
				if m.Path == "" && m.Prot&core.Write != 0 && m.Dumped > 0 && heap == 0 {
					heap = m.Start + core.Addr(m.Dumped) - 64
				}
			}
			r := Record(p.Space)
			p.Cursor().U64(heap)
			r.Stop()
			if pages := r.Pages(); len(pages) != 1 || pages[0] != heap&^(core.TracePage-1) {
				t.Fatalf("recorded %v, want the page of %v", pages, heap)
			}
			opt := Options{Stacks: true, Touched: r}
			data := pack(t, p, src, opt)
			b := unpack(t, data)
			gaps := compare(t, "core", b.Core(), src)
			if gaps == 0 {
				t.Error("nothing was left out")
			}
			t.Logf("%d bytes; %s of the core left out", len(data), span.Size(gaps))
			q, err := elfcore.Open(b.Core(), path, elfcore.Options{Files: b})
			if err != nil {
				t.Fatal(err)
			}
			sameProcess(t, p, q)
			for _, th := range q.Threads {
				sp, _ := th.Regs.Get(q.Arch.SP)
				if _, err := core.ReadBytes(q.Space, core.Addr(sp), 64); err != nil {
					t.Errorf("thread %d: its stack: %v", th.TID, err)
				}
			}
			if c := q.Cursor(); c.U64(heap) != p.Cursor().U64(heap) || c.Err() != nil {
				t.Errorf("at %v: %v", heap, c.Err())
			}
			sawLeftOut(t, q)
			if !bytes.Equal(data, pack(t, p, src, opt)) {
				t.Error("packed once more, other bytes came")
			}
		})
	}
}

// sawLeftOut expects memory and a section that were not taken to say so.
func sawLeftOut(t *testing.T, q *core.Process) {
	t.Helper()
	found := false
	for _, m := range q.Mappings {
		_, err := core.ReadBytes(q.Space, m.Start, uint64(m.End-m.Start))
		if f := core.Fault(err); f != nil && f.Gap == core.LeftOut {
			found = true
		}
	}
	if !found {
		t.Error("no memory says that it was left out")
	}
	for _, m := range q.Modules {
		if img := m.Facts().Image; m.Exe && img != nil && m.End-m.Start > 1<<20 {
			_, err := img.Section(".rodata")
			if gap := new(core.GapError); !errors.As(err, &gap) || gap.Gap != core.LeftOut {
				t.Errorf(".rodata of %s: %v, want that it was left out", m.Path, err)
			}
		}
	}
}

func sameProcess(t *testing.T, p, q *core.Process) {
	t.Helper()
	if len(p.Threads) != len(q.Threads) || len(p.Modules) != len(q.Modules) || len(p.Mappings) != len(q.Mappings) {
		t.Fatalf("%d threads, %d modules, %d mappings; want %d, %d, %d", len(q.Threads), len(q.Modules),
			len(q.Mappings),
			len(p.Threads), len(p.Modules), len(p.Mappings))
	}
	for i, th := range p.Threads {
		if q.Threads[i].TID != th.TID || q.Threads[i].Regs != th.Regs {
			t.Errorf("thread %d differs", th.TID)
		}
	}
	for i, m := range p.Modules {
		a, b := m.Facts(), q.Modules[i].Facts()
		if a.Bias != b.Bias || !bytes.Equal(a.BuildID, b.BuildID) || (a.Image == nil) != (b.Image == nil) ||
			a.InMemory != b.InMemory {
			t.Errorf("%s: bias %v, build-id %x, %v; want %v, %x, %v", m.Path, b.Bias, b.BuildID, b.Err, a.Bias,
				a.BuildID, a.Err)
		}
	}
}

// sameNames looks up every 64th word of the executable's text in both.
func sameNames(t *testing.T, p, q *core.Process) {
	t.Helper()
	a, b := sym.NewTable(p), sym.NewTable(q)
	n := 0
	for _, m := range p.Modules {
		for at := m.Start; at < m.End; at += 509 {
			x, off1, ok1 := a.Lookup(at)
			y, off2, ok2 := b.Lookup(at)
			if x.Name != y.Name || off1 != off2 || ok1 != ok2 {
				t.Fatalf("%v: %s+%#x, want %s+%#x", at, y.Name, off2, x.Name, off1)
			}
			if ok1 {
				n++
			}
		}
	}
	if n == 0 {
		t.Error("no names at all")
	}
}
