package cmdline

import (
	"strings"
	"testing"
)

func TestSize(t *testing.T) {
	for s, want := range map[string]int64{
		"1": 1, "500M": 500 << 20, "64G": 64 << 30, "2k": 2 << 10, "1T": 1 << 40, "8388607T": 8388607 << 40,
		"": 0, "0": 0, "-1": 0, "G": 0, "1GB": 0, "1.5G": 0, "8388608T": 0, "9999999999999999999": 0,
	} {
		got, err := Size(s)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v, want %d", s, got, err, want)
		}
	}
}

// TestForeignFlagsOnce: no flag of another debugger is answered twice.
func TestForeignFlagsOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range foreignFlags {
		for _, name := range strings.Split(f.names, ", ") {
			if seen[name] {
				t.Errorf("-%s is there twice", name)
			}
			seen[name] = true
		}
	}
}
