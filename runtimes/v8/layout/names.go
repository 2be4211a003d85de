package layout

import (
	"maps"
	"slices"
	"strings"
)

// sortedNames returns the names of constants, sorted.
func sortedNames(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }

// searchNames returns where a name is among sorted names, or would be.
func searchNames(names []string, name string) int {
	i, _ := slices.BinarySearch(names, name)
	return i
}

// findConstant finds the first of the alternatives in tag among sorted names.
func findConstant(names []string, tag string) (string, bool) {
	if tag == "" {
		return "", false
	}
	for alt := range strings.SplitSeq(tag, "|") {
		exact := !strings.HasSuffix(alt, "__")
		i := searchNames(names, alt)
		if i < len(names) && (names[i] == alt || !exact && strings.HasPrefix(names[i], alt)) {
			return names[i], true
		}
	}
	return "", false
}

// plainName returns the common part of the names of a class and of its type: JSRegExp, JS_REG_EXP and JS_REGEXP
// are jsregexp.
func plainName(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}

// Printable reports whether s is made of printable ASCII characters.
func Printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
