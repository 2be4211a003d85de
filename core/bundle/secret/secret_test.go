package secret

import (
	"fmt"
	"strings"
	"testing"

	"coredbg/core/bundle/span"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"node\x00--token\x00VALUE\x00", "node VALUE"},
		{"x\x00--password=VALUE\x00-pOTHER\x00-DKEY=THIRD", "VALUE OTHER THIRD"},
		{"A=VALUE\x00B=abc\x00C=", "VALUE"},
		{"A=/usr/bin:/bin\x00B=/home/u/x\x00C=/Xy8+abcQ/zz9kk==\x00", "/Xy8+abcQ/zz9kk== Xy8+abcQ"},
		{"server.js\x00./lib/a.mjs\x00file:///opt/x.js\x00/data/1.csv", ""},
		{"U=pg://joe:secret@host/d", "pg://joe:secret@host/d secret"},
		{"node\x00-e\x00f(x)\x00-c\x00word", "node word"},
		{"W=two words of it", "two words of it"},
	} {
		var got []string
		for _, s := range Find([]byte(c.text)) {
			got = append(got, string(s.Value))
		}
		want := strings.Join(got, " ")
		if want != c.want {
			t.Errorf("%q: %q, want %q", c.text, want, c.want)
		}
	}
}

// TestCommon: a short secret is common where it is a word of a file, a long one
// where all pieces of it are.
func TestCommon(t *testing.T) {
	for _, c := range []struct {
		from, secret, file string
		common             bool
	}{
		{"A", "k3y7", "\x00k3y7\x00", true}, {"A", "k3y7", "xk3y7", false}, {"A", "k3y7", "k3y7_", false},
		{"A", "1234", "0123456789", false},
		{"A", "a production", "in a production-like", true}, {"A", "a production", "a product", false},
		{"A", "production", "p\x00r\x00o\x00d\x00u\x00c\x00t\x00i\x00o\x00n\x00", false},
		{"PIN", "k3y7", " k3y7 ", false}, {"--db-password", "a production", "a production", false},
		{"-p", "sixteen-letters.", "sixteen-letters.", false},
	} {
		g := NewGrams([]Secret{{c.from, []byte(c.secret)}})
		g.Know([]byte(c.file), true)
		if got := !g.Rare([]byte(c.secret)); got != c.common {
			t.Errorf("%q in a file with %q is common: %v", c.secret, c.file, got)
		}
	}
}

// TestSweepBesideName: the first characters of a secret are found after its name, however few they
// are, and the name stays.
func TestSweepBesideName(t *testing.T) {
	g := NewGrams(Find([]byte("prog\x00--password=ArgSecretValue77\x00--token\x00TokenValue1\x00DB_PASSWORD=hunter2-and-more")))
	for text, want := range map[string]string{
		"x --password=ArgSecr y": "[{13 20}]", "x --password=ArgSe\x00": "[{13 18}]", "x --password=A\x00": "[{13 14}]",
		"x --password=ArgSecretValue77 y": "[{13 29}]", "x --password=Other y": "[]", "--token Tok\x00\x00": "[{8 11}]",
		"--token\x00Token ":  "[{8 13}]",
		"DB_PASSWORD=hunte]": "[{12 17}]", "--password=": "[]", "ArgSe": "[]",
		// with a zero of "="
		"D\x00B\x00_\x00P\x00A\x00S\x00S\x00W\x00O\x00R\x00D\x00=\x00h\x00u\x00n\x00.\x00": "[{23 30}]",
	} {
		var got []span.Range
		s := &Sweep{Grams: g.WithoutEdges(), Found: func(lo,
			hi uint64) {
			got = append(got, span.Between(int64(lo), int64(hi)))
		}}
		s.Feed(0, []byte(text))
		s.End()
		if s := fmt.Sprint(span.Join(got, 1000)); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
}

// TestSweepCuts: what is found does not depend on where the bytes are cut.
func TestSweepCuts(t *testing.T) {
	g := NewGrams([]Secret{{"A", []byte("a-long-secret-of-30-bytes-1234")}, {"B", []byte("k3y7")}})
	text := []byte("....a-long-secret-of-30-bytes-1234..k3y7....t-of-30-by....\x00\x00\x00\x00\x00\x00\x00\x00\x00k3y7")
	want := "[{4 34} {36 40} {44 54} {67 71}]"
	for cut := 1; cut < len(text); cut++ {
		var got []span.Range
		s := &Sweep{Grams: g, Found: func(lo, hi uint64) { got = append(got, span.Between(int64(lo), int64(hi))) }}
		for at := 0; at < len(text); at += cut {
			s.Feed(uint64(at), text[at:min(at+cut, len(text))])
		}
		s.flush()
		if s := fmt.Sprint(span.Join(got, 1000)); s != want {
			t.Errorf("cut at %d: %s, want %s", cut, s, want)
		}
	}
}
