package object

import "testing"

// TestLockWord takes words apart as runtime/lock_word.h has them.
func TestLockWord(t *testing.T) {
	for _, c := range []struct {
		w     LockWord
		state LockState
		name  string
	}{
		{0, Unlocked, "unlocked"}, {0x30000000, Unlocked, "unlocked"}, // the collector's bits alone
		{0x00020005, ThinLocked, "thin"}, {0x40000007, FatLocked, "fat"},
		{0x8abcdef1, HashCode, "hash"}, {0xc0000010, Forwarded, "forwarded"},
	} {
		if got := c.w.State(); got != c.state || got.String() != c.name {
			t.Errorf("%#x is %v, want %v", uint32(c.w), got, c.state)
		}
	}
	if w := LockWord(0x00020005); w.Owner() != 5 || w.Count() != 3 {
		t.Errorf("thin: owner %d, %d times", w.Owner(), w.Count())
	}
	if w := LockWord(0x40000007); w.MonitorID() != 7 {
		t.Errorf("fat: Monitor %d", w.MonitorID())
	}
	if w := LockWord(0x8abcdef1); w.Hash() != 0xabcdef1 {
		t.Errorf("hash %#x", w.Hash())
	}
	if w := LockWord(0xc0000010); w.Forward() != 0x80 {
		t.Errorf("forwarded to %v", w.Forward())
	}
}

// TestStringBytes counts the bytes of strings, whose count_ says in bit 0 whether
// they are compressed (runtime/mirror/string.h).
func TestStringBytes(t *testing.T) {
	for count, want := range map[uint32]uint64{0: 0, 5 << 1: 5, 5<<1 | 1: 10, 1: 0} {
		if got := stringBytes(count); got != want {
			t.Errorf("count %d: %d bytes, want %d", count, got, want)
		}
	}
}
