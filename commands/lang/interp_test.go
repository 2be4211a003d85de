package lang

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestStatements holds what runs, where and how often to mdb(1), "Syntax".
func TestStatements(t *testing.T) {
	for _, c := range []struct {
		lines string // separated by newlines, each a line typed
		ran   []string
		dot   uint64
	}{
		{"::status", []string{"status@0 first"}, 0},
		{"5::status a 'b c' \"d\\n\"e", []string{"status@5 given first a b c d\ne"}, 5},
		{"5::status; ::status", []string{"status@5 given first", "status@5 first"}, 5},
		{"5::status // and more ::status\n6::status", []string{"status@5 given first", "status@6 given first"}, 6},
		{"// all of it", nil, 0},
		{"5::status $[2*3] x", []string{"status@5 given first #6 x"}, 5},
		{"5::status a$[.]b", []string{"status@5 given first a #0 b"}, 5},
		{"5$c 3", []string{"$c@5 given first 3"}, 5},
		{"5 :: status", []string{"status@5 given first"}, 5},
		{"::status a/b=c?d>e$f:g\\h", []string{`status@0 first a/b=c?d>e$f:g\h`}, 0},
		{"::status 'a|b;c!d'", []string{"status@0 first a|b;c!d"}, 0},
		// counts
		{"5,3::status", []string{"status@5 given first", "status@5 given", "status@5 given"}, 5},
		{",2::status", []string{"status@0 first", "status@0"}, 0},
		{"5,0::status", nil, 5},
		{"5,2::dump", []string{"dump@5 given first count=2"}, 5},
		{"1000/X; 1000,3::status", []string{"status@1000 given first", "status@1004 given", "status@1008 given"},
			0x1008},
		// again
		{"5::status\n6", []string{"status@5 given first", "status@6 given first"}, 6},
		{"5::status\n6,2", []string{"status@5 given first", "status@6 given first", "status@6 given"}, 6},
		{"5::status\n6\n,2", []string{"status@5 given first", "status@6 given first", "status@6 first", "status@6"}, 6},
		{"5", nil, 5},
		{"5::status x\n\n6", []string{"status@5 given first x", "status@6 given first x"}, 6},
		// variables
		{"5>x; <x::status", []string{"status@5 given first"}, 5},
		{"12345678>/c/x; <x::status", []string{"status@78 given first"}, 0x78},
		{"12345678>/s/x; <x::status", []string{"status@5678 given first"}, 0x5678},
		{"123456789>/i/x; <x::status", []string{"status@23456789 given first"}, 0x23456789},
		{"1ffffffff>/l/x; <x::status", []string{"status@1ffffffff given first"}, 0x1ffffffff},
		{"<rip::status", []string{"status@1004 given first"}, 0x1004},
		{"1000/X;+::status", []string{"status@1004 given first"}, 0x1004},
		{"1000/X;1000=X;+::status", []string{"status@1000 given first"}, 0x1000},
		{"1000/X;1000>x;+::status", []string{"status@1000 given first"}, 0x1000},
		// evaluated text: a bare expression only sets dot
		{"::status\n::eval 7", []string{"status@0 first", "eval@0 first 7"}, 7},
		{"5::eval '.::status; 6'", []string{"eval@5 given first .::status; 6", "status@5 given first"}, 6},
		{"::eval 5::status\n6", []string{"eval@0 first 5::status", "status@5 given first",
			"eval@6 given first 5::status", "status@5 given first"}, 5},
		// shell
		{"!ls -l | grep x", []string{"sh ls -l | grep x"}, 0},
		{"::status ! cat; 5::status", []string{"sh  cat", "status@0 first", "status@5 given first"}, 5},
		// words: an operator is not a shell, and a name may have a hyphen
		{"::status a != 1 b!='c d'! cat", []string{"sh  cat", "status@0 first a != 1 b!=c d"}, 0},
		{"::status a !b", []string{"sh b", "status@0 first a"}, 0},
		{"5::seq-like -x", []string{"seq-like@5 given first -x"}, 5},
		{"5::status-like; ::seq -like", []string{"status@5 given first -like", "seq@5 first -like"}, 5},
		// pipes
		{"5::seq | ::odd", []string{"seq@5 given first", "odd@5 given piped first", "odd@6 given piped",
			"odd@7 given piped"}, 7},
		{"5::seq | ::odd | ::status", []string{"seq@5 given first", "odd@5 given piped first",
			"status@5 given piped first", "odd@6 given piped",
			"odd@7 given piped", "status@7 given piped"}, 7},
		{"::void | ::status", []string{"void@0 first"}, 0},
		{"5::seq | ::use | ::status", []string{"seq@5 given first", "use@5 given piped first"}, 5},
		{"5::use; ::status", []string{"use@5 given first"}, 5},
		{"5::use\n::status", []string{"use@5 given first", "status@5 first"}, 5},
		{"5::echo 7 | ::status", []string{"echo@5 given first 7", "status@7 given piped first"}, 7},
		{"::echo '7;8' | ::status", []string{"echo@0 first 7;8", "status@7 given piped first", "status@8 given piped"},
			8},
		{"::echo 1 + | ::status", []string{"echo@0 first 1 +"}, 0},
		{"::echo 5::status | ::status", []string{"echo@0 first 5::status"}, 0},
		{"5::seq | >x | ::status", []string{"seq@5 given first"}, 5},
		{"5::seq | ::first | ::status", []string{"seq@5 given first", "status@5 given piped first"}, 5},
		{"5::seq | ::count | ::status", []string{"seq@5 given first", "status@3 given piped first"}, 3},
		{"::first | ::status", nil, 0},
		{"9::first | ::status", []string{"status@9 given piped first"}, 9},
		{"5,2::seq | ::status", []string{"seq@5 given first", "status@5 given piped first", "status@6 given piped",
			"status@7 given piped",
			"seq@5 given", "status@5 given piped", "status@6 given piped", "status@7 given piped"}, 7},
		// names with scopes are symbols, unless they mean a symbol and a command
		{"Pool::run::status", []string{"status@1018 given first"}, 0x1018},
		{"Pool::run::inner::status", []string{"status@1020 given first"}, 0x1020},
		{"Pool::run+4::status; m`Pool::~Pool::status", []string{"status@101c given first", "status@1010 given first"},
			0x1010},
		{"start::status; Pool::walk::status", []string{"status@1000 given first"}, 0x1000},
		{"1::status $[Pool::run]", []string{"status@1 given first #1018"}, 1},
		// syntax errors cost the rest of a line typed
		{"5::status; 6::status) ; 7::status; ) ; 8::status", []string{"status@5 given first", "status@6 given first )",
			"status@7 given first"}, 7},
		{"$", nil, 0}, {":c", nil, 0}, {"::nosuch; ::status", nil, 0},
		{"5::status |\n6::status", []string{"status@6 given first"}, 6},
	} {
		h := newFake()
		for line := range strings.SplitSeq(c.lines, "\n") {
			h.run(line)
		}
		if !reflect.DeepEqual(h.ran, c.ran) || h.in.expr.at.dot != c.dot {
			t.Errorf("%s\n got %q\nwant %q\ndot %#x, want %#x; %q", c.lines, h.ran, c.ran, h.in.expr.at.dot,
				c.dot, h.warned)
		}
	}
}

