package coredbg

import (
	"slices"
	"testing"

	"coredbg/commands"
)

// TestQuestions: each answer is an existing command, and only commands of the process's runtimes are
// offered.
func TestQuestions(t *testing.T) {
	r := Registry()
	known := []string{"coredbg diff OLD NEW", "coredbg triage FOLDER", "coredbg groups FILE", "coredbg report CORE"}
	for _, q := range questions() {
		for _, a := range q.Answers {
			if _, ok := r.Command(a.Name()); !ok && !slices.Contains(known, a.Line) {
				t.Errorf("%s: there is no %s", q.Ask, a.Line)
			}
			for _, name := range a.Runtimes {
				if !slices.ContainsFunc(probes(), func(x named) bool { return x.name == name }) {
					t.Errorf("%s: nothing looks for %s", a.Line, name)
				}
			}
		}
	}
	has := func(list []commands.Question, line string) bool {
		return slices.ContainsFunc(list, func(q commands.Question) bool {
			return slices.ContainsFunc(q.Answers, func(a commands.Answer) bool { return a.Line == line })
		})
	}
	none, js := commands.Asked(questions(), nil), commands.Asked(questions(), []string{"v8"})
	if has(none, "::jsstack") || !has(none, "::stack") || !has(js, "::jsstack") || has(js, "::javastack") {
		t.Errorf("without a runtime %v, with one %v", none, js)
	}
}
