package sourcemap

import (
	"encoding/json"
	"testing"
)

// TestEncode: what Encode writes is read as the same places.
func TestEncode(t *testing.T) {
	tokens := []Token{{}, {Column: 9, OriginalColumn: 4, OriginalLine: 7}, {Line: 3, Column: 2, Source: -1},
		{Line: 3, Column: 70000, Source: 1, OriginalLine: 2, OriginalColumn: 40}, {Line: 4}}
	text, err := json.Marshal(map[string]any{"version": 3, "sources": []string{"/a.ts", "/b.ts"},
		"mappings": Encode(tokens)})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(text, "/a.js", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range tokens {
		p, ok := m.Find(x.Line+1, x.Column+1)
		if ok != (x.Source >= 0) {
			t.Errorf("%+v: %v", x, ok)
			continue
		}
		want := Position{Source: []string{"/a.ts", "/b.ts"}[max(x.Source, 0)], Line: x.OriginalLine + 1,
			Column: x.OriginalColumn + 1, Exact: true}
		if ok && p != want {
			t.Errorf("%+v leads to %+v", x, p)
		}
	}
}

// TestAgree: words of the map's own text agree; words of a text with an additional line do not.
func TestAgree(t *testing.T) {
	const original, made = "type A = 1;\nfunction one(): A {\n  return two();\n}\n",
		"function one() {\n  return two();\n}\n"
	tokens := []Token{{OriginalLine: 1}, {Column: 9, OriginalLine: 1, OriginalColumn: 9}, {Line: 1, Column: 2,
		OriginalLine: 2, OriginalColumn: 2}, {Line: 1, Column: 9, OriginalLine: 2, OriginalColumn: 9}}
	text, err := json.Marshal(map[string]any{"version": 3, "sources": []string{"/a.ts"},
		"sourcesContent": []string{original}, "mappings": Encode(tokens)})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(text, "/a.ts", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text   string
		same   int
		covers bool
	}{{made, 4, true}, {"let x;\n" + made, 0, false}, {made + "three();\n", 4, false},
		{made + "var Low, Geo;\n", 4, true}, {made + "var Low = 1;\n", 4, false}} {
		same, _ := m.Agree(c.text)
		if same != c.same || m.Covers(c.text) != c.covers {
			t.Errorf("%q: %d words are the same, covered %v", c.text, same, m.Covers(c.text))
		}
	}
	if !m.Has("/a.ts") || m.Has("/b.ts") || !m.Same(m) {
		t.Error("Has or Same is wrong")
	}
}
