package triage

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// lines makes a file of lines, each of a program, a coarse key, a name, a time and a core.
func lines(rows ...string) string {
	var b strings.Builder
	for _, r := range rows {
		f := strings.Fields(r)
		fmt.Fprintf(&b, `{"type":"triage","status":"read","program":%q,"coarse":%q,"fine":%q,"signature":%q,"modified":%q,"core":%q,"cause":"abort","confidence":"likely","rules":1}`+"\n",
			f[0], f[1], f[2], f[2], f[3], f[4])
	}
	return b.String()
}

func table(bugs []*Bug) string {
	var b strings.Builder
	for _, x := range bugs {
		fmt.Fprintf(&b, "%s%d %s %s %s-%s %v; ", x.Change, x.Count, x.Name, x.Example, x.First, x.Last, x.Programs)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestGroups(t *testing.T) {
	text := lines("app k1 f1 2024 c2", "app k1 f2 2025 c1", "app k1 f2 2023 c3", "web k1 f1 2024 c4",
		"app k2 g1 2024 c5") +
		`{"type":"triage","core":"poison","status":"timeout","error":"slow"}` + "\n" + `{"type":"triage","cor`
	for _, x := range []struct {
		g    Groups
		want string
	}{
		{Groups{}, "3 f2 c1 2023-2025 [app]; 1 f1 c4 2024-2024 [web]; 1 g1 c5 2024-2024 [app]; 1 (timeout) poison - []"},
		{Groups{Across: true}, "4 f1 c1 2023-2025 [app web]; 1 g1 c5 2024-2024 [app]; 1 (timeout) poison - []"},
		{Groups{By: ByFine}, "2 f2 c1 2023-2025 [app]; 1 f1 c2 2024-2024 [app]; 1 f1 c4 2024-2024 [web]; 1 g1 c5 2024-2024 [app]; 1 (timeout) poison - []"},
	} {
		if err := x.g.Read(strings.NewReader(text), "x"); err != nil {
			t.Fatal(err)
		}
		if got := table(x.g.Bugs()); got != x.want {
			t.Errorf("%+v\n%s, want\n%s", x.g.By, got, x.want)
		}
	}
	if err := (&Groups{}).Read(strings.NewReader("{}\n"), "x"); err == nil ||
		err.Error() != "x: line 1 is not one of triage" {
		t.Error(err)
	}
}

// TestNoKey: cores whose stacks say nothing are bugs by themselves; cores that were not to be signed
// are together.
func TestNoKey(t *testing.T) {
	var g Groups
	for _, l := range []*Line{
		{Status: Read, Core: "c1", Program: "app", Cause: "abort", Signature: "abort", Rules: 1},
		{Status: Read, Core: "c2", Program: "app", Cause: "abort", Signature: "abort", Rules: 1},
		{Status: Read, Core: "c3", Program: "app", Cause: "snapshot"},
		{Status: Read, Core: "c4", Program: "app", Cause: "snapshot"},
	} {
		g.Add(l)
	}
	want := "1 abort (its stack says nothing) c1 - [app]; 1 abort (its stack says nothing) c2 - [app]; 2 snapshot c3 - [app]"
	if got := table(g.Bugs()); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

// TestCopies: copies of a core are one bug, whatever each says: one lacks names as its files are not there, and
// another one was packed. The best copy names the bug, in any order.
func TestCopies(t *testing.T) {
	list := []*Line{
		{Status: Read, Core: "c1", SHA256: "aa", Process: "p1", Program: "app", Cause: "go-panic",
			Signature: "go-panic", Rules: 1, Missing: []string{"app"}},
		{Status: Read, Core: "c2", SHA256: "aa", Process: "p1", Program: "app", Cause: "go-panic",
			Signature: "go-panic | main.f", Coarse: "k1", Rules: 1, Title: "in main.f"},
		{Status: Read, Core: "c3.cdb", SHA256: "bb", Process: "p1", Program: "ap", Cause: "abort",
			Signature: "abort | app+0x5", Coarse: "k2", Rules: 1, Missing: []string{"app"}},
		{Status: Read, Core: "c4", SHA256: "cc", Process: "p2", Program: "app", Cause: "abort",
			Signature: "abort", Rules: 1},
		{Status: Read, Core: "c5", SHA256: "cc", Process: "p2", Program: "app", Cause: "abort",
			Signature: "abort", Rules: 1},
		{Status: Read, Core: "c6", SHA256: "dd", Program: "app", Cause: "abort", Signature: "abort", Rules: 1},
		{Status: Read, Core: "c7", SHA256: "dd", Program: "app", Cause: "abort", Signature: "abort", Rules: 1},
		{Status: Read, Core: "c8", Process: "p3", Program: "ap", Cause: "abort", Signature: "abort | app+0x5",
			Coarse: "k2", Rules: 1, Missing: []string{"app", "libc"}},
	}
	want := "3 go-panic | main.f c2 - [ap app]; 2 abort (its stack says nothing) c6 - [app]; 2 abort (its stack says nothing) c4 - [app]; 1 abort | app+0x5 c8 - [ap]"
	for range 2 {
		var g Groups
		for _, l := range list {
			g.Add(l)
		}
		if got := table(g.Bugs()); got != want {
			t.Errorf("%s, want\n%s", got, want)
		}
		for _, l := range list[:3] {
			if got := g.Bug(l); l.Process == "p1" && got != "k1 app" {
				t.Errorf("%s is of %s", l.Core, got)
			}
		}
		slices.Reverse(list)
	}
	var older, newer Groups
	older.Add(list[0])
	newer.Add(list[1])
	if changed := Diff(newer.Bugs(), older.Bugs()); len(changed) != 0 {
		t.Errorf("a copy's bug: %s", table(changed))
	}
}

// TestIdentity compares digests of the notes of cores. Copies share one.
func TestIdentity(t *testing.T) {
	of := func(pid int, rip uint64, signal int) string {
		p := coretest.New(core.AMD64).Thread(pid, map[string]uint64{"rip": rip, "rsp": 0x1000}).Process()
		p.PID, p.Signal = pid, &core.Signal{Number: signal}
		return identityOf(p)
	}
	a := of(7, 0x5000, 11)
	if a == "" || a != of(7, 0x5000, 11) {
		t.Errorf("%q and %q", a, of(7, 0x5000, 11))
	}
	for _, b := range []string{of(8, 0x5000, 11), of(7, 0x5001, 11), of(7, 0x5000, 6)} {
		if a == b {
			t.Error("another process has the same identity")
		}
	}
	if id := identityOf(coretest.New(core.AMD64).Process()); id != "" {
		t.Errorf("%q without a thread", id)
	}
}

func TestDiff(t *testing.T) {
	read := func(rows ...string) []*Bug {
		g := &Groups{}
		if err := g.Read(strings.NewReader(lines(rows...)), ""); err != nil {
			t.Fatal(err)
		}
		return g.Bugs()
	}
	got := table(Diff(read("app k1 f1 2024 c1", "app k3 h1 2025 c9"), read("app k1 f2 2020 c0", "app k2 g1 2020 c8")))
	if want := "new1 h1 c9 2025-2025 [app]; gone1 g1 c8 2020-2020 [app]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestHTML: what a core says is text on the page, and the page asks for nothing.
func TestHTML(t *testing.T) {
	g := &Groups{}
	g.Add(&Line{Core: `x"><script>alert(1)</script>`, Status: Read, Signature: "a | b<int>", Coarse: "k",
		Title:  "</details>",
		Thread: &Thread{Frames: []Frame{{Name: "b<int>", File: "b.cc", Line: 3}}}})
	var b strings.Builder
	if err := WriteHTML(&b, g.Bugs()); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{"1 bugs of 1 cores", "a | b&lt;int&gt;", "x&#34;&gt;&lt;script&gt;",
		"&lt;/details&gt;", "b.cc:3"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	for _, bad := range []string{"<script", "http:", "https:", "src="} {
		if strings.Contains(strings.ReplaceAll(page, "style-src", ""), bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

func FuzzGroups(f *testing.F) {
	f.Add(lines("app k1 f1 2024 c2") + `{"type":"triage","cor`)
	f.Fuzz(func(t *testing.T, text string) {
		g := &Groups{}
		g.Read(strings.NewReader(text), "fuzz")
		Diff(g.Bugs(), g.Bugs())
		WriteHTML(&strings.Builder{}, g.Bugs())
	})
}

// TestDates: a bug is as old as its cores say, and only else as their files are.
func TestDates(t *testing.T) {
	g := &Groups{By: ByCoarse}
	for _, l := range []*Line{
		{Status: Read, Coarse: "k", Died: "2019-05-06T07:08:09Z", Modified: "2026-01-01T00:00:00Z"},
		{Status: Read, Coarse: "k", Modified: "2020-01-01T00:00:00Z"},
		{Status: Read, Coarse: "k"},
	} {
		g.Add(l)
	}
	if bugs := g.Bugs(); len(bugs) != 1 || bugs[0].First != "2019-05-06T07:08:09Z" ||
		bugs[0].Last != "2020-01-01T00:00:00Z" {
		t.Errorf("%+v", bugs)
	}
}
