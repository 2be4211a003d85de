package js

import (
	"context"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/console"
	"coredbg/commands/js/names"
	"coredbg/commands/js/target"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// maxMembers bounds the members of one object that are offered.
const maxMembers = 500

// memberWords returns the variables and globals of JavaScript that the current frame sees or, after a path and
// a point, the members of the path's value.
func memberWords(s *commands.Session, prefix string) []string {
	v, ok := commands.RuntimeOf[*v8.V8](s)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), target.Patience)
	defer cancel()
	path, ok := cutLast(prefix, '.')
	if file, _ := names.Split(prefix + "x"); file != "" {
		return names.Words(ctx, v, prefix)
	}
	if !ok {
		realms, _ := v.Objects.Realms(ctx, s.Thread)
		words := append(globalWords(v, realms), console.Names(s)...)
		if at, ok := names.PlaceOf(ctx, s); ok {
			words = append(words, at.Words(v)...)
		}
		return append(words, names.Words(ctx, v, "")...)
	}
	members, err := object.Path(path)
	if err != nil || len(members) == 0 {
		return nil
	}
	at, err := names.Visible(ctx, s, v, members)
	if err != nil {
		return nil
	}
	var words []string
	for _, key := range keys(v, at) {
		words = append(words, path+"."+key)
	}
	return words
}

func cutLast(s string, sep byte) (before string, ok bool) {
	i := strings.LastIndexByte(s, sep)
	if i < 0 {
		return "", false
	}
	return s[:i], true
}

// globalWords returns the properties of the global objects, and the top-level declarations of scripts.
func globalWords(v *v8.V8, realms []layout.Tagged) []string {
	words := []string{"globalThis"}
	for _, native := range realms {
		if g, err := v.Objects.GlobalObject(native); err == nil {
			words = append(words, keys(v, object.Slot{Word: g})...)
		}
		for _, c := range v.Objects.ScriptContexts(native) {
			for _, x := range c.Variables {
				words = append(words, x.Name)
			}
		}
	}
	return words
}

// keys returns the names of an object's own properties that a path can have
// after a point.
func keys(v *v8.V8, s object.Slot) []string {
	if s.Raw || !s.Word.IsHeap() {
		return nil
	}
	list, _, _ := v.Objects.Properties(s.Word, maxMembers)
	var words []string
	for i := range list {
		if k := list[i].Key.String(); !list[i].Symbol && !strings.ContainsAny(k, ".[]\"' ") {
			words = append(words, k)
		}
	}
	return words
}

// groupWords returns a word for each group of objects on the heap.
func groupWords(s *commands.Session, of func(g *heap.Group) []string) []string {
	v, ok := commands.RuntimeOf[*v8.V8](s)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), target.Patience)
	defer cancel()
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return nil
	}
	var words []string
	for _, g := range h.Groups() {
		words = append(words, of(&g)...)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

func constructorWords(s *commands.Session, _ string) []string {
	return groupWords(s, func(g *heap.Group) []string {
		if g.Prototype || g.Boilerplate {
			return nil
		}
		return []string{g.Constructor}
	})
}

func propertyWords(s *commands.Session, _ string) []string {
	return groupWords(s, func(g *heap.Group) []string { return g.Props })
}
