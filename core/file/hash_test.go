package file

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSHA256: holes count as zeros and are not read. Truth: the hash of the bytes.
func TestSHA256(t *testing.T) {
	for name, at := range map[string][]int64{
		"empty": nil, "short": {0}, "a hole in front": {1 << 20}, "holes between": {0, 1 << 20, 3 << 20},
		"odd places": {4097, 70001},
	} {
		f, err := os.Create(filepath.Join(t.TempDir(), "core"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, off := range at {
			if _, err := f.WriteAt([]byte("data"), off); err != nil {
				t.Fatal(err)
			}
		}
		if len(at) > 0 {
			if err := f.Truncate(at[len(at)-1] + 100000); err != nil {
				t.Fatal(err)
			}
		}
		all, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		want := sha256.Sum256(all)
		if got, err := SHA256(t.Context(), f, 1<<30); err != nil || string(got) != string(want[:]) {
			t.Errorf("%s: %x, %v, want %x", name, got, err, want)
		}
	}
}

// TestSHA256Bounds hashes a file of holes, which is refused, and ends hashing by its context.
func TestSHA256Bounds(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "core"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("data"); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(300 << 30); err != nil {
		t.Skip(err)
	}
	if _, holes, _ := dataOf(f, 300<<30); holes == 0 {
		t.Skip("the file system does not know holes")
	}
	if _, err := SHA256(t.Context(), f, 8<<30); err == nil || !strings.Contains(err.Error(), "are holes") {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := SHA256(ctx, f, 1<<60); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
