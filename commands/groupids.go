package commands

import (
	"fmt"
	"strings"

	"coredbg/commands/out"
)

// shownIDs is how many ids a group shows in text.
const shownIDs = 12

// WriteGroupIDs writes the line below the stack of a group: the ids of its threads or tasks, and how many are left out.
func WriteGroupIDs[ID int | uint64](w *out.Writer, kind string, ids []ID) {
	var b strings.Builder
	for _, id := range ids[:min(len(ids), shownIDs)] {
		fmt.Fprintf(&b, " %d", id)
	}
	if n := len(ids) - shownIDs; n > 0 {
		fmt.Fprintf(&b, " … %d more", n)
	}
	w.Printf("      (%s%s)\n", kind, b.String())
}
