package out

import (
	"strconv"
	"strings"
)

// Count returns a number of things in words: "1 thread", "2 threads", "3 classes".
func Count[N int | uint32 | uint64](n N, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "s"):
		what += "es"
	default:
		what += "s"
	}
	return strconv.FormatUint(uint64(n), 10) + " " + what
}

// endsShown is how many lines of a long list are shown at each end.
const endsShown = 20

// Ends writes the lines of a list by their number. For a long list it writes both ends, and between them the
// number of omitted lines.
func (w *Writer) Ends(n int, line func(i int)) {
	hidden := n - 2*endsShown
	for i := 0; i < n; i++ {
		if hidden > 0 && i == endsShown {
			w.Printf("    (%d more)\n", hidden)
			i += hidden
		}
		line(i)
	}
}
