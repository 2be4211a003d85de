package out

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"coredbg/core"
)

func TestClean(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain", "plain"}, {"tab\tand\nline", "tab\tand\nline"},
		{"\x1b[31mred\x1b]0;title\a", `\x1b[31mred\x1b]0;title\x07`},
		{"\x7f\x00\r", `\x7f\x00\r`}, {"\x9b31m", `\x9b31m`}, {"\u009b31m", `\x9b31m`}, {"naïve 漢字", "naïve 漢字"},
		{"a\u202eb\u2066c\u200b", `a\u202eb\u2066c\u200b`}, {"\ufeff", `\ufeff`}, {"bad\xffutf8", `bad\xffutf8`},
		{"\xe2\x82", `\xe2\x82`},
		{"\U000e0041", `\ue0041`},
	} {
		if got := Clean(c.in, true); got != c.want {
			t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	if got := Clean("a\nb", false); got != `a\nb` {
		t.Errorf("a newline in one line: %q", got)
	}
}

// FuzzClean: nothing that is written has a character that a terminal obeys.
func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "a", "\x1b[31m", "\u202e", "\xff\xfe", "\u009b", "漢"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var b bytes.Buffer
		w := NewWriter(&b)
		w.Printf("%s", s)
		w.Paint(Addr, "%s", s)
		w.Cell(Symbol, 10, s)
		w.JSON(map[string]string{"s": s})
		for _, r := range b.String() {
			if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 || unseen(r) {
				t.Fatalf("%q leaks %U", s, r)
			}
		}
	})
}

func TestPaintAndLog(t *testing.T) {
	var b bytes.Buffer
	log := &closer{}
	w := NewBuffered(&b)
	w.SetStyle(NewStyle(true))
	w.SetLog(NewLog(log))
	w.Paint(Addr, "%#x", 16)
	w.Printf(" \x1b[1m\n")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "\x1b[36m0x10\x1b[0m \\x1b[1m\n"; b.String() != want {
		t.Errorf("painted %q, want %q", b.String(), want)
	}
	if want := "0x10 \\x1b[1m\n"; log.String() != want {
		t.Errorf("logged %q, want %q", log.String(), want)
	}
	if got := NewStyle(false).Paint(Error, "x\x1b"); got != `x\x1b` {
		t.Errorf("plain style painted %q", got)
	}
}

type closer struct{ bytes.Buffer }

func (*closer) Close() error { return nil }

func TestWantColor(t *testing.T) {
	for _, c := range []struct {
		mode     string
		terminal bool
		env      string // NAME=value
		want     bool
	}{
		{"auto", true, "", true}, {"", true, "", true}, {"auto", false, "", false}, {"auto", true, "NO_COLOR=1", false},
		{"auto", true, "TERM=dumb", false}, {"always", false, "NO_COLOR=1", true}, {"never", true, "", false},
	} {
		env := func(name string) string {
			k, v, _ := strings.Cut(c.env, "=")
			if k == name {
				return v
			}
			return ""
		}
		if got, err := WantColor(c.mode, c.terminal, env); got != c.want || err != nil {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
	if _, err := WantColor("sometimes", true, func(string) string { return "" }); err == nil {
		t.Error("an unknown mode was taken")
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	v := struct {
		Type string    `json:"type"`
		Addr core.Addr `json:"addr"`
		Text string    `json:"text"`
	}{"x", 0xffffffffffffffff, "<\x1b\u009b\u202e漢\U000e0041>"}
	if err := w.JSON(v); err != nil {
		t.Fatal(err)
	}
	want := `{"type":"x","addr":"0xffffffffffffffff","text":"<\u001b\u009b\u202e漢\udb40\udc41>"}` + "\n"
	if b.String() != want {
		t.Errorf("got %q\nwant %q", b.String(), want)
	}
}

func TestWriterKeepsError(t *testing.T) {
	w := NewWriter(failing{})
	w.Printf("a")
	if w.Printf("b"); w.Err() == nil {
		t.Error("the error is lost")
	}
	if w.Forget(); w.Err() != nil {
		t.Error("Forget keeps the error")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// marshaled is a value that makes its JSON by itself, as records do.
type marshaled struct{ S string }

func (m marshaled) MarshalJSON() ([]byte, error) { return json.Marshal(m.S) }

func TestMarshalLeavesHTMLAlone(t *testing.T) {
	for _, s := range []string{"std::vector<int>&", "<anonymous>", `\u003c`, `\\u003c<`, "\\", `ends in \`,
		"\u2028 \x00 <"} {
		b, err := Marshal(map[string]any{"a": marshaled{s}, "b": s})
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]string
		if err := json.Unmarshal(b, &got); err != nil || got["a"] != s || got["b"] != s {
			t.Errorf("%q became %s: %v", s, b, err)
		}
		a, _, _ := bytes.Cut(b[len(`{"a":`):], []byte(`,"b":`))
		if want, _ := Marshal(s); string(a) != string(want) {
			t.Errorf("%q: %s by itself, %s within", s, want, a)
		}
	}
}
