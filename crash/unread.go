package crash

import (
	"context"
	"slices"
	"strings"

	"coredbg/crash/where"
	"coredbg/runtimes"
)

// Unread names the languages whose locks are not read, or not all; "" if no such language was recognized.
// Threads may wait for each other by these locks.
func Unread(_ context.Context, s *Subject) string {
	names := slices.DeleteFunc(where.Languages(s.Process, s.Symbols), s.decodes)
	if s.Runtimes != nil && slices.ContainsFunc(s.Runtimes(), func(r runtimes.Runtime) bool {
		k, ok := r.(runtimes.TaskWaiter)
		return ok && k.WaitsError() != nil
	}) {
		names = append(names, "Go")
	}
	if len(names) == 0 {
		return ""
	}
	return "locks of " + strings.Join(names, " and ") +
		" are not read: whether its threads wait for each other by them is not known"
}

// decodes reports whether a runtime of the process reads the locks of a language.
func (s *Subject) decodes(language string) bool {
	return s.Runtimes != nil && slices.ContainsFunc(s.Runtimes(), func(r runtimes.Runtime) bool {
		if k, ok := r.(runtimes.LockWaiter); ok {
			_, of := k.LockWords()
			return of == language
		}
		return false
	})
}
