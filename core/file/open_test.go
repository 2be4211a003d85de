package file

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"
)

// sample is data with noise, long runs of zeros and an odd length.
func sample() []byte {
	rng := rand.New(rand.NewPCG(7, 7))
	b := make([]byte, 3<<20+17)
	for i := range 100 << 10 {
		b[i] = byte(rng.Uint32())
	}
	for i := 2 << 20; i < 2<<20+9000; i++ {
		b[i] = byte(rng.Uint32())
	}
	b[len(b)-1] = 1
	return b
}

func packers() map[string]func(io.Writer) io.WriteCloser {
	return map[string]func(io.Writer) io.WriteCloser{
		"zst": func(w io.Writer) io.WriteCloser { e, _ := zstd.NewWriter(w); return e },
		"xz":  func(w io.Writer) io.WriteCloser { e, _ := xz.NewWriter(w); return e },
		"gz":  func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"lz4": func(w io.Writer) io.WriteCloser { return lz4.NewWriter(w) },
	}
}

func pack(t testing.TB, data []byte, pk func(io.Writer) io.WriteCloser) []byte {
	var out bytes.Buffer
	w := pk(&out)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func write(t testing.TB, data []byte) string {
	path := filepath.Join(t.TempDir(), "core")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func contents(t testing.TB, s core.Source) []byte {
	b, err := core.SourceSlice(s, 0, int(s.Size()))
	if err != nil {
		t.Fatalf("reading back: %v", err)
	}
	return b
}

func TestOpenPlain(t *testing.T) {
	want := sample()
	s, err := Open(write(t, want), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !bytes.Equal(contents(t, s), want) {
		t.Error("the bytes differ")
	}
	if _, err := s.Window(s.Size()); err != io.EOF {
		t.Errorf("Window at the end: %v, want io.EOF", err)
	}
	if _, err := s.Window(-1); err != io.EOF {
		t.Errorf("Window before the start: %v, want io.EOF", err)
	}
}

func TestOpenEmptyAndFolder(t *testing.T) {
	s, err := Open(write(t, nil), nil)
	if err != nil || s.Size() != 0 {
		t.Errorf("empty file: %v, %v", s, err)
	}
	if _, err := Open(t.TempDir(), nil); err == nil {
		t.Error("a folder was opened")
	}
	if _, err := Map(os.DevNull); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a device was mapped: %v", err)
	}
}

func TestOpenPacked(t *testing.T) {
	want := sample()
	for name, pk := range packers() {
		t.Run(name, func(t *testing.T) {
			told := 0
			s, err := Open(write(t, pack(t, want, pk)), &Options{Progress: func(string, int64, int64) { told++ }})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if !bytes.Equal(contents(t, s), want) {
				t.Error("the bytes differ")
			}
			if _, ok := s.(Truncation); ok {
				t.Error("a whole stream is called truncated")
			}
			if told == 0 {
				t.Error("no progress was told")
			}
		})
	}
}

// TestOpenCutStream cuts compressed files and expects a prefix of the data
// with the reason, or an error if the cut left nothing.
func TestOpenCutStream(t *testing.T) {
	want := sample()
	for name, pk := range packers() {
		t.Run(name, func(t *testing.T) {
			packed := pack(t, want, pk)
			for _, keep := range []int{1, 5, 9, 20, len(packed) / 2, len(packed) - 1} {
				s, err := Open(write(t, packed[:keep]), nil)
				if err != nil {
					continue
				}
				got := contents(t, s)
				if !bytes.HasPrefix(want, got) && keep > 5 {
					t.Errorf("cut at %d: not a prefix", keep)
				}
				tr, ok := s.(Truncation)
				if keep > 6 && (!ok || tr.Truncated() == nil) {
					t.Errorf("cut at %d of %d: %d bytes without a word", keep, len(packed), len(got))
				}
				s.Close()
			}
		})
	}
}

// TestMaxSize unpacks no more than is allowed, unless who is asked allows more.
func TestMaxSize(t *testing.T) {
	want := sample()
	for name, pk := range packers() {
		path := write(t, pack(t, want, pk))
		_, err := Open(path, &Options{MaxSize: 1 << 20})
		var size *SizeError
		if !errors.As(err, &size) || size.Max != 1<<20 || !errors.Is(err, ErrTooLong) ||
			!strings.Contains(err.Error(), "unpack to more than 1 MiB") {
			t.Errorf("%s: %v", name, err)
		}
		var asked []int64
		s, err := Open(path, &Options{MaxSize: 1 << 20,
			More: func(done int64) bool { asked = append(asked, done); return true }})
		if err != nil || len(asked) != 1 || asked[0] != 1<<20 {
			t.Fatalf("%s: %v, asked %v", name, err, asked)
		}
		if !bytes.Equal(contents(t, s), want) {
			t.Errorf("%s: the bytes differ", name)
		}
		s.Close()
		if s, err = Open(path, &Options{MaxSize: int64(len(want))}); err != nil {
			t.Errorf("%s: exactly as much as is allowed: %v", name, err)
		} else {
			s.Close()
		}
	}
}

func TestDecompress(t *testing.T) {
	want := sample()
	for name, pk := range packers() {
		packed := pack(t, want, pk)
		got, err := Decompress(packed, 1<<30)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		got, err = Decompress(packed, 1000)
		if !errors.Is(err, ErrTooLong) || !bytes.Equal(got, want[:1000]) {
			t.Errorf("%s with a limit: %d bytes, %v", name, len(got), err)
		}
	}
	if _, err := Decompress([]byte("text"), 100); err == nil {
		t.Error("text was unpacked")
	}
}

func TestBlocks(t *testing.T) {
	want := sample()
	f, err := os.Open(write(t, want))
	if err != nil {
		t.Fatal(err)
	}
	s := newBlocks(f, int64(len(want)))
	defer s.Close()
	if !bytes.Equal(contents(t, s), want) {
		t.Error("the bytes differ")
	}
	w, err := s.Window(blockSize - 3)
	if err != nil || !bytes.Equal(w, want[blockSize-3:blockSize]) {
		t.Errorf("window at a block's end: %d bytes, %v", len(w), err)
	}
	short := newBlocks(f, int64(len(want))+1000)
	if _, err := short.Window(int64(len(want)) + 5); err != io.ErrUnexpectedEOF {
		t.Errorf("past what the file has: %v", err)
	}
}

func FuzzDecompress(f *testing.F) {
	for _, pk := range packers() {
		f.Add(pack(f, []byte("some bytes, some bytes, some bytes"), pk))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, _ := Decompress(b, 1<<16); len(got) > 1<<16 {
			t.Errorf("%d bytes over the limit", len(got))
		}
	})
}
