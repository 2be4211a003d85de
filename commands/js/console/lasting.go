package console

import (
	"cmp"
	"fmt"
	"regexp"

	"coredbg/commands/lang"
)

// lasting are the beginnings of texts whose functions would act on the process or on the console, and the lines to run
// instead. Functions of the console return undefined.
var lasting = []struct{ text, line string }{
	{"process.exit(", "::status"},
	{"process.abort(", "::status"},
	{"process.kill(", "::status"},
	{"v8.getHeapSnapshot(", "::heapstat"},
	{"console.clear(", "!clear"},
	{"console.time", "::jsprint undefined"},
}

// snapshot is a call of Node's function that writes the heap, and the file that it names.
var snapshot = regexp.MustCompile(`^(?:v8|require\(['"](?:node:)?v8['"]\))\.writeHeapSnapshot\((?:['"]([^'"]*)['"])?\)$`)

// snapshotLine is the line that writes the heap as such a call does; "" for other texts.
func snapshotLine(text string, pid int) string {
	m := snapshot.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return "::heapsnapshot -o " + lang.Quote(cmp.Or(m[1], fmt.Sprintf("Heap.%d.heapsnapshot", pid)))
}
