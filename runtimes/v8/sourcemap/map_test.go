package sourcemap

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// simple is what tsc 5.9 writes for "const a = 1;\nexport function f(x: number) {\n  return x + a;\n}\n", shortened.
const simple = `{"version":3,"file":"a.js","sourceRoot":"","sources":["../src/a.ts"],"names":[],` +
	`"mappings":"AAAA,MAAM,CAAC,GAAG,CAAC,CAAC;AACZ,MAAM,UAAU,CAAC,CAAC,CAAS;IACzB,OAAO,CAAC,GAAG,CAAC,CAAC;AACf,CAAC"}`

func TestFind(t *testing.T) {
	m, err := Read([]byte(simple), "/app/dist/a.js", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line, column int
		want         string
	}{
		{1, 1, "/app/src/a.ts:1:1"}, {1, 7, "/app/src/a.ts:1:7"}, {1, 8, "/app/src/a.ts:1:8"},
		{3, 5, "/app/src/a.ts:3:3"}, {3, 12, "/app/src/a.ts:3:10"}, {3, 100, "/app/src/a.ts:3:16"},
		{4, 1, "/app/src/a.ts:4:1"},
		{3, 4, ""}, {3, 1, ""}, // before the first segment of the line
		{5, 1, ""}, {0, 1, ""}, {1, 0, ""}, {-1, -1, ""},
	} {
		got := ""
		if p, ok := m.Find(c.line, c.column); ok {
			got = fmt.Sprintf("%s:%d:%d", p.Source, p.Line, p.Column)
		}
		if got != c.want {
			t.Errorf("%d:%d is %q, want %q", c.line, c.column, got, c.want)
		}
	}
}

// TestSections: an index map, whose second part begins within a line.
func TestSections(t *testing.T) {
	part := func(name string) string {
		return `{"version":3,"sources":["` + name + `"],"names":["n"],"ignoreList":[0],"mappings":"AAAAA,EAAE;AACA"}`
	}
	m, err := Read([]byte(`{"version":3,"sections":[{"offset":{"line":10,"column":4},"map":`+part("b.ts")+
		`},{"offset":{"line":0,"column":0},"map":`+
		part("webpack://app/./lib/../a.ts")+`}]}`), "file:///x/y.js", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line, column int
		want         Position
	}{
		{1, 1, Position{"webpack://app/a.ts", 1, 1, "n", true, true}},
		{1, 3, Position{"webpack://app/a.ts", 1, 3, "", true, true}},
		{11, 5, Position{"/x/b.ts", 1, 1, "n", true, true}}, {11, 7, Position{"/x/b.ts", 1, 3, "", true, true}},
		{12, 1, Position{"/x/b.ts", 2, 3, "", true, true}},
		{11, 4, Position{}},
	} {
		if got, _ := m.Find(c.line, c.column); got != c.want {
			t.Errorf("%d:%d is %+v, want %+v", c.line, c.column, got, c.want)
		}
	}
}

// TestFirst: of two segments at one place the last counts, and the first if the map is to be read so; a later
// column gets the last.
func TestFirst(t *testing.T) {
	for _, c := range []struct {
		first        bool
		column, want int
	}{{false, 3, 2}, {true, 3, 1}, {false, 4, 2}, {true, 4, 2}, {true, 2, 0}} {
		m, err := Read([]byte(`{"version":3,"sources":["a"],"names":[],"mappings":"AAAA,GACA,AACA"}`), "", nil)
		if err != nil {
			t.Fatal(err)
		}
		m.First = c.first
		if p, ok := m.Find(1, c.column+1); !ok || p.Line != c.want+1 {
			t.Errorf("first %v, column %d: %+v, %v; want line %d", c.first, c.column, p, ok, c.want+1)
		}
	}
}

// TestMarks: a line with more segments than there are between two marks, in order and not.
func TestMarks(t *testing.T) {
	var sorted, turned strings.Builder
	turned.WriteString("gkqBAAA,") // column 20000 comes first
	sorted.WriteString(";;")
	for i := range 5000 {
		sorted.WriteString("EACA,")
		if i == 0 {
			turned.WriteString("9jqBACA,") // 20000 less 1998: what follows rises from there
		} else {
			turned.WriteString("EACA,")
		}
	}
	for _, c := range []struct {
		text         string
		line, column int // from 0
		want         int // original line
	}{
		{sorted.String(), 2, 2, 1}, {sorted.String(), 2, 9999, 4999}, {sorted.String(), 2, 10000, 5000},
		{sorted.String(), 2, 513, 256},
		{turned.String(), 0, 20000, 0},
	} {
		m, err := Read([]byte(`{"version":3,"sources":["a"],"names":[],"mappings":"`+c.text+`"}`), "", nil)
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := m.Find(c.line+1, c.column+1); (!ok || p.Line != c.want+1) && c.want != 0 {
			t.Errorf("%d:%d is %+v, %v; want line %d", c.line, c.column, p, ok, c.want+1)
		}
	}
}

