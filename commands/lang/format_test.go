package lang

import (
	"encoding/json"
	"strings"
	"testing"

	"coredbg/core"
)

// TestLetters checks each letter against its size and width in mdb_fmt.c; the widths there come from the printf
// formats. Memory at 0x1000 is 01 02 03 04 05 06 07 88.
func TestLetters(t *testing.T) {
	const label = "start:\nstart:          "
	for _, c := range []struct {
		letter, want string
		inc          uint64
	}{
		{"B", "1       ", 1}, {"b", "01      ", 1}, {"C", `\001`, 1}, {"c", "\x01", 1},
		{"D", "67305985        ", 4}, {"d", "513     ", 2},
		{"E", "9801809732607083009 ", 8}, {"e", "-8644934341102468607 ", 8},
		{"F", "-5.447603722011605e-270 ", 8}, {"f", "1.539990e-36    ", 4},
		{"G", "1040070140240400601001 ", 8}, {"g", "-737707637537377176777 ", 8}, {"H", "1020304         ", 4},
		{"h", "102     ", 2},
		{"I", "0000000000001000: 01 02 03 04                      insn 0x1", 4}, {"i", "insn 0x1", 4},
		{"J", "8807060504030201 ", 8}, {"Z", "8807060504030201 ", 8}, {"K", "8807060504030201 ", 8},
		{"X", "4030201         ", 4}, {"x", "201     ", 2}, {"O", "0400601001      ", 4}, {"o", "01001   ", 2},
		{"Q", "400601001       ", 4}, {"q", "1001    ", 2},
		{"P", "0x8807060504030201 ", 8}, {"p", "0x8807060504030201 ", 8},
		{"R", "1000100000000111000001100000010100000100000000110000001000000001 ", 8},
		{"r", " ", 0}, {"3r", "   ", 0}, {"T", "\t", 0}, {"t", "\t", 0}, {"N", "\n", 0}, {"n", "\n", 0},
		{"U", "67305985        ", 4}, {"u", "513     ", 2}, {"V", "1       ", 1}, {"v", "1       ", 1},
		{"W", "4030201         ", 4}, {"w", "201     ", 2},
		{"Y", "1972 Feb 19 00:06:25    ", 4}, {"y", "-8644934341102468607    ", 8},
		{"a", "start:          ", 0}, {`"= "`, "= ", 0}, {"'X'", "X", 0}, {"2'X'", "XX", 0},
		{"2x", "201     403     ", 4}, {"$[1+1]x", "201     403     ", 4}, {"xX", "201     6050403         ", 6},
		{"+x", "302     ", 3}, {"2+x", "403     ", 4}, {"4+2-x", "403     ", 4}, {"X^x", "4030201         201     ", 2},
		{"2x^x", "201     403     403     ", 4}, {"2x2^x", "201     403     201     ", 2}, {"0x", "", 0},
		{"x x", "201     403     ", 4},
		{`x" is "X`, "201      is 6050403         ", 6}, {"", "4030201         = insn 0x1", 4},
		{"2i", "insn 0x1\nstart+0x4:      insn 0x5", 8},
	} {
		h := newFake()
		got := strings.TrimSuffix(h.run("1000/"+c.letter), "\n")
		if got != label+c.want || len(h.warned) > 0 || h.in.expr.at.inc != c.inc || h.in.expr.at.dot != 0x1000 {
			t.Errorf("/%s\n got %q\nwant %q\nincrement %d, want %d; dot %#x; %v", c.letter, got, label+c.want,
				h.in.expr.at.inc, c.inc, h.in.expr.at.dot, h.warned)
		}
	}
}

func TestEveryLetterIsTested(t *testing.T) {
	for _, l := range Letters() {
		h := newFake()
		h.run("1000/" + string(rune(l.Letter)))
		if len(h.warned) > 0 {
			t.Errorf("/%c: %v", l.Letter, h.warned)
		}
		if l.Summary == "" {
			t.Errorf("letter %c has no summary", l.Letter)
		}
	}
}

