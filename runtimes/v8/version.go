package v8

import (
	"strconv"
	"strings"

	"coredbg/runtimes/v8/layout"
)

// ParseVersion reads "12.4" or a longer version such as V8 prints.
func ParseVersion(s string) (layout.Version, bool) {
	part := strings.Split(s, ".")
	var n [4]int
	if len(part) < 2 {
		return layout.Version{}, false
	}
	for i := range min(len(part), len(n)) {
		digits, _, _ := strings.Cut(part[i], "-")
		x, err := strconv.ParseUint(digits, 10, 16)
		if err != nil {
			return layout.Version{}, false
		}
		n[i] = int(x)
	}
	return layout.Version{Major: n[0], Minor: n[1], Build: n[2], Patch: n[3]}, true
}