func TestReadErrors(t *testing.T) {
	of := func(mappings string) string {
		return `{"version":3,"sources":["a",null],"names":["n"],"mappings":"` + mappings + `"}`
	}
	for _, c := range []struct{ text, want string }{
		{"{", "unexpected end"},
		{`{"version":2,"mappings":""}`, `version "2"`},
		{`{"version":3}`, "no mappings"},
		{`{"version":3,"sections":[{"offset":{"line":0,"column":0}}]}`, "section 0"},
		{`{"version":3,"sections":[{"offset":{"line":-1,"column":0},"map":{"mappings":""}}]}`, "section 0"},
		{of("AEAA"), "source 2 of 2"}, {of("ADAA"), "source -1 of 2"},
		{of("AAAAC"), ""}, {of("AAAAE"), "name 2 of 1"}, {of("AADA"), "original place -1:0"},
		{of("AA"), "a segment of 2 numbers"}, {of("AAAAAA"), "more than 5"}, {of("D"), "column -1"},
		{of("A!"), "not a digit"}, {of("AAA\\u00e9"), "not a digit"}, {of("gggggggg"), "without an end"},
		{of("A,g"), "without an end"},
		{of("AAAA;;+/////f,"), "beyond 32 bits"},
		{")]}'\n" + of("AAAA"), ""},
	} {
		_, err := Read([]byte(c.text), "", nil)
		if c.want == "" && err != nil && !strings.Contains(err.Error(), "name") ||
			c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := Read([]byte(of("AAAA;AAAA")), "", func(line, column int) bool { return line == 0 }); err == nil ||
		!strings.Contains(err.Error(), "no line 2") {
		t.Errorf("a map of another file: %v", err)
	}
}

func TestResolve(t *testing.T) {
	for _, c := range []struct{ base, ref, want string }{
		{"/app/dist/a.js", "../src/a.ts", "/app/src/a.ts"}, {"/app/dist/a.js", "/x/a.ts", "/x/a.ts"},
		{"file:///app/a%20b/a.mjs", "a.mjs.map", "/app/a b/a.mjs.map"}, {"/app/a.js", "file:///x/%C3%A9.ts", "/x/é.ts"},
		{"/app/a.js", "webpack://app/./src/a.ts", "webpack://app/src/a.ts"},
		{"/app/a.js", "webpack:///src/a.ts", "webpack:///src/a.ts"},
		{"https://h/js/a.js", "../a.ts", "https://h/a.ts"}, {"https://h/js/a.js", "/m/a.ts", "https://h/m/a.ts"},
		{`C:\app\a.js`, "a.ts", "C:/app/a.ts"}, {"a.js", "b.ts", "b.ts"}, {"/a/a.js", "x%20y.ts", "/a/x y.ts"},
		{"/a/a.js", "50%.ts", "/a/50%.ts"},
	} {
		if got := Resolve(c.base, c.ref); got != c.want {
			t.Errorf("%q from %q is %q, want %q", c.ref, c.base, got, c.want)
		}
	}
}

func TestData(t *testing.T) {
	b64 := base64.StdEncoding.EncodeToString([]byte("{}"))
	for _, c := range []struct{ url, want string }{
		{"data:application/json;base64," + b64, "{}"}, {"data:application/json;charset=utf-8;base64," + b64, "{}"},
		{"data:,%7B%7D", "{}"}, {"data:application/json", "error"}, {"data:;base64,*", "error"},
	} {
		b, err := Data(c.url)
		if got := string(b); err == nil && got != c.want || (err != nil) != (c.want == "error") {
			t.Errorf("%s: %q, %v", c.url, got, err)
		}
	}
}

func FuzzMap(f *testing.F) {
	f.Add([]byte(simple), 3, 12)
	f.Add([]byte(`{"version":3,"sections":[{"offset":{"line":1,"column":4},"map":{"sources":["b"],"names":[],"mappings":"AAAAA"}}]}`), 2, 5)
	f.Fuzz(func(t *testing.T, b []byte, line, column int) {
		m, err := Read(b, "/a/b.js", nil)
		if err != nil {
			return
		}
		if p, ok := m.Find(line, column); ok && (p.Line < 1 || p.Column < 1 || p.Source == "") {
			t.Fatalf("%d:%d is %+v", line, column, p)
		}
	})
}

// TestFolders: a map is looked for where its script is, and one folder above.
func TestFolders(t *testing.T) {
	for script, want := range map[string]string{
		"/srv/app/dist/a.js": "/srv/app/dist /srv/app", "file:///srv/app/dist/a%20b.js": "/srv/app/dist /srv/app",
		"/srv/app/a.js": "/srv/app", "/etc/a.js": "/etc", "/a.js": "/", "/srv/app/x/../../../etc/a.js": "/etc",
		"https://example.com/srv/a.js": "", "webpack:///srv/a.js": "", "node:internal/x": "", "a.js": "", "": "",
	} {
		got := Folders(script)
		if got == nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
}
