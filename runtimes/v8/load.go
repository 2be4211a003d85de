package v8

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

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

// Load makes v decode with the table of another version. The constants of the
// image still come first if symbols is set. Nobody else may use v meanwhile.
func (v *V8) Load(ver layout.Version, symbols bool) error {
	if ver.Before(layout.OldestKnown.Major, layout.OldestKnown.Minor) {
		return fmt.Errorf("v8 %d.%d is older than %d.%d, the oldest version known", ver.Major, ver.Minor, layout.OldestKnown.Major, layout.OldestKnown.Minor)
	}
	constants := v.Image.Constants
	if !symbols {
		constants = layout.Constants{}
	}
	v.Layout = layout.New(ver, constants)
	v.Objects.Forget()
	v.Heaps.Forget()
	v.selfTest = sync.OnceValue(v.runSelfTest)
	return nil
}
