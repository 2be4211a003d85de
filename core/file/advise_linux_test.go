package file

import (
	"os"
	"path/filepath"
	"testing"
)

// TestEase: a core that is passed through does not stay in memory, by Linux's own count, and reads the same again.
func TestEase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "core")
	const size, step = 4 * easeAbove, 1 << 20
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := int64(0); i < size; i += step {
		if _, err := f.WriteAt([]byte{byte(i/step + 1)}, i); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
	s, err := mapCore(f, size)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	m := s.(*mapping)
	before := residentFiles()
	for round := range 2 {
		most := int64(0)
		for i := 0; i < size; i += 4096 {
			want := byte(0)
			if i%step == 0 {
				want = byte(i/step + 1)
			}
			if got := m.Bytes[i]; got != want {
				t.Fatalf("round %d: %#x at %#x, want %#x", round, got, i, want)
			}
			if i%(easeAbove/8) == 0 {
				m.Ease()
				most = max(most, residentFiles()-before)
			}
		}
		if most > 2*easeAbove {
			t.Errorf("round %d: %d bytes stayed in memory, want at most %d", round, most, 2*easeAbove)
		}
	}
}
