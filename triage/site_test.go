package triage

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"coredbg/commands/out"
)

// siteOf writes the site of lines, and returns its files.
func siteOf(t *testing.T, lines []*Line) map[string]string {
	t.Helper()
	g := Groups{Whole: true}
	for _, l := range lines {
		g.Add(l)
	}
	files := map[string]string{}
	s := Site{Bugs: g.Bugs(), Now: time.Unix(1790000000, 0), Report: func(core string) string {
		if core == "c1" {
			return "./../c1.html"
		}
		return ""
	}}
	if err := s.Write(func(name string, content func(io.Writer) error) error {
		var b strings.Builder
		err := content(&b)
		files[name] = b.String()
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// rowsOf returns the rows that a page's script reads.
func rowsOf[T any](t *testing.T, page string) (rows []T) {
	t.Helper()
	_, text, _ := strings.Cut(page, `<script type="application/json" id="rows">`)
	text, _, _ = strings.Cut(text, "</script>")
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

func read(core, coarse, modified string) *Line {
	return &Line{Core: core, Status: Read, Program: "app", Exe: "/bin/app", Coarse: coarse, Fine: coarse,
		Signature: "abort | " + coarse, Cause: "abort",
		Title: "abort was called", Confidence: "likely", Modified: modified, Rules: 1, Signal: "SIGABRT", PID: 7}
}

func TestSite(t *testing.T) {
	const boot = "0123456789abcdef0123456789abcdef"
	named := "/d/core.app.0." + boot + ".7.1790000000000000.zst" // 2026-09-21 14:13:20 UTC
	a, b, c := read("c1", "k1", "2026-09-20T00:00:00Z"), read(named, "k1", "2026-11-01T00:00:00Z"),
		read("c3", "k1", "2026-11-01T00:00:00Z")
	c.Died = "2026-09-22T01:00:00Z"
	a.Packages, b.Packages = map[string]string{"/bin/app": "app 1.0"}, map[string]string{"/bin/app": "app 1.1"}
	a.Host = "web1"
	files := siteOf(t, []*Line{a, b, c, read("c4", "k2", "")})
	if len(files) != 3 {
		t.Fatalf("%d files", len(files))
	}
	rows := rowsOf[siteRow](t, files["index.html"])
	got := fmt.Sprintln(rows[0].Count, rows[0].First, rows[0].Last, rows[0].Days, rows[0].Versions, rows[1].Count,
		rows[1].First, rows[1].Days)
	if want := "3 2026-09-20T00:00:00Z 2026-09-22T01:00:00Z [0 0 0 0 0 0 0 0 0 0 0 1 1 1] [1.0 1.1] 1  [0 0 0 0 0 0 0 0 0 0 0 0 0 0]\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	page := files[rows[0].Page]
	var cores []string
	for _, r := range rowsOf[coreRow](t, page) {
		cores = append(cores, fmt.Sprint(r.Core, " ", r.Died, " ", r.OfFile, " ", r.Report, " ", r.Version))
	}
	if want := []string{"c3 2026-09-22T01:00:00Z false  ", named + " 2026-09-21T14:13:20Z false  1.1",
		"c1 2026-09-20T00:00:00Z true ./../c1.html 1.0"}; !slices.Equal(cores, want) {
		t.Errorf("%q", cores)
	}
	for _, want := range []string{`<th scope="row">Program</th><td>/bin/app</td>`,
		`<span class="value">1.0 <b>1</b></span>`,
		`<span class="value">not known <b>2</b></span> <span class="value">web1`,
		`<title>2026-09-21: 1</title>`, `By day, 2026-09-09 to 2026-09-22; the highest is 1`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

// TestHostileSite: names in cores are text in the pages, and nothing else.
func TestHostileSite(t *testing.T) {
	const evil = "\x1b[31m</title></script><script>alert(1)</script><img src=//e.example/x onerror=alert(2)>\"'`${x}<!--"
	a, b := read(evil, evil, evil), read("c", evil, "2026-11-01T00:00:00Z")
	a.Title, a.Signature, a.Program, a.Exe, a.Host, a.Signal, a.Evidence = evil, evil, evil, "/"+evil, evil,
		evil, []string{evil}
	a.Packages, a.Thread = map[string]string{a.Exe: "x " + evil},
		&Thread{Name: evil, Frames: []Frame{{Name: evil, File: evil}}}
	for name, page := range siteOf(t, []*Line{a, b}) {
		if !strings.Contains(page, "alert(1)") && name == "index.html" {
			t.Error("the name is not in the table")
		}
		if strings.Count(page, "<script>") != 1 || strings.Contains(page, "<img") || strings.Contains(page, "\x1b") {
			t.Errorf("%s: a name of a core became markup", name)
		}
		head := html.UnescapeString(page[:strings.Index(page, "<title>")])
		if strings.Count(head, "sha256-") != 1 || !strings.Contains(head, "default-src 'none'") ||
			!strings.Contains(head, (out.PageHead{Scripts: []string{siteScript}}).Hashes()[0]) {
			t.Errorf("%s: the policy is %s", name, head)
		}
	}
}

// TestTimesOfBundles: a bundle's file tells no time of death, and the pages say so.
func TestTimesOfBundles(t *testing.T) {
	a, b := read("c1.cdb", "k1", "2026-11-01T00:00:00Z"), read("c2.cdb", "k1", "2026-11-02T00:00:00Z")
	a.Format, b.Format = "bundle of an ELF core", "bundle of a minidump"
	files := siteOf(t, []*Line{a})
	row := rowsOf[siteRow](t, files["index.html"])[0]
	if row.First != "" || row.Last != "" {
		t.Errorf("%+v", row)
	}
	if page := files[row.Page]; !strings.Contains(page, "<dt>first death</dt><dd>unknown</dd>") ||
		!strings.Contains(page, "When the cores died is unknown.") {
		t.Errorf("%s", page)
	}
	b.Died = "2026-10-07T08:00:00Z"
	files = siteOf(t, []*Line{a, b})
	row = rowsOf[siteRow](t, files["index.html"])[0]
	if row.First != b.Died || row.Last != b.Died || len(row.Days) != minDays || row.Days[minDays-1] != 1 {
		t.Errorf("%+v", row)
	}
	if page := files[row.Page]; !strings.Contains(page,
		"By day, 2026-09-24 to 2026-10-07; the highest is 1; without 1 of an unknown time") {
		t.Errorf("%s", page)
	}
	c := read("core.1", "k1", "2026-11-03T00:00:00Z")
	row = rowsOf[siteRow](t, siteOf(t, []*Line{b, c})["index.html"])[0]
	if row.OfFile != [2]bool{false, true} {
		t.Errorf("%+v", row)
	}
	g := &Groups{By: ByCoarse}
	g.Add(a)
	if bugs := g.Bugs(); bugs[0].First != "" || bugs[0].Last != "" {
		t.Errorf("%+v", bugs[0])
	}
}

// TestColumns bounds the columns of a trend, whatever times a file says.
func TestColumns(t *testing.T) {
	s := &span{}
	s.add("0001-01-02T00:00:00Z", false)
	s.add("9999-01-01T00:00:00Z", false)
	if wide, n := s.columns(); n > maxDays || n < 1 || wide <= 0 {
		t.Errorf("%d columns of %v", n, wide)
	}
	s.trend([]*Line{read("c", "k", "0001-01-02T00:00:00Z"), read("d", "k", "9999-01-01T00:00:00Z")})
}
