package code

import "strings"

// Modifiers returns access flags as Java writes them.
func Modifiers(flags uint32, method bool) string {
	words := []struct {
		bit  uint32
		word string
	}{{1, "public"}, {2, "private"}, {4, "protected"}, {0x400, "abstract"}, {8, "static"}, {0x10, "final"},
		{0x20, "synchronized"},
		{0x100, "native"}, {0x40, "volatile"}, {0x80, "transient"}}
	var out []string
	for _, w := range words {
		if flags&w.bit == 0 || method == (w.bit == 0x40 || w.bit == 0x80) && (w.bit&0xc0 != 0) {
			continue
		}
		if !method && w.bit == 0x100 {
			continue
		}
		out = append(out, w.word)
	}
	return strings.Join(out, " ")
}
