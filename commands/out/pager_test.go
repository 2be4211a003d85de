package out

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
)

// typist hands keys to a pager, one by one; then its input has ended.
func typist(keys string) func() ([]byte, error) {
	return func() ([]byte, error) {
		if keys == "" {
			return nil, io.EOF
		}
		n := 1
		if keys[0] == '\x1b' {
			n = 3
		}
		k := keys[:n]
		keys = keys[n:]
		return []byte(k), nil
	}
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d\n", i+1)
	}
	return b.String()
}

// screen returns the contents of a terminal with the number of rows after text came, without the row of the
// prompt.
func screen(text string, rows int) string {
	if i := strings.LastIndex(text, "\x1b[H\x1b[2J"); i >= 0 {
		text = text[i:]
	}
	text = regexp.MustCompile(`\x1b\[7m[^\x1b]*\x1b\[27m\r\x1b\[K|\r\x1b\[K[^\r\n]*`).ReplaceAllString(text, "")
	text = strings.TrimSuffix(plainText(strings.ReplaceAll(strings.ReplaceAll(text, "\x1b[H", ""), "\x1b[2J", "")),
		"\n")
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(len(lines)-rows+1, 0):], " ")
}

func TestPager(t *testing.T) {
	const down, up = "\x1b[B", "\x1b[A"
	for _, c := range []struct {
		keys, want string
		err        error // of Write
	}{
		{"q", "1 2 3", ErrQuit}, {"a", "1 2 3", ErrAbort}, {"", "1 2 3", ErrAbort},
		{" q", "4 5 6", ErrQuit}, {"\rq", "2 3 4", ErrQuit}, {"jxjq", "3 4 5", ErrQuit}, {down + "q", "2 3 4", ErrQuit},
		{"  bq", "4 5 6", ErrQuit}, {"  bbq", "1 2 3", ErrQuit}, {" kq", "3 4 5", ErrQuit},
		{" " + up + up + "q", "2 3 4", ErrQuit},
		{" gq", "1 2 3", ErrQuit}, {"g q", "4 5 6", ErrQuit},
		{"Gq", "18 19 20", nil}, {"Gbq", "15 16 17", nil}, {"Ggq", "1 2 3", nil}, {"G ", "18 19 20", nil},
		{"G\r", "18 19 20", nil},
		{"/7\rq", "7 8 9", ErrQuit}, {"/7\rnq", "17 18 19", ErrQuit}, {"/7\rnNq", "7 8 9", ErrQuit},
		{"/1[0-9]\rq", "10 11 12", ErrQuit}, {"/1[0-9]\rnnq", "12 13 14", ErrQuit}, {"/no such\rq", "1 2 3", nil},
		{"/[\rq", "1 2 3", nil},
		{"G?1\rq", "17 18 19", nil}, {"G?1\rnq", "16 17 18", nil}, {"G/x\rg/20\rnq", "18 19 20", nil},
		{"/77\x7f\rq", "7 8 9", ErrQuit}, {"/7\x03q", "1 2 3", ErrQuit},
		{"nq", "1 2 3", ErrQuit}, {"c", "18 19 20", nil},
	} {
		var b bytes.Buffer
		p := NewPager(&b, typist(c.keys), func() (int, int) { return 80, 4 })
		_, err := io.WriteString(p, numbers(20))
		if err == nil {
			err = p.Finish()
		}
		if got := screen(b.String(), 4); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("keys %q: %q, %v; want %q, %v", c.keys, got, err, c.want, c.err)
		}
	}
}

// TestPagerIsSilent: what fits the screen is not stopped, and neither is anything where
// there is no screen.
func TestPagerIsSilent(t *testing.T) {
	for _, rows := range []int{21, 0, 2} {
		var b bytes.Buffer
		p := NewPager(&b, typist(""), func() (int, int) { return 80, rows })
		io.WriteString(p, numbers(20))
		io.WriteString(p, "no end")
		if err := p.Finish(); err != nil || b.String() != numbers(20)+"no end" {
			t.Errorf("%d rows: %q, %v", rows, b.String(), err)
		}
	}
}

// TestPagerRows: a line that is wider than the terminal takes more rows than one, and
// colours take no room.
func TestPagerRows(t *testing.T) {
	var b bytes.Buffer
	p := NewPager(&b, typist("q"), func() (int, int) { return 10, 5 })
	text := "\x1b[36m" + strings.Repeat("x", 25) + "\x1b[0m\n"
	if _, err := io.WriteString(p, text+"\x1b[36m0123456789\x1b[0m\nnext\n"); err != ErrQuit {
		t.Errorf("%v, want %v", err, ErrQuit)
	}
	if got := strings.Count(b.String(), "\n"); got != 2 {
		t.Errorf("%d lines shown", got)
	}
}

// TestPagerMarks: what a search finds is shown in reverse, within colours too.
func TestPagerMarks(t *testing.T) {
	p := &Pager{find: pattern("cd e")}
	if got, want := p.marked("ab\x1b[36mcd\x1b[0m ef CD e"),
		"ab\x1b[36m\x1b[7mcd\x1b[0m\x1b[7m e\x1b[27mf \x1b[7mCD e\x1b[27m"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if p.find = pattern("CD"); p.marked("abcd") != "abcd" {
		t.Error("a large letter matches a small one")
	}
}

// TestPagerForgets: of very much output the end can be gone back to.
func TestPagerForgets(t *testing.T) {
	var b bytes.Buffer
	p := NewPager(&b, typist("Gq"), func() (int, int) { return 80, 4 })
	line := strings.Repeat("x", 1<<20-1) + "\n"
	for range 40 {
		if _, err := io.WriteString(p, line); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Finish(); err != nil || p.kept > maxKept+1<<20 || len(p.lines) > 33 {
		t.Errorf("%d lines of %d bytes are kept, %v", len(p.lines), p.kept, err)
	}
}
