package commands

import (
	"cmp"
	"slices"

	"coredbg/runtimes"
)

// A Subject is a question that programs of several languages answer, each by a command of its own.
type Subject uint8

// The subjects.
const (
	Threads Subject = iota + 1 // the threads that a language adds to the system's
	Locks                      // who holds a lock, who waits for it
	Stack                      // of one thread
	Stacks                     // of all threads
	Values                     // the object at an address, or a variable by its name
)

// A View is a line that shows a subject in processes that run a language.
type View struct {
	Language runtimes.Language
	Subject  Subject
	Line     string // "::goroutines -g"; "" is the command without arguments
}

// Views returns the views of all commands, sorted by language and subject. Each has its Line.
func (r *Registry) Views() (list []View) {
	for name, all := range r.commands {
		c := all[len(all)-1]
		if c.Name != name {
			continue // an alias
		}
		for _, v := range c.Views {
			v.Line = cmp.Or(v.Line, "::"+c.Name)
			list = append(list, v)
		}
	}
	slices.SortFunc(list, func(a, b View) int {
		return cmp.Or(cmp.Compare(a.Language, b.Language), cmp.Compare(a.Subject, b.Subject),
			cmp.Compare(a.Line, b.Line))
	})
	return list
}

// View returns the line that shows a subject of a language, whether the process runs it or not; "" if no command does.
func (r *Registry) View(l runtimes.Language, subject Subject) string {
	for _, v := range r.Views() {
		if v.Language == l && v.Subject == subject {
			return v.Line
		}
	}
	return ""
}

// Languages returns the languages that runtimes of the process run, each once.
func (s *Target) Languages() (list []runtimes.Language) {
	for _, r := range s.Found() {
		if x, ok := r.(runtimes.Speaker); ok && !slices.Contains(list, x.Language()) {
			list = append(list, x.Language())
		}
	}
	return list
}

// Views returns the lines that show a subject in the languages of the process.
func (s *Session) Views(subject Subject) (lines []string) {
	for _, l := range s.Languages() {
		if line := s.Commands.View(l, subject); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
