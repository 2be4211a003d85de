package v8

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// ParseVersion reads "12.4" or a longer version such as V8 prints.
func ParseVersion(s string) (Version, bool) {
	part := strings.Split(s, ".")
	var n [4]int
	if len(part) < 2 {
		return Version{}, false
	}
	for i := range min(len(part), len(n)) {
		digits, _, _ := strings.Cut(part[i], "-")
		x, err := strconv.ParseUint(digits, 10, 16)
		if err != nil {
			return Version{}, false
		}
		n[i] = int(x)
	}
	return Version{n[0], n[1], n[2], n[3]}, true
}

// Load makes v decode with the table of another version. The constants of the
// image still come first if symbols is set. Nobody else may use v meanwhile.
func (v *V8) Load(ver Version, symbols bool) error {
	if ver.Before(oldestKnown.Major, oldestKnown.Minor) {
		return fmt.Errorf("v8 %d.%d is older than %d.%d, the oldest version known", ver.Major, ver.Minor, oldestKnown.Major, oldestKnown.Minor)
	}
	constants := v.image.constants
	if !symbols {
		constants = nil
	}
	v.layout = newLayout(ver, constants)
	v.Objects.forget()
	v.Heaps.forget()
	v.selfTest = sync.OnceValue(v.runSelfTest)
	return nil
}
