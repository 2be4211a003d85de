//go:build unix

package file

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestZerosBecomeHoles(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "sparse"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data := make([]byte, 64<<20)
	data[5<<20] = 1
	n, broken, err := copySparse(f, bytes.NewReader(data), MaxUnpacked)
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
