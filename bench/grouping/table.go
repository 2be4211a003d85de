package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"coredbg/crash/bugs"
	"coredbg/internal/grouping"
	"coredbg/runtimes"
	"coredbg/stack"
)

// table prints purity and completeness by our keys and by the rules of others, and by
// language; and, if asked, what of a bug is not in its largest group.
func table(w io.Writer, rows []*Row, wrong bool) {
	fmt.Fprintf(w, "| grouped by | purity | completeness | groups of %d bugs, %d cores |\n|---|---|---|---|\n",
		seeded(rows), len(rows))
	for _, g := range grouping.All {
		c := grouping.NewCount()
		for _, r := range rows {
			c.Add(r.Bug, cmp.Or(g.Key(r.Line), fmt.Sprintf("none: %s.%d", r.Bug, r.Variant)))
		}
		fmt.Fprintf(w, "| %s | %.3f | %.3f | %d |\n", g.Name, c.Purity(), c.Completeness(), c.Groups())
	}
	if !wrong {
		return
	}
	c := grouping.NewCount()
	most := map[string]int{}
	for _, r := range rows {
		c.Add(r.Bug, r.Line.Coarse)
		n, _ := c.Group(r.Bug, r.Line.Coarse)
		most[r.Bug] = max(most[r.Bug], n)
	}
	slices.SortFunc(rows, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Bug, b.Bug), a.Variant-b.Variant)
	})
	for _, r := range rows {
		if n, merged := c.Group(r.Bug, r.Line.Coarse); n < most[r.Bug] || merged > 1 {
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\n", r.Kind, r.Bug, r.Variant, r.Build, r.Damage,
				cmp.Or(r.Line.Signature, r.Line.Title, r.Line.Error))
		}
	}
}

func seeded(rows []*Row) int {
	m := map[string]bool{}
	for _, r := range rows {
		m[r.Bug] = true
	}
	return len(m)
}

// resign gives rows the signatures that the rules of today give their frames. Of a
// recursion a row has too few, and it does not say which frames are an engine's.
func resign(rows []*Row) {
	for _, r := range rows {
		l := r.Line
		if l.Thread == nil || l.Signature == "" || l.Cause == bugs.StackOverflow {
			continue
		}
		var frames []stack.Frame
		for _, f := range l.Thread.Frames {
			frames = append(frames, stack.Frame{Kind: runtimes.Kind(f.Kind), Name: f.Name, Module: f.Module,
				ModuleOffset: f.Offset, File: f.File, Line: f.Line})
		}
		s := bugs.DefaultRules().Sign(l.Cause, frames)
		l.Signature, l.Coarse, l.Fine, l.Rules = s.Name, s.Coarse, s.Fine, s.Rules
	}
}
