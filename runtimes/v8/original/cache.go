package original

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/sourcemap"
)

// Node that runs with --enable-source-maps keeps the maps that it has read
// (lib/internal/source_map/source_map_cache.js, v16 to v26):
//
//	an entry {lineLengths, data, …}, in a Map, a WeakMap or a private property of a Module
//	-> data, the map's JSON as an object, with sources that are whole URLs; null or undefined
//	   if it was not read
//
// The place of entries differs from release to release, and the key is the URL of the script or an object. An
// entry is recognized by its two properties. Its script is found by the lengths of all lines, which must equal
// the script's.

// A mapCache holds the source maps that Node keeps, once the heap was walked for them.
type mapCache struct {
	once    sync.Once
	left    atomic.Bool // the heap is not to be walked
	entries []mapEntry
}

// A mapEntry is one entry: a map and the lengths of lines of its script.
type mapEntry struct {
	lengths []int
	data    layout.Tagged
}

// Bounds of the cache's contents that are read.
const (
	maxMapEntries = 1 << 14
	maxMapLines   = 1 << 22 // of all scripts with an entry
	maxMapStrings = 1 << 20 // sources or names of a map
)

// keepFlags have Node keep source maps.
var keepFlags = []string{"--enable-source-maps", "--experimental-transform-types"}

// KeepsMaps reports whether Node was told to keep source maps: the heap, which may
// be large, need not be walked otherwise.
func (v *Maps) KeepsMaps() bool {
	args, _ := core.Argv(v.objects.Process)
	if slices.ContainsFunc(args, func(a string) bool { return slices.Contains(keepFlags, a) }) {
		return true
	}
	env, _ := core.Environ(v.objects.Process)
	return slices.ContainsFunc(env, func(s string) bool {
		options, ok := strings.CutPrefix(s, "NODE_OPTIONS=")
		return ok && slices.ContainsFunc(strings.Fields(options),
			func(a string) bool { return slices.Contains(keepFlags, a) })
	})
}

// LeaveHeap has source maps looked for in files alone; see runtimes.HeapWalker.
func (v *Maps) LeaveHeap() { v.cache.left.Store(true) }

// cachedMap returns the map of a script that Node keeps, nil if there is none or more than
// one that may be it.
func (v *Maps) cachedMap(script layout.Tagged, base string, fits sourcemap.Fit) *sourcemap.Map {
	lengths := v.objects.LineLengths(script)
	if lengths == nil {
		return nil
	}
	v.cache.once.Do(func() {
		if !v.cache.left.Load() && v.KeepsMaps() {
			v.cache.entries = v.mapEntries(context.Background())
		}
	})
	var found []byte
	for _, e := range v.cache.entries {
		if !slices.Equal(e.lengths, lengths) {
			continue
		}
		text, err := v.mapText(e.data)
		if err != nil || found != nil && string(found) != string(text) {
			return nil
		}
		found = text
	}
	if found == nil {
		return nil
	}
	m, err := readMap(found, base, fits)
	if err != nil {
		return nil
	}
	return m
}

// mapEntries finds the entries on the heap that have a map.
func (v *Maps) mapEntries(ctx context.Context) (list []mapEntry) {
	h, err := v.heaps.Snapshot(ctx)
	if err != nil {
		return nil
	}
	lines := 0
	groups := h.Groups()
	for i := range groups {
		part, ok := h.Having(&groups[i], "lineLengths")
		if !ok {
			continue
		}
		for _, a := range h.Objects(&part) {
			o := object.Slot{Word: layout.Tagged(a)}
			data, err := v.objects.Own(o, "data")
			if err != nil || data.Raw || !v.objects.IsReceiver(data.Word) {
				continue
			}
			lengths := v.ints(o, "lineLengths", maxMapLines-lines)
			if lines += len(lengths); len(lengths) > 0 {
				list = append(list, mapEntry{lengths: lengths, data: data.Word})
			}
			if len(list) == maxMapEntries {
				return list
			}
		}
	}
	return list
}

// errMap says that what Node keeps cannot be read as a map.
var errMap = errors.New("source map: the copy that Node keeps cannot be read")

// ints returns an array of small integers that is a property of o; nil if it is not that, or
// has more than most.
func (v *Maps) ints(o object.Slot, name string, most int) (list []int) {
	a, err := v.objects.Own(o, name)
	if err != nil || a.Raw || !v.objects.IsReceiver(a.Word) {
		return nil
	}
	ok := true
	err = v.objects.Elements(a.Word, func(i uint64, s object.Slot) bool {
		ok = !s.Raw && s.Word.IsSmi() && i == uint64(len(list)) && len(list) < most
		if ok {
			list = append(list, int(s.Word.Smi()))
		}
		return ok
	})
	if err != nil || !ok {
		return nil
	}
	return list
}

// texts returns an array of strings that is a property of o, with nil for elements that are not strings. It
// returns nil if the property is not an array. Characters are taken off *left.
func (v *Maps) texts(o object.Slot, name string, left *int) (list []*string) {
	a, err := v.objects.Own(o, name)
	if err != nil || a.Raw || !v.objects.IsReceiver(a.Word) {
		return nil
	}
	_ = v.objects.Elements(a.Word, func(i uint64, s object.Slot) bool {
		if i != uint64(len(list)) || len(list) >= maxMapStrings || *left <= 0 {
			return false
		}
		var text *string
		if !s.Raw && v.objects.IsString(s.Word) {
			if t, err := v.objects.String(s.Word, *left); err == nil {
				text, *left = &t, *left-len(t)
			}
		}
		list = append(list, text)
		return true
	})
	return list
}

// mapText writes a map that Node keeps as JSON again.
func (v *Maps) mapText(data layout.Tagged) ([]byte, error) {
	o, left := object.Slot{Word: data}, sourcemap.MaxSize
	mappings, err := v.objects.Own(o, "mappings")
	if err != nil || mappings.Raw || !v.objects.IsString(mappings.Word) {
		return nil, errMap
	}
	text, err := v.objects.String(mappings.Word, left)
	if err != nil {
		return nil, err
	}
	left -= len(text)
	return json.Marshal(map[string]any{
		"version": 3, "mappings": text, "sources": v.texts(o, "sources", &left), "names": v.texts(o, "names", &left),
		"sourcesContent": v.texts(o, "sourcesContent", &left),
		"ignoreList": slices.Concat(v.ints(o, "ignoreList", maxMapStrings),
			v.ints(o, "x_google_ignoreList", maxMapStrings)),
	})
}
