package triage

import (
	"cmp"

	"coredbg/crash/bugs"
)

// A member is the short form of a core's line. Groups keep one of each core.
type member struct {
	id, key                             string
	core, program, modified, confidence string
	name, coarse, title, signal         string
	cause                               bugs.Cause
	status                              Status
	size                                int64
	rules, missing                      int
	whole                               *Line // nil unless whole lines are kept
}

// member returns the short form of a line.
func (g *Groups) member(l *Line) *member {
	at, _ := died(l)
	return &member{id: l.ID(), key: g.Key(l), core: l.Core, program: l.Program, modified: at, confidence: l.Confidence,
		name: nameOf(l), coarse: l.Coarse, title: cmp.Or(l.Title, l.Error), signal: l.Signal, cause: l.Cause,
		status: l.Status,
		size:   l.Size, rules: l.Rules, missing: len(l.Missing)}
}

// line returns the line that m is the short form of, without its stack and its evidence.
func (m *member) line() *Line {
	return &Line{Core: m.core, Program: m.program, Modified: m.modified, Confidence: m.confidence, Coarse: m.coarse,
		Title:  m.title,
		Signal: m.signal, Cause: m.cause, Status: m.status, Size: m.size, Rules: m.rules}
}

// saysMore reports whether a copy of a core says more about its bug than another copy: it was
// read, by newer rules, its stack has names, it is a better example.
func (m *member) saysMore(o *member) bool {
	return cmp.Or(
		compareBool(m.status == Read, o.status == Read),
		cmp.Compare(m.rules, o.rules),
		compareBool(m.coarse != "", o.coarse != ""),
		-m.compare(o)) > 0
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// compare compares cores as examples: one that lacks less, is more certain, or is smaller comes first.
func (m *member) compare(o *member) int {
	return cmp.Or(
		cmp.Compare(m.missing, o.missing),
		-cmp.Compare(sureness[m.confidence], sureness[o.confidence]),
		cmp.Compare(m.size, o.size),
		cmp.Compare(m.core, o.core))
}
