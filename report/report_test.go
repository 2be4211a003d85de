package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"coredbg"
	"coredbg/chart"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/crash"
	"coredbg/runtimes"
	"coredbg/stack"
)

func open(t *testing.T, name string) *commands.Session {
	t.Helper()
	s, err := coredbg.Open("../testdata/cores/"+name, coredbg.Options{Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func write(t *testing.T, s *commands.Session, o Options) string {
	t.Helper()
	p, err := New(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPage: the page has what the commands have. Truth: the corpus' own golden files.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens large cores")
	}
	for _, c := range []struct {
		core string
		want []string
	}{
		{"node-24.cdb", []string{"js-abort, certain", "process.abort was called in die", ">recurse<", `id="timeline"`,
			`the event loop of thread 15356 looked at the clock last`, `id="classes"`, `id="promises"`,
			"data:image/svg&#43;xml;base64,", `data-copy="::heapstat -r -n 40"`,
			`<iframe title="What retains the heap"`}},
		// The source is the program's own, testdata/cores/sources/native/server.cc.
		{"server.cdb", []string{`<span class="badge crash">null-dereference, certain</span>`,
			"SIGSEGV, segmentation fault (SEGV_MAPERR)",
			`<b class="name">label (order=…)</b> <span class="at">server.cc:39:17 [inlined]</span>`,
			`data-copy="::frame 2; ::locals"`, "<dt>threads</dt><dd>5</dd>", "Nothing is known of: <b>Timeline</b>"}},
		// The error's own stack, as ::status has it.
		{"node-16-fatal.cdb", []string{`id="raised"`, `<ol class="raised"><li>at `}},
		{"goroutines.cdb", []string{`id="goroutines"`, `data-copy="::goroutines -g"`, "<h2>Where it happened"}},
		{"art-14-locks.cdb", []string{`id="deadlock"`, `class="java`, `<iframe title="What retains the heap"`}},
		{"segv.cdb", []string{`id="mappings"`, "found by registers", `<rect class="code"`,
			"when the process began is not known", "when the core was written is not known"}},
		// eu-readelf -n of the core in it: utime 0.300000, stime 0.000000 of 1471
		{"threads.cdb", []string{`id="processor"`, `data-copy="::threads -t"`, `>1471</th>`,
			`<td class="r">0.300 s</td>`, `<rect class="user" width="1000"`}},
		{"macos-arm64.cdb", []string{"<b>Processor time</b> (", "the core does not say how long its threads ran"}},
	} {
		page := write(t, open(t, c.core), Options{Now: time.Unix(0, 0)})
		for _, want := range c.want {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q in the page", c.core, want)
			}
		}
		if len(page) > 2<<20 {
			t.Errorf("%s: %d bytes", c.core, len(page))
		}
	}
}

// TestSuspect draws the way to a suspect, whose names are text.
func TestSuspect(t *testing.T) {
	var x suspected
	if err := json.Unmarshal([]byte(`{"type":"suspect","why":"all of it","root":{"kind":"global","name":"<b>"},"path":[{"class":"Map","retained":2048},{"class":"</svg>","reference":"a&b","retained":1}]}`), &x); err != nil {
		t.Fatal(err)
	}
	p := &Page{Verdict: &crash.Verdict{}, Suspect: &Suspect{Why: x.Why, Way: x.way()}}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<span class="box"><span>root: global: &lt;b&gt;</span></span>`,
		`<span>Map</span> <span class="size">2 KiB</span>`, `<span class="how">a&amp;b</span><span class="box last">`,
		"<span>&lt;/svg&gt;</span>"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the page", want)
		}
	}
	p.Full, p.Places = true, []Place{{Name: "grow"}}
	b.Reset()
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if at := strings.Index(b.String(), `<section id="suspect">`); at < 0 ||
		at > strings.Index(b.String(), `<section id="places">`) {
		t.Error("the suspect is not the first section of a process whose heap was full")
	}
	x.Path[0].Retained = 0
	if w := x.way(); w.Steps[1].Note != "" || w.Steps[2].Note == "" {
		t.Errorf("a holder that is not the only one has a size, or the suspect has none: %+v", w.Steps)
	}
	for range 1000 {
		x.Path = append(x.Path, x.Path[0])
	}
	if w := x.way(); len(w.Steps) != maxSteps+2 || w.Steps[8].Name != "… 988 more objects" ||
		!w.Steps[maxSteps+1].Last {
		t.Errorf("%d steps: %+v", len(w.Steps), w.Steps)
	}
}

// TestNarrow: on a narrow page the column with names comes first in tables that have it last, columns of text stand
// below each other, and lines of a stack trace break anywhere.
func TestNarrow(t *testing.T) {
	number, name := out.Cell{Column: "BASE", Text: "400000", Right: true}, out.Cell{Column: "NAME", Text: "/bin/app"}
	p := &Page{Verdict: &crash.Verdict{}, Sections: []*Section{
		{ID: "images", Named: true, Head: []out.Cell{number, name}, Rows: [][]out.Cell{{number, name}}},
		{ID: "memory", Head: []out.Cell{name, number}, Rows: [][]out.Cell{{name, number}}},
		{ID: "registers", Text: "%rax  = 0x0  %r8  = 0x1\n%rip  = 0x2"},
		{ID: "goroutines", Text: "goroutine 1 [running]\n   #0 = main.f+0x1  a.go:3\n     (goroutines 1  2)"},
		{ID: "error", Text: "Error: at last\n    at <f> (a.js:1:2)"}}}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<table class="named">`, `<table>`,
		"<span>%rax  = 0x0  </span><span class=\"beside\">%r8  = 0x1\n</span><span>%rip  = 0x2</span></pre>",
		"<span>goroutine 1 [running]\n</span><span>   #0 = main.f&#43;0x1  </span><span class=\"beside\">a.go:3\n</span>" +
			"<span>     (goroutines 1  2)</span></pre>",
		"<span>Error: at last\n</span><span class=\"call\">    at &lt;f&gt; (a.js:1:2)</span></pre>"} {
		if strings.Count(b.String(), want) != 1 {
			t.Errorf("not one %q in the page", want)
		}
	}
}

// TestThreadState: the state that the core gives all threads is left out.
func TestThreadState(t *testing.T) {
	for state, want := range map[string]string{"Native": "", "WaitingForGc": "WaitingForGc"} {
		first := &stack.Stack{Thread: &core.Thread{TID: 7}, State: state}
		if got := thread(&commands.Session{}, &stack.Group{First: first, TIDs: []int{7}}).State; got != want {
			t.Errorf("%s is shown as %q, want %q", state, got, want)
		}
	}
}

// TestHolder marks the frame whose part of the stack has the root of the suspect, or the thread if no frame has it.
func TestHolder(t *testing.T) {
	frames := []Frame{{Index: 0, Label: "wait", sp: 0x100, end: 0x140},
		{Index: 1, Label: "grow", sp: 0x140, end: 0x180}}
	for _, c := range []struct {
		tid, group int
		at         core.Addr
		holder     string
		frame      int
	}{{7, 7, 0x148, "#1 grow in thread 7", 1}, {7, 7, 0, "thread 7", -1}, {7, 5, 0x148, "thread 7", -1},
		{9, 7, 0x148, "", -1}, {0, 7, 0x148, "", -1}} {
		x := &Suspect{Why: "all of it", tid: c.tid, at: c.at}
		list := []Thread{{ids: []int{3}}, {ids: []int{c.group, 7}, Frames: slices.Clone(frames)}}
		x.mark(list)
		for i, f := range list[1].Frames {
			if f.Holds != (i == c.frame) {
				t.Errorf("%+v: frame %d is marked: %t", c, i, f.Holds)
			}
		}
		if x.Holder != c.holder || list[0].Holds || list[1].Holds != (c.holder == "thread 7") {
			t.Errorf("%+v: %q, %t", c, x.Holder, list[1].Holds)
		}
		p := &Page{Verdict: &crash.Verdict{}, Suspect: x, Threads: list}
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		want := 0
		if c.holder != "" {
			want = 1
		}
		n, links := strings.Count(b.String(), ` id="holder"`), strings.Count(b.String(), `href="#holder"`)
		if n != want || n != links {
			t.Errorf("%+v: %d places of the holder", c, n)
		}
	}
}

// TestNoRegisters: a thread whose registers the core does not have is on the page.
func TestNoRegisters(t *testing.T) {
	s := open(t, "null.cdb")
	for _, th := range s.Process.Threads {
		th.Regs = core.Regs{}
	}
	if page := write(t, s, Options{}); !strings.Contains(page,
		"<b>thread "+strconv.Itoa(s.Process.Threads[0].TID)+"</b>") {
		t.Error("the thread is not on the page")
	}
}

// fetched is what a browser would fetch.
var fetched = regexp.MustCompile(`(?i)<[a-z][^<>]*\s(src|href)="?(https?:)?//|url\(|@import`)

// TestHostilePage: names in a core are text in the page, and nothing else.
func TestHostilePage(t *testing.T) {
	s := open(t, "null.cdb")
	const evil = "\x1b[31m</title></script><script>alert(1)</script><img src=//e.example/x onerror=alert(2)>\"'`${x}"
	s.Process.Name, s.Process.Path = evil, evil
	s.Process.Exe = "/tmp/" + evil
	for _, th := range s.Process.Threads {
		th.Name = evil
	}
	for i := range s.Process.Mappings {
		if s.Process.Mappings[i].Path != "" {
			s.Process.Mappings[i].Path = evil
		}
	}
	page := write(t, s, Options{})
	if strings.Count(page, "<script>") != 1 || strings.Contains(page, "<img") {
		t.Error("a name of the core became markup")
	}
	if m := fetched.FindString(page); m != "" {
		t.Errorf("the page fetches %q", m)
	}
	for i := range len(page) {
		if c := page[i]; c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			t.Fatalf("the page has the byte %#x: %q", c, page[max(0, i-40):i+10])
		}
	}
}

