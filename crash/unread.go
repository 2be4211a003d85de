package crash

import (
	"context"
	"strings"

	"coredbg/crash/where"
)

// Unread names the languages whose locks are not read; "" if no such language was recognized. Threads may wait for each
// other by these locks.
func Unread(_ context.Context, s *Subject) string {
	names := where.Languages(s.Process, s.Symbols)
	if len(names) == 0 {
		return ""
	}
	return "locks of " + strings.Join(names, " and ") + " are not read: whether its threads wait for each other by them is not known"
}
