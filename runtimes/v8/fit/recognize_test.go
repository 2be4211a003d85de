package fit

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
)

// bytesSource is a core.Source over bytes.
type bytesSource []byte

func (s bytesSource) Size() int64  { return int64(len(s)) }
func (s bytesSource) Close() error { return nil }
func (s bytesSource) ReadAt(p []byte, off int64) (int, error) {
	return copy(p, s[min(off, int64(len(s))):]), nil
}
func (s bytesSource) Window(off int64) ([]byte, error) { return s[off:], nil }

const (
	fakeImage = core.Addr(0x400000)
	fakeCage  = core.Addr(0x2a_0000_0000)
	fakeType  = 255 // of maps
)

// recognized probes a process with an image that has the given constants, and pages
// that begin with objects of words of width bytes; 0 for none.
func recognized(t *testing.T, constants string, width int) *Undecoded {
	t.Helper()
	image := make([]byte, 4<<20)
	copy(image[0x1000:], constants)
	pages := make([]byte, 8*layout.ChunkSize)
	for at := 0; width > 0 && at < len(pages); at += layout.ChunkSize {
		put := func(off int, to core.Addr) {
			if width == 4 {
				binary.LittleEndian.PutUint32(pages[off:], uint32(to|1))
			} else {
				binary.LittleEndian.PutUint64(pages[off:], uint64(to|1))
			}
		}
		const meta, other = 0x200, 0x240
		put(meta, fakeCage+meta)
		put(other, fakeCage+meta)
		binary.LittleEndian.PutUint16(pages[meta+4+width:], fakeType)
		for i := range 20 {
			put(at+0x300+32*i, fakeCage+other)
		}
	}
	space := core.NewSpace([]core.Segment{
		{Start: fakeImage, End: fakeImage + core.Addr(len(image)), Kind: core.SegCore, Prot: core.Read,
			Src: bytesSource(image)},
		{Start: fakeCage, End: fakeCage + core.Addr(len(pages)), Kind: core.SegCore, Prot: core.Read | core.Write,
			Src: bytesSource(pages)},
	}, nil)
	m := core.NewModule(core.Module{Path: "/usr/bin/app", Exe: true, Start: fakeImage,
		End: fakeImage + core.Addr(len(image))},
		func(*core.Module) core.ModuleFacts { return core.ModuleFacts{} })
	traced := map[core.Addr]bool{}
	space.Trace = func(a core.Addr, n int) {
		for end := a + core.Addr(n); a < end; a = a&^0xfff + 0x1000 {
			traced[a&^0xfff] = true
		}
	}
	p := &core.Process{Arch: core.AMD64, Space: space, Modules: []*core.Module{m}}
	v, r, err := Probe(context.Background(), runtimes.Target{Process: p, Symbols: sym.NewTable(p, nil)})
	if err != nil || v != nil {
		t.Fatalf("Probe: %v, %v", v, err)
	}
	// A bundle keeps the memory that was read while tracing.
	if n := len(traced); n > 40 || r == nil && n > 0 {
		t.Errorf("%d pages of 4 KiB were traced as read, of %d", n, (len(image)+len(pages))>>12)
	}
	return r
}

// TestRecognize: a V8 without its constants is reported with its version and the reason that it cannot be
// decoded. A program that only mentions V8 is not reported.
func TestRecognize(t *testing.T) {
	if testing.Short() {
		t.Skip("it scans large images")
	}
	v8 := "\x00" + strings.Join(phrases, "\x00") + "\x00"
	for _, c := range []struct {
		name, constants string
		width           int
		version, reason string // "" if there is no V8
	}{
		{"Deno", v8 + "1.3.0.1\x0015.0.245.2-rusty\x00", 8, "15.0.245.2-rusty",
			"does not export the v8dbg_ constants, which describe the layout of objects"},
		{"workerd", v8 + "15.8.62.5\x00156.0.8078.79\x008.8.8.8\x00", 4, "15.8.62.5",
			"its pointers are compressed to 4 bytes"},
		{"Chromium", v8 + "9.9.9.11\x0045.11.45.11\x007.1.5.4\x008.8.8.8\x00156.0.8078.79\x0015.6.75.27\x00", 4,
			"15.6.75.27", "does not export"},
		{"a version without its last number", v8 + "19.3.5\x0018.1.7\x0015.3.76\x00149.112.112.10\x00", 4, "15.3.76",
			"does not export"},
		{"two versions", v8 + "15.0.245.2\x0014.1.146.11\x00", 8, "unknown", "does not export the v8dbg_ constants"},
		{"cut", "\x00" + strings.Join(phrases[:wantPhrases], "\x00") + "\x00", 0, "unknown",
			"does not export the v8dbg_ constants"},
		{"a program about V8", strings.Join(phrases, "; ") + "15.0.245.2\x00", 0, "", ""},
		{"a few words", "\x00" + strings.Join(phrases[:wantPhrases-1], "\x00") + "\x00", 0, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := recognized(t, c.constants, c.width)
			if c.reason == "" {
				if r != nil {
					t.Fatalf("there is %v", r)
				}
				return
			}
			if r == nil {
				t.Fatal("there is no V8")
			}
			var u runtimes.Undecoded = r
			if u.Name() != "v8" || u.Version() != c.version || !strings.Contains(u.Undecoded(), c.reason) {
				t.Errorf("%s %s: %s, want %s: %s", u.Name(), u.Version(), u.Undecoded(), c.version, c.reason)
			}
			if compressed := strings.Contains(u.Undecoded(), "compressed"); compressed != (c.width == 4) {
				t.Errorf("%s, but words of %d bytes", u.Undecoded(), c.width)
			}
		})
	}
}

func TestVersionAt(t *testing.T) {
	for data, want := range map[string]string{
		"15.0.245.2-rusty\x00more": "15.0.245.2-rusty",
		"9.4.146.26-node.38\x00":   "9.4.146.26-node.38",
		"9.9.9.11\x00":             "", // an address
		"15.3.76\x00":              "15.3.76",
		"10.4.3\x00":               "",
		"9.4.146.26":               "", // cut
		"9.4.146.26 x\x00":         "",
		"x9.4.146.26\x00":          "", // it begins later
		"99.4.146.26\x00":          "",
		"":                         "",
	} {
		if got := versionAt([]byte(data)); got != want {
			t.Errorf("versionAt(%q) = %q, want %q", data, got, want)
		}
	}
}
