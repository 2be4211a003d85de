package heap

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/layout"
)

// closureIn returns a function that closes over a context itself; 0 if there is none.
func (h *Snapshot) closureIn(context layout.Tagged) layout.Tagged {
	h.scopes.once.Do(func() { h.scopes.byContext = scopeUses(h) })
	list := h.scopes.byContext
	i, ok := slices.BinarySearchFunc(list, context,
		func(c scopeUse, t layout.Tagged) int { return cmp.Compare(c.context, t) })
	if !ok {
		return 0
	}
	return list[i].function
}

// scopeUses returns one function for each context, in order of context.
func scopeUses(h *Snapshot) []scopeUse {
	hs := h.v
	var list []scopeUse
	for _, m := range h.Maps.List {
		own := h.Of(m.ID)
		if len(own) == 0 || !hs.IsFunction(layout.Tag(own[0])) {
			continue
		}
		for _, a := range own {
			c, ok := hs.Field(layout.Tag(a), hs.Layout.JSFunction.Context)
			if ok && (len(list) == 0 || list[len(list)-1].context != c) {
				list = append(list, scopeUse{c, layout.Tag(a)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b scopeUse) int { return cmp.Compare(a.context, b.context) })
	list = slices.CompactFunc(list, func(a, b scopeUse) bool { return a.context == b.context })
	return slices.Clip(list)
}

// maxScopeText bounds the text that a declaration is looked for in.
const maxScopeText = 1 << 24

// variablePlace returns the place where a context's variable is declared, the only
// declaration of that name in the text of its scope. Without one it is the beginning of the scope. It is not known if
// no function shows the scope's script.
func (h *Snapshot) variablePlace(context layout.Tagged, name string) graph.Place {
	hs := h.v
	fn := h.closureIn(context)
	if fn == 0 {
		return graph.Place{}
	}
	f, err := hs.objects.Function(fn)
	if err != nil || f.Script == 0 || f.File == "" {
		return graph.Place{}
	}
	c, err := hs.objects.Context(context)
	if err != nil {
		return graph.Place{File: f.File}
	}
	s, err := hs.objects.ScopeInfo(c.ScopeInfo)
	if err != nil || s.Start < 0 {
		return graph.Place{File: f.File}
	}
	at := s.Start
	if scope, err := hs.objects.Source(f.Script, s.Start, s.End, maxScopeText); err == nil {
		declared := regexp.MustCompile(`\b(?:const|let|var|class|function)\s+` + regexp.QuoteMeta(name) + `\b`)
		if all := declared.FindAllStringIndex(scope, 2); len(all) == 1 {
			at += len(utf16.Encode([]rune(scope[:all[0][0]])))
		}
	}
	if loc := hs.objects.LocateOriginal(f.Script, at); loc.Line > 0 {
		return graph.Place{File: strings.TrimPrefix(loc.File, "file://"), Line: loc.Line}
	}
	return graph.Place{File: f.File}
}
