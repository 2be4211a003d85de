package out

import "strings"

// The size of a page that fits a terminal of 24 lines and 80 columns with the prompt below it.
const (
	PageLines   = 23
	PageColumns = 80
)

// FitsScreen reports whether a page fits such a terminal.
func FitsScreen(page string) bool {
	n := 0
	for line := range strings.Lines(strings.TrimRight(page, "\n")) {
		if n++; n > PageLines || Width(strings.TrimSuffix(line, "\n")) > PageColumns {
			return false
		}
	}
	return true
}
