package bundle

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/bundle/span"

	"github.com/klauspost/compress/zstd"
)

// noise returns n bytes that do not pack.
func noise(seed uint64, n int) []byte {
	r, b := rand.NewPCG(seed, 0), make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint64())
	}
	return b
}

// TestColumns: what is turned is as it was when it is turned back.
func TestColumns(t *testing.T) {
	for _, n := range []int{0, 1, 7, 24, 25, 240, 4097} {
		for _, c := range []Columns{{}, {1, 0}, {3, 0}, {8, 3}, {16, 1}, {24, 1}, {24, 0x3f}, {64, 0x81}} {
			if !c.Valid() {
				t.Fatalf("%+v is not valid", c)
			}
			data := noise(uint64(n), n)
			want := bytes.Clone(data)
			if got := c.turnBack(c.turn(data)); !bytes.Equal(got, want) || !bytes.Equal(data, want) {
				t.Errorf("%+v of %d bytes: not what it was", c, n)
			}
		}
	}
	for _, c := range []Columns{{65, 0}, {0, 1}, {3, 1}, {8, 4}, {24, 0x40}} {
		if c.Valid() {
			t.Errorf("%+v is valid", c)
		}
	}
}

// shared makes a bundle of a core with a file, whose chunks are in the folder DIR/files.
func shared(t *testing.T, dir string, core1, file1 []byte, size int64) []byte {
	t.Helper()
	f := whole(Module, "/lib/x", file1)
	f.SetTables([]Table{{span.Between(0, size), ChunkSize, Columns{8, 1}}})
	return write(t, WriteOptions{Share: filepath.Join(dir, "files")}, whole(Core, "core", core1), f)
}

// TestRoom: a bundle of many files keeps no more of them in memory than there is room for.
func TestRoom(t *testing.T) {
	const files, long = 5, 3 * ChunkSize
	parts := []*Planned{whole(Core, "core", noise(9, span.Block))}
	for i := range uint64(files) {
		parts = append(parts, whole(Module, "/x"+string(rune('0'+i)), noise(i, long)))
	}
	b := unpack(t, write(t, WriteOptions{}, parts...))
	b.room = 2 * ChunkSize
	for i, part := range b.parts[1:] {
		same(t, part.path, part, noise(uint64(i), long))
	}
	kept := int64(0)
	for _, part := range b.parts {
		for i := range part.cached {
			if data := part.cached[i].Load(); data != nil {
				kept += int64(len(*data))
			}
		}
	}
	if kept == 0 || kept > b.room || b.cached != kept {
		t.Errorf("%d bytes are kept by parts, %d are cached, with room for %d", kept, b.cached, b.room)
	}
}

// TestTileGaps: a gap that ends within a page, as a bundle's gaps may, does not swallow the bytes after
// it.
func TestTileGaps(t *testing.T) {
	data := noise(3, 8*span.Block)
	gap := core.GapError{Gap: core.LeftOut}
	f := &Planned{Kind: Module, Path: "/x", Source: core.Bytes(data)}
	f.Spans = span.Tile(f.Source, []span.Range{{Hi: span.Block}, {Lo: 2*span.Block + 247, Hi: 5*span.Block + 3}}, gap)
	b := unpack(t, write(t, WriteOptions{}, whole(Core, "core", noise(4, span.Block)), f))
	again := span.Tile(b.parts[1], []span.Range{span.Between(0, 8*span.Block)}, gap)
	if want := []span.Span{{Hi: span.Block, Kind: span.Data},
		{Lo: span.Block, Hi: 2*span.Block + 247, Kind: span.Gap, Gap: gap},
		{Lo: 2*span.Block + 247, Hi: 5*span.Block + 3, Kind: span.Data},
		{Lo: 5*span.Block + 3, Hi: 8 * span.Block, Kind: span.Gap, Gap: gap}}; !slices.Equal(again, want) {
		t.Errorf("%+v, want %+v", again, want)
	}
}

// TestPack: what packs in place of the library is believed if it unpacks.
func TestPack(t *testing.T) {
	data := bytes.Repeat([]byte("a page "), 3*span.Block)
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	pieces := 0
	good := func(_ context.Context, piece []byte) ([]byte, error) {
		pieces++
		return enc.EncodeAll(piece, nil), nil
	}
	b := unpack(t, write(t, WriteOptions{Pack: good}, whole(Core, "core", data)))
	if same(t, "core", b.Core(), data); pieces == 0 {
		t.Error("nobody was asked to pack")
	}
	for want, bad := range map[string]func(context.Context, []byte) ([]byte, error){
		"no disk":         func(context.Context, []byte) ([]byte, error) { return nil, errors.New("no disk") },
		"what was packed": func(_ context.Context, piece []byte) ([]byte, error) { return piece, nil },
		"do not unpack": func(_ context.Context, piece []byte) ([]byte,
			error) {
			return enc.EncodeAll(piece[1:], nil), nil
		},
	} {
		if err := Write(t.Context(), io.Discard, []*Planned{whole(Core, "core", data)},
			WriteOptions{Pack: bad}); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "nil") {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestShare: two bundles of one file have its chunks once, in a folder; a bundle
// that is far from it opens, reads its core, and says where the file is.
func TestShare(t *testing.T) {
	dir := t.TempDir()
	lib := noise(1, 3*ChunkSize+5)
	var bundles [][]byte
	for seed := range uint64(2) {
		bundles = append(bundles, shared(t, dir, noise(2+seed, 5*span.Block), lib, 2*ChunkSize))
	}
	files, err := os.ReadDir(filepath.Join(dir, "files"))
	if err != nil || len(files) != 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for i, data := range bundles {
		if len(data) > 6*span.Block {
			t.Errorf("a bundle of %d bytes has what it shares", len(data))
		}
		b, err := Open(core.Bytes(data), t.TempDir(), dir)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "core", b.Core(), noise(2+uint64(i), 5*span.Block))
		same(t, "file", b.parts[1], lib)
		b.Close()
	}
	b := unpack(t, bundles[0])
	same(t, "core", b.Core(), noise(2, 5*span.Block))
	var gap *core.GapError
	if _, err := b.parts[1].Window(0); !errors.As(err, &gap) ||
		!strings.Contains(gap.Detail, "folder files, which is not next to") {
		t.Errorf("without the folder: %v", err)
	}
	for _, f := range files {
		name := filepath.Join(dir, "files", f.Name())
		data, _ := os.ReadFile(name)
		data[len(data)/2] ^= 1
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b, err = Open(core.Bytes(bundles[0]), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := b.parts[1].Window(0); !errors.As(err, &gap) || !strings.Contains(gap.Detail, "damaged") {
		t.Errorf("with damaged chunks: %v", err)
	}
	// It is not read again to say so again.
	_, first := b.parts[1].Window(0)
	if _, again := b.parts[1].Window(0); again != first {
		t.Errorf("the chunk was read again: %p, %p", first, again)
	}
	// Who writes the bundle again mends them.
	shared(t, dir, noise(2, 5*span.Block), lib, 2*ChunkSize)
	same(t, "file", b.parts[1], lib)
}