// TestBarePage: what may have values is not asked.
func TestBarePage(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens a large core")
	}
	s := open(t, "node-16-fatal.cdb")
	if page := write(t, s, Options{}); !strings.Contains(page, `id="error"`) {
		t.Error("the page has no error")
	}
	if page := write(t, s, Options{Bare: true}); strings.Contains(page, `id="error"`) ||
		strings.Contains(page, `title="What retains the heap"`) {
		t.Error("the bare page has the error, or names with contents of strings")
	}
}

// TestGrow: threads that differ in their first function only, very many of them.
func TestGrow(t *testing.T) {
	tr := newTree("all")
	for range 2 {
		for i := range 20000 {
			tr.grow(&stack.Group{TIDs: []int{1},
				First: &stack.Stack{Frames: []stack.Frame{{Name: fmt.Sprint(i), Kind: runtimes.Native},
					{Name: "main", Kind: runtimes.Native}}}})
		}
	}
	if m := tr.root.Children; len(m) != 1 || len(m[0].Children) != 20000 || m[0].Children[7].Own != 2 {
		t.Errorf("%d children", len(m))
	}
}

// TestPolicy: the page's policy allows the scripts that are in it, by their hashes, and no other.
func TestPolicy(t *testing.T) {
	page := write(t, open(t, "null.cdb"), Options{})
	head := (&Page{Verdict: &crash.Verdict{}}).Head()
	for _, script := range []string{scriptText, chart.Script} {
		sum := sha256.Sum256([]byte(script))
		if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !slices.Contains(head.Hashes(), want) {
			t.Errorf("%s is not among %s", want, head.Hashes())
		}
	}
	_, rest, _ := strings.Cut(page, "<script>")
	script, _, ok := strings.Cut(rest, "</script>")
	if !ok || script != scriptText {
		t.Errorf("the script on the page is another one: %.60q", script)
	}
	_, policy, _ := strings.Cut(page, "script-src ")
	policy, _, _ = strings.Cut(policy, ";")
	if strings.Contains(policy, "unsafe") || strings.Count(html.UnescapeString(page[:strings.Index(page, "<title>")]),
		"sha256-") != 2 {
		t.Errorf("the policy is %s", policy)
	}
}

// TestNext: a command has its long name on the page, once.
func TestNext(t *testing.T) {
	if got := next(&crash.Verdict{Next: []string{"$C", "::stacks", "::stack"}}); !slices.Equal(got,
		[]string{"::stack", "::stacks"}) {
		t.Errorf("%q", got)
	}
}