func TestStrings(t *testing.T) {
	for _, c := range []struct {
		line, want string
		inc        uint64
	}{
		{"1008/s", "greeting:\ngreeting:       hello, world\n", 13},
		{"1009/s", "greeting+0x1:   ello, world\n", 12},
		{"1015/S", "greeting+0xd:   tab\\there\n", 9},
		{"1015/s", "greeting+0xd:   tab\there\n", 9},
		{"1008/2S", "greeting:\ngreeting:       hello, worldtab\\there\n", 22},
		{"1028/x", "a_rather_long_name:\na_rather_long_name:             0       \n", 2},
		{"1030/p", "a_rather_long_name+0x8:         start           \n", 8},
		{"1030/3p", "a_rather_long_name+0x8:         start           ", 8},
		{"1038,2/p", "a_rather_long_name+0x10:        0x0             \n", 8},
		{"2000/x", "", 0},
	} {
		h := newFake()
		if got := h.run(c.line); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s\n got %q\nwant %q, %v", c.line, got, c.want, h.warned)
		}
	}
}

func TestFailedRead(t *testing.T) {
	h := newFake()
	// Memory ends at 0x1040: one of two words is there.
	if got, want := h.run("103c/2X"), "a_rather_long_name+0x14:        0               \n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	if h.in.expr.at.inc != 4 || len(h.warned) != 1 ||
		h.warned[0] != "failed to read 4 bytes of memory at 0x1040: not dumped" {
		t.Errorf("increment %d, warnings %q", h.in.expr.at.inc, h.warned)
	}
	h = newFake()
	if got := h.run("1038,3/J"); strings.Count(got, "\n") != 1 || len(h.warned) != 1 {
		t.Errorf("a repeat over the end: %q, %q", got, h.warned)
	}
	h = newFake()
	h.mem[0x3f] = 'x'
	if got := h.run("103f/s"); !strings.HasSuffix(got, " x\n") || len(h.warned) != 1 {
		t.Errorf("a string over the end: %q, %q", got, h.warned)
	}
}

// TestEqual: "=" indents by 16 and shows dot itself with each letter.
func TestEqual(t *testing.T) {
	const in = "                "
	for _, c := range []struct{ line, want string }{
		{"0t31=X", "1f              "}, {"0t31=XD", "1f              31              "}, {"start=a", "start"},
		{"1004=a", "start+0x4"},
		{"deadbeef=D", "-559038737      "}, {"deadbeef=E", "3735928559      "}, {"1ff=B", "ff      "},
		{"0t1.5=F", "1.5             "},
		{"3fc00000=f", "1.500000e+00    "}, {"1004=p", "start+0x4       "}, {"0=Y", "1970 Jan  1 00:00:00    "},
		{"'a'=c", "a"}, {"a=C", `\n`}, {"-1=e", "-1              "}, {"-1=J", "ffffffffffffffff "},
		{"1=2X", "1               1               "},
		{"61=s", "a"}, {"9999999=a", "0x9999999"},
	} {
		h := newFake()
		got := strings.TrimSuffix(h.run(c.line), "\n")
		if got != in+c.want || h.in.expr.at.inc != 0 {
			t.Errorf("%s\n got %q\nwant %q; %v", c.line, got, in+c.want, h.warned)
		}
	}
	for _, line := range []string{"1=", "1=i", "1=k", "1=2", `1=99999999999999999999X`} {
		h := newFake()
		if got := h.run(line); got != "" || len(h.warned) != 1 {
			t.Errorf("%s: %q, %q, want an error", line, got, h.warned)
		}
	}
}

func TestObjectFile(t *testing.T) {
	h := newFake()
	if got, want := h.run("1000?X"), "start:\nstart:          14131211        \n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	h.run("1008?X")
	if len(h.warned) != 1 || !strings.Contains(h.warned[0], "of the object file at 0x1008") {
		t.Errorf("warned %q", h.warned)
	}
}

