package v8

import (
	"fmt"

	"coredbg/runtimes/v8/layout"
)

// Load makes v decode with the table of another version. The constants of the
// image still come first if symbols is set. Nobody else may use v meanwhile.
func (v *V8) Load(ver layout.Version, symbols bool) error {
	if ver.Outside() < 0 {
		return fmt.Errorf("v8 %d.%d is older than %d.%d, the oldest version known", ver.Major, ver.Minor,
			layout.OldestKnown.Major, layout.OldestKnown.Minor)
	}
	constants := v.Image.Constants
	if !symbols {
		constants = layout.Constants{}
	}
	v.Layout = layout.New(ver, constants)
	v.fitted.Forget()
	v.Objects.Forget()
	v.Heaps.Forget()
	return nil
}
