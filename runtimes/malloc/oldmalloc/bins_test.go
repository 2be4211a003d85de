package oldmalloc

import "testing"

// TestBins: the numbers are what musl's bin_index returns, with its table bin_tab, for units of 32 bytes.
func TestBins(t *testing.T) {
	for units, want := range map[uint64]int{1: 0, 2: 1, 33: 32, 34: 32, 40: 32, 41: 33, 48: 33, 49: 34, 57: 35, 65: 36,
		80: 36, 81: 37, 129: 40, 512: 47,
		513: 48, 640: 48, 641: 49, 1025: 52, 4097: 60, 7168: 62, 7169: 63, 7170: 63, 1 << 40: 63} {
		if got := binOf(32*units, 32); got != want {
			t.Errorf("%d units: bin %d, want %d", units, got, want)
		}
	}
}
