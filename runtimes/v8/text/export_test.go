package text

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// ResourceData finds the characters of an external string by its resource, even if the string has
// their address.
func (r *Strings) ResourceData(s layout.Tagged, typ int, length uint32) (core.Addr, string) {
	return r.externalData(s, typ|r.Layout.String.UncachedTag, length)
}
