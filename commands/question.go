package commands

import (
	"slices"
	"strings"
)

// A Question is a question about a core, with the commands that answer it, the first ones first.
type Question struct {
	Ask     string // "why did it die"
	Answers []Answer
}

// An Answer is a line that answers a question: a command, perhaps with its arguments.
type Answer struct {
	Line string // "::print NAME"
	// Runtimes are the names of the runtimes that it is about. One has to be in the process; empty for any
	// process.
	Runtimes []string
}

// Name returns the name of the answer's command; "" if it is no command of a session.
func (a *Answer) Name() string {
	_, name, ok := strings.Cut(a.Line, "::")
	if !ok {
		return ""
	}
	name, _, _ = strings.Cut(name, " ")
	return name
}

// Asked returns the questions with the answers that are about this process. found are the names of its runtimes.
func Asked(list []Question, found []string) (out []Question) {
	for _, q := range list {
		x := Question{Ask: q.Ask}
		for _, a := range q.Answers {
			if len(a.Runtimes) == 0 || slices.ContainsFunc(a.Runtimes,
				func(r string) bool { return slices.Contains(found, r) }) {
				x.Answers = append(x.Answers, a)
			}
		}
		if len(x.Answers) > 0 {
			out = append(out, x)
		}
	}
	return out
}