// TestPipeIsLoop: a pipeline runs its right side as a loop over the values of
// the left one would.
func TestPipeIsLoop(t *testing.T) {
	for _, right := range []string{"/X", "::odd", "=K", "/xnx", "::eval .+1=K", "?b", "::seq"} {
		pipe, loop := newFake(), newFake()
		got := pipe.run("1000::seq | " + right)
		var want strings.Builder
		for _, a := range []string{"1000", "1001", "1002"} {
			want.WriteString(loop.run(a + right))
		}
		// A header is printed once, and here only the first address has one.
		if got != want.String() {
			t.Errorf("%s\npipe %q\nloop %q", right, got, want.String())
		}
		if !reflect.DeepEqual(pipe.warned, loop.warned) {
			t.Errorf("%s\npipe warned %q\nloop warned %q", right, pipe.warned, loop.warned)
		}
	}
}

func TestElementFailureGoesOn(t *testing.T) {
	h := newFake()
	got := h.run("5::seq | ::odd")
	if got != "0x5\n0x7\n" || len(h.warned) != 1 || h.warned[0] != "0x6 is even" {
		t.Errorf("got %q, warned %q", got, h.warned)
	}
	var f *FailedError
	if err := h.in.Run(t.Context(), Source{Text: "5::seq | ::odd"}); !errors.As(err, &f) || f.Count != 1 {
		t.Errorf("error %v", err)
	}
}

func TestFormatInPipeHasNoLabel(t *testing.T) {
	h := newFake()
	if got := h.run("1000/J | ::odd"); got != "0x8807060504030201\n" {
		t.Errorf("got %q, warned %q", got, h.warned)
	}
	h = newFake()
	h.run("1000/XX ! cat")
	if h.shell != "start:\nstart:          4030201         88070605        \n" {
		t.Errorf("shell was fed %q", h.shell)
	}
	h = newFake()
	h.run("1000/2X | ::status")
	if want := []string{"status@4030201 given piped first", "status@88070605 given piped"}; !reflect.DeepEqual(h.ran,
		want) {
		t.Errorf("ran %q, want %q", h.ran, want)
	}
}

