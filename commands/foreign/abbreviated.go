package foreign

import "strings"

// gdbCommands are commands of gdb that may be cut short. Those with an abbreviation of their own, such as "b", are
// words of the tables too, which come first. Source: the GDB manual, "Command Syntax".
var gdbCommands = strings.Fields("advance apropos attach backtrace break call catch checkpoint clear commands condition continue core-file " +
	"define delete detach directory disable disassemble display document down echo enable explore file finish frame generate-core-file handle help " +
	"ignore info inspect jump kill layout list macro maintenance next nexti output print printf ptype python record refresh return run search select-frame set " +
	"sharedlibrary shell show signal source start starti step stepi symbol-file target tbreak thread undisplay until up watch whatis where")

// Unabbreviated returns the one command of gdb that a word begins, or "" if there is none or more than one.
func Unabbreviated(word string) (full string) {
	if len(word) < 2 {
		return ""
	}
	for _, c := range gdbCommands {
		if c == word {
			return ""
		}
		if strings.HasPrefix(c, word) {
			if full != "" {
				return ""
			}
			full = c
		}
	}
	return full
}

// NearCommand returns the word closest to an unknown one, of names and of gdb's commands; "" if all differ too much.
func NearCommand(word string, names []string) string {
	return Nearest(word, append(names, gdbCommands...))
}
