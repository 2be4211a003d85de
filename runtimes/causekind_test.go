package runtimes

import (
	"encoding/json"
	"testing"
)

// TestCauseKinds: each kind has a text of its own, which is read back.
func TestCauseKinds(t *testing.T) {
	seen := map[string]bool{}
	for k := NoCause; k < lastCause; k++ {
		b, err := json.Marshal(k)
		var got CauseKind
		if err == nil {
			err = json.Unmarshal(b, &got)
		}
		if err != nil || got != k || seen[string(b)] || k != NoCause && k.String() == "" {
			t.Errorf("%d: %s, read back as %d, %v", k, b, got, err)
		}
		seen[string(b)] = true
	}
	if err := new(CauseKind).UnmarshalText([]byte("paniic")); err == nil {
		t.Error("a kind that does not exist was read")
	}
}
