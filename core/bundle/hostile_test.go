package bundle

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/bundle/span"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/core/find"

	"github.com/klauspost/compress/zstd"
)

// small returns a bundle of a made-up core of three pages: text, zeros, text.
func small(t testing.TB) []byte {
	data := make([]byte, 20*span.Block)
	copy(data, "the first page")
	copy(data[19*span.Block:], "the last page")
	return write(t, WriteOptions{Info: []string{"a core"}}, whole(Core, "core.1", data))
}

// whole plans all of a file.
func whole(kind uint8, path string, data []byte) *Planned {
	src := core.Bytes(data)
	return &Planned{Kind: kind, Path: path, Source: src,
		Spans: span.Tile(src, []span.Range{span.Between(0, src.Size())}, core.GapError{})}
}

// write returns a bundle of parts.
func write(t testing.TB, opt WriteOptions, parts ...*Planned) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(t.Context(), &out, parts, opt); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func unpack(t testing.TB, data []byte) *Bundle {
	t.Helper()
	b, err := Open(core.Bytes(data))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// same holds a source against the bytes that it must have.
func same(t *testing.T, name string, got core.Source, want []byte) {
	t.Helper()
	all, err := core.SourceSlice(got, 0, int(got.Size()))
	if err != nil || !bytes.Equal(all, want) {
		t.Errorf("%s: %d bytes, not the %d that were packed; %v", name, len(all), len(want), err)
	}
}

func TestSmall(t *testing.T) {
	b := unpack(t, small(t))
	c := b.Core()
	for at, want := range map[int64]string{0: "the first page", 5 * span.Block: "\x00\x00",
		19*span.Block + 4: "last page"} {
		if got, err := core.SourceSlice(c, at, len(want)); string(got) != want || err != nil {
			t.Errorf("at %#x: %q, %v, want %q", at, got, err, want)
		}
	}
	if _, err := c.Window(20 * span.Block); err == nil {
		t.Error("read past the end")
	}
	if b.CorePath() != "core.1" || len(b.Info) == 0 {
		t.Errorf("path %q, info %q", b.CorePath(), b.Info)
	}
	if got := b.Find(t.Context(), find.Want{Kind: find.Image, Path: "/bin/true"}); got.Source != nil ||
		len(got.Refused) != 1 {
		t.Errorf("a file that is not there: %v, %v", got.Source, got.Refused)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := c.Window(0); err == nil {
		t.Error("read after Close")
	}
}

// reindex returns a bundle with another index.
func reindex(data, index []byte) []byte {
	_, length, _ := indexFrame(core.Bytes(data), data[:headerSize])
	enc, _ := zstd.NewWriter(nil)
	packed := enc.EncodeAll(index, nil)
	out := append(header(packed, length), packed...)
	return append(out, data[len(data)-int(length):]...)
}

// old returns a bundle as one of the version before.
func old(data []byte) []byte {
	data[8] = oldVersion
	return data
}

func rawIndex(t testing.TB, data []byte) []byte {
	packed, _, err := indexFrame(core.Bytes(data), data[:headerSize])
	if err != nil {
		t.Fatal(err)
	}
	dec, _ := zstd.NewReader(nil)
	raw, err := dec.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// lies are indexes that say what cannot be.
func lies() map[string][]byte {
	u := binary.AppendUvarint
	part := func(rest ...uint64) []byte {
		b := append([]byte{0, 0, 1, Core, 1}, "c\x00"...) // no lines, no reasons, a core named c, no build-id
		for _, v := range rest {
			b = u(b, v)
		}
		return b
	}
	return map[string][]byte{
		"ends too early":         {},
		"lines in":               u(nil, 1<<40),
		"0 cores in it":          {0, 0, 0, 0},
		"a size of":              part(1 << 62),
		"extents in":             part(4096, 1<<30),
		"an extent of kind 0":    part(4096, 2, 0, 0),
		"and 4097 bytes":         part(4096, 1, 4097<<2),
		"extents end at 0x1000":  part(8192, 1, 4096<<2|1, 16, 0),
		"reason 7 of 0":          part(4096, 1, 4096<<2|2, 7, 0, 0),
		"of kind 3":              part(4096, 1, 4096<<2|3, 16, 0),
		"0 chunks for 4096":      part(4096, 1, 4096<<2, 16, 0),
		"a chunk of 999999":      part(4096, 1, 4096<<2, 16, 1, 999999),
		"bytes at 0x10000000000": part(4096, 1, 4096<<2, 1<<40, 1, 5),
	}
}

// newLies are indexes with impossible chunks.
func newLies() map[string][]byte {
	u := binary.AppendUvarint
	const n = 4096
	chunks := func(share string, list ...[]byte) []byte {
		b := append([]byte{0, 0, 1, Core, 1}, "c\x00"...)
		b = append(u(u(u(b, n), 1), n<<2), 0, byte(len(list)))
		for _, c := range list {
			b = append(b, c...)
		}
		return append(append(b, byte(len(share))), share...)
	}
	chunk := func(length, size uint64, flags byte, rest ...byte) []byte {
		return append(u(u(nil, length<<2|uint64(flags)), size), rest...)
	}
	return map[string][]byte{
		"a chunk for 4097 bytes":      chunks("", chunk(n+1, 5, 0)),
		"a chunk for 0 bytes":         chunks("", chunk(n, 5, 0), chunk(0, 5, 0)),
		"have 4095":                   chunks("", chunk(n-1, 5, 0)),
		"a chunk of 999999 bytes":     chunks("", chunk(n, 999999, 0)),
		"a chunk for 4096 bytes":      chunks("", chunk(n, 5, flagTurned, 65, 0)),
		"for 4096 bytes at 0x0":       chunks("", chunk(n, 5, flagTurned, 4, 2)),
		"it ends too early":           chunks("", chunk(n, 5, flagShared, 1, 2, 3)),
		`it shares a folder named ""`: chunks("", chunk(n, 5, flagShared, make([]byte, 32)...)),
		`named "../x"`:                chunks("../x", chunk(n, 5, flagShared, make([]byte, 32)...)),
		`named ".."`:                  chunks("..", chunk(n, 5, flagShared, make([]byte, 32)...)),
	}
}

// TestSmallFilesStaySmall opens bundles of a few kilobytes whose indexes are made to
// take gigabytes: each is refused before it does.
func TestSmallFilesStaySmall(t *testing.T) {
	good := small(t)
	u := binary.AppendUvarint
	many := func(n int, head, each []byte) []byte { return append(head, bytes.Repeat(each, n)...) }
	noLines := []byte{0}
	for want, index := range map[string][]byte{
		"bytes unpack to more than": many(32<<20, u(nil, 32<<20), []byte{0}), // lines
		"300000 lines, more than":   many(300000, u(nil, 300000), []byte{0}),
		"300000 reasons, more than": many(300000, u(noLines, 300000), []byte{0, 0}),
		"100000 parts, more than":   many(100000, u([]byte{0, 0}, 100000), []byte{Module, 0, 0, 0, 0, 0, 0}),
		"a chunk of 0 bytes": many(8, append(u(append(u([]byte{0, 0, 1, Core, 0, 0}, 8*ChunkSize), 1),
			8*ChunkSize<<2), 0, 8), []byte{0}),
	} {
		data := old(reindex(good, index))
		if len(data) > 64<<10 {
			t.Errorf("%s: the bundle has %d bytes", want, len(data))
		}
		_, err := Open(core.Bytes(data))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestDenseIndex: what packs too well to be believed is written so that it opens.
func TestDenseIndex(t *testing.T) {
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	raw := make([]byte, 30<<20)
	packed := packIndex(enc, raw)
	if got, err := unpackIndex(packed); err != nil || !bytes.Equal(got, raw) {
		t.Errorf("%d of %d bytes, %v", len(got), len(raw), err)
	}
	if _, err := unpackIndex(enc.EncodeAll(raw, nil)); err == nil {
		t.Error("an index that packs too well was unpacked")
	}
}

func TestLies(t *testing.T) {
	good := small(t)
	for want, index := range lies() {
		_, err := Open(core.Bytes(old(reindex(good, index))))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	for want, index := range newLies() {
		_, err := Open(core.Bytes(reindex(good, index)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	wrong := bytes.Clone(good)
	wrong[8] = 9
	if _, err := Open(core.Bytes(wrong)); err == nil || !strings.Contains(err.Error(), "version") {
		t.Errorf("another version: %v", err)
	}
	if _, err := Open(core.Bytes("\x7fELF and so on")); !errors.Is(err, core.ErrUnknownFormat) {
		t.Errorf("no bundle: %v", err)
	}
}

// TestDamage flips each byte of a bundle in turn. The bundle is refused, or each read returns the right
// bytes or an error.
func TestDamage(t *testing.T) {
	good := small(t)
	want, _ := core.SourceSlice(unpack(t, good).Core(), 0, 20*span.Block)
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x55
		b, err := Open(core.Bytes(bad))
		if err != nil {
			continue
		}
		got, err := core.SourceSlice(b.Core(), 0, 20*span.Block)
		if err == nil && !bytes.Equal(got, want) {
			t.Fatalf("byte %d flipped: other bytes without an error", i)
		}
		if err != nil { // what takes long to find out is found out once
			core := b.Core()
			for off := int64(0); off < core.Size(); off += span.Block {
				_, first := core.Window(off)
				if _, again := core.Window(off); first != nil && again != first {
					t.Fatalf("byte %d flipped: a chunk is unpacked again: %v", i, first)
				}
			}
		}
		b.Close()
	}
}

// TestCut cuts a bundle at each byte. With its index whole it opens, says that
// it is cut, and reads what is left; without, it is refused in words.
func TestCut(t *testing.T) {
	good := small(t)
	want, _ := core.SourceSlice(unpack(t, good).Core(), 0, 20*span.Block)
	packed, _, _ := indexFrame(core.Bytes(good), good[:headerSize])
	for i := range good {
		b, err := Open(core.Bytes(good[:i]))
		if i < headerSize+len(packed) {
			if err == nil || i >= len(magic) && !strings.Contains(err.Error(), "cut short") {
				t.Fatalf("cut at %d, in the index: %v", i, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut at %d: %v", i, err)
		}
		if b.Core().(file.Truncation).Truncated() == nil {
			t.Errorf("cut at %d: it does not say so", i)
		}
		if zero, err := core.SourceSlice(b.Core(), 5*span.Block, span.Block); err != nil ||
			!bytes.Equal(zero, want[5*span.Block:6*span.Block]) {
			t.Errorf("cut at %d: the zeros are lost: %v", i, err)
		}
		var gap *core.GapError
		if _, err := b.Core().Window(0); !errors.As(err, &gap) || gap.Gap != core.Truncated {
			t.Errorf("cut at %d: the only chunk reads as %v", i, err)
		}
		b.Close()
	}
}

// readAll reads a window at the start, the middle and the end of each extent.
func readAll(t *testing.T, b *Bundle) {
	for _, p := range b.parts {
		for i, e := range p.extents {
			end := p.size
			if i+1 < len(p.extents) {
				end = p.extents[i+1].start
			}
			for _, at := range []int64{e.start, (e.start + end) / 2, end - 1} {
				w, err := p.Window(at)
				if err == nil && (len(w) == 0 || int64(len(w)) > end-at) {
					t.Fatalf("%d bytes at %#x of an extent to %#x", len(w), at, end)
				}
			}
			if i > 1000 {
				break
			}
		}
	}
}

func FuzzOpen(f *testing.F) {
	good := small(f)
	f.Add(good)
	f.Add(good[:len(good)-1])
	for _, index := range lies() {
		f.Add(reindex(good, index))
		f.Add(old(reindex(good, index)))
	}
	for _, index := range newLies() {
		f.Add(reindex(good, index))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Open(core.Bytes(data))
		if err != nil {
			return
		}
		readAll(t, b)
		if p, err := elfcore.Open(b.Core(), "core", elfcore.Options{Files: b}); err == nil {
			p.Close()
		}
	})
}

// FuzzIndex reads indexes that no checksum guards.
func FuzzIndex(f *testing.F) {
	good := small(f)
	f.Add(rawIndex(f, good))
	for _, index := range lies() {
		f.Add(index)
	}
	for _, index := range newLies() {
		f.Add(index)
	}
	f.Fuzz(func(t *testing.T, index []byte) {
		b, err := Open(core.Bytes(reindex(good, index)))
		if err != nil {
			return
		}
		readAll(t, b)
		b.Close()
	})
}