func TestSearch(t *testing.T) {
	for _, c := range []struct {
		line, out string
		dot       uint64
		failed    bool
	}{
		{"1000/l 807", "", 0x1040, true}, {"1000/l 8807", "0x1006\n", 0x1006, false},
		{"1000/l 8807;.=K", "0x1006\n                1006            \n", 0x1006, false},
		{"1000/L 6c000000 ff000000", "0x1008\n", 0x1008, false}, {"1000/M 1000", "0x1030\n", 0x1030, false},
		{"1000/M1000", "0x1030\n", 0x1030, false}, {"1000/M $[1000]", "0x1030\n", 0x1030, false},
		{"1000,5/M start", "0x1030\n", 0x1030, false},
		{"1001/l 605", "", 0x103f, true}, {"1000/l", "", 0x1000, true}, {"1000/l 1 2 3", "", 0x1000, true},
		{"1000?l 1211", "0x1000\n", 0x1000, false}, {"1000/L 0 0 | =K", "                1000            \n",
			0x1000, false},
	} {
		h := newFake()
		got := h.run(c.line)
		if got != c.out || h.in.expr.at.dot != c.dot || (len(h.warned) > 0) != c.failed {
			t.Errorf("%s: %q, dot %#x, %q; want %q, %#x", c.line, got, h.in.expr.at.dot, h.warned, c.out, c.dot)
		}
	}
}

func TestRefused(t *testing.T) {
	for line, want := range map[string]string{
		"1000/w 1": "read-only", "1000/v 1": "read-only", "1000/W 1 2": "read-only", "1000/Z 1": "read-only",
		"1000?w 1": "read-only",
		`1000\X`:   "no physical", "1000@X": "no physical", "1000>rip": "read-only",
	} {
		h := newFake()
		h.run(line)
		if len(h.warned) != 1 || !strings.Contains(h.warned[0], want) {
			t.Errorf("%s: %q, want %q", line, h.warned, want)
		}
	}
	// Alone they are formats.
	for _, line := range []string{"1000/v", "1000/w", "1000/W", "1000/Z"} {
		h := newFake()
		if h.run(line) == "" || len(h.warned) > 0 {
			t.Errorf("%s: %q", line, h.warned)
		}
	}
}

func TestLineJSON(t *testing.T) {
	h := newFake()
	for _, c := range []struct{ line, want string }{
		{"1008/xns", `{"type":"memory","addr":"0x1008","symbol":"greeting","values":[{"format":"x","addr":"0x1008","value":"0x6568","text":"6568"},{"format":"s","addr":"0x100a","text":"llo, world"}]}`},
		{"1009/X", `{"type":"memory","addr":"0x1009","symbol":"greeting","offset":1,"values":[{"format":"X","addr":"0x1009","value":"0x6f6c6c65","text":"6f6c6c65"}]}`},
		{"1f=D", `{"type":"value","addr":"0x1f","values":[{"format":"D","value":"0x1f","text":"31"}]}`},
	} {
		var got []string
		err := h.in.Eval(t.Context(), c.line, func(r Record) error {
			b, err := json.Marshal(r)
			got = append(got, string(b))
			return err
		})
		if err != nil || strings.Join(got, "\n") != c.want {
			t.Errorf("%s\n got %s, %v\nwant %s", c.line, got, err, c.want)
		}
	}
}

// TestWrap: numbers go on in a new line at the usual width of a terminal.
func TestWrap(t *testing.T) {
	h := newFake()
	got := h.run("1000/5X")
	for line := range strings.Lines(got) {
		if n := len(strings.TrimRight(line, " \n")); n > wrapAt {
			t.Errorf("line of %d columns: %q", n, line)
		}
	}
	if want := "\n" + strings.Repeat(" ", 16) + "646c726f"; !strings.Contains(got, want) {
		t.Errorf("got %q, want %q in it", got, want)
	}
}

func TestLastValue(t *testing.T) {
	h := newFake()
	h.run("1000/X")
	if v, _ := h.in.Vars.Get("0"); v != 0x4030201 {
		t.Errorf("<0 = %#x", v)
	}
}

func TestLongRunIsCut(t *testing.T) {
	h := newFake()
	h.mem = make([]byte, 10000)
	var lines, items int
	err := h.in.Eval(t.Context(), "1000/5000b", func(r Record) error {
		lines++
		items += len(r.(*Line).Items)
		return nil
	})
	if err != nil || items != 5000 || lines != 5000/maxItems+1 {
		t.Errorf("%d lines with %d items, %v", lines, items, err)
	}
	if l, ok := any(&Line{}).(interface{ Addrs() []core.Addr }); !ok || len(l.Addrs()) != 0 {
		t.Error("an empty line has addresses")
	}
}
