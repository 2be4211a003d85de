package commands

import "testing"

// TestKept: a session has one value of each type.
func TestKept(t *testing.T) {
	type state struct{ n int }
	s := &Session{}
	if Kept[state](s) != nil {
		t.Error("something is kept at first")
	}
	Keep(s, &state{1})
	Keep(s, &state{2})
	if got := Kept[state](s); got == nil || got.n != 2 {
		t.Errorf("kept %+v, want 2", got)
	}
}

// TestFirst: a word of another debugger is explained once.
func TestFirst(t *testing.T) {
	var s Shell
	if !s.first("bt") || s.first("bt") || !s.first("lm") {
		t.Error("a word is not explained once")
	}
}
