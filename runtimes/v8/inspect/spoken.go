package inspect

import (
	"slices"

	"coredbg/runtimes/v8/layout"
)

// Dialect returns the dialect of the process's util.inspect, by its own source,
// wherever that comes from. Without the source it is the dialect of the Node release
// in the process, or of the release that usually carries its V8 if the core
// does not tell.
func (r *Inspector) Dialect() Dialect {
	r.dialect.Do(func() {
		if source, ok := r.objects.InspectSource(); ok {
			r.spoken = dialectOf(source)
		} else {
			r.spoken = r.releaseDialect()
		}
	})
	return r.spoken
}

// showsInherited reports whether showHidden shows members of prototypes.
func (r *Inspector) showsInherited() bool {
	return !r.Dialect().NoSizes // both came with Node 12.16
}

// releaseDialect is the dialect by numbers. The first releases with each change were
// run, and behave so.
func (r *Inspector) releaseDialect() Dialect {
	t := &r.Layout.Inspect
	dotted := r.nodeSince(t.DottedTags, release(26, 9, 0))
	return Dialect{
		SymbolBrackets: t.SymbolBrackets == 1,
		BufferBrackets: r.nodeSince(t.BufferBrackets, release(22, 22, 1), release(24, 11, 1), release(25, 1, 0)),
		MarkProxies:    t.MarkProxies == 1,
		DottedTags:     dotted,
		LooseTags:      r.nodeSince(t.LooseTags, release(22, 21, 0), release(24, 9, 0), release(25, 0, 0)) && !dotted,
		NoCause:        !r.nodeSince(t.Cause, release(16, 14, 0), release(17, 3, 0)),
		NoErrors:       !r.nodeSince(t.Errors, release(16, 17, 0), release(18, 6, 0)),
		BareModules:    !r.nodeSince(t.ModuleTags, release(14, 16, 0), release(15, 5, 0)),
		Node12:         t.Node12 == 1,
		NoClasses:      !r.nodeSince(t.Classes, release(12, 18, 3), release(14, 5, 0)),
		NoSizes:        t.Sizes == 0,
		StackParts:     t.StackParts == 1,
		ObjectsFirst:   t.ObjectsFirst == 1,
		JoinsLines:     t.JoinsLines == 1,
		LongEscapes:    t.LongEscapes == 1,
	}
}

func release(major, minor, patch int) layout.Version {
	return layout.Version{Major: major, Minor: minor, Build: patch}
}

// nodeSince reports whether the Node that runs in the process has a change that
// came with the releases in first, one for each release line that got it; lines
// after the last have it too. If the core does not say which Node it is, the
// trait of V8's version decides.
func (r *Inspector) nodeSince(unknown layout.Trait, first ...layout.Version) bool {
	node, ok := r.objects.NodeVersion()
	if !ok {
		return unknown == 1
	}
	for _, f := range first {
		if f.Major == node.Major {
			return slices.Compare([]int{node.Minor, node.Build}, []int{f.Minor, f.Build}) >= 0
		}
	}
	return node.Major > first[len(first)-1].Major
}
