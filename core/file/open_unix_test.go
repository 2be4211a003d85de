//go:build unix

package file

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"coredbg/core"
)

// TestData finds the runs of bytes in a file with holes.
func TestData(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	const size, at = 1 << 30, 512 << 20
	if _, err := f.WriteAt([]byte("data"), at); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(size), f.Close()); err != nil {
		t.Fatal(err)
	}
	src, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	start, end := core.SourceData(src, 0)
	if seekData < 0 || start == 0 && end == size {
		t.Skip("this file system does not tell of holes")
	}
	if start > at || end <= at || end-start > 1<<20 {
		t.Errorf("a run of [%#x, %#x), want one around %#x", start, end, at)
	}
	if in, to := core.SourceData(src, at+1); in != at+1 || to != end {
		t.Errorf("from within: [%#x, %#x)", in, to)
	}
	if s, e := core.SourceData(src, end); s != size || e != size {
		t.Errorf("after: [%#x, %#x)", s, e)
	}
	if s, e := core.SourceData(src, size); s != size || e != size {
		t.Errorf("at the end: [%#x, %#x)", s, e)
	}
}

// TestCutWhileOpen shortens a file that is mapped: reading it is an error.
func TestCutWhileOpen(t *testing.T) {
	path := write(t, make([]byte, 1<<20))
	src, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if err := src.(core.CutSource).Cut(); err != nil {
		t.Errorf("whole: %v", err)
	}
	w, err := src.Window(512 << 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	if s, e := core.SourceData(src, 8192); s != 8192 || e != 1<<20 {
		t.Errorf("what is lost is a hole: data in [%#x, %#x)", s, e)
	}
	var b byte
	if err := core.Guard(func() { b = w[100] }); !errors.Is(err, core.ErrCut) {
		t.Errorf("read %d, %v, want %v", b, err, core.ErrCut)
	}
	if err := src.(core.CutSource).Cut(); err == nil ||
		!strings.Contains(err.Error(), "had 1048576 bytes when it was opened and has 4096 now") {
		t.Errorf("cut: %v", err)
	}
}

// TestFullDisk names the folder that is full.
func TestFullDisk(t *testing.T) {
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer f.Close()
	_, _, err = copySparse(f, strings.NewReader("x"), &budget{max: 100})
	if err = full(err); err == nil || !strings.Contains(err.Error(), os.TempDir()) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
}

func TestZerosBecomeHoles(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "sparse"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data := make([]byte, 64<<20)
	data[5<<20] = 1
	n, broken, err := copySparse(f, bytes.NewReader(data), &budget{max: DefaultMaxSize})
	if n != int64(len(data)) || broken != nil || err != nil {
		t.Fatalf("copied %d, %v, %v", n, broken, err)
	}
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		t.Skip("no block counts here")
	}
	if sys.Blocks*512 > 1<<20 {
		t.Errorf("%d bytes on disk for one byte that is not zero", sys.Blocks*512)
	}
}