func TestRepeatLast(t *testing.T) {
	h := newFake()
	h.in.RepeatLast = true
	h.run("1000/X")
	h.run("")
	if got := h.run(""); got != "greeting:\ngreeting:       6c6c6568        \n" {
		t.Errorf("got %q", got)
	}
	h.in.RepeatLast = false
	if got := h.run(""); got != "" {
		t.Errorf("got %q without repeatlast", got)
	}
}

func TestScripts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"inner": "7::status\n", "outer": "5::status\n$<<inner\n6::status\n", "goto": "5::status\n$<inner\n6::status\n",
		"bad":  "5::status\n1 + ; 2::status\n3::nosuch; 4::status\n\n'x\n6::status\n",
		"self": "$<<self\n", "outer2": "5::status\n$<<goto\n6::status\n",
		"loop": "<x::status\n<x-1>x\n0,#(<x==0)$<loop\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	place := filepath.Join(dir, "bad")
	for _, c := range []struct {
		line   string
		ran    []string
		warned []string
	}{
		{"$<<outer; 8::status", []string{"status@5 given first", "status@7 given first", "status@6 given first",
			"status@8 given first"}, nil},
		{"$< goto; 8::status", []string{"status@5 given first", "status@7 given first"}, nil},
		{"$<<outer2", []string{"status@5 given first", "status@5 given first", "status@7 given first",
			"status@6 given first"}, nil},
		{"::eval '$<inner; 9::status'; 8::status", []string{"eval@0 first $<inner; 9::status", "status@7 given first",
			"status@8 given first"}, nil},
		{"2>x; $<<loop; 8::status", []string{"status@2 given first", "status@1 given first", "status@8 given first"},
			nil},
		{"::eval $<<inner; 8::status", []string{"eval@0 first $<<inner", "status@7 given first",
			"status@8 given first"}, nil},
		{"$<bad", []string{"status@5 given first", "status@2 given first", "status@4 given first",
			"status@6 given first"}, []string{
			"syntax error: unexpected end of statement on line 2 of " + place,
			"no command ::nosuch on line 3 of " + place,
			"unterminated quote on line 5 of " + place + ` near "'x"`}},
		{"$<" + dir + "/inner", []string{"status@7 given first"}, nil},
		{"$<nosuch; 8::status", []string{"status@8 given first"},
			[]string{"there is no script \"nosuch\": tried nosuch, " + filepath.Join(dir, "nosuch")}},
		{"$<", nil, []string{"$< needs the name of one file"}},
		{"0,0$<inner", nil, nil},
	} {
		h := newFake()
		h.in.Include = []string{dir}
		h.run(c.line)
		if !reflect.DeepEqual(h.ran, c.ran) || !reflect.DeepEqual(h.warned, c.warned) {
			t.Errorf("%s\n   ran %q\n  want %q\nwarned %q\n  want %q", c.line, h.ran, c.ran, h.warned, c.warned)
		}
	}
	h := newFake()
	h.in.Include = []string{dir}
	h.run("$<<self")
	if len(h.warned) != 1 || !strings.Contains(h.warned[0], "nested") {
		t.Errorf("a script that includes itself: %q", h.warned)
	}
}

func TestQuitAndCancel(t *testing.T) {
	h := newFake()
	if err := h.in.Run(t.Context(), Source{Text: "::quit; ::status"}); !errors.Is(err, ErrQuit) || len(h.ran) != 1 {
		t.Errorf("%v, ran %q", err, h.ran)
	}
	if err := h.in.Run(t.Context(), Source{Text: "5::seq | ::eval ::quit"}); !errors.Is(err, ErrQuit) {
		t.Errorf("quit in a pipeline: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.in.Run(ctx, Source{Text: "0,ffffffffffffffff::status"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	// A repeat that fails in its place ends, however long it would be.
	h.run("0,ffffffffffffffff::odd")
}

func TestVars(t *testing.T) {
	h := newFake()
	if err := h.in.Vars.Unset("0"); err == nil {
		t.Error("a persistent variable was unset")
	}
	h.in.Vars.Set("x", 1)
	if err := h.in.Vars.Unset("x"); err != nil {
		t.Error(err)
	}
	if err := h.in.Vars.Unset("x"); err == nil {
		t.Error("a variable was unset twice")
	}
	for _, line := range []string{"5>", "5>a b", "5>/z/x", "5>$[1]", "5>'a b'"} {
		h := newFake()
		if h.run(line); len(h.warned) != 1 {
			t.Errorf("%s: %q", line, h.warned)
		}
	}
}
