package liveset

import (
	"hash/fnv"
	"path"
	"slices"
	"strings"
)

// MostQuick is how many cores the quick set may have.
const MostQuick = 120

// SliceSize is about how many cores a slice has.
const SliceSize = 60

// Names returns the names in a text, one a line. A comment begins with "#".
func Names(text string) (names []string) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if name := strings.TrimSpace(line); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Is reports whether a kind has the core with a name. The first part of a kind's path is the
// pattern of the name. Names with two parts, such as macho-files/VERSION, match both parts.
func Is(name, kind string) bool {
	if strings.Contains(name, "/") {
		ok, _ := path.Match(kind, name)
		return ok
	}
	folder, _, _ := strings.Cut(kind, "/")
	ok, _ := path.Match(folder, name)
	return ok
}

// Matching returns the names that match at least one of the kinds.
func Matching(names []string, kinds ...string) (some []string) {
	for _, name := range names {
		if slices.ContainsFunc(kinds, func(kind string) bool { return Is(name, kind) }) {
			some = append(some, name)
		}
	}
	return some
}

// Slices returns how many slices names are cut into.
func Slices(names []string) int { return max(1, (len(names)+SliceSize/2)/SliceSize) }

// truths are ends of names, and of the cores next to them that have their truth: both are in one slice.
var truths = strings.NewReplacer("-maps-off", "-maps-esbuild")

// Slice returns the names of slice k of n, counted from 0. The name decides, so that a
// new core changes no other slice as long as n stays.
func Slice(names []string, k, n int) (some []string) {
	for _, name := range names {
		h := fnv.New64a()
		h.Write([]byte(truths.Replace(name)))
		if int(h.Sum64()%uint64(n)) == k {
			some = append(some, name)
		}
	}
	return some
}
