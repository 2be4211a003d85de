// Package realm finds the realms of V8, each a native context, by the functions that were made in them.
package realm

import (
	"maps"
	"slices"

	"coredbg/runtimes/blink"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

// Scripts are realms with the number of closures that each script has there.
type Scripts map[layout.Tagged]map[string]int

// New returns the realms that the heap's functions belong to, with the number of closures that each script has there.
func New(r *layout.Memory, native func(context layout.Tagged) (layout.Tagged, error),
	list []heap.SharedFunction) Scripts {
	realms := Scripts{}
	for i := range list {
		for _, closure := range list[i].Closures {
			at, ok := r.Field(layout.Tag(closure), r.Layout.JSFunction.Context)
			if !ok {
				continue
			}
			of, err := native(at)
			if err != nil {
				continue
			}
			if realms[of] == nil {
				realms[of] = map[string]int{}
			}
			realms[of][list[i].File]++
		}
	}
	return realms
}

// Sorted returns the realms in the order of their addresses.
func (realms Scripts) Sorted() []layout.Tagged {
	return slices.Sorted(maps.Keys(realms))
}

// MayHaveBlink reports whether V8 may be part of a browser: its embedder is one, or is not known.
func MayHaveBlink(v *v8.V8) bool {
	_, ok := v8.EmbedderOf[*blink.Reader](v)
	return ok
}

// Documents returns Blink's document of each of natives. If the program has no Blink, it returns only origins.
func (realms Scripts) Documents(v *v8.V8, natives []layout.Tagged) []blink.Document {
	reader, ok := v8.EmbedderOf[*blink.Reader](v)
	if !ok {
		out := make([]blink.Document, len(natives))
		for i, native := range natives {
			token, _ := v8.SecurityToken(v, native)
			out[i].Origin = v8.Origin(token)
		}
		return out
	}
	list := make([]blink.Realm, len(natives))
	for i, native := range natives {
		token, _ := v8.SecurityToken(v, native)
		list[i] = blink.Realm{Native: native, Token: token, Origin: v8.Origin(token),
			Scripts: slices.Collect(maps.Keys(realms[native]))}
	}
	return reader.Documents(list)
}
