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
