package commands

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
)

// TestRemarks: the terminal gets remarks as lines, and who listens gets them as values, or passes them on.
func TestRemarks(t *testing.T) {
	var stdout, stderr bytes.Buffer
	h := &Host{Out: out.NewBuffered(&stdout), Err: out.NewTerminal(&stderr)}
	say := func() {
		h.note("none\n")
		h.Warn(errors.Join(core.Unknown(errors.New("a")), errors.New("b")))
		h.Fail(&UsageError{Title: "::x", Usage: "::x", Msg: "no"})
		h.Print("out of a program")
	}
	const all = "coredbg: none\\n\ncoredbg: a\ncoredbg: b\ncoredbg: ::x: no\nUsage: ::x\nout of a program\n"
	if say(); stderr.String() != all || !h.Partial {
		t.Errorf("partial is %v\n got %q\nwant %q", h.Partial, stderr.String(), all)
	}
	stderr.Reset()
	var said []string
	stop := h.Listen(func(r Remark) bool { said = append(said, r.Lines()...); return true })
	failures := 0
	inner := h.Listen(func(r Remark) bool {
		if r.Failure() != nil {
			failures++
		}
		return r.Failure() != nil
	})
	say()
	inner()
	if want := []string{`none\n`, "out of a program"}; failures != 2 || !slices.Equal(said, want) {
		t.Errorf("%d failures, heard %q, want %q", failures, said, want)
	}
	said = nil
	say()
	if want := []string{`none\n`, "a", "b", "::x: no", "Usage: ::x", "out of a program"}; !slices.Equal(said, want) {
		t.Errorf("heard %q, want %q", said, want)
	}
	if stop(); stderr.Len() > 0 || stdout.Len() > 0 {
		t.Errorf("the terminal shows %q and %q, too", stdout.String(), stderr.String())
	}
	if say(); stderr.String() != all {
		t.Errorf("after it: %q", stderr.String())
	}
}

// TestCollect: what a line says comes back as values, and the terminal shows nothing, in JSON too.
func TestCollect(t *testing.T) {
	s, stdout, stderr := session(t)
	s.JSON = true
	records := 0
	said, err := s.Collect(t.Context(), "1::seq 3 | ::odd", func(lang.Record) error { records++; return nil })
	if err != nil || records != 2 || len(said) != 1 || said[0].Kind != Failed || said[0].Lines()[0] != "0x2 is even" {
		t.Errorf("%d records, said %+v, %v", records, said, err)
	}
	if s.Out.Flush(); stdout.Len() > 0 || stderr.Len() > 0 {
		t.Errorf("the terminal shows %q and %q", stdout, stderr)
	}
}

// ticks counts the lines that it watched, and how often it was held.
type ticks struct{ runs, holds, released int }

func (x *ticks) Run(ctx context.Context, do func(context.Context)) { x.runs++; do(ctx) }
func (x *ticks) Hold() func()                                      { x.holds++; return func() { x.released++ } }

// TestTicker: each line is watched, and a shell command has the terminal for itself.
func TestTicker(t *testing.T) {
	s, _, _ := session(t)
	x := &ticks{}
	s.Ticker = x
	s.Run(t.Context(), "1::seq 1 ! cat")
	s.Run(t.Context(), "1::seq 1")
	if *x != (ticks{2, 1, 1}) {
		t.Errorf("%+v, want 2 lines, held and released once", *x)
	}
}

// TestConfined: no file is opened and none written where a host is confined.
func TestConfined(t *testing.T) {
	h := &Host{Confined: true}
	if _, err := h.OpenFile("host_test.go"); !errors.Is(err, ErrConfined) || !errors.Is(h.MayWrite(), ErrConfined) {
		t.Errorf("opened: %v, may write: %v", err, h.MayWrite())
	}
	h.Confined = false
	f, err := h.OpenFile("host_test.go")
	if err != nil || h.MayWrite() != nil {
		t.Fatalf("%v, may write: %v", err, h.MayWrite())
	}
	f.Close()
}
